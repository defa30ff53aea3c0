"""What luck owed and nobody wrote down, and which line shows that: the missing line is the mistake."""

from typing import Any

import msgspec

from tabletape.events.games import duelyst as ev
from tabletape.events.vocabulary import Consequence, Event
from tabletape.projector.fold.consequence_match import has_same_content
from tabletape.projector.games.duelyst.owed import owed_as, owed_now, settle
from tabletape.projector.games.duelyst.state import PARTS, Duelyst
from tabletape.projector.games.duelyst.tasks import Owed, Task, UnitBegins
from tabletape.projector.kit.outline import Play
from tabletape.projector.kit.owed import go_on_undrawn, missed_draw
from tabletape.projector.model import deciding
from tabletape.projector.model.changes import Derived


def acting(play: Play) -> Play:
    """Return what a decision of the main phase does: what luck has not written down by then is passed over first."""

    def act(table: Duelyst, event: Any) -> None:
        name = event.player
        if table.owed or table.missed or not table.turn:
            pass_over(table)
            if table.over:
                return
        if name != table.active and type(event) is not ev.TurnEnded:
            table.set(table, "out_of_turn", name)
        player = table.players[name]
        is_ready = player.progress >= PARTS and type(event) is not ev.MechSummoned
        if is_ready and table.options["mech_pending"] == "at_once_or_lost":
            table.set(player, "progress", 0)
            table.derive(ev.BuildProgressed(player=name, progress=0), "duelyst.mech.progress-resets")
        play(table, event)

    return act


def of_luck(play: Play) -> Play:
    """Return what a line of luck does: what luck should have written before it is passed over first."""

    def act(table: Duelyst, event: Event) -> None:
        if table.missed or (table.owed and owed_as(table, event) is None):
            go_on_without(table, event)
            if table.over:
                return
        play(table, event)

    return act


def pass_over(table: Duelyst) -> None:
    """Leave out all that luck owed and nobody wrote down, so that the game goes on from where its players are."""
    if not table.turn and not table.over:
        table.TURN.begin(table)
        settle(table)
    while not table.over and (due := owed_now(table)) is not None:
        _pass_over_one(table, due)
    report_missed(table)


def go_on_without(table: Duelyst, event: Event) -> None:
    """Leave out what luck should have written before a line that it writes now."""
    if overdue(table, event) is not None:
        catch_up(table, event)
    if table.missed and missed_before(table, event) is not None:
        report_missed(table)


def _pass_over_one(table: Duelyst, due: Owed) -> None:
    """Leave one line out; a draw that is missing was most likely made."""
    if due.line is ev.CardsDrawn:
        go_on_undrawn(table, due, due.count)
    table.owe(table.owed[1:])
    settle(table)


def report_missed(table: Duelyst) -> None:
    """Count the draws that the log has gone on without as reported."""
    table.set(table, "missed", tuple(map(_reported, table.missed)))


def missed_before(table: Duelyst, event: Event) -> Owed | None:
    """Return the draw that a line shows to be missing, where nobody has been accused of it yet; that draw may be it."""
    missed = next((due for due in table.missed if not due.passed_over), None)
    is_late = isinstance(event, ev.CardsDrawn) and missed_draw(table, event.player) is not None
    return None if is_late else missed


def strike_pet_off(table: Duelyst, acts: Owed) -> None:
    """Strike a pet off what is owed; those that were to act before it are passed over."""
    owed, at = table.owed, table.owed.index(acts)
    table.owe(tuple(map(_reported, owed[:at])) + owed[at + 1 :])


def _reported(task: Task) -> Task:
    """Return a task as one that is passed over, and that has been reported."""
    return msgspec.structs.replace(task, passed_over=True) if type(task) is Owed else task


def is_passed_over(task: Any) -> bool:
    """Return whether it has been reported that luck owes this line and a later one stands before it."""
    return type(task) is Owed and bool(task.passed_over)


def unreported(table: Duelyst) -> Owed | None:
    """Return what luck owes now and nobody has been accused of yet: without what is passed over."""
    left = tuple(task for task in table.owed if not is_passed_over(task))
    if len(left) == len(table.owed):
        return owed_now(table)
    with deciding.as_it_was(table):
        table.owe(left)
        settle(table)
        return owed_now(table)


def overdue(table: Duelyst, event: Event) -> Owed | None:
    """Return what should have come before a line that can only come after it, or None where the line may come now.

    The table is put back to what it was.
    """
    if owed_as(table, event) is not None:
        return None
    left_out = left_out_before(table, event)
    return next((due for due in left_out if not due.passed_over), None) if left_out else None


def are_draws(left_out: list[Owed]) -> bool:
    """Return whether nothing but draws was left out; they may still be written."""
    return all(due.line is ev.CardsDrawn for due in left_out)


def left_out_before(table: Duelyst, event: Event) -> list[Owed]:
    """Return what luck owes and has to be left out so that a line is next; nothing where that is of no avail."""
    due = owed_now(table) if owed_as(table, event) is None else None
    if due is None or due.line is ev.PetActed or beginning_of(table, event) is not None:
        return []
    with deciding.as_it_was(table):
        left_out = catch_up(table, event)
        return left_out if _is_next(table, event) else []


def _is_next(table: Duelyst, event: Event) -> bool:
    """Return whether luck owes a line now, or the rules have made what it says."""
    return owed_as(table, event) is not None or _derived(table, event) is not None


def catch_up(table: Duelyst, event: Event) -> list[Owed]:
    """Leave out what luck owed before a line, up to where that line is due or follows; return what that was."""
    left_out: list[Owed] = []
    while (due := owed_now(table)) is not None and due.line is not ev.PetActed:
        if table.over or _is_next(table, event):
            break
        left_out.append(due)
        _pass_over_one(table, due)
    return left_out


def take_as_derived(table: Duelyst, event: Consequence) -> None:
    """Leave out what luck owed before a written consequence, and take that as written down.

    A draw may still come: chance lines and what follows from others are written in any order.
    """
    bring_forward(table, event)
    if left_out := left_out_before(table, event):
        catch_up(table, event)
        if not are_draws(left_out):
            report_missed(table)
    derived = _derived(table, event)
    if derived is not None:
        table.derived.remove(derived)


def _derived(table: Duelyst, event: Any) -> Derived | None:
    """Return the derived consequence that says what a written one says, or None."""
    alike = [each for each in table.derived if type(each.event) is type(event)]
    return next((each for each in alike if has_same_content(event, each.event)), None)


# -- in which order ----------------------------------------------------------------------------------------------------


def bring_forward(table: Duelyst, event: Event) -> None:
    """Work off what a unit does at the beginning of the turn, where a line is about that and another unit is due."""
    task = beginning_of(table, event) if owed_as(table, event) is None else None
    if task is not None:
        others = (other for other in table.owed if other is not task)
        is_free = table.options["trigger_order"] == "any_order"
        table.owe((task, *(others if is_free else map(_reported, others))))
        settle(table)


def beginning_of(table: Duelyst, event: Event) -> UnitBegins | None:
    """Return what is still to be worked off of a unit that a line names, at the beginning of the turn, or None."""
    names = {getattr(event, field, msgspec.UNSET) for field in ("source", "unit", "card")}
    return next((task for task in table.owed if isinstance(task, UnitBegins) and task.unit in names), None)
