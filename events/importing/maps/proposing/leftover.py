"""What is left over, by kind: lines that differ only in names and numbers are one entry of the quarantine."""

import contextlib
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from tabletape.events.importing.maps.effort import Effort, EffortError
from tabletape.events.importing.maps.fates import LeftOver

TOLD_APART: Final = 300
"""How many characters of a line are compared with those of others."""

MOST_NAMES: Final = 200
"""How many names of cards are looked for in each line."""

_QUOTED_TEXT: Final = re.compile(r"\"[^\"]*\"|\u201c[^\u201d]*\u201d")
_NUMBER: Final = re.compile(r"(?:(?<!\d)[-+])?\d+(?:[.,]\d+)*")


class LineKind(NamedTuple):
    """Lines of one kind: how they look, why they were left over, and all of them."""

    shape: str
    reason: str
    left: Sequence[LeftOver]


class OpenRecord(NamedTuple):
    """What a person can mend in a file that a map reads: its line and text, what it says so far, where it is wrong.

    `alike` are the line and text of what is of the same kind, itself among them. Where it only lacks who won, `told` is
    who played with which score, and `winners` who may have won.
    """

    line: int
    raw: str
    fields: Mapping[str, Any]
    alike: tuple[tuple[int, str], ...]
    place: str = ""
    suggestion: Mapping[str, Any] | None = None
    told: str = ""
    winners: tuple[str, ...] = ()


def shape_of(text: str, players: Sequence[str], cards: Sequence[str], effort: Effort) -> str:
    """Return the beginning of a line with its names and numbers taken out: `{player} plays {card}`.

    Names for which no steps are left stay in it.
    """
    shape = text.strip()[:TOLD_APART]
    with contextlib.suppress(EffortError):
        effort.take(len(players) + len(cards) >> 2)
        for names, hole in ((players, "{player}"), (cards, "{card}")):
            for name in names:
                if name and name in shape:
                    effort.take(2 * shape.count(name))
                    shape = _without(shape, name, hole)
    return _NUMBER.sub("{n}", _QUOTED_TEXT.sub("{text}", shape))


def _without(text: str, name: str, hole: str) -> str:
    """Return a text with a hole wherever a name stands as words of its own."""
    pieces: list[str] = []
    done, at = 0, text.find(name)
    while at >= 0:
        end = at + len(name)
        if _is_word(text[at - 1 : at]) or _is_word(text[end : end + 1]):
            at = text.find(name, at + 1)
            continue
        pieces += (text[done:at], hole)
        done, at = end, text.find(name, end)
    return "".join((*pieces, text[done:]))


def _is_word(letter: str) -> bool:
    return letter.isalnum() or letter == "_"


def kinds_of(left: Iterable[LeftOver], players: Iterable[str], cards: Iterable[str], effort: Effort) -> list[LineKind]:
    """Return the kinds of what is left over, the most frequent first; `effort` is that of the file."""
    longest_first = sorted(players, key=len, reverse=True), sorted(cards, key=len, reverse=True)[:MOST_NAMES]
    by_shape: dict[tuple[str, str], list[LeftOver]] = {}
    for each in left:
        shape = shape_of(each.record.text, *longest_first, effort) or each.record.place
        by_shape.setdefault((shape, each.reason), []).append(each)
    kinds = [LineKind(shape, reason, alike) for (shape, reason), alike in by_shape.items()]
    return sorted(kinds, key=lambda kind: (-len(kind.left), kind.left[0].record.line))
