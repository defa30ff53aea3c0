"""What comes before the rules of a line: the end of the game, a line that is due, and steps that it needs first."""

from typing import Any, Final

import msgspec
from msgspec import UNSET

from tabletape.events.games import splicers as ev
from tabletape.events.vocabulary import Consequence, Decision, Event
from tabletape.projector.games.splicers import rounds, triggers
from tabletape.projector.games.splicers.chapters.answering import replaced_if_possible, willpower_asked
from tabletape.projector.games.splicers.chapters.choosing import ability_effect
from tabletape.projector.games.splicers.chapters.drawing import OWED_SHUFFLES, draw_nothing, may_draw_first, what_for
from tabletape.projector.games.splicers.chapters.setup import STEPS, players_two
from tabletape.projector.games.splicers.chapters.turns import alternate, nothing_after_end, said_again
from tabletape.projector.games.splicers.effects import draw_of_other_first
from tabletape.projector.games.splicers.moves import ROWS
from tabletape.projector.games.splicers.state import SETUP, START, Splicers
from tabletape.projector.games.splicers.turns import has_just_ended, is_closed
from tabletape.projector.kit.common_rules import first_lacking, out_of_game
from tabletape.projector.kit.owed import missing
from tabletape.projector.model.due import number_of_cards
from tabletape.projector.model.game import RuleVerdict

OWED_BY: Final = {
    rule.id: rule for rule in (*OWED_SHUFFLES.values(), replaced_if_possible, willpower_asked, ability_effect)
}
"""The rules that a line is owed by."""
ANSWERS: Final = frozenset({ev.WillpowerAnswered, ev.TingReplaced})
ALWAYS_ALLOWED: Final = frozenset({ev.CardShown, ev.PlayerConceded, ev.GameAbandoned})
SET_UP: Final = frozenset({ev.GameStarted, ev.DeckDeclared, ev.BiomsPlaced, ev.MulliganTaken})
LINES_OUT_OF_TURN: Final = SET_UP | ANSWERS | ALWAYS_ALLOWED | {ev.EventRevealed}
"""The decisions that are none of a turn."""
TURN_LINES: Final = frozenset(line for line in ROWS if issubclass(line, Decision)) - LINES_OUT_OF_TURN
BEGIN_THE_GAME: Final = TURN_LINES | {ev.RoundStarted, ev.TurnStarted}


def gate(table: Splicers, event: Event) -> RuleVerdict | None:
    """Return the one finding that takes the place of a row: game over, nobody at this table, another line is due."""
    player: Any = getattr(event, "player", UNSET)  # the row of bioms and the end of a game belong to no player
    owed = table.owed
    if player == table.active and owed is None and player:
        return None  # as nearly always: somebody is on turn only in the middle of a game
    if type(event) is ev.TurnEnded and (is_closed(table, player) or has_just_ended(table, player)):
        return RuleVerdict(alternate, said_again(table, event), played=False)
    if owed is not None and type(event) is owed.line and _is_owed(table, event):
        return None
    sits_here = player in table.players or player is UNSET
    return None if owed is None and sits_here and not table.over else _first_due(table, event, sits_here=sits_here)


def _first_due(table: Splicers, event: Event, *, sits_here: bool) -> RuleVerdict | None:
    """Return what stands in the way of a line after the end, by nobody at this table, or before the one that is due."""
    outside = out_of_game(table, event, players_two, nothing_after_end)
    if outside is not None:
        return msgspec.structs.replace(outside, played=sits_here)
    owed = table.owed
    if owed is None or type(event) in ALWAYS_ALLOWED:
        return None
    if isinstance(event, ev.CardsDrawn) and event.reason == "round-start" and may_draw_first(table, event.player):
        return None
    return RuleVerdict(OWED_BY[owed.rule], missing(table, owed, event))


def _is_owed(table: Splicers, event: Any) -> bool:
    """Return whether a line of the owed type is the owed one; who answers and draws is a matter of the row."""
    owed = table.owed
    if owed is None or type(event) in ANSWERS:
        return True
    reason = what_for(table, event) if type(event) is ev.DeckShuffled else event.reason
    if reason != owed.reason:
        return False
    return type(event) is ev.CardsDrawn or event.player == owed.player


def before(table: Splicers, event: Event) -> None:
    """Take the steps that a line needs first: round 1 begins, a turn or the moment for a mutation is over (rulings)."""
    if table.phase == SETUP:
        if type(event) in BEGIN_THE_GAME and first_lacking(table, STEPS) is None:
            rounds.begin_first_round(table, table.first)
    elif table.phase == START and type(event) in BEGIN_THE_GAME and type(event) is not ev.TurnEnded:
        draw_nothing(table)
    elif table.window:
        if isinstance(event, ev.MutationPlayed) and event.host == table.window:
            return
        if not isinstance(event, Consequence) or isinstance(event, ev.TingDevolved):
            close_window(table)
    if table.ends_itself and rounds.is_spent(table) and _shows_next_turn(table, event):
        rounds.end_spent_turn(table)
    if table.owed is not None and type(event) is ev.CardsDrawn and event.reason == "ability":
        draw_of_other_first(table, event.player, number_of_cards(event))


def _shows_next_turn(table: Splicers, event: Event) -> bool:
    """Return whether a line is none of the turn that is going on: of the other player, or of the end of the round."""
    if table.owed is not None or type(event) in ALWAYS_ALLOWED or type(event) is ev.TurnEnded:
        return False
    if isinstance(event, Consequence) or type(event) in {ev.CardsDrawn, ev.EventRevealed}:
        return True
    return getattr(event, "player", table.active) != table.active


def finish(table: Splicers) -> None:
    """Take the steps that are due when the log ends: nothing waits for another line."""
    close_window(table)
    if rounds.is_spent(table):
        rounds.end_spent_turn(table)


def close_window(table: Splicers) -> None:
    """Check the requirement of a ting that has waited for mutations (ruling `evolve_mutation_timing`)."""
    if table.window:
        card = table.card(table.window)
        table.set(table, "window", "")
        triggers.touch(table, card)
        rounds.settle(table)
