"""What comes before a line: whether it can come at all, and the automatic steps that it needs.

A log may leave out everything that follows by itself, so the fold takes such a step as late as it can: when a line
comes that needs it (catalogue, part 2.4).
"""

from collections.abc import Callable
from typing import Final

import msgspec

from tabletape.events.games import evolve as ev
from tabletape.events.vocabulary import Consequence, Event, vocabulary
from tabletape.projector.games.evolve import turns
from tabletape.projector.games.evolve.advancing import go_back, open_game, place_of
from tabletape.projector.games.evolve.catching_up import catch_up, reach_draw
from tabletape.projector.games.evolve.chapters.begin_step import normal_if_none, trigger_order
from tabletape.projector.games.evolve.chapters.setup import players_two
from tabletape.projector.games.evolve.chapters.windows import ends_at_once
from tabletape.projector.games.evolve.chapters.winning import nothing_after_end, win_deck_out
from tabletape.projector.games.evolve.effects import carry_on, go_on_after
from tabletape.projector.games.evolve.resolving import resolve_all, resolve_event, resolve_next
from tabletape.projector.games.evolve.state import BEGIN, END, MAIN, SETUP, Evolve, both_discard
from tabletape.projector.games.evolve.trigger_order import order_owed
from tabletape.projector.kit.common_rules import out_of_game
from tabletape.projector.kit.owed import missing
from tabletape.projector.model.changes import Derived
from tabletape.projector.model.due import number_of_cards
from tabletape.projector.model.game import RuleVerdict


def gate(table: Evolve, event: Event) -> RuleVerdict | None:
    """Return the one finding that takes the place of a row: game over, nobody at this table, another line is due."""
    missed = table.missed
    if missed is None and not table.over and getattr(event, "player", "") in table.players:
        return None
    outside = out_of_game(table, event, players_two, nothing_after_end)
    if outside is not None:
        return RuleVerdict(win_deck_out, None, played=False) if _has_lost(table, event) else outside
    return None if missed is None else RuleVerdict(OWED_BY[missed.rule], missing(table, missed, event))


OWED_BY: Final = {each.id: each for each in (normal_if_none, trigger_order)}
"""The rules by which a line has to come before any other."""


def _has_lost(table: Evolve, event: Event) -> bool:
    """Return whether a line says that the draw which has lost the game found no card."""
    is_draw = isinstance(event, ev.CardsDrawn) and table.reason == "deck-out" and event.player != table.winner
    return is_draw and not number_of_cards(event)


# -- the automatic steps -----------------------------------------------------------------------------------------------

CONSEQUENCES: Final = tuple(kind for kind in vocabulary("evolve").types.values() if issubclass(kind, Consequence))


def before(table: Evolve, event: Event) -> Derived | None:
    """Take the automatic steps that a line needs before it; return what they have made of it, if it is written so."""
    if table.missed is not None:
        table.set(table, "missed", None)
    need = NEEDS.get(type(event))
    made = need(table, event) if need is not None and not table.over else None
    if table.unsaid and not isinstance(event, Consequence):
        table.update(table, unsaid=False, missed=table.missed or order_owed(table))
    return made


def _to_main(table: Evolve, event: ev.OrganismPlayed) -> None:
    """Before a play or action everything open happens, and in the own begin step the main step begins."""
    phase = table.phase
    if phase == SETUP:
        open_game(table)
        phase = table.phase
    resolve_all(table)
    if phase == BEGIN and event.player == table.active:
        turns.enter_main(table)
    if table.owed is not None:
        _pass_over_draw(table)


def _to_discard(table: Evolve, event: ev.SurplusDiscarded) -> None:
    """Before a surplus card is discarded, the end step begins, and starvation is counted if that wins the game."""
    if both_discard(table):
        event = msgspec.structs.replace(event, player=table.active)  # whoever discards, that main step is over
    _to_end(table, event)
    if table.phase == END and turns.wins_before_discard(table):
        turns.count_before_discard(table)


def _to_end(table: Evolve, event: ev.SurplusDiscarded | ev.TurnEnded) -> None:
    """Before a turn ends, the end step begins, with the abilities that come after the discard."""
    _to_main(table, event)  # type: ignore[arg-type]  # both have a player, which is all that is looked at
    if event.player == table.active:
        if table.phase == MAIN:
            turns.enter_end(table)
        if table.end_triggers and type(event) is ev.TurnEnded:
            turns.run_late_end_triggers(table)
    if table.owed is not None:
        _pass_over_draw(table)


def _to_window(table: Evolve, event: ev.EventPlayed) -> None:
    """Before an event the last one happens, and in the begin step the abilities of the start of the turn."""
    if isinstance(event, ev.EventDeclined) and event.chance == "response":
        _to_response(table, event)
        return
    _to_event(table, event)
    turns.run_triggers(table)
    if table.answer is not None and table.played and table.options["consume_order"] == "attack_first":
        resolve_next(table)
    _pass_over_draw(table)


def _to_ending(table: Evolve, event: ev.StatusEnded) -> None:
    """Before a status of the hand is given up as a play, or by the ruling `status_hand_timing` as it stands there."""
    if not ends_at_once(table, event.player):
        _to_main(table, event)  # type: ignore[arg-type]  # it has a player, which is all that is looked at
    elif table.options["status_hand_timing"] == "like_events":
        _to_window(table, event)  # type: ignore[arg-type]  # the same
    elif table.phase == BEGIN and table.triggers_due and event.target in table.watching:
        turns.run_triggers(table)


def _to_response(table: Evolve, _event: Event) -> None:
    """Before a response nothing happens, but a printed draw that is due is passed over."""
    _pass_over_draw(table)


def _to_event(table: Evolve, _event: Event) -> None:
    """Resolve the open event."""
    if table.phase == SETUP:
        open_game(table)
    resolve_event(table)
    if table.owed is not None:
        _pass_over_draw(table)


def _to_attack(table: Evolve, event: ev.AttackDeclared) -> None:
    """Before an answering attack the open event happens, unless events happen last (ruling `event_resolution`)."""
    if table.options["event_resolution"] == "before":
        _to_event(table, event)
    if table.answer is not None and table.options["consume_attack_scope"] == "several_attacks":
        resolve_next(table)


def _to_draw(table: Evolve, event: ev.CardsDrawn) -> None:
    """Before a printed draw the open things happen as far as that draw; before that of a turn the game begins."""
    if event.reason == "opening-hand":
        return
    if table.phase == SETUP:
        open_game(table)
    if event.reason == "effect":
        reach_draw(table, event)
    elif table.owed is not None:
        _pass_over_draw(table)


def _pass_over_draw(table: Evolve) -> None:
    """Go on without the draw that the table has passed over."""
    while (owed := table.owed) is not None:
        table.update(table, missed=owed, owed=None)
        go_on_after(table, owed)
        carry_on(table)


def finish(table: Evolve) -> None:
    """Resolve everything that is open when the log ends, and the start of a turn if that ends the game."""
    resolve_all(table)
    if table.phase == BEGIN and table.watching and table.owed is None:
        place = place_of(table)
        turns.enter_main(table)
        if not table.over:
            go_back(table, place)


MAIN_STEP_LINES: Final = (
    *(ev.OrganismPlayed, ev.MutationPlayed, ev.StatusPlayed, ev.FoodConsumed, ev.OrganismDuplicated),
    *(ev.OrganismPhotosynthesized, ev.OrganismAttacked, ev.OrganismEvolved, ev.ActionTaken),
)
NEEDS: Final[dict[type[Event], Callable[..., Derived | None]]] = {
    **dict.fromkeys(CONSEQUENCES, catch_up),
    **dict.fromkeys(MAIN_STEP_LINES, _to_main),
    ev.StatusEnded: _to_ending,
    ev.SurplusDiscarded: _to_discard,
    ev.TurnEnded: _to_end,
    ev.EventPlayed: _to_window,
    ev.ResponsePlayed: _to_response,
    ev.EventDeclined: _to_window,
    ev.AttackDeclared: _to_attack,
    ev.OrganismUnstressed: _to_event,
    ev.TriggersOrdered: _to_event,
    ev.CardsDrawn: _to_draw,
}
