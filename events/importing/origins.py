"""Where stored games came from: the lines of the imported files that their events stand in."""

from pathlib import Path, PurePath
from tempfile import TemporaryDirectory
from typing import Any

from events.importing.lines import JsonLines
from events.importing.reading import UNREADABLE, Notation
from events.importing.sheets import Sheet, csv_rows
from events.importing.sources import format_of_name, sniff
from events.importing.streams import Source
from events.log import Log
from events.log_rows import Game, RawFile
from events.shared import GameStarted
from events.vocabulary import UnknownGameError, vocabulary


class Origins:
    """Looks events up in the kept copies of the files that a log came from; each file is read once."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._files = {file.name: file for file in log.raw_files()}
        self._bad: dict[str, set[int]] = {}
        for entry in log.quarantine():
            self._bad.setdefault(entry.file, set()).add(entry.line)
        self._lines: dict[str, dict[str, list[int]]] = {}

    def lines(self, game: Game) -> dict[int, int]:
        """Return the line (from 1) of each event of a game, by its `seq`, in the file that the game last came from.

        Empty where the game came from no file or from a workbook, which has rows and no lines.
        """
        file = self._files.get(game.file or "")
        if file is None:
            return {}
        if file.name not in self._lines:
            self._lines[file.name] = self._read(file)
        lines = self._lines[file.name].get(game.game_id, [])
        return dict(zip((event.seq for event in self._log.stored(game)), lines, strict=False))

    def _read(self, file: RawFile) -> dict[str, list[int]]:
        """Return the lines of every game in a file, by the game's id."""
        with TemporaryDirectory() as folder:
            path = Path(folder) / (PurePath(file.name).name or "log")
            with path.open("wb") as copy:
                copy.writelines(self._log.raw_content(file))
            with Source(str(path), None, any_size=True) as source:
                notation = _notation(source, file.name)
                return _lines(notation, self._bad.get(file.name, set())) if notation else {}


def _notation(source: Source, name: str) -> Notation | None:
    kind = sniff(source.start())
    form = kind.format or format_of_name(name)
    if form == "jsonl":
        return JsonLines(source.content, kind.encoding, lambda _: None)
    return Sheet(csv_rows(source.content, kind.encoding, lambda _: None)) if form == "csv" else None


def _lines(notation: Notation, bad: set[int]) -> dict[str, list[int]]:
    """Return the lines from each game's head to the next head, without blank lines and those in quarantine."""
    found: dict[str, list[int]] = {}
    mine: list[int] = []
    for batch in notation.batches():
        for line, written in batch:
            if notation.is_blank(written):
                continue
            repaired = notation.repaired(written)
            item = written if repaired is None else repaired
            if notation.slug(item) is not None or (line in bad and notation.may_be_head(item)):
                mine = []
                if line not in bad:  # The game of such a head did not come from this file.
                    found.setdefault(_id(notation, item), mine)
            if line not in bad:
                mine.append(line)
    return found


def _id(notation: Notation, item: Any) -> str:
    """Return the id of the game that a head begins, or nothing where it cannot be read."""
    try:
        head = notation.decoder(vocabulary(notation.slug(item) or ""))(item)
    except (*UNREADABLE, UnknownGameError):
        return ""
    return head.id if isinstance(head, GameStarted) else ""
