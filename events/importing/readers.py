"""Files of other programs that a package reads itself: its function makes the lines of a log of them.

A reader is an entry point of the group `tabletape.readers`. It is called with the whole content of each file that is no
log of ours (a workbook as CSV), and returns None for a file that is not of its kind. Else it yields what the lines of a
log would be, each with where it comes from: the number of a line, or a place such as `actions[16]`. What it does not
read it yields as a `LineFate`, by kind, with how many there are.
"""

import io
from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext
from typing import Final

import msgspec

from tabletape.events.errors import said_by
from tabletape.events.importing.lines.json_lines import JsonLines
from tabletape.events.importing.maps.documents.trees import ForeignError
from tabletape.events.importing.maps.fates import LineFate, remarks_on
from tabletape.events.importing.programs import ReadLine, shipped_readers
from tabletape.events.vocabulary.plugins import Plugin, readers, waited_for

OURS: Final = "tabletape"
"""The package of the readers that come with Tabletape."""

READER: Final = "reader "
"""How the format of a file begins that a reader has read; the name of the reader follows."""


class ReadLog(JsonLines):
    """The notation of a file that a reader has read: its lines are checked and mended as those of a log are."""

    entries: Final = ()
    is_without_zone: Final = False

    def __init__(self, name: str, lines: Iterable[ReadLine | LineFate]) -> None:
        """Take what the reader called `name` has made; raises what the reader raises, and `TypeError` for no line."""
        super().__init__(io.BufferedReader(io.BytesIO()), "utf-8", lambda _: None)
        self.format = f"{READER}{name}"
        self._places: dict[int, str] = {}
        self.fates: list[LineFate] = []
        self._lines = [*self._numbered(lines)]
        self.remarks = [*remarks_on(self.fates)]

    def _numbered(self, lines: Iterable[ReadLine | LineFate]) -> Iterator[tuple[int, bytes]]:
        number = 0
        place: int | str = ""
        try:
            for each in lines:
                if isinstance(each, LineFate):
                    self.fates.append(each)
                    continue
                place, fields = each
                if not isinstance(place, int):
                    number += self._places.get(number) != place
                    self._places[number] = str(place)
                yield (place if isinstance(place, int) else number), msgspec.json.encode({**fields})
        except Exception as error:
            if place:
                error.add_note(f"behind line {place}" if isinstance(place, int) else f"behind {place}")
            raise

    def batches(self) -> Iterator[list[tuple[int, bytes]]]:  # type: ignore[override] # a notation may, line by line
        """Return the lines, each with its number."""
        for number, line in self._lines:
            self._spacing.look_at(line)
            yield [(number, line)]

    def places(self) -> dict[int, str]:
        """Return the places of lines that are no lines of a text."""
        return self._places

    def remember(self, _workspace: object) -> None:
        """Do nothing: there is no map to be kept."""


def read_log(content: bytes, remark: Callable[[str], None]) -> ReadLog | None:
    """Return a file as the first reader reads it that knows its kind, None where none does.

    A reader that fails, whatever it raises, is named in a remark, and the next one is asked; so is one that says in a
    `ForeignError` why it reads nothing of a file that is of its kind.
    """
    ours = {name: Plugin(OURS, read) for name, read in shipped_readers().items()}
    for name, (package, read) in sorted({**ours, **readers().games}.items()):
        try:
            with waited_for(package, "was reading a file") if package != OURS else nullcontext():
                lines = read(content)
                if lines is not None:
                    return ReadLog(name, lines)
        except KeyboardInterrupt:
            raise
        except ForeignError as error:
            remark(f"the reader {name!r} knows the kind of this file: {error}")
        except BaseException as error:  # noqa: BLE001 - even an exit: what another reader or a map makes of it goes on
            where = "".join(f" ({note})" for note in getattr(error, "__notes__", ()))
            remark(f"the reader {name!r} of {package} cannot read it{where}: {said_by(error)}")
    return None
