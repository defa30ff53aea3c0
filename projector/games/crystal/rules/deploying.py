"""The rules of the deploy phase: whose part it is, what comes first, and drawing."""

from collections.abc import Iterable
from typing import Any, Final

import msgspec

from events.games import crystal as ev
from projector.games.crystal import deploy_phase, drawing
from projector.games.crystal.drawing import can_draw
from projector.games.crystal.rules import setup
from projector.games.crystal.rules.playing import as_written
from projector.games.crystal.state import BASIC, DECKS, DEPLOY, Crystal, deck_of, deployed, room_in_hand
from projector.kit.common_rules import nothing_after
from projector.kit.owed import missing
from projector.kit.seating import zone_of
from projector.model.amounts import how_many
from projector.model.due import number_of_cards
from projector.model.phrases import by_ruling, name_of, named
from projector.model.rules import (
    NOT_APPLICABLE,
    Broken,
    Case,
    Judgement,
    Rule,
    Verdict,
    all_passed,
    case,
    judgement_of,
    rule,
)

# -- whose part it is --------------------------------------------------------------------------------------------------


@rule(
    "crystal.deploy.own-turn",
    "Deploy Phase",
    "L42",
    "The players deploy one after another, the holder of the token first, then to the left.",
)
def own_turn(table: Crystal, event: Any) -> Verdict:
    """It is this player's part of the deploy phase."""
    if table.active == event.player:
        return None
    if not table.active:
        return f"{name_of(table, event.player)} acts although nobody is deploying now"
    active = name_of(table, table.active)
    return Broken(f"{name_of(table, event.player)} acts although {active} is deploying", active)


@case(own_turn)
def own_end(table: Crystal, event: ev.DeployEnded) -> Verdict:
    """Only whoever is deploying declares to be done; to say it twice changes nothing."""
    if table.active == event.player:
        return None
    if deploy_phase.has_just_ended(table, event.player):
        return Broken(f"{name_of(table, event.player)} has declared to be done already", "no second line", "info")
    return own_turn(table, event)


nothing_after_end: Final = rule(
    "crystal.end.nothing-after-end", "Winning the game", "L4", "After the end nothing more is played (implied)."
)(nothing_after(ev.GameEnded))


@rule(
    "crystal.elimination.leaves",
    "Attack Phase",
    "L58",
    "What becomes of an eliminated player among several is not covered: the seat is skipped.",
)
def eliminated_leaves(table: Crystal, event: Any) -> Verdict:
    """Nobody who is out does anything."""
    return f"{name_of(table, event.player)} is out of the game"


@rule(
    "crystal.play.resolve-first", "Deploy Phase", "L48", "The abilities of a card are worked off before the next card."
)
def resolve_first(table: Crystal, event: Any) -> Verdict:
    """What a card owes is drawn before anything else is played."""
    return missing(table, msgspec.structs.replace(table.owed[0], count=len(table.owed)), event)


# -- drawing -----------------------------------------------------------------------------------------------------------


@rule("crystal.draw.either-deck", "Deploy Phase", "L44", "It comes from the basic deck or the faction deck.")
def either_deck(table: Crystal, event: ev.CardsDrawn) -> Verdict:
    """The deck is one of the two."""
    if event.from_ in DECKS:
        return None
    return Broken(f"a card is drawn from a deck called {event.from_}; there is none", "faction or basic")


@rule("crystal.draw.one-per-turn", "Deploy Phase", "L44", "One card is drawn in each part of the deploy phase.")
def one_per_turn(table: Crystal, event: ev.CardsDrawn) -> Verdict:
    """One card, once, and no second one unless a card says so."""
    number = number_of_cards(event)
    if number == 1 and not table.drawn:
        return None
    if number == 0:
        return _nothing_there(table, event)
    name = name_of(table, event.player)
    if not room_in_hand(table, event.player):
        held = how_many(zone_of(table, "hand", event.player).size, "card")
        return Broken(f"{name} draws with {held} in the hand, {by_ruling(table, 'hand_limit')}", "no draw")
    if table.drawn:
        if table.round == 1 and table.options["first_round_draw"] == "not_drawn":
            message = f"{name} draws in round 1 on top of the starting hand, {by_ruling(table, 'first_round_draw')}"
        else:
            message = f"{name} draws another card in this part of the deploy phase; no card lets {name} do so"
        return Broken(message, "no draw")
    return Broken(f"{name} draws {number} cards, one is drawn in each turn", "1")


def _nothing_there(table: Crystal, event: ev.CardsDrawn) -> Verdict:
    """Nothing is drawn where there is nothing: a line that says so is right for an empty deck."""
    size = deck_of(table, event.from_, event.player).size
    if size <= 0:
        return NOT_APPLICABLE
    name = name_of(table, event.player)
    return Broken(f"{name} draws nothing from the {event.from_} deck, which has {how_many(size, 'card')}", "1")


@rule("crystal.deploy.draw-first", "Deploy Phase", "L42-L48", "In this order: draw, set the tech limit, play cards.")
def draw_first(table: Crystal, event: Any) -> Verdict:
    """The card of the turn is drawn first (ruling `draw_mandatory`); that it was forgotten is said once a part."""
    if table.active != event.player or table.undrawn or table.options["draw_mandatory"] != "mandatory":
        return NOT_APPLICABLE
    owed = None if table.drawn else drawing.owed_now(table)
    return None if owed is None else missing(table, owed, event)


drawn_before_end: Final = Case(one_per_turn, draw_first.check)


@case(draw_first)
def not_after_playing(table: Crystal, event: ev.CardsDrawn) -> Verdict:
    """Who may leave the draw out (ruling `draw_mandatory`) draws before the first card is played or not at all."""
    name, ruling = name_of(table, event.player), by_ruling(table, "draw_mandatory")
    return f"{name} draws the card of the turn after playing cards; it is drawn first or not at all, {ruling}"


def which_draw(table: Crystal, event: ev.CardsDrawn) -> Rule | Case:
    """Return which rule decides whether this player may draw now."""
    if table.active != event.player or table.phase != DEPLOY:
        return own_turn
    if table.owed:
        return as_written_draw
    if not table.drawn and table.options["draw_mandatory"] == "optional":
        for card in deployed(table, event.player):
            if card.since == table.round:
                return not_after_playing
    return one_per_turn


@case(as_written)
def as_written_draw(table: Crystal, event: ev.CardsDrawn) -> Verdict:
    """A draw that a card owes comes from the deck that it names, and is no larger."""
    owed = table.owed[0]
    source = named(table, owed.source)
    if owed.deck in DECKS and event.from_ != owed.deck and can_draw(table, event.player, owed.deck):
        return Broken(f"{source} draws from the {owed.deck} deck, not from the {event.from_} deck", owed.deck)
    number = number_of_cards(event)
    if number == 0:
        return _nothing_there(table, event)
    if number <= len(table.owed):
        return None
    due = how_many(len(table.owed), "card")
    message = f"{name_of(table, event.player)} draws {how_many(number, 'card')} for {source}, which says {due}"
    return Broken(message, due)


@rule("crystal.draw.deck-not-empty", "Outside the rulebook", "", "An empty deck gives no card.")
def deck_not_empty(table: Crystal, event: ev.CardsDrawn) -> Verdict:
    """The deck has as many cards as are drawn."""
    number, size = number_of_cards(event), deck_of(table, event.from_, event.player).size
    if number <= size:
        return None
    draws, there_are = how_many(number, "card"), how_many(max(size, 0), "card")
    message = f"{name_of(table, event.player)} draws {draws} from the {event.from_} deck, which has {there_are}"
    return Broken(message, f"at most {size}" if size > 0 else "no draw from it")


OF_A_DRAW: Final = (deck_not_empty, setup.known_cards, setup.from_named_deck, setup.next_on_top)
ALL_KEPT: Final = all_passed(*OF_A_DRAW)
WITHOUT_TOP: Final = all_passed(*OF_A_DRAW[:-1])


def judge_drawn(table: Crystal, event: ev.CardsDrawn) -> Iterable[Judgement]:
    """Check the cards that are drawn, up to the first rule that is not kept; where nothing is drawn there is none."""
    deck = deck_of(table, event.from_, event.player)
    card = table.cards.get(event.cards[0]) if event.cards and len(event.cards) == 1 else None
    if card is not None and card.zone is deck:  # It exists, and the deck has one.
        if event.from_ != BASIC or table.options["basic_draw"] == "any":
            return WITHOUT_TOP
        if card is deck.cards[0]:
            return ALL_KEPT
    judged: list[Judgement] = []
    for test in OF_A_DRAW if number_of_cards(event) else ():
        judged.append(judgement_of(test, table, event))
        if judged[-1][1] is not None:
            break
    return judged
