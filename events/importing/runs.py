"""Many lines of one game, read in one go where nothing about them is out of the ordinary."""

import re
from collections.abc import Iterator
from typing import Final

from events.importing.keys import Spacing, uncounted
from events.vocabulary import Event, Vocabulary

LINES_AT_ONCE: Final = 1000
"""So many lines are read together: one bad line among them costs reading these one by one."""

_HEAD: Final = b'"game.started"'

_HIDDEN: Final = re.compile(rb"\\u00(?:22|3[aA])")
"""A quotation mark or a colon that is written as an escape: what is written back then has more of `":`."""


class LineRun:
    """Lines that follow each other, as an iterable of them with their numbers."""

    __slots__ = ("_first", "_lines", "_spacing")

    def __init__(self, first: int, lines: list[bytes], spacing: Spacing) -> None:
        self._first = first
        self._lines = lines
        self._spacing = spacing

    def __iter__(self) -> Iterator[tuple[int, bytes]]:
        return enumerate(self._lines, self._first)

    def events(self, vocabulary: Vocabulary) -> tuple[list[Event], int] | None:
        """Return the events of the lines, and how many keys stand in these; None where each has to be looked at.

        The count is that of `":`, of which a text has as many when it is written back: an event with a key that stands
        twice has fewer then, and none has more.
        """
        text = b"\n".join(self._lines)
        # Each line begins and ends an object: as many objects as lines are then one in each.
        whole = text[:1] == b"{" and text[-1:] == b"}" and text.count(b"}\n{") == len(self._lines) - 1
        if not whole or self._spacing.is_loose or _HIDDEN.search(text):
            return None
        try:
            events = vocabulary.decoder.decode_lines(text)
        except Exception:  # noqa: BLE001 - which line it is, and why, is found out one by one
            return None
        if len(events) != len(self._lines) or not uncounted(vocabulary).isdisjoint(map(type, events)):
            return None
        return events, text.count(b'":')


def runs(first: int, lines: list[bytes], spacing: Spacing) -> Iterator[LineRun]:
    """Return lines in runs that are short enough; a line that may begin a game is a run of its own."""
    begin = 0
    for head in (*(place for place, line in enumerate(lines) if _HEAD in line), len(lines)):
        for start in range(begin, head, LINES_AT_ONCE):
            yield LineRun(first + start, lines[start : min(start + LINES_AT_ONCE, head)], spacing)
        if head < len(lines):
            yield LineRun(first + head, [lines[head]], spacing)
        begin = head + 1
