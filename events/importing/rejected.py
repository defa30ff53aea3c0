"""What of a file does not become events: lines for the quarantine, so many and no more, and games set aside."""

from collections.abc import Sequence
from typing import Final

from tabletape.events.errors import TabletapeError
from tabletape.events.importing.quarantine.bad_lines import BROKEN_GAME, DOUBTS
from tabletape.events.importing.report import ENTRIES_SHOWN, FileReport
from tabletape.events.log.rows import QuarantinedLine
from tabletape.events.log.writing import LogWriter

ENTRIES_AT_ONCE: Final = 1000

MOST_ENTRIES: Final = 10_000
"""A file with more lines that cannot be read is read no further: nobody goes through them, and the log would keep each.

Of lines that were taken, and about which somebody is to be asked, as many are entered; the others are counted.
"""

TOO_MANY: Final = "too-many"
"""The code of the entry that says how much of a file was not read, or not entered, because there was too much of it."""

WAY_OUT: Final = "find what all these lines have in common, mend it in the file, and import it again"


class StrictError(TabletapeError):
    """A bad line in a strict import; `args[0]` is its entry."""


class EnoughError(TabletapeError):
    """A file has so many lines that cannot be read that nothing more of it is; `args[0]` is the next of them."""


class RejectedLines:
    """The entries of one file on their way into the quarantine; its report counts them, and shows the first."""

    def __init__(self, report: FileReport, *, strict: bool) -> None:
        self.messages: dict[tuple[str, int], str] = {}
        self._report = report
        self._strict = strict
        self._waiting: list[QuarantinedLine] = []
        self._tape: LogWriter
        self._doubts = 0
        self._first_uncounted: QuarantinedLine | None = None
        self.is_full = False

    def goes_to(self, tape: LogWriter) -> None:
        """Take the writer of the log that the entries go to."""
        self._tape = tape

    def add(self, entry: QuarantinedLine) -> None:
        """Put a line into quarantine, or set the game aside that it begins.

        Raises `EnoughError` for one line too many that cannot be read, `StrictError` for the first of a strict import.
        """
        is_doubt = entry.code in DOUBTS
        if self._strict and not is_doubt:
            raise StrictError(entry)
        if entry.code == BROKEN_GAME:
            self._report.set_aside[entry.message] = self._report.set_aside.get(entry.message, 0) + 1
            return
        self._doubts += is_doubt
        if is_doubt and self._doubts > MOST_ENTRIES:
            self._first_uncounted = self._first_uncounted or entry
        elif not is_doubt and self._report.quarantined - min(self._doubts, MOST_ENTRIES) >= MOST_ENTRIES:
            raise EnoughError(entry)
        else:
            self._enter(entry)

    def add_some(self, name: str, entries: Sequence[QuarantinedLine]) -> None:
        """Put what a map has left over into quarantine; one entry counts what is too much."""
        for number, entry in enumerate(entries):
            try:
                self.add(entry)
            except EnoughError:
                left = len(entries) - number
                self._enter_count(name, entry.line, f"{left:,} more entries like this were left out")
                return

    def end_file(self, name: str, first: int, last: int, more: str = "") -> None:
        """Enter that the lines `first` to `last`, and `more`, were not read."""
        behind = f" and the {last - first:,} behind it were" if last > first else " was"
        self.is_full = True
        message = f"{MOST_ENTRIES:,} lines before this one cannot be read, so the file is read no further"
        self._enter_count(name, first, f"{message}: this line{behind} not read{more}")

    def end_doubts(self) -> None:
        """Enter how many lines were taken about which nobody is asked any more, if there are any."""
        if self._first_uncounted is not None:
            first, more = self._first_uncounted, self._doubts - MOST_ENTRIES
            lines = "1 more line was" if more == 1 else f"{more:,} more lines were"
            message = f"{lines} taken with the same doubts as {MOST_ENTRIES:,} before; this is the first of them"
            self._enter_count(first.file, first.line, f"{message}: {first.message}")

    def _enter_count(self, name: str, line: int, message: str) -> None:
        """Enter how much there was too much of, and say it also where only the first entries are shown."""
        self._enter(QuarantinedLine(name, line, 0, TOO_MANY, message, WAY_OUT, ""))
        self._report.remark(f"line {line}: {message}")

    def _enter(self, entry: QuarantinedLine) -> None:
        report = self._report
        report.quarantined += 1
        self.messages[entry.file, entry.line] = entry.message
        if len(report.entries) < ENTRIES_SHOWN:
            report.entries.append(entry)
        self._waiting.append(entry)
        if len(self._waiting) >= ENTRIES_AT_ONCE:
            self.flush()

    def flush(self) -> None:
        """Write what waits to the log."""
        self._tape.quarantine(self._report.quarantined - len(self._waiting) + 1, self._waiting)
        self._waiting.clear()
