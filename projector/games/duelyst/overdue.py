"""What luck owed and nobody wrote down, and which line shows that: the missing line is the mistake."""

from typing import Any, Final

import msgspec
from msgspec import UNSET

from events.games import duelyst as ev
from events.vocabulary import Consequence
from projector.fold.consequence_match import has_same_content
from projector.games.duelyst.hands import draw
from projector.games.duelyst.owed import hand_on, owed_as, owed_now, settle
from projector.games.duelyst.state import (
    BEGIN,
    Duelyst,
    Owed,
    PetsBegin,
    Task,
    TurnBegins,
    UnitBegins,
)
from projector.model.changes import Derived
from projector.model.deciding import as_it_was

SET_UP: Final = frozenset({ev.DeckDeclared, ev.FirstPlayerChosen, ev.CardsDrawn, ev.MulliganTaken})
ANY_TIME: Final = frozenset({ev.PlayerConceded, ev.GameAbandoned, ev.DeckShuffled, ev.CardShown})
BEFORE_THE_GAME: Final = SET_UP | ANY_TIME | {ev.GlobePlaced, ev.GeneralPlaced, ev.GameEnded}
"""The lines that may stand before the first turn."""


def start(table: Duelyst) -> None:
    """Begin the game: the first player's turn."""
    hand_on(table, (TurnBegins(table.first),))


def pass_over(table: Duelyst) -> None:
    """Leave out all that luck owed and nobody wrote down, so that the game goes on from where its players are."""
    if not table.turn and not table.over:
        start(table)
        settle(table)
    while not table.over and (due := owed_now(table)) is not None:
        _pass_over_one(table, due)
    report_missed(table)


def go_on_without(table: Duelyst, event: Any) -> None:
    """Leave out what luck should have written before a line that it writes now."""
    if overdue(table, event) is not None:
        catch_up(table, event)
    if table.missed and missed_before(table, event) is not None:
        report_missed(table)


def _pass_over_one(table: Duelyst, due: Owed) -> None:
    """Leave one line out; a draw that is missing was most likely made: the hand holds one unseen card more."""
    if due.line is ev.CardsDrawn:
        draw(table, due.player, (), due.count)
        table.set(table, "missed", (*table.missed, due))
    hand_on(table, table.owed[1:])
    settle(table)


def report_missed(table: Duelyst) -> None:
    """Count the draws that the log has gone on without as reported."""
    table.set(table, "missed", tuple(map(_reported, table.missed)))


def late_draw(table: Duelyst, event: ev.CardsDrawn) -> Owed | None:
    """Return the draw that the log has gone on without, and which a line writes after all; None where it does not."""
    return next((due for due in table.missed if due.player == event.player), None)


def missed_before(table: Duelyst, event: Any) -> Owed | None:
    """Return the draw that a line shows to be missing, where nobody has been accused of it yet; that draw may be it."""
    missed = next((due for due in table.missed if not due.passed_over), None)
    is_late = isinstance(event, ev.CardsDrawn) and late_draw(table, event) is not None
    return None if is_late else missed


def make_up(table: Duelyst, late: Owed) -> None:
    """Take back that a draw was made which has just been written down late."""
    table.set(table, "missed", tuple(due for due in table.missed if due is not late))
    table.count(table.hands[late.player], "unseen", -late.count)
    table.count(table.decks[late.player], "unseen", late.count)


def strike_pet_off(table: Duelyst, acts: Owed) -> None:
    """Strike a pet off what is owed; those that were to act before it are passed over."""
    owed = table.owed
    at = 0 if owed[0] is acts else owed.index(acts)
    hand_on(table, tuple(map(_reported, owed[:at])) + owed[at + 1 :])


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
    with as_it_was(table):
        hand_on(table, left)
        settle(table)
        return owed_now(table)


def overdue(table: Duelyst, event: Any) -> Owed | None:
    """Return what should have come before a line that can only come after it, or None where the line may come now.

    The table is put back to what it was.
    """
    if owed_as(table, event) is not None:
        return None
    left_out = _left_out_before(table, event)
    return next((due for due in left_out if not due.passed_over), None) if left_out else None


def is_before_draws(table: Duelyst, event: Consequence) -> bool:
    """Return whether nothing but draws should have come before what a line says; they may still be written."""
    return _are_draws(_left_out_before(table, event))


def _are_draws(left_out: list[Owed]) -> bool:
    return all(due.line is ev.CardsDrawn for due in left_out)


def _left_out_before(table: Duelyst, event: Any) -> list[Owed]:
    """Return what luck owes and has to be left out so that a line is next; nothing where that is of no avail."""
    due = owed_now(table) if owed_as(table, event) is None else None
    if due is None or due.line is ev.PetActed or beginning_of(table, event) is not None:
        return []
    with as_it_was(table):
        left_out = catch_up(table, event)
        return left_out if _is_next(table, event) else []


def _is_next(table: Duelyst, event: Any) -> bool:
    """Return whether luck owes a line now, or the rules have made what it says."""
    return owed_as(table, event) is not None or _derived(table, event) is not None


def catch_up(table: Duelyst, event: Any) -> list[Owed]:
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
    if left_out := _left_out_before(table, event):
        catch_up(table, event)
        if not _are_draws(left_out):
            report_missed(table)
    found = _derived(table, event)
    if found is not None:
        table.derived.remove(found)


def _derived(table: Duelyst, event: Any) -> Derived | None:
    """Return the derived consequence that says what a written one says, or None."""
    if not isinstance(event, Consequence):
        return None
    alike = (each for each in table.derived if type(each.event) is type(event))
    return next((each for each in alike if has_same_content(event, each.event)), None)


# -- in which order ----------------------------------------------------------------------------------------------------


def before(table: Duelyst, event: Any) -> None:
    """Take the steps that a line needs first: the game begins without a mulligan, a unit is first that is named first.

    No rule orders what several units do when the turn begins (ruling `trigger_order`).
    """
    if table.phase == BEGIN:
        if table.owed:
            _in_the_order_written(table, event)
    elif not table.turn and type(event) not in BEFORE_THE_GAME:
        finish(table)


def _in_the_order_written(table: Duelyst, event: Any) -> None:
    """Put first what a line is about at the beginning of a turn, where that is free or has been reported already."""
    is_reported = is_passed_over(table.owed[0])
    if is_reported or table.options["trigger_order"] == "any_order":
        bring_forward(table, event)
    if table.options["begin_order"] == "any_order":
        _bring_to_front(table, event)
    if is_reported and (left_out := _left_out_before(table, event)) and all(map(is_passed_over, left_out)):
        catch_up(table, event)


def finish(table: Duelyst) -> None:
    """Begin the game where the table plays without a mulligan and both opening hands are drawn."""
    if table.turn or table.over or table.options["mulligan"] != "none":
        return
    if all(player.opened for player in table.players.values()):
        start(table)
        settle(table)


def bring_forward(table: Duelyst, event: Any) -> None:
    """Work off what a unit does at the beginning of the turn, where a line is about that and another unit is due."""
    task = beginning_of(table, event) if owed_as(table, event) is None else None
    if task is not None:
        others = (other for other in table.owed if other is not task)
        is_free = table.options["trigger_order"] == "any_order"
        hand_on(table, (task, *(others if is_free else map(_reported, others))))
        settle(table)


def _bring_to_front(table: Duelyst, event: Any) -> None:
    """Put first what a line is about: pets and other units begin the turn in any order (ruling `begin_order`)."""
    ahead = _asked_for(table, event) if owed_as(table, event) is None else ()
    if ahead:
        hand_on(table, ahead + tuple(task for task in table.owed if task not in ahead))
        settle(table)


def _is_to_come(task: Any, event: Any) -> bool:
    return type(task) is Owed and task.line is type(event)


def _asked_for(table: Duelyst, event: Any) -> tuple[Task, ...]:
    """Return what is still to be worked off that a line is about: all pets, a token or target, or a unit's text."""
    owed: tuple[Any, ...] = table.owed
    if isinstance(event, ev.PetActed):
        return tuple(task for task in owed if isinstance(task, PetsBegin) or _is_to_come(task, event))
    if isinstance(event, ev.TokenSummoned | ev.TargetPicked):
        due = [task for task in owed if _is_to_come(task, event) and task.source == event.source]
        if due:
            return (due[0],)
    task = beginning_of(table, event)
    is_next = task is not None and task is next(each for each in owed if isinstance(each, UnitBegins))
    return (task,) if task is not None and is_next else ()


def beginning_of(table: Duelyst, event: Any) -> UnitBegins | None:
    """Return what is still to be worked off of a unit that a line names, at the beginning of the turn, or None."""
    names = {getattr(event, field, UNSET) for field in ("source", "unit", "card")}
    return next((task for task in table.owed if isinstance(task, UnitBegins) and task.unit in names), None)
