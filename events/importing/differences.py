"""In what a game that comes in differs from the one that is stored."""

from collections.abc import Sequence
from itertools import zip_longest
from typing import Final

import msgspec

from tabletape.events.importing.report import LogDifference
from tabletape.events.log.rows import Row
from tabletape.events.vocabulary import tag_of
from tabletape.events.vocabulary.shared import LogGap

GAP: Final = tag_of(LogGap)
"""The type of the events that stand for what could not be read."""


def difference(stored: Sequence[Row], read: Sequence[Row]) -> LogDifference:
    """Return the first event in which two games with different hashes differ."""
    before, after = next(pair for pair in zip_longest(stored, read) if _hash(pair[0]) != _hash(pair[1]))
    seq = min(row[0] for row in (before, after) if row is not None)
    stored_body, read_body = (row[4] if row is not None and row[0] == seq else None for row in (before, after))
    return LogDifference(seq, stored_body, read_body)


def _hash(row: Row | None) -> bytes | None:
    return None if row is None else row[5]


def only_mends(stored: Sequence[Row], read: Sequence[Row], unread: int) -> bool:
    """Return whether a game has every stored event in its order, and between them no more than could not be read.

    `unread` is how many lines of the game were in quarantine when its file was last taken: what is new between the
    stored events may stand in their place, an event or a gap, or nothing.
    """
    coming = enumerate(map(_content, read), 1)
    known = [row for row in stored if row[1] != GAP]
    reached = 0
    for row in known if unread else ():
        content = _content(row)
        reached = next((place for place, other in coming if other == content), 0)
        if not reached:
            return False
    return 0 <= reached - len(known) <= unread if unread else False


def _content(row: Row) -> dict[str, object]:
    """Return what an event says; its number, which changes when a line comes in before it, left aside."""
    content: dict[str, object] = msgspec.json.decode(row[4])
    content.pop("seq")
    return content
