"""Many lines of one game, read in one go where nothing about them is out of the ordinary."""

import re
from collections.abc import Iterator
from typing import Final

from tabletape.events.importing.lines.keys import Spacing, uncounted
from tabletape.events.vocabulary import Event, Vocabulary

BYTES_AT_ONCE: Final = 1 << 16
"""About how many bytes of lines are read together: if one line is bad, these are read again one by one."""

LONGEST: Final = 1 << 20
"""A line of more bytes is put into quarantine; the longest event has some thousand."""

SHOWN_OF_LONG: Final = 1000
"""How many bytes of a line that is too long are kept in quarantine; the file itself is kept whole."""

_HEAD: Final = b'"game.started"'

_ESCAPE: Final = b"\\u00"
_HIDDEN_SIGN: Final = re.compile(rb"\\u00(?:22|3[aA])")
"""A quotation mark or a colon that is written as an escape: what is written back then has more of `":`."""


class LongLine(bytes):
    """The beginning of a line that is longer than any event."""

    __slots__ = ()


def shortened(line: bytes) -> bytes:
    """Return a line, or its beginning (whole letters of it) where it is too long."""
    if len(line) <= LONGEST:
        return line
    return LongLine(line[:SHOWN_OF_LONG].decode(errors="ignore").encode() + b"\xe2\x80\xa6")


def lines_of(text: bytes) -> list[bytes]:
    """Return the lines of a text without the last line end; a line that was too long stands alone."""
    return [text] if isinstance(text, LongLine) else text.split(b"\n")


class LineRun:
    """Lines that follow each other, as an iterable of them with their numbers."""

    __slots__ = ("_first", "_spacing", "_text", "lines")

    def __init__(self, first: int, text: bytes, spacing: Spacing) -> None:
        """Take the lines of a text, numbered from `first`."""
        self._first = first
        self._text = text
        self._spacing = spacing
        self.lines = text.count(b"\n") + 1

    def __iter__(self) -> Iterator[tuple[int, bytes]]:
        return enumerate(lines_of(self._text), self._first)

    def events(self, vocabulary: Vocabulary) -> list[Event] | None:
        """Return the events that the lines are read as; None where each has to be looked at."""
        try:
            events: list[Event] = vocabulary.decoder.decode_lines(self._text)
        except Exception:  # noqa: BLE001 - which line it is, and why, is found out one by one
            return None
        return events if len(events) == self.lines else None

    def is_kept_by(self, vocabulary: Vocabulary, events: list[Event], written: bytes, numbered: int) -> bool:
        """Return whether nothing of the lines is lost in what is `written` of their events, in canonical form.

        That is so where both are the same, as they are where a program has kept the log. Otherwise the keys are counted
        by `":`, of which a text has as many when it is written back: an event with a key that stands twice has fewer
        then, and none has more but those that were `numbered`.
        """
        text = self._text
        if len(written) == len(text) + 1 and written.startswith(text):
            return True
        # Each line begins and ends an object: as many objects as lines are then one in each.
        whole = text[:1] == b"{" and text[-1:] == b"}" and text.count(b"}\n{") == self.lines - 1
        if not whole or self._spacing.is_loose or (_ESCAPE in text and _HIDDEN_SIGN.search(text)):
            return False
        if not uncounted(vocabulary).isdisjoint(map(type, events)):
            return False
        return written.count(b'":') - numbered == text.count(b'":')


def runs(first: int, text: bytes, spacing: Spacing) -> Iterator[LineRun]:
    """Return lines in runs that are short enough; a line that may begin a game is a run of its own."""
    if isinstance(text, LongLine):
        yield LineRun(first, text, spacing)
        return
    start = 0
    while start <= len(text):
        head = text.find(_HEAD, start)
        begin = max(start, text.rfind(b"\n", start, head) + 1) if head >= 0 else len(text) + 1
        while start < begin:
            end = _line_end(text, min(start + BYTES_AT_ONCE, begin - 1))
            run = LineRun(first, text[start:end], spacing)
            yield run
            first += run.lines
            start = end + 1
        if head >= 0:
            end = _line_end(text, head)
            yield LineRun(first, text[start:end], spacing)
            first += 1
            start = end + 1


def _line_end(text: bytes, place: int) -> int:
    end = text.find(b"\n", place)
    return len(text) if end < 0 else end
