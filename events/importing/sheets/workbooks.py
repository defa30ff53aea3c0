"""Workbooks (.xlsx, .xls, .ods): read by a process of its own, with limits, so that none can do harm to this one."""

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import AbstractContextManager
from datetime import date, datetime
from importlib.util import find_spec
from itertools import chain, groupby
from operator import itemgetter
from typing import IO, Any, Final

import msgspec

from tabletape.events.importing.files.sources import NotALogError
from tabletape.events.importing.maps.proposing.column_names import tells_results
from tabletape.events.importing.sheets import workbook_reader
from tabletape.events.importing.sheets.headings import fields_named
from tabletape.events.importing.sheets.joined_sheets import NumberedSheet, joined
from tabletape.events.importing.sheets.rows import NumberedRow

MAX_MEMORY: Final = 1 << 30
"""Bytes that reading a workbook may take."""

MAX_SECONDS: Final = 60
"""Seconds that reading a workbook may take."""


class Workbook(AbstractContextManager["Workbook"]):
    """The rows of a workbook, read wholly before anything is done with them; close it when they are not needed."""

    def __init__(self, content: IO[bytes]) -> None:
        """Read a workbook. Raises `NotALogError` where it cannot be read within the limits."""
        self._frames = tempfile.TemporaryFile()  # noqa: SIM115 - `__exit__` closes it
        try:
            self._read(content)
        except BaseException:
            self._frames.close()
            raise

    def __exit__(self, *_error: object) -> None:
        self._frames.close()

    def _read(self, content: IO[bytes]) -> None:
        """Run the process with its frames written into a file of ours."""
        if find_spec("python_calamine") is None:
            message = "a workbook is read by the package python-calamine, which is not installed"
            raise NotALogError("unknown-format", message, "pip install 'tabletape[sheets]', or save the sheet as CSV")
        command = [sys.executable, "-P", str(workbook_reader.__file__), str(MAX_MEMORY), str(MAX_SECONDS)]
        with tempfile.TemporaryFile() as given:
            shutil.copyfileobj(content, given)
            given.seek(0)
            try:
                ended = subprocess.run(  # noqa: S603 - our own command
                    command,
                    stdin=given,
                    stdout=self._frames,
                    stderr=subprocess.DEVNULL,
                    timeout=MAX_SECONDS,
                    check=False,
                )
            except subprocess.TimeoutExpired:
                raise _too_much(f"more than {MAX_SECONDS} seconds") from None
        if ended.returncode:
            raise _too_much(f"more than {MAX_MEMORY >> 20} MB or {MAX_SECONDS} seconds")
        for frame in self._each():
            if frame[0] == "refused":
                raise NotALogError(*frame[1:])

    def _each(self) -> Iterator[list[Any]]:
        """Return what the process has written."""
        self._frames.seek(0)
        while (frame := self._next()) != ["end"]:
            yield frame

    def _next(self) -> list[Any]:
        length = int.from_bytes(self._frames.read(4), "big")
        frame: list[Any] = _DECODER.decode(self._frames.read(length))
        return frame

    def sheets(self) -> Iterator[tuple[str, Iterator[NumberedRow]]]:
        """Return name and rows of each sheet that has a log: a row of names with `type` at its top.

        The rows of a sheet have to be taken before the next sheet is.
        """
        for name, frames in groupby(self._each(), key=itemgetter(1)):
            first = next(frames)
            if "type" in fields_named(first[2][0][1]):
                yield name, (NumberedRow(*row) for frame in chain([first], frames) for row in frame[2])

    def has_log(self) -> bool:
        """Return whether a sheet has a log: a row of names with `type` at its top."""
        tops = (next(frames)[2][0][1] for _, frames in groupby(self._each(), key=itemgetter(1)))
        return any("type" in fields_named(top) for top in tops)

    def as_csv(self) -> bytes:
        """Return the sheets as one table, as maps read it."""
        return joined(
            (
                NumberedSheet(name, {row[0]: [*map(_shown, row[1])] for frame in frames for row in frame[2]})
                for name, frames in groupby(self._each(), key=itemgetter(1))
            ),
            tells_results,
        )


def _shown(cell: Any) -> Any:
    """Return a cell as its sheet shows it: a workbook keeps each number with decimals, and 2 is no 2.0."""
    return int(cell) if isinstance(cell, float) and cell.is_integer() else cell


def _too_much(what: str) -> NotALogError:
    message = f"reading the workbook takes {what}: it is damaged, or far larger than a log"
    return NotALogError("too-large", message, "save the sheet as CSV and import that")


def _extension(code: int, content: memoryview) -> date:
    text = bytes(content).decode()
    return datetime.fromisoformat(text) if code == workbook_reader.DATETIME else date.fromisoformat(text)


_DECODER: Final = msgspec.msgpack.Decoder(ext_hook=_extension)
