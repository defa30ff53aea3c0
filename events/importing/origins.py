"""Where stored games came from: the lines of the imported files that their events stand in."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from tabletape.events.importing.files.kept import kept_copies
from tabletape.events.importing.files.sources import NotALogError, sniff
from tabletape.events.importing.files.streams import Source
from tabletape.events.importing.games.checks import Checks
from tabletape.events.importing.games.notation import Notation, ReadGame
from tabletape.events.importing.games.reading import Reader
from tabletape.events.importing.lines.json_lines import JsonLines
from tabletape.events.importing.mapped import kept_log
from tabletape.events.importing.maps.documents.foreign import sheet_of
from tabletape.events.importing.maps.notation import MappedLog
from tabletape.events.importing.quarantine.mends import kept_mends
from tabletape.events.importing.readers import READER, ReadLog, read_log
from tabletape.events.importing.report import Options
from tabletape.events.importing.sheets.rows import Sheet, csv_rows
from tabletape.events.importing.sheets.workbooks import Workbook
from tabletape.events.log import Log
from tabletape.events.log.rows import Arrival, Chain, StoredGame


class _Lines(NamedTuple):
    """A game as it stands in a file: the hash of each event (hexadecimal) and its line, by `seq`.

    `places` and `texts` are those of the lines of the file; a file that no map reads has neither.
    """

    hashes: Mapping[int, str]
    lines: Mapping[int, int]
    places: Mapping[int, str]
    texts: Mapping[int, str]


class _Followed:
    """A notation whose items are handed out one by one, so that it shows which line gave which event."""

    def __init__(self, notation: Notation) -> None:
        self._notation = notation
        self.follow: Callable[[int], None] = lambda _line: None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._notation, name)

    def places(self) -> dict[int, str]:
        """Return the places of lines that are no lines of a text."""
        return self._notation.places() if isinstance(self._notation, MappedLog | ReadLog) else {}

    def texts(self) -> dict[int, str]:
        """Return what stands in the lines of a text that a map reads."""
        return self._notation.lines() if isinstance(self._notation, MappedLog) else {}

    def batches(self) -> Iterator[list[tuple[int, Any]]]:
        """Return the items; after each the line is followed to what became of it."""
        for batch in self._notation.batches():
            for line, item in batch:
                yield [(line, item)]
                self.follow(line)


class Origins:
    """Finds events in the kept copies of the files that a log came from; each file is read once."""

    def __init__(self, log: Log, options: Options | None = None) -> None:
        """Read origins off a log; `options` are those of an import (cards, maps and zone decide how a file is read)."""
        self._log = log
        self._options = options or Options()
        self._files = {arrival.name: arrival for arrival in log.arrivals()}
        self._mends = kept_mends(log)
        self._read: dict[str, dict[str, _Lines]] = {}

    def lines(self, game: StoredGame) -> dict[int, int]:
        """Return where each event of a game stands, by its `seq`, in the file that the game last came from.

        It is the line of a text, the row of a sheet, the number of the element in a list of JSON or XML, from 1. Empty
        where the game came from no file, or where that file does not say now what is stored.
        """
        read = self._game(game)
        return {} if read is None else {seq: line for seq, line in read.lines.items() if seq <= game.last_seq}

    def texts(self, game: StoredGame) -> Mapping[int, str]:
        """Return what stands in the lines of the file that a game last came from; empty as `lines`, and for no text."""
        read = self._game(game)
        return {} if read is None else read.texts

    def places(self, game: StoredGame) -> dict[int, str]:
        """Return where events stand, for people: `friday.txt:17`, `plays.json: plays[3]`, `friday.xlsx: row 17`."""
        read = self._game(game)
        places = read.places if read is not None else {}
        return {
            seq: f"{game.file}: {places[line]}" if line in places else f"{game.file}:{line}"
            for seq, line in self.lines(game).items()
        }

    def _game(self, game: StoredGame) -> _Lines | None:
        """Return a game as its file has it, None where that is not what is stored."""
        arrival = self._files.get(game.file or "")
        if arrival is None:
            return None
        if arrival.name not in self._read:
            self._read[arrival.name] = self._lines_of(arrival)
        read = self._read[arrival.name].get(game.game_id)
        return read if read is not None and read.hashes.get(game.last_seq) == game.fingerprint else None

    def _lines_of(self, arrival: Arrival) -> dict[str, _Lines]:
        """Return every game in a file with its lines, by the game's id."""
        lines: dict[str, _Lines] = {}
        checks = Checks(self._options.known, self._options.zone, self._options.titles)
        with TemporaryDirectory() as folder, ExitStack() as stack:
            (path,) = kept_copies(self._log, [arrival], Path(folder))
            source = stack.enter_context(Source(path, None, any_size=True))
            try:
                for name, notation in self._notations(arrival, source, stack, checks):
                    self._follow(name, _Followed(notation), checks, lines)
            except NotALogError:
                return lines
        return lines

    def _notations(
        self, arrival: Arrival, source: Source, stack: ExitStack, checks: Checks
    ) -> Iterator[tuple[str, Notation]]:
        """Return the sheets or lines of a file, as it was read when it came last."""
        if arrival.format.startswith("map "):
            mapped = kept_log(self._log, arrival, self._options, self._mends.get(arrival.name, {}))
            if mapped is not None:
                yield arrival.name, mapped
        elif arrival.format.startswith(READER):
            if (read := read_log(sheet_of(source.read_all()), lambda _: None)) is not None:
                yield arrival.name, read
        elif arrival.format == "xlsx":
            for sheet, rows in stack.enter_context(Workbook(source.content)).sheets():
                yield f"{arrival.name} [{sheet}]", Sheet(rows, checks.clock)
        elif arrival.format == "csv":
            encoding = sniff(source.start()).encoding
            yield arrival.name, Sheet(csv_rows(source.content, encoding, lambda _: None), checks.clock)
        elif arrival.format == "jsonl":
            yield arrival.name, JsonLines(source.content, sniff(source.start()).encoding, lambda _: None)

    def _follow(self, name: str, notation: _Followed, checks: Checks, games: dict[str, _Lines]) -> None:
        """Read a file once more, and note which line became which event."""
        lines: dict[Chain, dict[int, int]] = {}
        places: dict[int, str] = {}
        texts: dict[int, str] = {}

        def finish(game: ReadGame) -> None:
            rows = game.chain.rows
            hashes = {seq: digest.hex() for seq, digest in zip(rows.seqs, rows.hashes, strict=True)}
            games[game.head.id] = _Lines(hashes, {**lines.pop(game.chain), **game.gaps}, places, texts)

        def follow(line: int) -> None:
            if reader.game is not None:
                chain = reader.game.chain
                lines.setdefault(chain, {}).setdefault(chain.last_seq, line)

        reader = Reader(name, notation, checks, finish, lambda _entry: None)
        notation.follow = follow
        reader.read(self._mends.get(name, {}))
        places |= notation.places()
        texts |= notation.texts()
