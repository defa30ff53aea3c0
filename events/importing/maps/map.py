"""Reading a map: what is written is held against the vocabulary of its game before any line is."""

import hashlib
import re
from collections.abc import Callable, Iterator, Mapping
from datetime import timedelta
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from tabletape.events.errors import TabletapeError
from tabletape.events.importing.maps.documents.paths import read_indexed
from tabletape.events.importing.maps.documents.trees import is_encoding
from tabletape.events.importing.maps.patterns import Pattern, PatternError, read_pattern
from tabletape.events.importing.maps.schema import Entry, MapFile, Written
from tabletape.events.importing.maps.sentence import Sentence, SentenceError, read_sentence
from tabletape.events.importing.quarantine.bad_lines import did_you_mean, type_hint
from tabletape.events.toml_text import TomlError, toml_of
from tabletape.events.vocabulary import ENVELOPE, Event, Vocabulary

SUFFIX: Final = ".map.toml"

GIVEN_NAMES: Final = frozenset({"player", "other", "file", "n"})
"""Names that every template may use: who the row is of, the other of two players, the file, the game's number."""

MOST_FORMS: Final = 5
"""In how many ways the `dates` of a map may be written: Python keeps no more of them ready, and each time tries all."""

LONGEST_PATHS: Final = 1000
"""The paths to what a row says (`text`, `player`, `at`) together have at most this many characters."""

MINUTES: Final = {"min": 1, "mins": 1, "minutes": 1, "h": 60, "hour": 60, "hours": 60}
"""How many minutes the units of a `gap` have."""

_GAP: Final = re.compile(rf"(\d{{1,6}}(?:\.\d{{1,6}})?)\s*({'|'.join(MINUTES)})?")
_HOLE: Final = re.compile(r"\{([a-z_][a-z0-9_]*)\}")


class MapError(TabletapeError):
    """A map that cannot be used; the message begins with its file and line."""


class Template(NamedTuple):
    """An event that a line gives: its type, its fields with what fills them, and how many steps that takes."""

    event_type: type[Event]
    fields: Mapping[str, Any]
    steps: int = 6


class PreparedEntry(NamedTuple):
    """An entry made ready: `sentences` and `under` to match, patterns, the events that it gives.

    `setting` is how many steps it takes to remember what it `sets`.
    """

    number: int
    entry: Entry
    sentences: tuple[Sentence, ...]
    under: tuple[Sentence, ...]
    patterns: tuple[Pattern, ...]
    event: Template | None
    also: tuple[Template, ...]
    afterwards: tuple[Template, ...]
    at_start: tuple[Template, ...]
    setting: int = 0


class Map(NamedTuple):
    """A map that can be used: what is written, its name, its lines, the sentences of prefix, headings and starts.

    `document_starts` are those that a game starts with in each kind of document of the same program.
    """

    name: str
    written: MapFile
    lines: tuple[PreparedEntry, ...]
    prefix: tuple[Sentence, ...]
    starts: tuple[Sentence, ...]
    text: str
    headings: tuple[Sentence, ...] = ()
    document_starts: tuple[tuple[Sentence, ...], ...] = ()

    @property
    def id(self) -> str:
        """The name of the map without its folder, and eight digits that change with what is written."""
        return f"{map_name(Path(self.name))} {hashlib.sha256(self.text.encode()).hexdigest()[:8]}"


def read_map(text: str, name: str, vocabulary_of: Callable[[str], Vocabulary]) -> Map:
    """Read the text of a map called `name`; `vocabulary_of` gives the event types of its game.

    Raises `MapError` with file and line for whatever is wrong with it, `UnknownGameError` for a game that there is not.
    """
    try:
        written = msgspec.convert(toml_of(text), MapFile)
    except TomlError as error:
        raise MapError(f"{name}:{error.line}: {error}") from None
    except msgspec.ValidationError as error:
        raise MapError(_invalid(error, text, name)) from None
    return _Reading(written, text, name).read(vocabulary_of(written.game))


def map_name(path: Path) -> str:
    """Return the name of a map without its folder and ending."""
    return path.name.removesuffix(SUFFIX)


def _invalid(error: msgspec.ValidationError, text: str, name: str) -> str:
    """Say in which line a map is not as it must be."""
    reason, _, place = str(error).partition(" - at `$")
    entry = re.match(r"\.line\[(\d+)\]", place)
    heads = [*_entry_lines(text), 1]
    key = place.strip(".`").partition(".")[0]
    line = heads[min(int(entry[1]), len(heads) - 1)] if entry else _key_line(text, key)
    unknown = re.search(r"unknown field `(.*?)`", reason)
    if unknown:
        struct = Entry if entry else MapFile
        known = [field.encode_name for field in msgspec.structs.fields(struct)]
        line = _key_line(text, unknown[1]) if not entry else line
        hint = did_you_mean(unknown[1], known) or f"there are {', '.join(known)}"
        return f"{name}:{line}: a map has no `{unknown[1]}` here; {hint}"
    what = place.strip(".`")
    reason = reason.replace("Object missing required field", "the map needs")
    return f"{name}:{line}: {f'`{what}`: ' if what else ''}{reason}"


def _entry_lines(text: str) -> list[int]:
    """Return the lines in which the entries begin."""
    return [number for number, line in enumerate(text.split("\n"), 1) if line.lstrip(" \t").startswith("[[line]]")]


def _key_line(text: str, key: str) -> int:
    match = re.search(rf"^[ \t]*\[*{re.escape(key)}\b", text, re.MULTILINE) if key else None
    return text.count("\n", 0, match.start()) + 1 if match else 1


class _Reading:
    """The reading of one map."""

    def __init__(self, written: MapFile, text: str, name: str) -> None:
        self._written = written
        self._text = text
        self._name = name
        self._heads = _entry_lines(text)
        # What the columns of a row are called is known when there is a row.
        self._has_columns = written.shape == "rows"
        self._context = GIVEN_NAMES | {key for entry in written.entries for key in entry.sets} | written.by_index.keys()

    def read(self, vocabulary: Vocabulary) -> Map:
        """Make the map ready."""
        written = self._written
        self._require_shape()
        self._require_own_aliases()
        self._require_indexes()
        lines = tuple(self._line(number, entry, vocabulary) for number, entry in enumerate(written.entries, 1))
        prefix = self._sentences(_listed(written.prefix), _key_line(self._text, "prefix"))
        starts = written.starts if not isinstance(written.starts, dict) else []
        begun = self._sentences(_listed(starts), _key_line(self._text, "starts"))
        headings = self._sentences(_listed(written.headings), _key_line(self._text, "headings"))
        inner = tuple(
            self._sentences(
                [] if isinstance(part.starts, dict) else _listed(part.starts), _key_line(self._text, "document")
            )
            for part in written.documents
        )
        return Map(self._name, written, lines, prefix, begun, self._text, headings, inner)

    def _require_shape(self) -> None:
        written = self._written
        if (forms := len(_listed(written.dates))) > MOST_FORMS:
            message = f"`dates` has {forms} forms, and times are tried in {MOST_FORMS} at most"
            raise self._error(_key_line(self._text, "dates"), message)
        if (length := sum(map(len, (*_listed(written.text), written.player, written.at)))) > LONGEST_PATHS:
            message = (
                f"`text`, `player` and `at` have {length:,} characters together, {LONGEST_PATHS:,} at most are read"
            )
            raise self._error(_key_line(self._text, "text"), message)
        if written.encoding and not is_encoding(written.encoding):
            message = f"no encoding is called {written.encoding!r}"
            raise self._error(_key_line(self._text, "encoding"), message)
        if written.gap and pause_of(written.gap) is None:
            units = ", ".join(MINUTES)
            message = f'`gap` is a number of at most six digits and a unit ({units}), as in "30 min"'
            raise self._error(_key_line(self._text, "gap"), message)
        if written.shape == "results" or (written.shape in {"json", "xml"} and written.columns is not None):
            if written.columns is None:
                raise self._error(_key_line(self._text, "shape"), "results need [columns] that say where what stands")
            columns = written.columns
            if columns.score_of and not (columns.winner or columns.best):
                message = 'scores alone do not say who won: write `best = "highest"` or `best = "lowest"`, or `winner`'
                raise self._error(_key_line(self._text, "score_of"), message)
            return
        if not written.entries:
            raise self._error(1, "the map has no [[line]], so no line means anything")
        if written.shape == "json" and not written.rows:
            raise self._error(
                _key_line(self._text, "shape"), 'JSON needs `rows`, the path to the list of rows: "plays"'
            )

    def _require_own_aliases(self) -> None:
        owners: dict[str, str] = {}
        for name, each in self._written.players.items():
            for alias in each.aliases:
                if owners.setdefault(alias, name) != name:
                    message = f"{alias!r} is an alias of {owners[alias]} and of {name}; it can be that of one of them"
                    raise self._error(_key_line(self._text, "players"), message)

    def _require_indexes(self) -> None:
        for path in self._written.by_index.values():
            line = self._text.count("\n", 0, max(self._text.find(path), 0)) + 1
            if self._written.shape not in {"json", "xml"}:
                raise self._error(line, "`by_index` belongs to JSON and XML, which have lists")
            if read_indexed(path) is None:
                message = f'`{path}` leads to no place in a list; it does in "deck[target]" or "players[n mod size]"'
                raise self._error(line, message)

    def _error(self, line: int, message: str) -> MapError:
        return MapError(f"{self._name}:{line}: {message}")

    def _sentences(self, written: list[str], line: int) -> tuple[Sentence, ...]:
        try:
            return tuple(read_sentence(each, self._written.words) for each in written)
        except SentenceError as error:
            raise self._error(line, str(error)) from None

    def _line(self, number: int, entry: Entry, vocabulary: Vocabulary) -> PreparedEntry:
        at = self._heads[number - 1] if number <= len(self._heads) else 1
        sentences = self._sentences(_listed(entry.sentences), at)
        under = self._sentences(_listed(entry.under), at)
        try:
            patterns = tuple(read_pattern(each) for each in _listed(entry.matches))
        except PatternError as error:
            raise self._error(at, str(error)) from None
        if not (sentences or under or patterns or entry.when):
            raise self._error(at, "an entry needs `is`, `under`, `matches` or `when`, which says what lines it fits")
        if not (entry.event or entry.skip or entry.harmless or entry.seats or entry.sets or under):
            raise self._error(at, "an entry needs an `event`, or `skip = true`, or `harmless = true`")
        captured = [set(each.captures) for listed in (sentences, under, patterns) for each in listed]
        common = set.intersection(*captured) if captured else set()
        if entry.exact and (not under or any("event" not in each.captures for each in under)):
            raise self._error(at, "an entry with `exact = true` needs {event} in a sentence of `under`")
        if entry.seats and any("player" not in each for each in captured):
            raise self._error(at, "an entry with `seats = true` needs {player} in its sentence")
        own = [Written(event=entry.event, fields=entry.fields)] if entry.event else []
        gives, also, later, first = (
            tuple(self._template(at, each, vocabulary, common) for each in listed)
            for listed in (own, entry.also, entry.afterwards, entry.at_start)
        )
        setting = steps_of(entry.sets)
        return PreparedEntry(
            at, entry, sentences, under, patterns, gives[0] if gives else None, also, later, first, setting
        )

    def _template(self, line: int, written: Written, vocabulary: Vocabulary, captured: set[str]) -> Template:
        """Hold an event against the vocabulary: its type, its fields, and whether everything that it needs is there."""
        event_type = vocabulary.types.get(written.event)
        if event_type is None:
            hint = type_hint(written.event, vocabulary) or f"there are {', '.join(vocabulary.types)}"
            raise self._error(line, f"{vocabulary.game} has no event type `{written.event}`; {hint}")
        fields = _fields_of(event_type)
        for name, value in written.fields.items():
            if name not in fields:
                own = [each for each in fields if each not in ENVELOPE]
                hint = did_you_mean(name, own) or f"it has {', '.join(own) or 'none'}"
                raise self._error(line, f"{written.event} has no field `{name}`; {hint}")
            unknown = [hole for hole in holes_of(value) if hole not in captured | self._context]
            if unknown and not self._has_columns:
                captures = ", ".join(sorted(captured)) or "nothing"
                raise self._error(line, f"`{name}` needs {{{unknown[0]}}}; the sentence captures {captures}")
        if not self._has_columns:
            self._require_fields(line, written, event_type, captured)
        return Template(event_type, written.fields, 6 + steps_of(written.fields))

    def _require_fields(self, line: int, written: Written, event_type: type[Event], captured: set[str]) -> None:
        given = (
            set(written.fields)
            | captured
            | set(self._written.by_index)
            | ({"player"} if self._written.player else set())
        )
        if "cards" in captured:
            given.add("card")  # A list of cards gives one event for each.
        missing = [name for name, is_needed in _fields_of(event_type).items() if is_needed and name not in given]
        one_of: tuple[str, ...] = getattr(event_type, "EXACTLY_ONE", ())
        if one_of and not given & set(one_of):
            missing.append(" or ".join(one_of))
        if missing:
            captures = ", ".join(sorted(captured)) or "nothing"
            raise self._error(line, f"{written.event} needs {', '.join(missing)}; the sentence captures {captures}")


@cache
def _fields_of(event_type: type[Event]) -> Mapping[str, bool]:
    """Return the fields of an event type, as a log calls them, each with whether it has to be there."""
    return {field.encode_name: field.required for field in msgspec.structs.fields(event_type)}


def pause_of(gap: str) -> timedelta | None:
    """Return how long the `gap` of a map is, None where it is not written as a number and a unit."""
    match = _GAP.fullmatch(gap.strip())
    return timedelta(minutes=float(match[1]) * MINUTES[match[2] or "min"]) if match else None


def _listed(value: str | list[str]) -> list[str]:
    return [value] if isinstance(value, str) else value


def holes_of(value: Any) -> Iterator[str]:
    """Return the holes in a value of a template, also within lists and tables."""
    if isinstance(value, str):
        yield from _HOLE.findall(value)
    elif isinstance(value, list):
        for each in value:
            yield from holes_of(each)
    elif isinstance(value, dict):
        for each in (*value, *value.values()):
            yield from holes_of(each)


def steps_of(value: Any) -> int:
    """Return how many steps it takes to fill a value of a template with short texts."""
    if isinstance(value, list | dict):
        return sum(1 + steps_of(each) for each in ((*value, *value.values()) if isinstance(value, dict) else value))
    return len(value) >> 4 if isinstance(value, str) else 0


def filled(value: Any, known: Mapping[str, Any]) -> Any:
    """Return a value of a template with its holes filled; a value that is one hole becomes what is captured there.

    Raises `KeyError` for a hole that nothing has filled so far.
    """
    if isinstance(value, str):
        whole = _HOLE.fullmatch(value)
        return known[whole[1]] if whole else _HOLE.sub(lambda hole: str(known[hole[1]]), value)
    if isinstance(value, list):
        return [filled(each, known) for each in value]
    if isinstance(value, dict):
        return {str(filled(key, known)): filled(each, known) for key, each in value.items()}
    return value
