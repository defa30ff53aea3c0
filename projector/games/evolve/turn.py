"""A turn in the order of the rulebook (L208 to L258), and how far it has come before each line.

A log may leave out everything that follows by itself, so such a step is taken as late as it can be: when a line comes
that needs it (`NEEDS`), or that shows it (`shown`). What is open meanwhile lies on a stack: an event with its response,
the attack that answers a consuming, and the play or action; the last of them happens first, before any other step.
"""

from collections.abc import Callable
from typing import Any, Final

import msgspec

from tabletape.events.games import evolve as ev
from tabletape.events.vocabulary import Consequence, Event, vocabulary
from tabletape.projector.games.evolve import steps
from tabletape.projector.games.evolve.chapters import (
    acting,
    begin_step,
    cards,
    consuming,
    end_step,
    events,
    evolving,
    mulligans,
    playing,
    setup,
    statuses,
    windows,
    winning,
)
from tabletape.projector.games.evolve.effects import carry_on, go_on_after
from tabletape.projector.games.evolve.orders import end_of_turn, order_owed
from tabletape.projector.games.evolve.shown import catch_up, reach_draw
from tabletape.projector.games.evolve.state import BEGIN, DRAW, END, MAIN, SETUP, Evolve, both_discard
from tabletape.projector.kit import common_rules
from tabletape.projector.kit.late_steps import LateStep, LateSteps, go_back, place_of
from tabletape.projector.kit.moves import moves_of, rows_of
from tabletape.projector.kit.owed import missing
from tabletape.projector.model.changes import Derived
from tabletape.projector.model.due import number_of_cards
from tabletape.projector.model.game import RuleVerdict, TurnEnd

CHAPTERS: Final = (
    *(setup, cards, mulligans, begin_step, playing, windows, events, statuses),
    *(acting, consuming, evolving, end_step, winning),
)
"""The chapters, each of which builds on earlier ones: as the rulebook walks through a game."""
MOVES: Final = moves_of(*CHAPTERS)
ROWS: Final = rows_of(MOVES)
MULLIGANS: Final = moves_of(mulligans)
BEGIN_STEP_MOVES: Final = moves_of(begin_step)
MAIN_STEP_MOVES: Final = moves_of(playing, statuses, evolving, end_step)
"""What the player on turn may do in the main step."""


def _may_show_end(table: Evolve, event: Event) -> bool:
    """Return whether a line may show that the end step has begun: it says so, or tells what happens in that step."""
    if isinstance(event, ev.PhaseStarted):
        return event.phase == "end"
    starves = isinstance(event, ev.StarvationCounted | ev.GameEnded) and steps.counts_before_discard(table)
    return starves or bool(end_of_turn(table))


Evolve.TURN = LateSteps(
    LateStep(at=SETUP, is_due=steps.is_set_up, does=steps.open_game),
    LateStep(
        at=DRAW,
        is_due=steps.may_gain,
        shown_by=lambda _table, event: isinstance(event, ev.DnaChanged | ev.MpChanged),
        does=steps.gain_before_draw,
    ),
    LateStep(at=DRAW, shown_by=lambda _table, _event: False, does=steps.draw_unseen),
    LateStep(at=BEGIN, is_due=lambda table: table.triggers_due and bool(table.watching), does=steps.run_triggers),
    LateStep(
        at=BEGIN,
        shown_by=lambda table, event: type(event) is ev.PhaseStarted or _may_show_end(table, event),
        does=steps.enter_main,
    ),
    LateStep(at=MAIN, shown_by=_may_show_end, does=steps.enter_end),
    LateStep(at=END, is_due=steps.counts_before_discard, does=steps.count_before_discard),
    LateStep(at=END, is_due=lambda table: table.end_triggers == "due", does=steps.run_late_end_triggers),
    resolves=steps.resolve_next,
)

TURN_END: Final = TurnEnd(
    ev.TurnEnded, begin_step.turn_alternate, lost_with_it=(begin_step.begin_draw, end_step.hand_limit)
)
"""How a turn ends, for a log that has forgotten to say so."""

OWED_BY: Final = {each.id: each for each in (begin_step.normal_if_none, begin_step.trigger_order)}
"""The rules by which a line has to come before any other."""


def gate(table: Evolve, event: Event) -> RuleVerdict | None:
    """Return the one finding that takes the place of a row: game over, nobody at this table, another line is due."""
    missed = table.missed
    if missed is None and not table.over and getattr(event, "player", "") in table.players:
        return None
    outside = common_rules.out_of_game(table, event, setup.players_two, winning.nothing_after_end)
    if outside is not None:
        is_lost = isinstance(event, ev.CardsDrawn) and table.reason == "deck-out" and event.player != table.winner
        if is_lost and not number_of_cards(event):  # the draw that has lost the game found no card
            return RuleVerdict(winning.ENDINGS["deck-out"], None, played=False)
        return outside
    return None if missed is None else RuleVerdict(OWED_BY[missed.rule], missing(table, missed, event))


# -- how far a turn has come before a line -----------------------------------------------------------------------------


def _up_to_event(table: Evolve, _event: Any) -> None:
    """The game has begun, and the open event has happened."""
    if table.phase == SETUP:
        steps.open_game(table)
    steps.resolve_event(table)
    if table.owed is not None:
        _pass_over_draw(table)


def _up_to_window(table: Evolve, event: Any) -> None:
    """The last event has happened, and in the begin step the abilities of the start of the turn; none of a response."""
    if isinstance(event, ev.EventDeclined) and event.chance == "response":
        _pass_over_draw(table)
        return
    _up_to_event(table, event)
    steps.run_triggers(table)
    if table.answer is not None and table.played and table.options["consume_order"] == "attack_first":
        steps.resolve_next(table)
    if table.owed is not None:
        _pass_over_draw(table)


def _up_to_attack(table: Evolve, event: ev.AttackDeclared) -> None:
    """The open event has happened before an answering attack, unless events happen last (ruling `event_resolution`)."""
    if table.options["event_resolution"] == "before":
        _up_to_event(table, event)
    if table.answer is not None and table.options["consume_attack_scope"] == "several_attacks":
        steps.resolve_next(table)


def _up_to_main(table: Evolve, event: Any) -> None:
    """Everything open has happened, and in the own turn the main step has begun."""
    if table.phase == SETUP:
        steps.open_game(table)
    steps.resolve_all(table)
    if table.phase == BEGIN and event.player == table.active:
        steps.enter_main(table)
    if table.owed is not None:
        _pass_over_draw(table)


def _up_to_ending(table: Evolve, event: ev.StatusEnded) -> None:
    """A status of the hand is given up as a play is, or by the ruling `status_hand_timing` as the table stands then."""
    if not windows.ends_at_once(table, event.player):
        _up_to_main(table, event)
    elif table.options["status_hand_timing"] == "like_events":
        _up_to_window(table, event)
    elif table.phase == BEGIN and table.triggers_due and event.target in table.watching:
        steps.run_triggers(table)


def _up_to_end(table: Evolve, event: Any) -> None:
    """The end step has begun, before the turn ends with the abilities that come after the discard."""
    _up_to_main(table, event)
    if event.player == table.active:
        if table.phase == MAIN:
            steps.enter_end(table)
        if table.end_triggers and type(event) is ev.TurnEnded:
            steps.run_late_end_triggers(table)
    if table.owed is not None:
        _pass_over_draw(table)


def _up_to_discard(table: Evolve, event: ev.SurplusDiscarded) -> None:
    """The end step has begun, whoever discards; starvation has been counted if that wins the game."""
    _up_to_end(table, msgspec.structs.replace(event, player=table.active) if both_discard(table) else event)
    if table.phase == END and steps.wins_before_discard(table):
        steps.count_before_discard(table)


def _up_to_draw(table: Evolve, event: ev.CardsDrawn) -> None:
    """What is open has happened as far as a printed draw; before that of a turn the game has begun."""
    if event.reason == "opening-hand":
        return
    if table.phase == SETUP:
        steps.open_game(table)
    if event.reason == "effect":
        reach_draw(table, event)
    elif table.owed is not None:
        _pass_over_draw(table)


def _pass_over_draw(table: Evolve, _event: Any = None) -> None:
    """Go on without the draw that the table has passed over."""
    while (owed := table.owed) is not None:
        table.update(table, missed=owed, owed=None)
        go_on_after(table, owed)
        carry_on(table)


MAIN_STEP_LINES: Final = (
    *(ev.OrganismPlayed, ev.MutationPlayed, ev.StatusPlayed, ev.FoodConsumed, ev.OrganismDuplicated),
    *(ev.OrganismPhotosynthesized, ev.OrganismAttacked, ev.OrganismEvolved, ev.ActionTaken),
)
NEEDS: Final[dict[type[Event], Callable[[Evolve, Any], Derived | None]]] = {
    ev.CardsDrawn: _up_to_draw,
    ev.OrganismUnstressed: _up_to_event,
    ev.TriggersOrdered: _up_to_event,
    ev.EventPlayed: _up_to_window,
    ev.EventDeclined: _up_to_window,
    ev.ResponsePlayed: _pass_over_draw,
    **dict.fromkeys(MAIN_STEP_LINES, _up_to_main),
    ev.AttackDeclared: _up_to_attack,
    ev.StatusEnded: _up_to_ending,
    ev.SurplusDiscarded: _up_to_discard,
    ev.TurnEnded: _up_to_end,
    **{line: catch_up for line in vocabulary("evolve").types.values() if issubclass(line, Consequence)},
}
"""How far the table has come before each line."""


def before(table: Evolve, event: Event) -> Derived | None:
    """Take the automatic steps that a line needs before it; return what they have made of it, if it is written so."""
    if table.missed is not None:
        table.set(table, "missed", None)
    need = NEEDS.get(type(event))
    made = need(table, event) if need is not None and not table.over else None
    if table.unsaid and not isinstance(event, Consequence):
        table.update(table, unsaid=False, missed=table.missed or order_owed(table))
    return made


def finish(table: Evolve) -> None:
    """Resolve everything that is open when the log ends, and the start of a turn if that ends the game."""
    steps.resolve_all(table)
    if table.phase == BEGIN and table.watching and table.owed is None:
        place = place_of(table)
        steps.enter_main(table)
        if not table.over:
            go_back(table, place)
