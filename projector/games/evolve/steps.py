"""The automatic steps that a line needs before it.

A log may leave out everything that follows by itself, so the fold takes such a step as late as it can: when a line
comes that needs it (catalogue, part 2.4).
"""

from collections.abc import Callable
from typing import Any, Final

import msgspec

from events.games.evolve import (
    ActionTaken,
    AttackDeclared,
    CardEntered,
    CardLeft,
    CardsDrawn,
    DnaChanged,
    EventCancelled,
    EventDeclined,
    EventPlayed,
    FoodConsumed,
    FoodUnstressed,
    GameEnded,
    MpChanged,
    MutationPlayed,
    OrganismAttacked,
    OrganismDied,
    OrganismDuplicated,
    OrganismEvolved,
    OrganismPhotosynthesized,
    OrganismPlayed,
    OrganismStressed,
    OrganismUnstressed,
    PhaseStarted,
    ResponsePlayed,
    StarvationCounted,
    StatusEnded,
    StatusPlayed,
    SurplusDiscarded,
    TriggersOrdered,
    TurnEnded,
)
from events.vocabulary import Consequence, Event, vocabulary
from projector.fold.consequence_match import is_counterpart, says_the_same
from projector.games.evolve.decks import draw
from projector.games.evolve.effects import carry_on, end_of_turn, start_of_turn
from projector.games.evolve.resolving import resolve_all, resolve_next
from projector.games.evolve.state import BEGIN, DRAW, END, MAIN, SETUP, Doing, Evolve, both_discard
from projector.games.evolve.trigger_order import other_orders, take_order_shown
from projector.games.evolve.turns import (
    begin_step,
    begin_turn,
    count_before_discard,
    counts_before_discard,
    ends_with_triggers,
    enter_end,
    enter_main,
    gain_before_draw,
    is_set_up,
    run_late_end_triggers,
    run_triggers,
    wins_before_discard,
)
from projector.games.evolve.windows import ends_at_once

CONSEQUENCES: Final = tuple(kind for kind in vocabulary("evolve").types.values() if issubclass(kind, Consequence))


def before(table: Evolve, event: Event) -> None:
    """Take the automatic steps that a line needs before it."""
    if table.missed is not None:
        table.set(table, "missed", None)
    if table.unsaid == "told":
        table.set(table, "unsaid", "")
    need = NEEDS.get(type(event))
    if need is not None and not table.over:
        need(table, event)
    if table.unsaid and not isinstance(event, Consequence):
        table.set(table, "unsaid", "told")


def _to_main(table: Evolve, event: OrganismPlayed) -> None:
    """Before a play or action everything open happens, and in the own begin step the main step begins."""
    phase = table.phase
    if phase == SETUP:
        _open_game(table)
        phase = table.phase
    if table.pending is not None or table.event is not None or table.answer is not None or table.agenda:
        resolve_all(table)
    if phase == BEGIN and event.player == table.active and table.owed is None and not table.over:
        enter_main(table)
    if table.owed is not None:
        _pass_over_draw(table)


def _to_end(table: Evolve, event: SurplusDiscarded | TurnEnded) -> None:
    """Before a surplus card is discarded and before a turn ends, the end step begins."""
    if type(event) is SurplusDiscarded and both_discard(table):
        event = msgspec.structs.replace(event, player=table.active)  # whoever discards, that main step is over
    _to_main(table, event)  # type: ignore[arg-type]  # both have a player, which is all that is looked at
    if table.phase == MAIN and event.player == table.active:
        enter_end(table)
    if table.end_triggers and type(event) is TurnEnded and event.player == table.active:
        run_late_end_triggers(table)
    if table.owed is not None:
        _pass_over_draw(table)
    if table.phase == END and type(event) is SurplusDiscarded and wins_before_discard(table):
        count_before_discard(table)


def _to_window(table: Evolve, event: EventPlayed) -> None:
    """Before an event the last one happens, and in the begin step the abilities of the start of the turn."""
    if isinstance(event, EventDeclined) and event.chance == "response":
        _to_response(table, event)
        return
    _to_event(table, event)
    if table.phase == BEGIN and table.triggers_due and table.owed is None:
        run_triggers(table)
    if table.answer is not None and table.played and table.options["consume_order"] == "attack_first":
        resolve_next(table)
    if table.owed is not None:
        _pass_over_draw(table)


def _to_ending(table: Evolve, event: StatusEnded) -> None:
    """Before a status of the hand is given up as a play, or by the ruling `status_hand_timing` as it stands there."""
    if not ends_at_once(table, event.player):
        _to_main(table, event)  # type: ignore[arg-type]  # it has a player, which is all that is looked at
    elif table.options["status_hand_timing"] == "like_events":
        _to_window(table, event)  # type: ignore[arg-type]  # the same
    elif table.phase == BEGIN and table.triggers_due and event.target in table.watching:
        run_triggers(table)


def _to_response(table: Evolve, _event: Event) -> None:
    """Before a response nothing happens, but a printed draw that is due is passed over."""
    if table.owed is not None:
        _pass_over_draw(table)


def _to_event(table: Evolve, _event: Event) -> None:
    """Resolve the open event."""
    if table.phase == SETUP:
        _open_game(table)
    while (table.event is not None or table.agenda) and resolve_next(table):
        pass
    if table.owed is not None:
        _pass_over_draw(table)


def _to_attack(table: Evolve, event: AttackDeclared) -> None:
    """Before an answering attack the open event happens, unless events happen last (ruling `event_resolution`)."""
    if table.options["event_resolution"] == "before":
        _to_event(table, event)
    if table.answer is not None and table.options["consume_attack_scope"] == "several_attacks":
        resolve_next(table)


def _to_draw(table: Evolve, event: CardsDrawn) -> None:
    """Before a printed draw the open things happen as far as that draw; before that of a turn the game begins."""
    if event.reason == "opening-hand":
        return
    if table.phase == SETUP:
        _open_game(table)
    if event.reason == "effect":
        if table.owed is None:
            _until(table, event, _awaits_draw)
    elif table.owed is not None:
        _pass_over_draw(table)


def _awaits_draw(table: Evolve) -> bool:
    return table.owed is not None


def _until(table: Evolve, event: Event, is_reached: Callable[[Evolve], bool]) -> None:
    """Take automatic steps until something is reached; if nothing does, take none."""
    journal, derived, applied = len(table.journal), len(table.derived), len(table.applied)
    while not is_reached(table):
        if not _advance(table, event):
            _take_back(table, journal, derived, applied)
            return


def _open_game(table: Evolve) -> None:
    if is_set_up(table):
        begin_turn(table, table.first)


def _pass_over_draw(table: Evolve) -> None:
    """Go on without the draw that the table has passed over."""
    while table.owed is not None:
        table.set(table, "missed", table.owed)
        table.set(table, "owed", None)
        carry_on(table)


# -- consequences that show what has happened --------------------------------------------------------------------------


def catch_up(table: Evolve, event: Consequence) -> None:
    """Take the automatic steps that a written consequence shows; if none of them makes it, take none.

    A consequence that the rules make of no step but that resembles one is taken for that one, so that it is compared
    with it.
    """
    if not (_try(table, event, _is_it) or take_order_shown(table, event) or _try_other_orders(table, event)):
        _take_for_another(table, event)


def _try_other_orders(table: Evolve, event: Consequence) -> bool:
    """Take the steps that a consequence shows with the abilities of the start or end of the turn in another order."""
    before = len(table.journal), len(table.derived), len(table.applied)
    if table.phase == MAIN and table.owed is None:
        resolve_all(table)
    length, derived, applied = len(table.journal), len(table.derived), len(table.applied)
    due = [doing.source for doing in _without_order(table)] if len(table.watching) > 1 else []
    for cards in other_orders(table, [*dict.fromkeys(due)]):
        table.set(table, "supposed", cards)
        if _try(table, event, _is_it):
            return True
        _take_back(table, length, derived, applied)
    _take_back(table, *before)
    return False


def _without_order(table: Evolve) -> list[Doing]:
    """Return the abilities of the start or the end of the turn that come next, where no line has said their order."""
    if table.phase == BEGIN:
        return start_of_turn(table, table.active) if table.triggers_due and table.ordered is None else []
    return end_of_turn(table) if table.phase == MAIN or table.end_triggers == "due" else []


def _take_for_another(table: Evolve, event: Consequence) -> None:
    """Take the automatic steps that a consequence shows which the rules make of none."""
    if any(is_counterpart(event, each.event) for each in table.derived):
        return
    if _try(table, event, is_counterpart) or (isinstance(event, FATES) and _try(table, event, is_same_fate)):
        return
    _until(table, event, _only_people_can_tell)


def _only_people_can_tell(table: Evolve) -> bool:
    return table.manual != ""


FATES: Final = (OrganismStressed, OrganismDied, FoodUnstressed, CardEntered, CardLeft, EventCancelled)
"""Consequences that say what becomes of a card."""


def is_same_fate(written: Consequence, derived: Consequence) -> bool:
    """Return whether two consequences say what becomes of the same card."""
    return isinstance(written, FATES) and isinstance(derived, FATES) and written.card == derived.card


def _is_it(written: Consequence, derived: Consequence) -> bool:
    return type(written) is type(derived) and says_the_same(written, derived)


def _try(table: Evolve, event: Consequence, fits: Callable[[Any, Any], bool]) -> bool:
    """Take automatic steps until one makes a consequence that fits; if none does, take them back."""
    journal, derived, applied = len(table.journal), len(table.derived), len(table.applied)
    seen = derived
    while _advance(table, event):
        if len(table.derived) > seen:
            for each in table.derived[seen:]:
                if fits(event, each.event):
                    return True
            seen = len(table.derived)
    _take_back(table, journal, derived, applied)
    return False


def _take_back(table: Evolve, journal: int, derived: int, applied: int) -> None:
    """Take back steps that lead nowhere."""
    table.undo(journal)
    del table.derived[derived:]
    del table.applied[applied:]


def _advance(table: Evolve, event: Event) -> bool:
    """Take one automatic step towards an event; return whether there was one."""
    if resolve_next(table):
        return True
    if table.owed is not None or table.over:
        return False
    phase = table.phase
    if phase == SETUP:
        _open_game(table)
    elif phase == DRAW and isinstance(event, DnaChanged | MpChanged):
        return gain_before_draw(table)
    elif phase == BEGIN and table.triggers_due and table.watching:
        run_triggers(table)
    elif phase == BEGIN and (type(event) is PhaseStarted or _tells_of_starvation(table, event)):
        enter_main(table)
    elif phase == MAIN and _may_show_end(table, event):
        enter_end(table)
    else:
        return _advance_in_end_step(table)
    return table.phase != phase or phase == BEGIN


def _advance_in_end_step(table: Evolve) -> bool:
    """Take the count before the discard or the abilities that wait for it; return whether there was either."""
    if table.phase == END and counts_before_discard(table):
        count_before_discard(table)
        return True
    if table.end_triggers != "due":
        return False
    run_late_end_triggers(table)
    return True


def _may_show_end(table: Evolve, event: Event) -> bool:
    """Return whether a line may show that the end step has begun: it says so, or tells what happens in that step."""
    if isinstance(event, PhaseStarted):
        return event.phase == "end"
    return ends_with_triggers(table) or _tells_of_starvation(table, event)


def _tells_of_starvation(table: Evolve, event: Event) -> bool:
    """Return whether a line tells of the starvation that is counted before the discard."""
    return isinstance(event, StarvationCounted | GameEnded) and counts_before_discard(table)


def take_step(table: Evolve) -> bool:
    """Take the next automatic step of which a log need not say anything; return whether there was one.

    The draw at the start of a turn is none, but whoever draws gains DNA and MP at once: so both are one step here.
    """
    if resolve_next(table):
        return True
    if table.owed is not None or table.over:
        return False
    if table.phase == SETUP:
        _open_game(table)
        return table.phase != SETUP
    if table.phase == DRAW and gain_before_draw(table):
        return True
    if table.phase == DRAW:
        draw(table, table.players[table.active], (), 1)
        begin_step(table)
    elif table.phase == BEGIN:
        enter_main(table)
    elif table.phase == MAIN and table.watching:
        enter_end(table)
    else:
        return False
    return True


def finish(table: Evolve) -> None:
    """Resolve everything that is open when the log ends."""
    resolve_all(table)


NEEDS: Final[dict[type[Event], Callable[..., None]]] = {
    **dict.fromkeys(CONSEQUENCES, catch_up),
    OrganismPlayed: _to_main,
    MutationPlayed: _to_main,
    StatusPlayed: _to_main,
    StatusEnded: _to_ending,
    FoodConsumed: _to_main,
    OrganismDuplicated: _to_main,
    OrganismPhotosynthesized: _to_main,
    OrganismAttacked: _to_main,
    OrganismEvolved: _to_main,
    ActionTaken: _to_main,
    SurplusDiscarded: _to_end,
    TurnEnded: _to_end,
    EventPlayed: _to_window,
    ResponsePlayed: _to_response,
    EventDeclined: _to_window,
    AttackDeclared: _to_attack,
    OrganismUnstressed: _to_event,
    TriggersOrdered: _to_event,
    CardsDrawn: _to_draw,
}
