"""The rules of the set-up: players, decks, the opening hand and the mulligan."""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final

import msgspec

from events.games import duelyst as ev
from events.names import card_of, is_unseen
from projector.games.duelyst.naming import called
from projector.games.duelyst.state import GENERAL, Duelyst
from projector.kit import common_rules
from projector.kit.common_rules import SINGLE_IDENTITY, lacking, shown_as_one_card, unknown_among
from projector.model.amounts import counted, pluralized
from projector.model.cards import unknown_cards
from projector.model.phrases import as_ruled, name_of, zone_in_words
from projector.model.rules import NOT_APPLICABLE, Broken, Undecidable, Verdict, case, rule
from projector.model.things import Zone

OPENING_HAND: Final = 5
DECK: Final = 39
"""The cards of a deck without its general, where the table plays with the usual rules for decks."""
COPIES: Final = 3
PLAYABLE: Final = frozenset({"minion", "spell", "artifact"})


two_players: Final = rule("duelyst.setup.two-players", "Board setup", "L56-L58", "Two players.")(
    common_rules.two_players
)
nothing_after_end: Final = rule(
    "duelyst.end.nothing-after-end", "Win condition", "L50", "After the end nothing more is played (implied)."
)(common_rules.nothing_after(ev.GameEnded))


# -- decks -------------------------------------------------------------------------------------------------------------


declared_once: Final = rule(
    "duelyst.deck.declared-once",
    "The beginning of the game",
    "",
    "Each player has one deck list and one general, known before the first draw (implied).",
)(common_rules.declared_once)


@case(declared_once)
def declared_before_shuffling(table: Duelyst, event: ev.DeckShuffled) -> Verdict:
    """The list is known before the deck is shuffled."""
    return None if table.players[event.player].listed else common_rules.shuffled_in_time(table, event)


@lru_cache(maxsize=256)
def _in_deck(cards: tuple[str, ...]) -> frozenset[str]:
    """Return the different cards of a deck list; the same few lists are played again and again."""
    return frozenset(cards)


@rule("duelyst.general.always-on-board", "General", "L19", "A general is always on the board.")
def general_on_board(table: Duelyst, event: ev.DeckDeclared) -> Verdict:
    """The general of the list is one, and none is in the deck."""
    general = table.library.get(event.general)
    if general is not None and general.kind != GENERAL:
        return f"{general.name} is named as the general, but its type is {general.kind}"
    library = table.library
    stray = {card for card in _in_deck(event.cards) if card in library and library[card].kind == GENERAL}
    return f"{_names_are(table, stray)} in the deck; a general is always on the board" if stray else None


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
        whose, size = name_of(table, event.player), counted(len(event.cards), "card")
        message = f"the deck of {whose} has {size} besides the general, not {DECK}"
        return Broken(message + as_ruled(table, "deck_rules"), str(DECK))
    many = {card for card, times in Counter(event.cards).items() if times > COPIES}
    why = as_ruled(table, "deck_rules")
    if many:
        return f"{_names_are(table, many)} in the deck more than {COPIES} times{why}"
    general = table.library.get(event.general)
    factions = {"neutral", general.faction if general is not None else "neutral"}
    texts = [table.library[card] for card in set(event.cards) if card in table.library]
    strange = {text.id for text in texts if text.faction not in factions}
    if strange:
        return f"{_names_are(table, strange)} neither neutral nor {' or '.join(factions - {'neutral'})}{why}"
    tokens = {text.id for text in texts if text.kind not in PLAYABLE}
    return f"{_names_are(table, tokens)} not allowed in a deck{why}" if tokens else None


def _names_are(table: Duelyst, cards: set[str]) -> str:
    """Return the names of cards with the verb for one or for several."""
    names = sorted(str(table.library[card].name) if card in table.library else card for card in cards)
    return pluralized(names, "is", "are")


@rule(
    "duelyst.state.known-card",
    "",
    "",
    "A log names cards that exist, and the next free number for a unit that is created.",
)
def known_cards(table: Duelyst, event: ev.DeckDeclared) -> Verdict:
    """All cards of the list and the general are in the card file."""
    unknown = _in_deck((event.general, *event.cards)).difference(table.library)
    if not unknown:
        return None
    known = {card_of(name) for name, card in table.cards.items() if card.text is None}
    new = sorted(unknown - known)
    return Undecidable(unknown_cards(new, table.library)) if new else NOT_APPLICABLE


@case(known_cards)
def known_drawn(table: Duelyst, event: ev.MulliganTaken) -> Verdict:
    """The cards that are drawn are in the card file."""
    return unknown_among(table, event.drawn) if event.drawn else NOT_APPLICABLE


def is_unknown(table: Duelyst, name: str) -> bool:
    """Return whether a name is that of a card which the card file does not have."""
    return card_of(name) not in table.library and not is_unseen(name)


# -- the opening hand --------------------------------------------------------------------------------------------------


@rule(
    "duelyst.setup.shuffle-decks",
    "The beginning of the game",
    "",
    "Decks are shuffled before cards are drawn (implied).",
)
def shuffle_decks(table: Duelyst, event: ev.DeckShuffled) -> Verdict:
    """Once is enough; a second time changes nothing."""
    player = table.players[event.player]
    if not player.listed:
        return NOT_APPLICABLE
    if event.reason != "setup" or not player.shuffled or player.opened:
        return None
    return Broken(f"{player.name} shuffles the deck again before a card is drawn; once is enough", kind="info")


@rule("duelyst.setup.draw-five", "The beginning of the game", "L76", "Each player draws five cards.")
def draw_five(table: Duelyst, event: ev.CardsDrawn) -> Verdict:
    """The first draw is of five cards; of all that there are in a smaller deck."""
    player = table.players[event.player]
    size = min(OPENING_HAND, table.decks[player.id].size) if player.listed else OPENING_HAND
    return common_rules.opening_hand(table, event, size)


@rule(
    "duelyst.setup.one-mulligan",
    "The beginning of the game",
    "L77",
    "Each player may take a mulligan, once, before the first turn.",
)
def one_mulligan(table: Duelyst, event: ev.MulliganTaken) -> Verdict:
    """Once a player, in the set-up, as many cards drawn as put back, as many as the ruling `mulligan` allows."""
    player = table.players[event.player]
    returned, drawn = len(event.returned), len(event.drawn)
    is_kept = not returned and not drawn
    if table.options["mulligan"] == "none":
        return None if is_kept else _within_ruling(table, event)
    if is_kept and player.mulliganed and not table.turn:
        return Broken(f"{player.name} keeps the hand; that was settled before", kind="info")
    if table.turn or player.mulliganed:
        return f"{player.name} takes a mulligan {'after the game has begun' if table.turn else 'a second time'}"
    if drawn != returned:
        return Broken(f"{player.name} puts {counted(returned, 'card')} back and draws {drawn}", f"{returned} drawn")
    return _within_ruling(table, event)


def _within_ruling(table: Duelyst, event: ev.MulliganTaken) -> Verdict:
    ruling = table.options["mulligan"]
    returned = len(event.returned)
    name, why = name_of(table, event.player), as_ruled(table, "mulligan")
    if ruling == "none":
        return f"{name} puts {counted(returned, 'card')} back, but there is no mulligan{why}"
    if ruling == "up_to_two" and returned > 2:
        return Broken(f"{name} puts {returned} cards back in the mulligan, at most 2 are allowed{why}", "at most 2")
    hand = table.hands[event.player].size
    if ruling == "whole_hand" and returned not in {0, hand}:
        message = f"{name} puts {returned} of {hand} cards back in the mulligan, not the whole hand or nothing{why}"
        return Broken(message, "the whole hand or nothing")
    return None


STEPS: Final = (
    lacking(declared_once, "listed", "declared a deck list", "deck.declared"),
    lacking(draw_five, "opened", "drawn the opening hand", "cards.drawn"),
    lacking(one_mulligan, "mulliganed", "taken or declined the mulligan", "mulligan.taken"),
)
"""What the first turn needs, in order."""


@rule("duelyst.setup.first-seat-begins", "Board setup", "L56-L58", "The first player begins (implied by the numbers).")
def first_seat_begins(table: Duelyst, event: ev.FirstPlayerChosen) -> Verdict:
    """The first seat, unless the ruling `first_player` takes whoever was recorded."""
    first = table.first if table.turn else next(iter(table.players))
    if event.player == first or (not table.turn and table.options["first_player"] == "recorded"):
        return None
    who, other = name_of(table, event.player), name_of(table, first)
    if table.turn:
        return Broken(f"{who} is to begin, but {other} has begun", f"{other} begins")
    return Broken(f"{who} is to begin, not the first seat{as_ruled(table, 'first_player')}", f"{other} begins")


# -- cards without a name ----------------------------------------------------------------------------------------------


one_identity: Final = rule("duelyst.state.single-identity", "", "", SINGLE_IDENTITY)(shown_as_one_card)
known_shown: Final = case(known_cards)(common_rules.known_shown)


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
    return _lying_in(table, table.hands[player], cards)


@rule("duelyst.draw.from-own-deck", "Player's turn overview", "L76 L90", "Cards are drawn from the own deck.")
def from_own_deck(table: Duelyst, event: ev.MulliganTaken) -> Verdict:
    """Every card that is drawn lies in the deck of its player, or was put back into it (ruling `mulligan_order`)."""
    if not event.drawn:
        return NOT_APPLICABLE
    again = event.returned if table.options["mulligan_order"] == "either" else ()
    verdict = in_deck(table, event.player, tuple(name for name in event.drawn if name not in again))
    if isinstance(verdict, Broken) and not set(event.returned).isdisjoint(event.drawn):
        return msgspec.structs.replace(verdict, message=verdict.message + as_ruled(table, "mulligan_order"))
    return verdict


def in_deck(table: Duelyst, player: str, cards: tuple[str, ...]) -> Verdict:
    """Return whether all cards are in a deck, or may be unseen ones there."""
    return _lying_in(table, table.decks[player], [card for card in cards if not is_unseen(card)])


def _lying_in(table: Duelyst, zone: Zone, names: Sequence[str]) -> Verdict:
    """Return whether all cards lie in a zone or may be unseen ones there; of an unknown one it is open."""
    for name in names:
        card = table.cards.get(name)
        if (card is None or card.zone is not zone) and not table.may_be_in(name, zone) and not is_unknown(table, name):
            copies = [called(table, other.name) for other in zone.cards if card_of(other.name) == card_of(name)]
            return Broken(f"{called(table, name)} is not in {zone_in_words(table, zone)}", " or ".join(copies))
    return None
