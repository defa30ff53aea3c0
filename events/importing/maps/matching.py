"""Finding the entry of a map that a record fits: the first one in the order of the map."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from tabletape.events.importing.maps.documents.paths import as_text, value_at
from tabletape.events.importing.maps.documents.records import Record
from tabletape.events.importing.maps.effort import Effort, EffortError
from tabletape.events.importing.maps.map import Map, PreparedEntry
from tabletape.events.importing.maps.sentence import Matcher, Sentence


class Fit(NamedTuple):
    """An entry that a record fits, what its sentence captured, and whether it was its sentence for a line below."""

    line: PreparedEntry
    captured: Mapping[str, str]
    under: bool
    sentence: Sentence | None = None

    @property
    def is_unread(self) -> bool:
        """Whether its entry calls it harmless, whatever it says: `{player} took {rest}` may be anything."""
        return self.line.entry.harmless and not self.line.event and (self.sentence is None or self.sentence.is_open)


class _Ready(NamedTuple):
    """An entry made ready for a table; no line without the text `needle` fits it (an empty one is in all lines)."""

    line: PreparedEntry
    needle: str
    when: tuple[tuple[str, str], ...]
    sentences: tuple[Matcher, ...]
    under: tuple[Matcher, ...]


class Entries:
    """The entries of a map, ready for the players of one table; without players any text may be one.

    `too_long` are the records (by their key) for which no steps were left.
    """

    def __init__(self, used: Map, players: Sequence[str] | None, effort: Effort | None = None) -> None:
        self._used, self._players = used, players
        self._effort = effort or Effort()
        self.too_long: set[tuple[int, str]] = set()
        self._entries: tuple[_Ready, ...] | None = None
        kinds = sum(len(line.sentences) + len(line.under) + len(line.patterns) for line in used.lines)
        paths = {path for line in used.lines for path in line.entry.when}
        whens = sum(len(line.entry.when) for line in used.lines)
        self._making = 8 * (kinds + whens)
        # Looking at a sentence that does not begin to fit is next to nothing, unless there are hundreds.
        self._looking = (kinds + whens >> 3) + (sum(map(len, paths)) >> 4)

    def _made(self) -> tuple[_Ready, ...]:
        """Return the entries, made when the first line asks for them: each table has its own, and a file may have many.

        Raises `EffortError` where no steps are left for it.
        """
        if self._entries is None:
            self._effort.take(self._making)
            words = self._used.written.words
            self._entries = tuple(
                _Ready(
                    line,
                    # What every line contains that fits it: the text of its sentence, if it has only that one.
                    line.sentences[0].needle if len(line.sentences) == 1 and not (line.under or line.patterns) else "",
                    tuple((path, str(wanted)) for path, wanted in line.entry.when.items()),
                    tuple(Matcher(each, self._players, words, self._effort) for each in line.sentences),
                    tuple(Matcher(each, self._players, words, self._effort) for each in line.under),
                )
                for line in self._used.lines
            )
        return self._entries

    def fit(self, record: Record, *, below: bool) -> Fit | None:
        """Return the first entry that a record fits, None where there is none; `below`: there is a line above it."""
        self._effort.begin_line()
        try:
            return self._first(record, below=below)
        except EffortError:
            self.too_long.add(record.key)
            return None

    def _first(self, record: Record, *, below: bool) -> Fit | None:  # noqa: C901 - every line goes through here: each call is felt
        text, row = record.text, record.row
        plain = text.strip()
        # Looking for a text in a line is next to nothing, unless the line is long.
        price = len(plain) >> 7
        entries = self._entries or self._made()
        self._effort.take(self._looking)
        looked_up: dict[str, str] = {}
        for line, needle, when, sentences, under in entries:
            if price:
                self._effort.take(price * (len(sentences) + len(under)))
            if needle not in plain or (when and not _agrees(row, when, looked_up)):
                continue
            for matcher in sentences:
                if matcher.needle in plain and (captured := matcher.match(plain)) is not None:
                    return Fit(line, captured, under=False, sentence=matcher.sentence)
            for pattern in line.patterns:
                self._effort.take(pattern.steps(plain))
                if (captured := pattern.match(plain)) is not None:
                    return Fit(line, captured, under=False)
            for matcher in under if below else ():
                if (captured := matcher.match(text)) is not None:
                    return Fit(line, captured, under=True, sentence=matcher.sentence)
            if when and not (sentences or under or line.patterns):
                return Fit(line, {}, under=False)
        return None


def agrees(row: Any, when: Mapping[str, Any]) -> bool:
    """Return whether a row has certain values."""
    return _agrees(row, tuple((path, str(wanted)) for path, wanted in when.items()), {})


def _agrees(row: Any, when: Sequence[tuple[str, str]], looked_up: dict[str, str]) -> bool:
    """Return whether a row has certain values; `looked_up` are those that were asked for before."""
    for path, wanted in when:
        if path not in looked_up:
            looked_up[path] = as_text(value_at(row, path))
        if looked_up[path] != wanted:
            return False
    return True
