"""What a line means that is written as people write: names as printed, types as words, numbers with a comma.

Only what means exactly one thing is taken. A name that is written almost like exactly one known name is taken for that,
and `close` says so; whatever is farther off is left to the quarantine and its suggestion.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from typing import Any, Final

from events.importing.cells import Field
from events.importing.cells import fields as fields_of_type
from events.importing.cells import value as cell_value
from events.importing.checks import UNREAD_TIME, DoubtError, Table, almost
from events.importing.copies import DRAWN
from events.importing.maps.times import Clock, is_time
from events.importing.maps.values import ValueFault, kind_of, number
from events.importing.slugs import slug_of
from events.names import is_unseen
from events.vocabulary import Event, Vocabulary, choices_of, fields_of

SEATS: Final = "ABCDEFGHIJKL"

UNNUMBERED: Final = "a card of which there are several was taken for the copy that can be meant"

_NO_LETTER: Final = re.compile(r"[^a-z0-9]+")
_SEPARATOR: Final = re.compile(r"\s*[,;]\s*")
_OPPONENTS: Final = re.compile(r"\s*[&+/\n]\s*|\s+(?:and|vs\.?|und|gegen|et|y)\s+", re.IGNORECASE)


def plain(text: str) -> str:
    """Return a word as it is compared: small letters and digits, everything else a single blank."""
    return _NO_LETTER.sub(" ", text.casefold()).strip()


def type_meant(text: str, vocabulary: Vocabulary) -> str | None:
    """Return the event type that is written `Cards Drawn` or `cards_drawn`, None where it is none."""
    return next((tag for tag in vocabulary.types if plain(tag) == plain(text)), None)


def typed(written: Mapping[str, Any], vocabulary: Vocabulary) -> dict[str, Any]:
    """Return fields whose values people have written as text, each as its type needs it.

    Raises `BadLineError` where a list or an object is not written as JSON.
    """
    tag = type_meant(str(written.get("type", "")), vocabulary)
    known = fields_of_type(vocabulary.types[tag]) if tag else {}
    return {name: cell_value(cell, name, known.get(name)) for name, cell in written.items()}


class Forgiving:
    """Reads lines of one game as they were meant."""

    def __init__(
        self,
        vocabulary: Vocabulary,
        seats: Mapping[str, str],
        table: Table,
        clock: Clock,
    ) -> None:
        """Know the seats (id → name), and of the table the cards of its game and those of declared decks."""
        self._vocabulary = vocabulary
        self._players = {plain(name): player for player, name in seats.items()}
        self._players |= {plain(player): player for player in seats}
        self._cards = table.cards
        self._copies = table.copies
        self._declared = table.declared
        self._printed = {slug_of(name): card for name, card in table.printed.items()}
        self._clock = clock
        self.close: dict[str, None] = {}
        self.doubt: DoubtError | None = None

    def meant(self, fields: Mapping[str, Any]) -> dict[str, Any] | None:
        """Return the fields of a line as they were meant, None where its type is none of the game's."""
        tag = type_meant(str(fields.get("type", "")), self._vocabulary)
        if tag is None:
            return None
        kind = kind_of(self._vocabulary.types[tag])
        words = _words_of(self._vocabulary.types[tag])
        self.close = {}
        self.doubt = time_doubt(fields)
        player = self._player(str(fields.get("player", "")))
        found: dict[str, Any] = {"type": tag}
        for name, value in fields.items():
            if name == "type":
                continue
            field = kind.types.get(name)
            if name == "at":
                found |= time_meant(value, self._clock)
            elif field is None:
                found[name] = value
            elif name in kind.players:
                found[name] = self._player(value) if isinstance(value, str) else value
            elif name in kind.cards:
                brings = tag.endswith(DRAWN) or f".{name}" == DRAWN
                found[name] = _each(value, field, partial(self._copy, player=player, tag=tag, brings=brings))
            elif name in kind.ids:
                found[name] = _each(value, field, self._card)
            else:
                found[name] = _number(_word(value, words.get(name, {})), field)
        return found

    def _player(self, text: str) -> str:
        exact = self._players.get(plain(text))
        return exact or self._near(text, plain(text), self._players) or text

    def _card(self, text: str) -> str:
        slug = slug_of(text)
        if self._cards is None or slug in self._cards:
            return slug
        if slug in self._printed:
            return self._printed[slug]
        if text in self._declared:
            return text
        known = {each: each for each in (*self._cards, *self._declared)}
        return self._near(text, slug, {**self._printed, **known}) or text

    def _near(self, written: str, text: str, known: Mapping[str, str]) -> str:
        """Return what a text means that is almost written like one known name; empty where none is, or several are."""
        meanings = {known[name]: name for name in almost(text, known)}
        if len(meanings) != 1:
            return ""
        ((meaning, name),) = meanings.items()
        self.close[f"`{written}` was taken for `{name}`, the only known name that is written almost so"] = None
        return meaning

    def _copy(self, text: str, *, player: str, tag: str, brings: bool) -> str:
        """Return the name of a card on the table: `Ann: Reed Heron #2` is A:reed-heron#2.

        Where a number is missing it is that of the copy that a line of type `tag` can mean; `brings`: that it draws.
        """
        if is_unseen(text):
            return text
        owner, colon, card = text.rpartition(":")
        card, mark, copy = card.partition("#")
        slug = self._card(card.strip())
        is_name = slug == card and colon
        if not is_name and self._cards is not None and slug not in self._cards:
            return text
        whose = self._player(owner) if colon else player
        if whose and not mark and self._copies.has_several(whose, slug):
            self.close[UNNUMBERED] = None
            return self._copies.name(whose, slug, tag, brings=brings)
        return f"{whose}:{slug}{mark}{copy.strip()}" if whose else f"{slug}{mark}{copy.strip()}"


def time_meant(value: Any, clock: Clock) -> dict[str, Any]:
    """Return the field `at` with its zone; none where the text is no time that can be read, which costs no event."""
    if not isinstance(value, str | int | float):
        return {"at": value}
    found = clock.read(value)
    return {} if found is None else {"at": found.isoformat()}


def time_doubt(fields: Mapping[str, Any]) -> DoubtError | None:
    """Return the question about a line's time that is none, None where there is no such time."""
    text = fields.get("at")
    if not isinstance(text, str | int | float) or (isinstance(text, str) and is_time(text)):
        return None
    message = f"`at`: `{text}` is no time that can be read; the line was taken without it"
    return DoubtError(UNREAD_TIME, ("at",), message, "write it as 2026-05-01 or 2026-05-01 19:30")


def _each(value: Any, field: Field, meaning: Callable[[str], str]) -> Any:
    """Return what a text, or each text of a list, means; a text with separators is a list where one is expected."""
    if isinstance(value, str):
        return [meaning(each) for each in _SEPARATOR.split(value)] if field.plain_list else meaning(value)
    if isinstance(value, list):
        return [meaning(each) if isinstance(each, str) else each for each in value]
    return value


def _number(value: Any, field: Field) -> Any:
    """Return `1,0` and `1.0` as 1 where a number is expected."""
    if not field.number or field.text or not isinstance(value, str | float):
        return value
    try:
        return number(str(value))
    except ValueFault:
        return value


@cache
def _words_of(event_type: type[Event]) -> Mapping[str, Mapping[str, str]]:
    """Return the words that the fields of an event type may hold, each by how it is compared."""
    fields = ((field.encode_name, choices_of(field.type)) for field in fields_of(event_type))
    return {name: {plain(word): word for word in words} for name, words in fields if words}


def _word(value: Any, words: Mapping[str, str]) -> Any:
    """Return `Opening Hand` as opening-hand where that is one of a few words."""
    return words.get(plain(value), value) if isinstance(value, str) else value


def head_meant(fields: Mapping[str, Any], slug: str, clock: Clock) -> dict[str, Any]:
    """Return the fields of a `game.started` as they were meant: `Ann; Ben` are two players."""
    players = fields.get("players")
    if isinstance(players, str):
        between = _SEPARATOR if _SEPARATOR.search(players) else _OPPONENTS
        names = [each for each in between.split(players.strip()) if each]
        players = names if len(names) > 1 else players
    if isinstance(players, list) and players and all(isinstance(each, str) for each in players):
        players = _seated(players)
    rest = {name: value for name, value in fields.items() if name != "at"}
    at = time_meant(fields["at"], clock) if "at" in fields else {}
    return {**rest, "type": "game.started", "game": slug, "players": players, **at}


def _seated(names: Sequence[str]) -> list[dict[str, str]]:
    return [{"id": seat, "name": name} for seat, name in zip(SEATS, names, strict=False)]
