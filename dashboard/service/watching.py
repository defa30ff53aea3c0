"""A file that grows, imported again and again, into a log here or at a service: what came, and what is found now."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import msgspec

from tabletape.dashboard.service.connection import RemoteTape
from tabletape.dashboard.service.desk import Desk
from tabletape.dashboard.service.files import imported
from tabletape.events.importing.growing import GrowingFile
from tabletape.events.log import Log
from tabletape.projector.model.rules import Finding


class Destination(Protocol):
    """Where the file goes."""

    def kept(self, name: str) -> bytes | None:
        """Return what is kept of a file by its name; None for nothing, or where that is not known."""

    def take(self, name: str, content: bytes) -> dict[str, Any]:
        """Import a file, and return the report."""

    def findings(self, game_id: str) -> Iterable[Finding]:
        """Return what is wrong in a game."""


class OwnLog:
    """A log here; a map that lies beside the file is found, or a `chosen` one is used."""

    def __init__(self, log: Log, beside: Path, chosen: Path | None = None) -> None:
        self._log = log
        self._desk = Desk(log)
        self._beside = beside
        self._chosen = chosen

    def kept(self, name: str) -> bytes | None:
        """Return what is kept of a file by its name."""
        arrival = next((each.file for each in self._log.arrivals() if each.name == name), None)
        return None if arrival is None else b"".join(self._log.raw_content(arrival))

    def take(self, name: str, content: bytes) -> dict[str, Any]:
        """Import a file, and return the report."""
        return imported(self._log, name, content, self._beside, self._chosen)

    def findings(self, game_id: str) -> Iterable[Finding]:
        """Return what is wrong in a game."""
        with self._desk.kept(game_id) as held:
            return [*held.scribe.replay.findings]


class OtherService:
    """A service, asked with the token of a designer."""

    def __init__(self, tape: RemoteTape) -> None:
        self._tape = tape

    def kept(self, _name: str) -> bytes | None:
        """Return None: the service compares what comes with what it has."""
        return None

    def take(self, name: str, content: bytes) -> dict[str, Any]:
        """Send a file, and return the report of its import. Raises `ServiceError`."""
        return self._tape.import_content(name, content)

    def findings(self, game_id: str) -> Iterable[Finding]:
        """Return what is wrong in a game."""
        return msgspec.convert(self._tape.audit(game_id), list[Finding])


class NewLines(NamedTuple):
    """What an import brought: its report, and what is found now that was not found before, with the games."""

    report: dict[str, Any]
    findings: list[tuple[str, Finding]]


class Watching:
    """A file that is imported whenever it has grown by whole lines."""

    def __init__(self, path: Path, place: Destination) -> None:
        self.file = GrowingFile(path, place.kept)
        self._place = place
        self._shown: set[tuple[Any, ...]] = set()

    def look(self) -> NewLines | None:
        """Import the file where it has grown; None where it has not. Raises as `GrowingFile.grown` does."""
        content = self.file.grown()
        if content is None:
            return None
        report = self._place.take(self.file.name, content)
        findings = []
        for game in report["games"]:
            for each in self._place.findings(game["game_id"]):
                key = (game["game_id"], each.seq, each.rule, each.message)
                if key not in self._shown:
                    self._shown.add(key)
                    findings.append((str(game["game_id"]), each))
        return NewLines(report, findings)
