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
    declare,
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
        return _hand_full(table, event)
    if table.drawn:
        if table.round == 1 and table.options["first_round_draw"] == "not_drawn":
            message = f"{name} draws in round 1 on top of the starting hand, {by_ruling(table, 'first_round_draw')}"
        else:
            message = f"{name} draws another card in this part of the deploy phase; no card lets {name} do so"
        return Broken(message, "no draw")
    return Broken(f"{name} draws {number} cards, one is drawn in each turn", "1")


def _hand_full(table: Crystal, event: ev.CardsDrawn) -> Broken:
    """Nobody draws more than there is room for in the hand (ruling `hand_limit`)."""
    held = how_many(zone_of(table, "hand", event.player).size, "card")
    message = f"{name_of(table, event.player)} draws with {held} in the hand, {by_ruling(table, 'hand_limit')}"
    return Broken(message, "no draw")


def _nothing_there(table: Crystal, event: ev.CardsDrawn) -> Verdict:
    """Nothing is drawn where there is nothing: a line that says so is right for an empty deck."""
    size = deck_of(table, event.from_, event.player).size
    if size <= 0:
        return NOT_APPLICABLE
    name = name_of(table, event.player)
    return Broken(f"{name} draws nothing from the {event.from_} deck, which has {how_many(size, 'card')}", "1")


def _must_draw(table: Crystal, player: str) -> bool:
    """Return whether a player is deploying and has to have drawn; that it was forgotten is said once a part."""
    return table.active == player and not table.undrawn and table.options["draw_mandatory"] == "mandatory"


@case(one_per_turn)
def drawn_before_end(table: Crystal, event: ev.DeployEnded) -> Verdict:
    """Nobody is done before the card of the turn is drawn (ruling `draw_mandatory`)."""
    if not _must_draw(table, event.player):
        return NOT_APPLICABLE
    if table.drawn:
        return None
    message = f"{name_of(table, event.player)} is done without having drawn the card of the turn"
    return Broken(message, "cards.drawn", "missing")


@rule("crystal.deploy.draw-first", "Deploy Phase", "L42-L48", "In this order: draw, set the tech limit, play cards.")
def draw_first(table: Crystal, event: ev.CardDeployed) -> Verdict:
    """No card is played before the card of the turn is drawn."""
    if not _must_draw(table, event.player):
        return NOT_APPLICABLE
    if table.drawn:
        return None
    message = f"{name_of(table, event.player)} plays {named(table, event.card)} before drawing the card of the turn"
    return Broken(message, "cards.drawn", "missing")


@case(draw_first)
def drawn_before_limit(table: Crystal, event: ev.TechLimitSet) -> Verdict:
    """No tech limit is set before the card of the turn is drawn."""
    if not _must_draw(table, event.player):
        return NOT_APPLICABLE
    message = f"the tech limit of {name_of(table, event.player)} is set before the card of the turn is drawn"
    return Broken(message, "cards.drawn", "missing")


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


DECK_NOT_EMPTY: Final = declare(
    "crystal.draw.deck-not-empty", "Outside the rulebook", "", "An empty deck gives no card."
)


ALL_KEPT: Final = all_passed(DECK_NOT_EMPTY, setup.known_list, setup.hand_from_own_decks)


def judge_drawn(table: Crystal, event: ev.CardsDrawn) -> Iterable[Judgement]:
    """Check the cards that are drawn: whether the deck has so many, they exist, they lie there, and on top."""
    deck = deck_of(table, event.from_, event.player)
    if event.cards and len(event.cards) == 1 and event.from_ != BASIC:
        card = table.cards.get(event.cards[0])
        if card is not None and card.zone is deck:
            return ALL_KEPT  # A card that lies in a deck exists, and the deck has one.
    number, size = number_of_cards(event), deck.size
    if number == 0:
        return ()
    if size < number:
        there_are = how_many(max(size, 0), "card")
        message = (
            f"{name_of(table, event.player)} draws {how_many(number, 'card')} from the {event.from_} deck, "
            f"which has {there_are}"
        )
        return [(DECK_NOT_EMPTY, Broken(message, f"at most {size}" if size > 0 else "no draw from it"))]
    said: list[Judgement] = [(DECK_NOT_EMPTY, None)]
    verdict = setup.known_cards(table, event)
    said.append((setup.known_list, verdict))
    if verdict is None:
        verdict = setup.misplaced(table, event, deck)
        said.append((setup.hand_from_own_decks, verdict))
    if verdict is None and event.from_ == BASIC and event.cards:
        drawn = [table.cards[name] for name in event.cards if name in table.cards]
        forgotten = drawing.forgotten_on_top(table, table.players[event.player], event.cards[0])
        said.append((setup.hand_from_top, setup.are_on_top(table, drawn, deck.cards[len(forgotten) :])))
    return said
