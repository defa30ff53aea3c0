"""Shuffling and drawing: the opening hand, a card when a round starts, and what a splice or an ability says."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from msgspec import UNSET

from tabletape.events.games import splicers as ev
from tabletape.events.vocabulary import Decision, Event
from tabletape.projector.games.splicers import rounds
from tabletape.projector.games.splicers.chapters import (
    ADVANCED_KEYWORDS,
    COMMON_KEYWORDS,
    END_OF_GAME,
    SET_UP,
    SPLICING,
    answering,
    setup,
)
from tabletape.projector.games.splicers.chapters.cards import in_deck, no_splicer_or_biom
from tabletape.projector.games.splicers.chapters.choosing import ability_effect
from tabletape.projector.games.splicers.chapters.events import revealed_before_draw
from tabletape.projector.games.splicers.chapters.splicing import CARRY_GENES
from tabletape.projector.games.splicers.chapters.turns import draw_one, final_turn_first, go_on_without
from tabletape.projector.games.splicers.effects import come_to_pass, to_discard_pile
from tabletape.projector.games.splicers.state import END, START, Splicers
from tabletape.projector.kit.moves import move
from tabletape.projector.kit.seating import zone_of
from tabletape.projector.model.amounts import how_many
from tabletape.projector.model.due import Due, number_of_cards
from tabletape.projector.model.phrases import name_of
from tabletape.projector.model.rules import (
    Case,
    Judgement,
    Rule,
    all_passed,
    case,
    check_in_order,
    group_check,
    select_rule,
    stop,
)
from tabletape.projector.model.verdicts import AllPassed, Broken, Verdict


def what_for(table: Splicers, event: ev.DeckShuffled) -> str:
    """Return what a deck is shuffled for: what the line says, else what is owed, before the first hand the set-up."""
    if event.reason is not UNSET:
        return event.reason
    owed = table.owed
    if owed is not None and owed.line is ev.DeckShuffled and owed.player == event.player:
        return owed.reason
    return "other" if table.players[event.player].opened else "setup"


def _not_shuffled(table: Splicers, event: ev.DeckShuffled) -> Verdict:
    if table.owed is not None and table.owed.line is ev.DeckShuffled:
        return None
    return f"the deck is shuffled because of a {what_for(table, event)}, but there was none before"


SPLICE_SHUFFLE: Final = SPLICING.rule(
    "splicers.splice.shuffle", "L140.4", "The deck is shuffled when the splice is finished.", rests_on="cards"
)(_not_shuffled)
MOULDER: Final = COMMON_KEYWORDS.rule(
    "splicers.kw.moulder", "L168.1", "Moulder shuffles a card into the deck.", rests_on="cards"
)(_not_shuffled)
DIMINISH_SHUFFLE: Final = ADVANCED_KEYWORDS.rule(
    "splicers.kw.diminish-shuffle", "L187.1", "The deck is shuffled afterwards.", rests_on="cards"
)(_not_shuffled)
OWED_SHUFFLES: Final = {"splice": SPLICE_SHUFFLE, "moulder": MOULDER, "diminish": DIMINISH_SHUFFLE}
SHUFFLES: Final[Mapping[str, Any]] = {"setup": setup.shuffle_deck, "other": setup.shuffled_again, **OWED_SHUFFLES}
"""The rules of shuffling, by the reason that a line says."""


@move(ev.DeckShuffled, select_rule(lambda table, event: SHUFFLES[what_for(table, event)]))
def deck_shuffled(table: Splicers, event: ev.DeckShuffled) -> None:
    """Note that a deck is shuffled: nothing of its order is known any more."""
    player = table.players[event.player]
    if not player.shuffled and what_for(table, event) == "setup":
        table.set(player, "shuffled", True)
    if player.bottom:
        table.set(player, "bottom", ())
    come_to_pass(table, ev.DeckShuffled)


@SET_UP.rule("splicers.setup.first-round-no-start", "L45.2", rests_on="nothing")
def no_start_in_round_one(table: Splicers, event: ev.CardsDrawn) -> Verdict:
    """Round 1 begins directly in the action phase: no unexhaust and no draw."""
    return "there is no draw at the start of round 1" if table.round <= 1 else None


@END_OF_GAME.rule("splicers.end.no-draw-last-round", "L36.1")
def unable_to_draw(table: Splicers, event: ev.CardsDrawn) -> Verdict:
    """If somebody is unable to draw at the start of a round, the round just starting is the final one."""
    if number_of_cards(event):
        return None
    left = how_many(zone_of(table, "deck", event.player).size, "card")
    if zone_of(table, "deck", event.player).size <= 0:
        return None
    return Broken(f"{name_of(table, event.player)} draws nothing although the deck has {left}", "1 card")


@COMMON_KEYWORDS.rule(
    "splicers.kw.dominating", "L163.1", '"Dominating" in card text uses the definition of domination.', rests_on="cards"
)
def drawn_without_dominating(table: Splicers, event: ev.CardsDrawn) -> Verdict:
    """Nobody draws for an ability whose condition did not hold."""
    return f"{name_of(table, event.player)} draws although the condition of the ability does not hold"


@case(answering.WILLPOWER_EFFECT)
def drawn_after_vain_answer(table: Splicers, event: ev.CardsDrawn) -> Verdict:
    """An answer that is too small does not stop the effect."""
    return None


def ability_draw(table: Splicers, event: ev.CardsDrawn) -> Rule | Case:
    """Return which rule decides about a draw of an ability."""
    if table.owed is None and table.last_note == ("failed", event.player):
        return drawn_without_dominating
    if table.owed is None and table.last_note[0] == "answered in vain" and table.last_note[1] != event.player:
        return drawn_after_vain_answer
    return ability_effect


FROM_DECK: Final = (no_splicer_or_biom, in_deck)
DRAW_TESTS: Final = tuple([stop(each) for each in FROM_DECK])
ROUND_TESTS: Final = (no_start_in_round_one, draw_one, unable_to_draw)
ROUND_START: Final = (stop(revealed_before_draw), stop(select_rule(final_turn_first)), *map(stop, ROUND_TESTS))
NEXT_CARD: Final = all_passed(*FROM_DECK, *ROUND_TESTS)
"""What there is to say of a player who draws the next card when a round starts, or nothing from an empty deck."""
ABILITY: Final = (select_rule(ability_draw),)
ABILITY_KEPT: Final = all_passed(*FROM_DECK, ability_effect)
"""What there is to say of a player who draws cards of the own deck because an ability says so."""
OPENING: Final = (setup.opening_hand, setup.shuffled_first)
OPENING_KEPT: Final = all_passed(*FROM_DECK, *OPENING)
"""What there is to say of a player who draws the opening hand from the own deck."""
TESTS_BY_REASON: Final[Mapping[str, Any]] = {"opening-hand": OPENING, "round-start": ROUND_START, "ability": ABILITY}
"""The tests of a draw, by the reason that a line says."""


def draws_well(table: Splicers, event: ev.CardsDrawn) -> AllPassed | None:
    """Return what is kept by a draw that is due, of cards that lie in the own deck."""
    names, player, cards = event.cards, event.player, table.cards
    if names is UNSET or names is None or (len(names) > 1 and len({*names}) < len(names)):
        return None
    deck = table.zones[table.players[player].draws_from]
    for name in names:
        card = cards.get(name)
        if card is None or card.zone is not deck or (card.text is not None and card.text.kind not in CARRY_GENES):
            return None
    reason = event.reason
    if reason == "round-start":
        is_next = table.phase == START and player not in table.drew
        return NEXT_CARD if is_next and (len(names) == 1 or not (names or deck.size)) else None
    if reason == "ability":
        owed = table.owed
        is_due = owed is not None and owed.player == player and owed.count == len(names)
        return ABILITY_KEPT if is_due else None
    is_due = setup.opening_hand(table, event) is None and setup.shuffled_first(table, event) is None
    return OPENING_KEPT if is_due else None


def judge_draw(table: Splicers, event: ev.CardsDrawn) -> Sequence[Judgement]:
    """Check drawn cards: where they come from, and then what the draw is for."""
    return [*check_in_order(DRAW_TESTS, table, event), *check_in_order(TESTS_BY_REASON[event.reason], table, event)]


@move(ev.CardsDrawn, group_check(judge_draw, draws_well))
def cards_drawn(table: Splicers, event: ev.CardsDrawn) -> None:
    """Move drawn cards to the hand."""
    player, reason = table.players[event.player], event.reason
    if reason == "round-start" and (table.phase != START or table.owed is not None):
        _reach_draws(table, player.id)
    names, number = event.cards or (), event.count or 0
    table.draw(names, number, table.zones[player.draws_from], table.zones[player.hand])
    if reason == "opening-hand":
        table.set(player, "opened", True)
        table.set(player, "shuffled", True)  # that nobody has shuffled before is found with this line, once
    elif reason == "ability":
        come_to_pass(table, ev.CardsDrawn, number_of_cards(event))
    elif table.phase == START and player.id not in table.drew:
        table.set(table, "drew", (*table.drew, player.id))
        if not names and not number and not table.zones[player.draws_from].size:
            table.set(table, "last_round", True)
            table.applied.append("splicers.end.no-draw-last-round")


def may_draw_first(table: Splicers, player: str) -> bool:
    """Return whether a player's draw for the round may come before what is owed (ruling `draw_vs_unexhaust_order`).

    Where the deck has enough cards for both it makes no difference, and nobody can tell.
    """
    owed = table.owed
    if owed is None or table.phase != START or player in table.drew:
        return False
    if table.options["draw_vs_unexhaust_order"] == "free":
        return True
    enough = player != owed.player or zone_of(table, "deck", owed.player).size > owed.count
    return enough and owed.line is ev.CardsDrawn


def may_precede(table: Splicers, event: Event) -> bool:
    """Return whether a line is a draw for the round that may come before what is owed."""
    return isinstance(event, ev.CardsDrawn) and event.reason == "round-start" and may_draw_first(table, event.player)


def is_owed(table: Splicers, event: Any) -> bool:
    """Return whether a line of the owed type is the owed one; who answers and draws is a matter of the row."""
    owed = table.owed
    if owed is None or isinstance(event, Decision):
        return True
    if type(event) is ev.CardsDrawn:
        return bool(event.reason == owed.reason)
    return what_for(table, event) == owed.reason and bool(event.player == owed.player)


def draw_nothing(table: Splicers) -> None:
    """Take it that whoever has no card left has failed to draw for the round: the log need not say so."""
    waiting = [player for player in table.players.values() if player.id not in table.drew]
    if table.owed is None and waiting and all(table.zones[each.draws_from].size <= 0 for each in waiting):
        table.update(table, drew=(*table.drew, *(each.id for each in waiting)), last_round=True)
        table.applied.append("splicers.end.no-draw-last-round")
        table.TURN.settle(table)


def _reach_draws(table: Splicers, player: str) -> None:
    """Come to the draws of a round, as the log evidently has: lines that have to come before them may be missing.

    An event that still lies face down was probably turned over, and nobody has written down what it did.
    """
    if rounds.is_final_turn(table):
        go_on_without(table)
        rounds.end_round(table)
    elif table.phase == END or (table.phase == START and not may_draw_first(table, player)):
        go_on_without(table)
        for card in [*table.zones["event"].cards]:
            to_discard_pile(table, card)
        table.TURN.settle(table)


def due_of_deck(table: Splicers) -> list[Due]:
    """Return the shuffle or the draws that are due: what is owed, and the draws for the start of a round."""
    owed = table.owed
    if owed is None:
        return _round_draws(table)
    if owed.line is ev.DeckShuffled:
        return [Due(line=ev.DeckShuffled, known={"player": owed.player, "reason": owed.reason}, rule=owed.rule)]
    if owed.line is not ev.CardsDrawn:
        return []
    also = [each for each in _round_draws(table) if may_draw_first(table, each.known["player"])]
    return [setup.due_draw(table, owed.player, owed.count, "ability", owed.rule), *also]


def _round_draws(table: Splicers) -> list[Due]:
    if table.phase != START:
        return []
    waiting = [player for player in table.players if player not in table.drew]
    order = sorted(waiting, key=lambda player: player != table.first)
    return [setup.due_draw(table, player, 1, "round-start", draw_one.id) for player in order]
