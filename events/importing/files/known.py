"""The same file again: known by its hash, so that it need not be read.

With the intake of a file the log keeps what its reading found, and a stamp of all that this depended on. A file that
comes again under its name, byte for byte, has nothing new as long as the stamp is the same: unless a game of it has
another revision by now, which decides what it is compared with.
"""

import hashlib
import stat
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Final, Self

import msgspec

import tabletape.events
from tabletape.events.importing.games.checks import Checks
from tabletape.events.importing.lines.text import MendsOfFile
from tabletape.events.importing.report import FileReport, Options, TakenGame
from tabletape.events.log import Log
from tabletape.events.log.readings import last_readings, revised_games
from tabletape.events.log.rows import ENCODE, KeptReading
from tabletape.events.plans import planned
from tabletape.events.vocabulary import vocabulary

PART: Final = 1 << 20
"""How many bytes of a file are looked at together."""


@planned
class FoundGames(msgspec.Struct, frozen=True, array_like=True):
    """What the reading of a file found: of each game its id, which game it is, and the line where it begins.

    `changed` has what of an event was taken for another word, by the id of its game and its `seq`.
    """

    format: str
    lines: int
    remarks: tuple[str, ...]
    games: tuple[tuple[str, str, int], ...]
    changed: tuple[tuple[str, int, str], ...] = ()

    @classmethod
    def by(cls, report: FileReport) -> Self:
        """Return what was found, by the report of a file that was taken."""
        games = ((each.game_id, each.game, each.line) for each in report.games)
        return cls(report.format, report.lines, tuple(report.remarks), tuple(games), tuple(report.changed))

    @property
    def slugs(self) -> set[str]:
        """Which games there are in the file."""
        return {slug for _, slug, _ in self.games}

    def report(self, name: str) -> FileReport:
        """Return what is said of the file when it comes again as it was."""
        taken = [TakenGame(game_id, slug, "unchanged", 1, 0, line, None) for game_id, slug, line in self.games]
        return FileReport(name, self.format, self.lines, taken, remarks=[*self.remarks])


_FOUND: Final = msgspec.json.Decoder(FoundGames)


class ReadingStamps:
    """What the reading of a file depends on besides its content: sources, options, cards, mends of its lines."""

    def __init__(self, options: Options, checks: Checks, mends: Mapping[str, MendsOfFile]) -> None:
        self.options = options
        self._checks = checks
        self._mends = mends
        self._contents: dict[Path, bytes] = {}

    def of(self, name: str, slugs: Iterable[str]) -> str:
        """Return the SHA-256 (hexadecimal) of what decides how the file with a name and these games is read."""
        options = self.options
        digest = hashlib.sha256(_reader())
        digest.update(ENCODE([options.format, options.zone, options.any_size, dict(options.titles)]))
        for file, mends in sorted(self._mends.items()):
            if file.startswith(name):
                digest.update(ENCODE([file, sorted((*place, ENCODE(fields)) for place, fields in mends.items())]))
        for slug in sorted(slugs):
            for part in self._of_game(slug):
                digest.update(part)
        return digest.hexdigest()

    def _of_game(self, slug: str) -> Iterator[bytes]:
        """Return what decides how a game is read: the files that it is known from, which need not be understood.

        What is known of it, and its vocabulary, where nobody can name these files.
        """
        files = self.options.sources(slug) if self.options.sources else ()
        for file in files:
            if file not in self._contents:
                self._contents[file] = hashlib.sha256(file.read_bytes()).digest()
            yield ENCODE([slug, file.name])
            yield self._contents[file]
        if files:
            return
        for module in sorted({each.__module__ for each in vocabulary(slug).types.values()}):
            yield _source(str(sys.modules[module].__file__))
        known = self._checks.about(slug)
        cards = known.cards if known is not None else None
        yield ENCODE([slug, None if cards is None else sorted(cards), dict(known.names) if known else {}])
        yield ENCODE([dict(known.rulings), known.editions] if known is not None else None)


def kept_reading(report: FileReport, stamps: ReadingStamps, *, may_change: bool) -> KeptReading | None:
    """Return what is kept of the reading of a file.

    Where a line or a game was not taken, or `may_change` (a map may read the file otherwise), it is read again when it
    comes again: nothing is kept then but what was taken for other words, without a stamp.
    """
    games = FoundGames.by(report)
    if report.quarantined or report.refused or report.set_aside or report.format.startswith("map ") or may_change:
        return KeptReading("", ENCODE(games).decode()) if games.changed else None
    return KeptReading(stamps.of(report.name, games.slugs), ENCODE(games).decode())


class KnownFiles:
    """The files that the log knows, as it is at the beginning of an import."""

    def __init__(self, log: Log, names: Iterable[str], stamps: ReadingStamps) -> None:
        self._stamps = stamps
        self._readings = {} if stamps.options.map else last_readings(log, names)
        self._revised = revised_games(log) if self._readings else frozenset()

    def report(self, path: str, name: str) -> FileReport | None:
        """Return the report of a file that is the same as it was, None where it has to be read."""
        last = self._readings.get(name)
        if last is None or _size_of(path) != last.size:
            return None
        try:
            games = _FOUND.decode(last.kept.found)
            stamp = self._stamps.of(name, games.slugs)
        except Exception:  # noqa: BLE001 - a game that is gone, cards that cannot be read: reading the file says it
            return None
        known = last.kept.stamp == stamp and self._revised.isdisjoint(game_id for game_id, _, _ in games.games)
        if not known or hash_of(path) != last.sha256:
            return None
        if self._stamps.options.progress:
            self._stamps.options.progress(last.size)
        return games.report(name)


def hash_of(path: str, size: int | None = None) -> str:
    """Return the SHA-256 (hexadecimal) of a file, or of its first bytes; empty for a pipe or a device."""
    if _size_of(path) is None:
        return ""
    with Path(path).open("rb") as file:
        if size is None:
            return hashlib.file_digest(file, "sha256").hexdigest()
        digest, left = hashlib.sha256(), size
        while part := file.read(min(left, PART)):
            digest.update(part)
            left -= len(part)
    return digest.hexdigest()


def _size_of(path: str) -> int | None:
    """Return how many bytes a file has; None for what is no file: a pipe, a device."""
    try:
        status = Path(path).stat()
    except OSError:
        return None
    return status.st_size if stat.S_ISREG(status.st_mode) else None


@cache
def _reader() -> bytes:
    """Return the sources that read files."""
    folder = Path(str(tabletape.events.__file__)).parent
    return b"".join(_source(str(each)) for each in sorted((*folder.rglob("*.py"), *folder.rglob("*.toml"))))


@cache
def _source(file: str) -> bytes:
    return Path(file).read_bytes()
