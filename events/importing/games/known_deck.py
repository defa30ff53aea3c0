"""The cards of a game whose file names them all: what a log calls one is what the table calls it.

Where all draw from one deck a card is nobody's, `reed`, whatever a log writes before it; else a player's, `A:reed`.
"""

import re
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from rapidfuzz import fuzz, process

from tabletape.events.importing.lines.words import plain
from tabletape.events.importing.quarantine.bad_lines import MIN_SIMILARITY
from tabletape.events.rules_file.cards import printed_name
from tabletape.events.vocabulary.names import is_unseen, slug_of
from tabletape.events.vocabulary.open_games import open_games

_WHOSE: Final = re.compile(r"(.+?)(?::|['\u2019]s?\s)\s*(.+)")
_NUMBERED_NAME: Final = re.compile(r"(.*\S)\s+(\d{1,3})")
_NUMBER_OF: Final = re.compile(r"(\d{1,3}) of (?:the )?(.+)", re.IGNORECASE)


class KnownDeck:
    """The cards of such a game, and whether they are `shared`."""

    def __init__(self, cards: Mapping[str, str], players: Mapping[str, str], *, shared: bool) -> None:
        """Know the cards (id → printed name), and the players (name → id)."""
        self._called = {slug_of(name): card for card, name in cards.items()} | {card: card for card in cards}
        self._players = {plain(each): player for name, player in players.items() for each in (player, name)}
        self._shared = shared

    def called(self, text: str, owner: str = "") -> str:
        """Return what the table calls a card: `A:reed`, `Ann's Reed` are `reed` or `A:reed`, `Reed 2` is `reed#2`.

        It is the `owner`'s where cards are somebody's, and the text does not say whose. What is none of the cards stays
        as it is.
        """
        read = self._read(text)
        if read.card is None:
            return text
        holder = "" if self._shared else read.whose or owner
        return f"{holder}{':' * bool(holder)}{read.card}{read.copy}"

    def has(self, text: str) -> bool:
        """Return whether a text calls one of the cards, or one that nobody has seen."""
        return is_unseen(text) or self._read(text).card is not None

    def near(self, text: str) -> str:
        """Return what the table calls the card that is written almost like a text; empty where none is."""
        read = self._read(text)
        nearest = process.extractOne(slug_of(read.name), self._called, scorer=fuzz.ratio, score_cutoff=MIN_SIMILARITY)
        holder = "" if self._shared else read.whose
        return f"{holder}{':' * bool(holder)}{self._called[nearest[2]]}{read.copy}" if nearest else ""

    def _read(self, text: str) -> "_Read":
        if is_unseen(text):
            return _Read("", text, "", None)
        match = _WHOSE.fullmatch(text)
        whose = self._players.get(plain(match[1])) if match is not None else None
        bare = match[2] if match is not None and whose is not None else text
        bare = _NUMBER_OF.sub(r"\2 \1", bare)
        name, mark, number = bare.partition("#")
        numbered = _NUMBERED_NAME.fullmatch(bare)
        if not mark and numbered is not None and slug_of(bare) not in self._called:
            name, mark, number = numbered[1], "#", numbered[2]
        return _Read(whose or "", name, f"{mark}{number.strip()}", self._called.get(slug_of(name)))


class _Read(NamedTuple):
    """A text that calls a card, read: whose it is said to be, its name, which copy, and the card of that name."""

    whose: str
    name: str
    copy: str
    card: str | None


def known_deck(game: str, players: Mapping[str, str]) -> KnownDeck | None:
    """Return the cards of a game whose file names them, for these players; None for any other game."""
    printed = printed_cards(game)
    if not printed:
        return None
    rules: Any = open_games()[game].rules
    return KnownDeck(printed, players, shared=rules.zones[rules.begin].shared)


def drawing_moves(game: str) -> Mapping[str, int]:
    """Return the lines of the moves that by the game's file themselves take cards from where they begin unseen.

    Each with how many it takes, 0 where the file leaves that open.
    """
    described = open_games().get(game)
    rules: Any = described.rules if described is not None else None
    if rules is None or rules.begin not in rules.zones or rules.zones[rules.begin].seen_by != "nobody":
        return {}
    own = {name for name, zone in rules.zones.items() if not zone.shared}
    drawn: dict[str, int] = {}
    for name, move in rules.moves.items():
        of_field = [field for field in move.fields if field.source and rules.begin in field.source.reads]
        from_deck = [each for each in move.does if rules.begin in each.writes and own & each.writes]
        if from_deck or (move.does and of_field):
            chosen = [each for each in move.does if of_field and own & each.writes and each not in from_deck]
            is_sure = len(chosen) == len(of_field) and not any(field.optional for field in of_field)
            takes = [*from_deck, *chosen]
            drawn[f"move.{name}"] = len(takes) if is_sure and all(each.of_one for each in takes) else 0
    return drawn


def printed_cards(game: str) -> Mapping[str, str]:
    """Return the cards that the file of a game names (id → printed name); none for any other game."""
    described = open_games().get(game)
    rules: Any = described.rules if described is not None else None
    cards = rules.cards if rules is not None else None
    return {card: printed_name(card, properties) for card, (properties, _) in (cards or {}).items()}


def names_said(game: str) -> list[str]:
    """Return how a chat may name the printed cards of a game: `cups 7` is `7 of cups` as well."""
    printed = printed_cards(game).values()
    return [*printed, *(f"{match[2]} of {match[1]}" for name in printed if (match := _NUMBERED_NAME.fullmatch(name)))]
