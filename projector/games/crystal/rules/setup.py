"""The rules of factions, decks, the token and the starting hand."""

from collections.abc import Mapping
from typing import Any, Final

from events.games import crystal as ev
from events.names import card_of, is_unseen
from events.vocabulary import Event
from projector.games.crystal import drawing, opening
from projector.games.crystal.naming import owned
from projector.games.crystal.schema import FACTION, CrystalText
from projector.games.crystal.state import BASIC, HAND, SETUP, Crystal, CrystalCard, deck_of, living
from projector.kit import common_rules
from projector.kit.common_rules import SINGLE_IDENTITY, lacking, shown_as_one_card, unknown_among, wrong_seats
from projector.model.amounts import how_many, joined, pluralized
from projector.model.cards import unknown_cards
from projector.model.listed_cards import are_known, once_a_list
from projector.model.phrases import by_ruling, name_of, named
from projector.model.rules import NOT_APPLICABLE, Broken, Case, Rule, Undecidable, Verdict, case, rule
from projector.model.sentences import clause
from projector.model.suggestions import unknown

MORE_FLIPS: Final = frozenset({"winner_stays", "second_counts"})
"""Options of rulings by which one flip is not enough."""


# -- players -----------------------------------------------------------------------------------------------------------


@rule("crystal.setup.two-or-more-players", "Setup", "L4 L56", "Two or more players.")
def two_or_more(table: Crystal, event: ev.GameStarted) -> Verdict:
    """`game.started` names at least two different players."""
    if len(event.players) > 1 and len(table.players) == len(event.players):
        return None
    return wrong_seats(table, event, "two or more players, each with one seat")


# -- factions and decks ------------------------------------------------------------------------------------------------


@rule("crystal.state.known-card", "Outside the rulebook", "", "A log names cards and factions that exist.")
def known_list(table: Crystal, event: ev.DeckDeclared) -> Verdict:
    """The faction and the cards of both decks are in the card file."""
    library, strange = table.library, []
    text = library.get(event.faction)
    if text is None or text.kind != FACTION:
        factions = [text.id for text in library.values() if text.kind == FACTION]
        strange.append(unknown("faction", event.faction, factions))
    if not (are_known(library, event.cards) and are_known(library, event.basic)):
        strange.append(unknown_cards((*event.cards, *event.basic), library))
    return Undecidable(", ".join(strange), once=True) if strange else None


@case(known_list)
def known_cards(table: Crystal, event: Any) -> Verdict:
    """The drawn cards are in the card file, or were declared and reported then."""
    return unknown_among(table, event.cards or ())


known_shown: Final = case(known_list)(common_rules.known_shown)
one_identity: Final = rule("crystal.state.single-identity", "Outside the rulebook", "", SINGLE_IDENTITY)(
    shown_as_one_card
)


@rule(
    "crystal.setup.faction",
    "Setup",
    "L10",
    "Each player chooses a faction and takes its base cards, faction deck, basic deck and tokens.",
)
def faction(table: Crystal, event: ev.DeckDeclared) -> Verdict:
    """Decks are declared once, in the set-up, and their cards belong to the faction or to the basic deck."""
    player = table.players[event.player]
    if player.listed:
        return f"{player.name} declares a second deck list"
    if event.faction not in table.library:
        return NOT_APPLICABLE
    for cards, deck, belongs_to in ((event.cards, FACTION, event.faction), (event.basic, BASIC, BASIC)):
        strange = _strangers(table, cards, belongs_to)
        if strange:
            home = f"cards of {named(table, event.faction)}" if deck == FACTION else "basic cards"
            names = pluralized([named(table, card) for card in strange], "does not belong", "do not belong")
            message = f"{names} in the {deck} deck of {player.name}, {by_ruling(table, 'deck_rules')}"
            return Broken(message, home)
    return None


@once_a_list
def _homes(library: Mapping[str, CrystalText], cards: tuple[str, ...]) -> frozenset[str]:
    """Return what the cards of a list belong to: factions, or `basic`; the factions' own cards to `faction`.

    The empty string stands for cards that the card file does not have.
    """
    texts = [library.get(card) for card in cards]
    return frozenset("" if text is None else FACTION if text.kind == FACTION else text.faction for text in texts)


def _strangers(table: Crystal, cards: tuple[str, ...], belongs_to: str) -> list[str]:
    """Return the cards that cannot be in a deck of a faction, or in one of basic cards (ruling `deck_rules`)."""
    if _homes(table.library, cards) <= {belongs_to}:
        return []
    texts = [table.library[card] for card in dict.fromkeys(cards) if card in table.library]
    mixed = table.options["deck_rules"] == "any"
    return [text.id for text in texts if text.kind == FACTION or not (mixed or text.faction == belongs_to)]


all_declared: Final = lacking(faction, "listed", "declared faction and decks", "deck.declared", living)


# -- shuffling and cutting ---------------------------------------------------------------------------------------------


@rule("crystal.setup.shuffle-and-cut", "Setup", "L19", "Faction decks are shuffled and cut by one another.")
def shuffled_in_time(table: Crystal, event: ev.DeckShuffled) -> Verdict:
    """A deck is shuffled after it is declared and before the first card is drawn, by whom the ruling says."""
    verdict = common_rules.shuffled_in_time(table, event)
    if verdict is None and event.by == event.player and table.options["shuffled_by"] == "another_player":
        name = name_of(table, event.player)
        message = f"{name}'s own faction deck is shuffled by {name}, {by_ruling(table, 'shuffled_by')}"
        return Broken(message, "another player")
    return verdict


@case(shuffled_in_time)
def cut_by_another(table: Crystal, event: ev.DeckCut) -> Verdict:
    """A deck is cut by another player, after it is shuffled and before the first card is drawn."""
    player = table.players[event.player]
    if event.by == event.player or event.by not in table.players:
        who = f"{player.name} alone" if event.by == event.player else f"{event.by}, who does not sit at this table"
        return Broken(f"the faction deck of {player.name} is cut by {who}", "another player")
    if not player.shuffled:
        return f"the faction deck of {player.name} is cut before it was shuffled"
    return f"the faction deck of {player.name} is cut after cards were drawn from it" if player.opened else None


@case(shuffled_in_time)
def shuffled_and_cut(table: Crystal, event: ev.StartingHandDrawn) -> Verdict:
    """Nobody draws from a deck that was not shuffled and cut."""
    player = table.players[event.player]
    if player.opened:
        return NOT_APPLICABLE
    if not player.shuffled:
        return f"{player.name} draws although the faction deck has not been shuffled"
    if player.cut:
        return None
    if player.reshuffled:
        return f"{player.name} draws although the faction deck was shuffled again after the cut and not cut since"
    return f"{player.name} draws although nobody has cut the faction deck"


@rule(
    "crystal.setup.order",
    "Setup",
    "L10-L30",
    "The set-up takes its steps in the order of the list (only by the ruling setup_order).",
)
def in_listed_order(table: Crystal, event: Any) -> Verdict:
    """No step of the set-up comes before an earlier one of the list is done (ruling `setup_order`)."""
    if table.options["setup_order"] == "any" or table.phase != SETUP:
        return NOT_APPLICABLE
    waiting = waits_for(table, type(event))
    return f"{clause(table, event)} before {waiting}, {by_ruling(table, 'setup_order')}" if waiting else None


def waits_for(table: Crystal, line: type[Event]) -> str:
    """Return what a line of the set-up has to wait for by the ruling `setup_order`; empty where it may come now."""
    if table.options["setup_order"] == "any":
        return ""
    players = living(table)
    if not all(player.listed for player in players):
        return "all decks are declared"
    if line in {ev.FirstPlayerChosen, ev.StartingHandDrawn} and not all(player.cut for player in players):
        return "all faction decks are shuffled and cut"
    first_flips = opening.flips_needed(table) // (2 if table.options["second_flip"] == "second_counts" else 1)
    return "the token is flipped" if line is ev.StartingHandDrawn and len(table.flips) < first_flips else ""


# -- the token ---------------------------------------------------------------------------------------------------------


@rule(
    "crystal.setup.priority-flip",
    "Setup",
    "L23",
    "The token, or a fair coin, decides who has priority first and keeps the token.",
)
def flip(table: Crystal, event: ev.FirstPlayerChosen) -> Verdict:
    """The token is flipped in the set-up; where the winner stays, against the next player (ruling)."""
    if table.phase != SETUP:
        return "the token is flipped for the first round although the game has begun"
    rivals = opening.rivals(table)
    if event.player in rivals:
        return None
    names = [name_of(table, player) for player in rivals]
    ruling = by_ruling(table, "first_priority")
    message = f"{name_of(table, event.player)} wins a flip between {joined(names)}, {ruling}"
    return Broken(message, joined(names, "or"))


@case(flip)
def flipped(table: Crystal, event: Any) -> Verdict:
    """Nobody plays before it is decided who has priority."""
    needed = opening.flips_needed(table)
    if len(table.flips) >= needed:
        return None
    if table.flips:
        rulings = [key for key in ("first_priority", "second_flip") if table.options[key] in MORE_FLIPS]
        why = joined(by_ruling(table, key) for key in rulings)
        message = f"the token was flipped {len(table.flips)} of {needed} times, {why}"
        return Broken(message, "first-player.chosen", "missing")
    return Broken("nobody has flipped for priority yet", "first-player.chosen", "missing")


@rule(
    "crystal.hand.one-flip",
    "Starting hand",
    "L30",
    "The starting-hand section flips the token again; it is the same decision.",
)
def one_flip(table: Crystal, event: ev.FirstPlayerChosen) -> Verdict:
    """Who has priority first is decided once (ruling `second_flip`)."""
    holder, winner = name_of(table, table.flips[-1]), name_of(table, event.player)
    message = f"{winner} wins another flip although {holder} has priority already, {by_ruling(table, 'second_flip')}"
    return Broken(message, holder)


def which_flip(table: Crystal, event: ev.FirstPlayerChosen) -> Rule | Case:
    """Return which rule is about this flip."""
    return one_flip if len(table.flips) >= opening.flips_needed(table) else flip


# -- the starting hand -------------------------------------------------------------------------------------------------


@rule(
    "crystal.hand.at-most-seven",
    "Starting hand",
    "L29",
    "The starting hand: up to seven cards from either deck, one at a time, in any mix.",
)
def at_most_seven(table: Crystal, event: ev.StartingHandDrawn) -> Verdict:
    """One hand of at most seven cards a player, before the first round (ruling `starting_hand`)."""
    player = table.players[event.player]
    if table.phase != SETUP:
        return f"{player.name} draws a starting hand although the game has begun"
    if not player.listed:
        return f"{player.name} draws from decks that have not been declared"
    if player.opened:
        return f"{player.name} draws a second starting hand"
    number = len(event.cards)
    if number > HAND:
        message = f"the starting hand of {player.name} has {number} cards, at most {HAND} are allowed"
        return Broken(message, "at most 7")
    if table.options["starting_hand"] == "exactly_seven":
        there_are = deck_of(table, FACTION, player.id).size + deck_of(table, BASIC, player.id).size
        if number < min(HAND, there_are):
            message = f"{player.name} draws only {how_many(number, 'card')}, {by_ruling(table, 'starting_hand')}"
            return Broken(message, str(min(HAND, there_are)))
    return None


STEPS: Final = (
    all_declared,
    flipped,
    lacking(at_most_seven, "opened", "drawn a starting hand", "starting-hand.drawn", living),
)
"""What round 1 needs, in order."""


# -- where drawn cards come from ---------------------------------------------------------------------------------------


@rule("crystal.draw.from-own-deck", "Deploy Phase", "L29 L44", "Cards are drawn from the own decks.")
def hand_from_own_decks(table: Crystal, event: ev.StartingHandDrawn) -> Verdict:
    """All named cards of a starting hand are in one of the own decks, each once."""
    decks = (deck_of(table, FACTION, event.player), deck_of(table, BASIC, event.player))
    for name in event.cards:
        card = table.find(name)
        if (card is None and not is_unseen(name)) or (card is not None and card.zone not in decks):
            return f"{owned(table, name)} is in neither deck of {name_of(table, event.player)}"
    return _no_card_twice(table, event.cards)


@case(hand_from_own_decks)
def from_named_deck(table: Crystal, event: ev.CardsDrawn) -> Verdict:
    """All named cards that are drawn lie in the deck that the line names, each once."""
    cards, deck = event.cards or (), deck_of(table, event.from_, event.player)
    for name in cards:
        card = table.cards.get(name)
        if card is not None and card.zone is deck:
            continue
        if card is not None or not is_unseen(name):
            return f"{owned(table, name)} is not in the {event.from_} deck of {name_of(table, event.player)}"
    return _no_card_twice(table, cards) if len(cards) > 1 else None


def _no_card_twice(table: Crystal, cards: tuple[str, ...]) -> Verdict:
    if len(set(cards)) == len(cards):
        return None
    twice = max(cards, key=cards.count)
    return f"{named(table, twice)} ({twice}) is drawn twice"


@rule("crystal.draw.basic-top", "Setup", "L17 L44", "From the basic deck the top card is drawn.")
def hand_from_top(table: Crystal, event: ev.StartingHandDrawn) -> Verdict:
    """The basic cards of a starting hand are those that lie on top, in their order."""
    basic = deck_of(table, BASIC, event.player)
    drawn = [card for name in event.cards if (card := table.find(name)) is not None and card.zone is basic]
    return _are_on_top(table, drawn, basic.cards)


@case(hand_from_top)
def next_on_top(table: Crystal, event: ev.CardsDrawn) -> Verdict:
    """The cards drawn from the basic deck lie on top, where cards on them were not drawn without a line."""
    if event.from_ != BASIC or not event.cards:
        return NOT_APPLICABLE
    drawn = [table.cards[name] for name in event.cards if name in table.cards]
    forgotten = drawing.forgotten_on_top(table, table.players[event.player], event.cards[0])
    return _are_on_top(table, drawn, deck_of(table, BASIC, event.player).cards[len(forgotten) :])


def _are_on_top(table: Crystal, drawn: list[CrystalCard], deck: list[CrystalCard]) -> Verdict:
    """Return the verdict on cards that are drawn from an open deck (ruling `basic_draw`)."""
    if not drawn or table.options["basic_draw"] == "any":
        return NOT_APPLICABLE
    for card, top in zip(drawn, deck, strict=False):
        if card_of(card.name) != card_of(top.name):
            on_top = named(table, top.name)
            message = f"{named(table, card.name)} is drawn, but {on_top} lies on top, {by_ruling(table, 'basic_draw')}"
            return Broken(message, on_top)
    return None
