"""Lines that come over HTTP: read from a body, written behind the line that was expected, and never twice."""

from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import UNSET, UnsetType

from tabletape.dashboard.service import reading
from tabletape.dashboard.service.desk import Desk
from tabletape.dashboard.service.reading import DueLine, ReadLine
from tabletape.events.errors import TabletapeError
from tabletape.events.importing.lines.diagnosis import explain
from tabletape.events.importing.quarantine.bad_lines import BadLineError
from tabletape.events.log.writing import StaleAppendError
from tabletape.events.vocabulary import SERVED, Event, tag_of
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
    shows, where it was asked for.
    """

    first: int
    seq: int
    findings: list[Finding]
    due: list[DueLine]
    repeated: bool = False
    screen: Screen | UnsetType = UNSET


class Delivery(msgspec.Struct, frozen=True, kw_only=True):
    """Who writes, through whose eyes the answer is read, behind which line (None: the last), and the key, if any."""

    writer: str
    viewer: str
    expected: int | None = None
    key: str = ""

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


def write(desk: Desk, game_id: str, make: Make, how: Delivery, *, shows: bool = False) -> WriteAnswer:
    """Write the lines of a request to a game, all or none; they are on the disk when this returns.

    It is the only way of a line into a game that is kept. Where a request with that key has been written already its
    lines are not `make`d again. Where it `shows`, the screen of the game is in the answer.

    Raises `AheadError` where others were first, `LogError` where the lines cannot follow, and what `make` raises.
    """
    with desk.kept(game_id) as kept:
        scribe = kept.scribe
        found: list[Finding] = []
        while not (known := scribe.sent(how.writer, how.key)):
            expected = scribe.last_seq if how.expected is None else how.expected
            try:
                scribe.require_last(expected)
                lines = make(scribe)
                found = scribe.write(lines, expected, how.served)
                place = Place(expected + 1, expected + len(lines))
                break
            except StaleAppendError as error:
                # Another process was first: who did not name a line writes behind that one's, unless it was the same.
                if how.expected is not None:
                    others = reading.lines(desk, kept, how.viewer, expected)
                    raise AheadError(error, scribe.last_seq, others) from None
        else:
            _require_same(make, scribe, known, how)
            place = Place(known[0], known[-1], repeated=True)
            found = [each for each in scribe.replay.findings if place.first <= each.seq <= place.last]
        return WriteAnswer(
            first=place.first,
            seq=place.last,
            findings=reading.findings(desk, kept, how.viewer, found),
            due=reading.due_behind(kept, how.viewer),
            repeated=place.repeated,
            screen=desk.screen_of(kept, how.viewer) if shows else UNSET,
        )


class Place(NamedTuple):
    """Where lines stand in their game, and whether they stood there before."""

    first: int
    last: int
    repeated: bool = False


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
