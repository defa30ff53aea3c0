"""Lines that come over HTTP: read from a body, written behind the line that was expected, and never twice."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import msgspec
from msgspec import UNSET, UnsetType

from tabletape.dashboard.service import reading
from tabletape.dashboard.service.desk import Desk, GameAtDesk
from tabletape.dashboard.service.reading import DueLine, ReadLine
from tabletape.events.errors import TabletapeError
from tabletape.events.importing.lines.diagnosis import explain
from tabletape.events.importing.quarantine.bad_lines import BadLineError
from tabletape.events.log.writing import StaleAppendError
from tabletape.events.vocabulary import SERVED, Event, tag_of
from tabletape.events.vocabulary.plugins import PluginFailedError
from tabletape.projector.model.rules import Finding
from tabletape.projector.scribing.screen import Screen
from tabletape.projector.scribing.scribe import Scribe

MAX_LINES: Final = 1_000
"""Lines of one request."""

GIVEN: Final = ("seq", *SERVED)
"""What the service itself writes into a line."""


class WriteAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """What became of a request: the numbers of its first and last line, what is found now that was not, what is due.

    `repeated`: it had come before, with the same key, and nothing was written again. `screen`: what the scribe's page
    shows, where it was asked for. `problem`: why something of this is left out although the lines are written: the
    package of the game has failed behind them.
    """

    first: int
    seq: int
    findings: list[Finding]
    due: list[DueLine]
    repeated: bool = False
    screen: Screen | UnsetType = UNSET
    problem: str | UnsetType = UNSET


class Delivery(msgspec.Struct, frozen=True, kw_only=True):
    """Who writes, through whose eyes the answer is read, behind which line (None: the last), and the key, if any.

    `shows`: the screen of the game is in the answer.
    """

    writer: str
    viewer: str
    expected: int | None = None
    key: str = ""
    shows: bool = False

    @property
    def served(self) -> dict[str, str]:
        """What is added to each line."""
        return {name: value for name, value in (("writer", self.writer), ("request", self.key)) if value}


class BadBodyError(TabletapeError):
    """Lines that cannot be written; the number of the line counts from 1 in the request, which has so many."""

    def __init__(self, number: int, error: BadLineError, lines: int = 1) -> None:
        super().__init__(f"line {number}: {error.message}" if lines > 1 else error.message)
        self.number = number
        self.error = error


class ReusedKeyError(TabletapeError):
    """A key that came with other lines before."""


class AheadError(TabletapeError):
    """The game has gone on: what others wrote since then, as the asker may read it."""

    def __init__(self, stale: StaleAppendError, seq: int, lines: list[ReadLine]) -> None:
        super().__init__(str(stale))
        self.seq = seq
        self.lines = lines


def lines_in(body: bytes, media_type: str) -> list[Any]:
    """Return the lines of a body as plain values: one object, a list, or one a line (`application/x-ndjson`).

    Raises `msgspec.MsgspecError` for what is no JSON, `BadBodyError` for none or too many.
    """
    if "ndjson" in media_type or "jsonl" in media_type:
        found: list[Any] = [msgspec.json.decode(each) for each in body.splitlines() if each.strip()]
    else:
        decoded = msgspec.json.decode(body)
        found = decoded if isinstance(decoded, list) else [decoded]
    if not 0 < len(found) <= MAX_LINES:
        message = f"a request has from 1 to {MAX_LINES:,} lines, not {len(found):,}"
        raise BadBodyError(1, BadLineError("too-many", (), message))
    return found


Make = Callable[[Scribe], Sequence[Event]]
"""Makes the lines of a request of the game as it is: those that were sent, an answer to what is asked, a take-back."""


def write(desk: Desk, game_id: str, make: Make, how: Delivery, rulings: Mapping[str, str] | None = None) -> WriteAnswer:
    """Write the lines of a request to a game, all or none; they are on the disk when this returns.

    It is the only way of a line into a game that is kept. Where a request with that key has been written already its
    lines are not `make`d again. With `rulings` the game is played by them from its beginning on (see `Scribe.write`).

    Raises `NoViewerError` for a viewer who does not sit there, `AheadError` where others were first, `LogError` where
    the lines cannot follow, and what `make` raises; nothing is written then.
    """
    with desk.kept(game_id) as kept:
        reading.require_viewer(kept, how.viewer)
        written = _written(desk, kept, make, how, rulings)
        said = reading.state(desk, kept, how.viewer, written.findings)
        if how.shows and "problem" not in said:
            try:
                said["screen"] = desk.screen_of(kept, how.viewer)
            except PluginFailedError as error:
                said["problem"] = f"{error}"
        return msgspec.structs.replace(written, **said)


def _written(desk: Desk, kept: GameAtDesk, make: Make, how: Delivery, rulings: Mapping[str, str] | None) -> WriteAnswer:
    """Write the lines of a request, or find those that came with it before; return where they are, and the findings."""
    scribe = kept.scribe
    while not (known := scribe.sent(how.writer, how.key)):
        expected = scribe.last_seq if how.expected is None else how.expected
        try:
            scribe.require_last(expected)
            lines = make(scribe)
            found = scribe.write(lines, expected, how.served, rulings)
            return WriteAnswer(first=expected + 1, seq=expected + len(lines), findings=found, due=[])
        except StaleAppendError as error:
            # Another process was first: who did not name a line writes behind that one's, unless it was the same.
            if how.expected is not None:
                others = reading.lines(desk, kept, how.viewer, expected)
                raise AheadError(error, scribe.last_seq, others) from None
    _require_same(make, scribe, known, how)
    found = [each for each in scribe.replay.findings if known[0] <= each.seq <= known[-1]]
    return WriteAnswer(first=known[0], seq=known[-1], findings=found, due=[], repeated=True)


class SentLines:
    """Makes lines of those that were sent as JSON. Raises `BadBodyError` for what is no line of the game."""

    def __init__(self, lines: Sequence[Any]) -> None:
        self.lines = lines

    def __call__(self, scribe: Scribe) -> list[Event]:
        """Return the lines as events of the game."""
        vocabulary, found = scribe.replay.game.vocabulary, []
        for number, line in enumerate(self.lines, start=1):
            given = [name for name in GIVEN if isinstance(line, dict) and name in line]
            if given:
                message = f"`{given[0]}` is given by the service: leave it out"
                raise BadBodyError(number, BadLineError("unknown-field", (given[0],), message), len(self.lines))
            try:
                found.append(vocabulary.convert(line))
            except (msgspec.ValidationError, TypeError) as error:
                raise BadBodyError(number, explain(error, line, vocabulary), len(self.lines)) from None
        return found


def _require_same(make: Make, scribe: Scribe, known: Sequence[int], how: Delivery) -> None:
    """Raise `ReusedKeyError` where other lines were sent than those that came with the key before."""
    if isinstance(make, SentLines):
        there = [event for seq, event in zip(scribe.replay.seqs, scribe.replay.events, strict=True) if seq in known]
        if [*map(_said, there)] != [*map(_said, make(scribe))]:
            raise ReusedKeyError(f"other lines came with the key {how.key!r}: take a new one for new lines")


def _said(event: Event) -> tuple[str, dict[str, Any]]:
    """Return what a line says, without what the service adds to it, and its time, as the service may have added it."""
    fields = msgspec.to_builtins(event)
    return tag_of(type(event)), {name: value for name, value in fields.items() if name not in {*GIVEN, "at"}}
