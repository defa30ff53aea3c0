"""What is left over, by kind: lines that differ only in names and numbers are one entry of the quarantine."""

import re
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from events.importing.maps.derive import LeftOver

_QUOTED: Final = re.compile(r"\"[^\"]*\"|\u201c[^\u201d]*\u201d")
_NUMBER: Final = re.compile(r"[-+]?\d+(?:[.,:/]\d+)*")


class LineKind(NamedTuple):
    """Lines of one kind: how they look, why they were left over, how many there are, the first of them."""

    shape: str
    reason: str
    lines: int
    line: int
    place: str
    example: str


def shape_of(text: str, players: Sequence[str], cards: Sequence[str]) -> str:
    """Return a line with its names and numbers taken out: `{player} plays {card}`."""
    shape = text.strip()
    for names, hole in ((players, "{player}"), (cards, "{card}")):
        for name in names:
            if name in shape:
                shape = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", hole, shape)
    return _NUMBER.sub("{n}", _QUOTED.sub("{text}", shape))


def kinds_of(left: Iterable[LeftOver], players: Sequence[str], cards: Iterable[str]) -> list[LineKind]:
    """Return the kinds of what is left over, the most frequent first."""
    longest_first = sorted(players, key=len, reverse=True), sorted(cards, key=len, reverse=True)
    found: dict[tuple[str, str], LineKind] = {}
    for record, reason in left:
        shape = shape_of(record.text, *longest_first) or record.place
        kind = found.get((shape, reason)) or LineKind(shape, reason, 0, record.line, record.place, record.text.strip())
        found[shape, reason] = kind._replace(lines=kind.lines + 1)
    return sorted(found.values(), key=lambda kind: (-kind.lines, kind.line))
