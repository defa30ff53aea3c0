"""What a line means that is written as people write: names as printed, types as words, numbers with a comma.

Only what means exactly one thing is taken. A name that is written almost like exactly one known name is taken for that,
and `close` says so; whatever is farther off is left to the quarantine and its suggestion.
"""

import re
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any, Final, NamedTuple

from tabletape.events.importing.games.copies import DRAW_ENDING
from tabletape.events.importing.games.table import TableNames
from tabletape.events.importing.lines.shapes import Holds, Shape, shapes_of
from tabletape.events.importing.lines.words import Words, plain
from tabletape.events.importing.maps.values.captured import ValueFault, number
from tabletape.events.importing.maps.values.times import Clock, time_doubt, time_meant
from tabletape.events.importing.quarantine.bad_lines import DoubtError, almost, slip_of, taken_for
from tabletape.events.importing.sheets.cells import fields as fields_of_type
from tabletape.events.importing.sheets.cells import place
from tabletape.events.importing.sheets.cells import value as cell_value
from tabletape.events.vocabulary import Vocabulary
from tabletape.events.vocabulary.names import is_unseen, slug_of

TAKEN_FOR_COPY: Final = "a card of which there are several was taken for the copy that can be meant"

_SEPARATOR: Final = re.compile(r"\s*[,;]\s*|\s+/\s+")
_BETWEEN_PARTS: Final = re.compile(r"\s*[;,&]\s*(?=[^\W\d])|\s+and\s+(?=[^\W\d])")
_WHOSE: Final = re.compile(r"(.+?)['\u2019]s?\s+(.+)")
SPOKEN_TYPES: Final[Mapping[str, tuple[str, ...]]] = {
    "turn.ended": ("end turn", "ends turn", "end of turn", "turn end", "end of the turn"),
    "turn.passed": ("pass", "passes", "passed"),
    "priority.passed": ("pass", "passes", "passed"),
    "cards.drawn": ("draw", "draws", "drew", "draw cards"),
    "player.conceded": ("concede", "concedes", "conceded", "resign", "resigns", "gives up"),
}
"""What people say for an event type; in a game that has the type and no other that is called so."""

_NUMBERED_NAME: Final = re.compile(r"(.*\S)\s+(\d{1,3})")


def type_meant(text: str, vocabulary: Vocabulary) -> str | None:
    """Return the event type that is written `Cards Drawn` or `cards_drawn`, or as people say it; None for others."""
    return _tags(vocabulary).get(plain(text)) or _spoken(vocabulary).get(plain(text))


def type_or_slip(text: str, vocabulary: Vocabulary) -> str | None:
    """Return the event type that is meant, also where one slip of typing (`seed.playd`) leaves a single one."""
    tags = _tags(vocabulary)
    return type_meant(text, vocabulary) or tags.get(slip_of(plain(text), tags))


def _tags(vocabulary: Vocabulary) -> dict[str, str]:
    return {plain(tag): tag for tag in vocabulary.types}


def _spoken(vocabulary: Vocabulary) -> dict[str, str]:
    return {text: tag for tag, texts in SPOKEN_TYPES.items() if tag in vocabulary.types for text in texts}


def typed(written: Mapping[str, Any], vocabulary: Vocabulary) -> dict[str, Any]:
    """Return fields whose values people have written as text, each as its type needs it.

    Raises `BadLineError` where a list or an object is not written as JSON.
    """
    tag = type_or_slip(str(written.get("type", "")), vocabulary)
    known = fields_of_type(vocabulary.types[tag]) if tag else {}
    return {name: cell_value(cell, name, known.get(name)) for name, cell in written.items()}


class LenientReader:
    """Reads lines of one game as they were meant."""

    def __init__(self, vocabulary: Vocabulary, seats: Mapping[str, str], table: TableNames, clock: Clock) -> None:
        """Know the seats (id → name), and of the table the cards of its game and those of declared decks."""
        self._vocabulary = vocabulary
        self._players = {plain(name): player for player, name in seats.items()}
        self._players |= {plain(player): player for player in seats}
        self._table = table
        self._cards = table.cards
        self._copies = table.copies
        self._declared = table.declared
        self._clock = clock
        self.close: dict[str, None] = {}
        self.doubt: DoubtError | None = None

    @cached_property
    def _printed(self) -> dict[str, str]:
        """The ids of cards by the slugs of what is printed on them: most logs ask for none."""
        return {slug_of(name): card for name, card in self._table.printed.items()}

    def meant(self, fields: Mapping[str, Any]) -> dict[str, Any] | None:
        """Return the fields of a line as they were meant, None where its type is none of the game's."""
        tag = type_or_slip(str(fields.get("type", "")), self._vocabulary)
        if tag is None:
            return None
        shapes = shapes_of(self._vocabulary.types[tag])
        self.close = {}
        if plain(tag) != plain(str(fields["type"])):
            self._note_taken(str(fields["type"]), tag)
        self.doubt = time_doubt(fields)
        player = self._player(str(fields.get("player", "")))
        fields_meant: dict[str, Any] = {"type": tag}
        for name, value in fields.items():
            if name == "at":
                fields_meant |= time_meant(value, self._clock)
            elif name != "type":
                brings = tag.endswith(DRAW_ENDING) or f".{name}" == DRAW_ENDING
                shape = shapes.get(name)
                fields_meant[name] = (
                    value if shape is None else self._read(shape, value, _Line(player, tag, brings=brings))
                )
        return fields_meant

    def _read(self, shape: Shape, value: Any, line: "_Line") -> Any:
        """Return what a value means that is such a thing as its field holds; what means nothing stays as it is."""
        meant = value
        match shape.holds, value:
            case Holds.PLACE, str() | list():
                # A sheet may have taken it apart at a comma.
                text = value if isinstance(value, str) else " ".join(map(str, value))
                meant = place(text, a_tile=shape.a_tile) or value
            case Holds.LIST, str() if shape.inside[0].holds is not Holds.PART:
                meant = [self._read(shape.inside[0], each, line) for each in _SEPARATOR.split(value)]
            case Holds.LIST, list():
                meant = [self._read(shape.inside[0], each, line) for each in value]
            case Holds.PAIRS, dict():
                keys, values = shape.inside
                meant = {self._read(keys, key, line): self._read(values, each, line) for key, each in value.items()}
            case Holds.LIST, str():
                meant = [self._read(shape.inside[0], each, line) for each in _BETWEEN_PARTS.split(value)]
            case Holds.PART, str() if shape.sentence and (match := shape.sentence.fullmatch(value.strip())):
                meant = self._read(shape, match.groupdict(), line)
            case Holds.PART, dict():
                known = [(key, each, shape.fields.get(key)) for key, each in value.items()]
                meant = {key: each if one is None else self._read(one, each, line) for key, each, one in known}
            case Holds.NUMBER, str() | float():
                meant = _number(value)
            case _, str():
                meant = self._name(shape, value, line)
        return meant

    def _name(self, shape: Shape, text: str, line: "_Line") -> Any:
        """Return what a single text means."""
        match shape.holds:
            case Holds.PLAYER:
                return self._player(text)
            case Holds.COPY:
                return self._copy(text, shape, line)
            case Holds.CARD:
                return self._card(text, shape.words.nouns)
            case Holds.TRUTH:
                truth = shape.words.called(text)
                return text if truth is None else truth
            case Holds.WORD | Holds.CHOICE | Holds.PRINTED:
                return self._word(text, self._table.words(shape))
        return text

    def _word(self, text: str, words: Words) -> Any:
        """Return `Opening Hand` as opening-hand, `Mining Lane` as mining, where that is one of a few words."""
        if text in words.exact:
            return text
        meant = words.called(text)
        near = words.near(text) if meant is None else [meant]
        if len(near) != 1 or self._table.name_held(text, " ".join(map(str, (near[0], *words.nouns)))):
            return text
        if meant is None:
            self._note_taken(text, near[0])
        return near[0]

    def _player(self, text: str) -> str:
        exact = self._players.get(plain(text))
        return exact or self._near(text, plain(text), self._players) or text

    def _card(self, text: str, nouns: Iterable[str] = ()) -> str:
        slug = slug_of(text)
        known = self._known_card(text, nouns)
        if known is not None:
            return known
        cards = {each: each for each in (*(self._cards or ()), *self._declared)}
        return self._near(text, slug, {**self._printed, **cards}) or text

    def _known_card(self, text: str, nouns: Iterable[str] = ()) -> str | None:
        """Return the id of a card that is called so, also with an article, or with what it is: `the Shelf biom`."""
        slug = slug_of(text)
        if self._cards is None:
            return slug
        bare = slug.removeprefix("the-")
        for each in (slug, bare, *(bare.removesuffix(f"-{noun}") for noun in nouns)):
            if each in self._cards:
                return each
            if each in self._printed:
                return self._printed[each]
        return text if text in self._declared else None

    def _near(self, written: str, text: str, known: Mapping[str, str]) -> str:
        """Return what a text means that is almost written like one known name; empty where none is, or several are."""
        meanings = {known[name]: name for name in almost(text, known)}
        if len(meanings) != 1:
            return ""
        ((meaning, name),) = meanings.items()
        if self._table.name_held(written, name):
            return ""
        self._note_taken(written, name)
        return meaning

    def _note_taken(self, written: str, name: str) -> None:
        self.close[taken_for(written, name)] = None

    def _copy(self, text: str, shape: Shape, line: "_Line") -> str:
        """Return the name of a card on the table: `Ann: Reed Heron #2`, `Ann's Reed Heron 2` are A:reed-heron#2.

        Where a number is missing it is that of the copy that the line can mean.
        """
        if is_unseen(text):
            return text
        if self._table.deck is not None:
            meant = self._table.deck.called(text, line.player)
            if ":" in text and ":" not in meant:
                self.close[f"`{text}` was taken for `{meant}`: the cards of this game are nobody's"] = None
            return meant
        owner, colon, card = self._parted(text)
        card, mark, copy = self._numbered(card, shape.words.nouns)
        slug = self._card(card.strip(), shape.words.nouns)
        is_name = slug == card and colon
        if not is_name and self._cards is not None and slug not in self._cards:
            return text
        whose = self._player(owner) if colon else self._owner(slug, shape, line)
        if whose and not mark and self._copies.has_several(whose, slug):
            self.close[TAKEN_FOR_COPY] = None
            brings = shape.made if self._copies.is_made(slug) else line.brings
            return self._copies.name(whose, slug, line.tag, brings=brings)
        return f"{whose}:{slug}{mark}{copy.strip()}" if whose else f"{slug}{mark}{copy.strip()}"

    def _owner(self, card: str, shape: Shape, line: "_Line") -> str:
        """Return whose card a line means that does not say it, empty where that is open.

        That of the player whose line it is; another's where only that one has it. Where it may be anybody's, and is
        several players', the log leaves it open. In a game without deck lists cards belong to the whole table.
        """
        if "deck.declared" not in self._vocabulary.types:
            return ""
        owners = self._copies.owners(card)
        if len(owners) == 1 and (not line.player or shape.anybodys or self._copies.has_list(line.player)):
            return owners[0]
        if len(owners) > 1 and (not line.player or shape.anybodys):
            self._copies.leave_owner_open(card)
            return line.player or owners[0]
        return line.player

    def _parted(self, text: str) -> tuple[str, str, str]:
        """Return whose card a text means, what stands between, and the card: `A:x`, `Ann: X`, `Ann's X`."""
        owner, colon, card = text.rpartition(":")
        whose = None if colon else _WHOSE.fullmatch(text)
        if whose is not None and plain(whose[1]) in self._players:
            return whose[1], ":", whose[2]
        return owner, colon, card

    def _numbered(self, text: str, nouns: Iterable[str]) -> tuple[str, str, str]:
        """Return the card of a text and its number: `reed-heron#2`, or `Reed Heron 2` where there are several of it."""
        card, mark, copy = text.partition("#")
        numbered = _NUMBERED_NAME.fullmatch(text)
        if not mark and numbered is not None and self._known_card(text, nouns) is None:
            known = self._known_card(numbered[1], nouns)
            if known is not None and any(self._copies.has_several(each, known) for each in self._players.values()):
                return numbered[1], "#", numbered[2]
        return card, mark, copy


class _Line(NamedTuple):
    """The line that is being read: whose it is, its type, and whether its cards come with it (a draw)."""

    player: str
    tag: str
    brings: bool


_DECIMAL: Final = re.compile(r"[-+]?\d+[.,]\d+")


def _number(value: str | float) -> Any:
    """Return `1,0` and `1.0` as 1; `1.000`, which may be a thousand, with that behind it, so that it is no number."""
    if isinstance(value, float):
        return int(value) if value.is_integer() else value
    try:
        return number(value)
    except ValueFault:
        return f"{value} (a thousand, or a decimal?)" if _DECIMAL.fullmatch(value.strip()) else value
