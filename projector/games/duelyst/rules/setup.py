"""The rules of the set-up: players, decks, the opening hand and the mulligan."""

from collections import Counter
from functools import lru_cache
from typing import Any, Final

from msgspec import UNSET

from events.games import duelyst as ev
from events.names import card_of, is_unseen
from projector.games.duelyst.state import GENERAL, Duelyst, called, name_of
from projector.model.rules import NOT_APPLICABLE, Broken, Rule, Verdict, case, rule

OPENING_HAND: Final = 5
DECK: Final = 39
"""The cards of a deck without its general, where the table plays with the usual rules for decks."""
COPIES: Final = 3
PLAYABLE: Final = frozenset({"minion", "spell", "artifact"})


@rule("duelyst.setup.two-players", "Board setup", "L56-L58", "Two players.")
def two_players(_table: Duelyst, event: ev.GameStarted) -> Verdict:
    """`game.started` names two."""
    ids = {seat.id for seat in event.players}
    if len(event.players) == 2 and len(ids) == 2:
        return None
    return Broken(f"{len(event.players)} seats are named for {len(ids)} different players", "two players")


# -- decks -------------------------------------------------------------------------------------------------------------


@rule(
    "duelyst.deck.declared-once",
    "The beginning of the game",
    "",
    "Each player has one deck list and one general, known before the first draw (implied).",
)
def declared_once(table: Duelyst, event: ev.DeckDeclared) -> Verdict:
    """No second list, and none after the draw."""
    player = table.players[event.player]
    if player.listed:
        return f"{player.name} declares a second deck list"
    return f"{player.name} declares the deck list after cards were drawn" if player.opened or table.turn else None


@case(declared_once)
def listsknown(table: Duelyst, event: Any) -> Verdict:
    """The list is known before a card is drawn."""
    player = table.players[event.player]
    return None if player.listed else f"{player.name} draws before the deck list was declared"


@lru_cache(maxsize=256)
def _in_deck(cards: tuple[str, ...]) -> frozenset[str]:
    """Return the different cards of a deck list; the same few lists are played again and again."""
    return frozenset(cards)


@rule("duelyst.general.always-on-board", "General", "L19", "A general is always on the board.")
def general_on_board(table: Duelyst, event: ev.DeckDeclared) -> Verdict:
    """The general of the list is one, and none is in the deck."""
    general = table.library.get(event.general)
    if general is not None and general.kind != GENERAL:
        return f"{general.name} is no general"
    library = table.library
    stray = {card for card in _in_deck(event.cards) if card in library and library[card].kind == GENERAL}
    return f"{_names(table, stray)} is in the deck; a general is always on the board" if stray else None


@rule(
    "duelyst.deck.agreed-rules",
    "",
    "",
    "Building a deck is not covered; 40 cards with the general, three of each at most, own faction and neutral are"
    " outside facts.",
)
def agreed_rules(table: Duelyst, event: ev.DeckDeclared) -> Verdict:
    """Only with the ruling `deck_rules: forty_of_three`."""
    if table.options["deck_rules"] == "none":
        return NOT_APPLICABLE
    if len(event.cards) != DECK:
        return Broken(f"the deck has {len(event.cards)} cards besides the general", str(DECK))
    many = _names(table, {card for card, times in Counter(event.cards).items() if times > COPIES})
    if many:
        return f"{many} is in the deck more than {COPIES} times"
    general = table.library.get(event.general)
    factions = {"neutral", general.faction if general is not None else "neutral"}
    texts = [table.library[card] for card in set(event.cards) if card in table.library]
    strange = _names(table, {text.id for text in texts if text.faction not in factions})
    if strange:
        return f"{strange} is neither neutral nor of the faction {max(factions)}"
    tokens = _names(table, {text.id for text in texts if text.kind not in PLAYABLE})
    return f"{tokens} cannot be in a deck" if tokens else None


def _names(table: Duelyst, cards: set[str]) -> str:
    return ", ".join(sorted(str(table.library[card].name) if card in table.library else card for card in cards))


@rule(
    "duelyst.state.known-card",
    "",
    "",
    "A log names cards that exist, and the next free number for a unit that is created.",
)
def known_cards(table: Duelyst, event: ev.DeckDeclared) -> Verdict:
    """All cards of the list and the general are in the card file."""
    unknown = _in_deck((event.general, *event.cards)).difference(table.library)
    return f"nobody knows the card {', '.join(sorted(unknown))}" if unknown else None


@case(known_cards)
def known_drawn(table: Duelyst, event: ev.MulliganTaken) -> Verdict:
    """The cards that are drawn are in the card file."""
    return known(table, event.drawn) if event.drawn else NOT_APPLICABLE


def known(table: Duelyst, names: tuple[str, ...]) -> Verdict:
    """Return whether all cards are in the card file, or cards that nobody has seen."""
    for name in names:
        card = table.cards.get(name)
        if (card is None or card.text is None) and card_of(name) not in table.library and not is_unseen(name):
            return f"nobody knows the card {name}"
    return None


# -- the opening hand --------------------------------------------------------------------------------------------------


SHUFFLE_DECKS: Final = Rule(
    id="duelyst.setup.shuffle-decks",
    section="The beginning of the game",
    lines="",
    text="Decks are shuffled before cards are drawn (implied).",
)


@rule("duelyst.setup.draw-five", "The beginning of the game", "L76", "Each player draws five cards.")
def draw_five(table: Duelyst, event: ev.CardsDrawn) -> Verdict:
    """The first draw is of five cards."""
    drawn = event.count if event.cards is UNSET else len(event.cards)
    if drawn == OPENING_HAND:
        return None
    return Broken(f"{name_of(table, event.player)} draws an opening hand of {drawn}", str(OPENING_HAND))


@rule(
    "duelyst.setup.one-mulligan",
    "The beginning of the game",
    "L77",
    "Each player may take a mulligan, once, before the first turn.",
)
def one_mulligan(table: Duelyst, event: ev.MulliganTaken) -> Verdict:
    """Once a player, in the set-up, as many cards drawn as put back, as many as the ruling `mulligan` allows."""
    player = table.players[event.player]
    if table.turn or player.mulliganed:
        return f"{player.name} takes a mulligan {'after the game has begun' if table.turn else 'a second time'}"
    if len(event.drawn) != len(event.returned):
        return Broken(
            f"{player.name} puts {len(event.returned)} cards back and draws {len(event.drawn)}",
            f"{len(event.returned)} drawn",
        )
    return _within_ruling(table, event)


def _within_ruling(table: Duelyst, event: ev.MulliganTaken) -> Verdict:
    ruling = table.options["mulligan"]
    returned = len(event.returned)
    if ruling == "none":
        return "the table plays without a mulligan"
    if ruling == "up_to_two" and returned > 2:
        return Broken(f"{returned} cards are put back in the mulligan", "at most 2")
    hand = table.hands[event.player].size
    if ruling == "whole_hand" and returned not in {0, hand}:
        return Broken(f"{returned} of {hand} cards are put back in the mulligan", "the whole hand or nothing")
    return None


@rule("duelyst.setup.first-seat-begins", "Board setup", "L56-L58", "The first player begins (implied by the numbers).")
def first_seat_begins(table: Duelyst, event: ev.FirstPlayerChosen) -> Verdict:
    """The first seat, unless the ruling `first_player` takes whoever was recorded."""
    first = next(iter(table.players))
    if event.player == first or table.options["first_player"] == "recorded":
        return None
    return Broken(f"{name_of(table, event.player)} is to begin", f"{name_of(table, first)} begins")


# -- what is in the hand and in the deck -------------------------------------------------------------------------------


@rule("duelyst.play.from-hand", "Player's turn overview", "L84 L86", "Cards are played and replaced from the hand.")
def from_hand(table: Duelyst, event: Any) -> Verdict:
    """The card is in the hand, or may be one of the unseen cards there."""
    return in_hand(table, event.player, (event.card,))


@case(from_hand)
def returned_from_hand(table: Duelyst, event: ev.MulliganTaken) -> Verdict:
    """The cards that are put back in the mulligan are in the hand."""
    return in_hand(table, event.player, event.returned) if event.returned else NOT_APPLICABLE


def in_hand(table: Duelyst, player: str, cards: tuple[str, ...]) -> Verdict:
    """Return whether all cards are in a hand, or may be unseen ones there."""
    hand = table.hands[player]
    for card in cards:
        found = table.cards.get(card)
        if (found is None or found.zone is not hand) and not table.may_be_in(card, hand):
            return f"{called(table, card)} is not in the hand of {name_of(table, player)}"
    return None


@rule("duelyst.draw.from-own-deck", "Player's turn overview", "L76 L90", "Cards are drawn from the own deck.")
def from_own_deck(table: Duelyst, event: ev.MulliganTaken) -> Verdict:
    """Every card that is drawn lies in the deck of its player."""
    return in_deck(table, event.player, event.drawn) if event.drawn else NOT_APPLICABLE


def in_deck(table: Duelyst, player: str, cards: tuple[str, ...]) -> Verdict:
    """Return whether all cards are in a deck, or may be unseen ones there."""
    deck = table.decks[player]
    for card in cards:
        found = table.cards.get(card)
        if (found is None or found.zone is not deck) and not (is_unseen(card) or table.may_be_in(card, deck)):
            return f"{called(table, card)} is not in the deck of {name_of(table, player)}"
    return None
