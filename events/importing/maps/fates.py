"""The fate of each kind of line: read as which event, skipped, said to change nothing, or not read."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from tabletape.events.importing.maps.documents.records import Record
from tabletape.events.importing.maps.matching import Fit
from tabletape.events.importing.maps.seating import SeatedPlayer
from tabletape.events.importing.maps.values.captured import Names
from tabletape.events.vocabulary import Event, tag_of
from tabletape.events.vocabulary.shared import GameStarted, LogGap

SKIPPED_FATE: Final = "skipped"
NOT_READ_FATE: Final = "not read"
"""Fates: passed over as nothing that belongs to the game, and called harmless whatever it says."""

MOST_NAMED: Final = 5
"""How many kinds of lines a remark names."""

EXAMPLE_KEPT: Final = 80
"""How many characters of the first line of a kind are kept, or of the first cell of a column."""


class LineFate(NamedTuple):
    """What becomes of the lines of a kind: how many, their sentence, their fate, the first with its number."""

    lines: int
    sentence: str
    fate: str
    line: int
    example: str


class LeftOver(NamedTuple):
    """A record that no entry fits, or whose meaning could not be taken: the reason, empty where no entry fits.

    `fields` are those of its event as far as they are known.
    """

    record: Record
    reason: str = ""
    fields: Mapping[str, Any] = MappingProxyType({})


class Fates:
    """Counts the lines by kind.

    `passed_over` are skipped, `unread` are called harmless, whatever they say, or may be moves that nobody has read.
    """

    def __init__(self) -> None:
        self.passed_over = self.unread = 0
        self._kinds: dict[tuple[int, int], LineFate] = {}

    def add(self, record: Record, fit: Fit) -> None:
        """Note what becomes of a record that an entry fits."""
        entry = fit.line.entry
        self.passed_over += entry.skip
        self.unread += fit.is_unread or entry.event == tag_of(LogGap)
        key = fit.line.number, id(fit.sentence)
        kind = self._kinds.get(key) or LineFate(0, *_kind(fit), record.line, record.text.strip()[:EXAMPLE_KEPT])
        self._kinds[key] = kind._replace(lines=kind.lines + 1)

    def __iter__(self) -> Iterator[LineFate]:
        """Return the kinds of lines in the order in which they came."""
        return iter(self._kinds.values())


def together(games: Iterable[Fates]) -> list[LineFate]:
    """Return the kinds of lines of several games: what is not read comes first, then what is frequent."""
    by_kind: dict[tuple[str, str], LineFate] = {}
    for kind in (kind for game in games for kind in game):
        before = by_kind.get(kind[1:3])
        by_kind[kind[1:3]] = kind if before is None else before._replace(lines=before.lines + kind.lines)
    order = {NOT_READ_FATE: 0, SKIPPED_FATE: 1}
    return sorted(by_kind.values(), key=lambda kind: (order.get(kind.fate, 2), -kind.lines, kind.sentence))


def remarks_on(kinds: Sequence[LineFate]) -> Iterator[str]:
    """Return in sentences which lines are not read, and how many are skipped: nothing is left out in silence."""
    for fate, said in ((NOT_READ_FATE, "not read, but left without a gap"), (SKIPPED_FATE, "skipped")):
        these = [kind for kind in kinds if kind.fate == fate]
        if not these:
            continue
        lines = sum(kind.lines for kind in these)
        named = ", ".join(f"{kind.lines} x `{kind.sentence}`" for kind in these[:MOST_NAMED])
        more = f", and {len(these) - MOST_NAMED} more kinds" if len(these) > MOST_NAMED else ""
        yield f"{lines:,} line{'' if lines == 1 else 's'} {said}: {named}{more}"


def _kind(fit: Fit) -> tuple[str, str]:
    """Return the sentence of a line as its map writes it, and what becomes of the line."""
    entry = fit.line.entry
    when = ", ".join(f"{path} = {wanted}" for path, wanted in entry.when.items())
    others = entry.matches if isinstance(entry.matches, str) else ", ".join(entry.matches)
    return (fit.sentence.written if fit.sentence is not None else others or when), _fate(fit)


def _fate(fit: Fit) -> str:
    entry = fit.line.entry
    events = [entry.event, *(each.event for each in (*entry.also, *entry.afterwards, *entry.at_start))]
    other = {
        NOT_READ_FATE: fit.is_unread,
        SKIPPED_FATE: entry.skip,
        "changes nothing": entry.harmless,
        "an event as JSON": entry.exact,
        "who plays": entry.seats,
        f"remembered: {', '.join(entry.sets)}": bool(entry.sets),
        "adds to the line above": True,
    }
    return ", ".join(dict.fromkeys(filter(None, events))) or next(fate for fate, holds in other.items() if holds)


class DerivedGame(NamedTuple):
    """What became of a game: events with the line that each came from, what is left over, how many records it had.

    `taken` says by the place of an event which of its words were taken for others.
    `fates` are those of the records: of what is skipped or called harmless whatever it says, nothing is known.
    """

    players: tuple[SeatedPlayer, ...]
    events: tuple[tuple[int, Event], ...]
    left_over: tuple[LeftOver, ...]
    records: int
    names: Names
    head: GameStarted | None = None
    fates: Fates = Fates()
    taken: Mapping[int, Sequence[str]] = MappingProxyType({})

    @property
    def understood(self) -> float:
        """The percentage of the records that were understood, of those that are not skipped."""
        return understood_of(self.records, len(self.left_over) + self.fates.unread, self.fates.passed_over)


def understood_of(records: int, left_over: int, passed_over: int) -> float:
    """Return the percentage of records that are understood: what a map skips says nothing, for it or against it."""
    said = records - passed_over
    return 100.0 * (said - left_over) / said if said else 0.0
