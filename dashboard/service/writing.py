"""Lines that come over HTTP: read from a body, written behind the line that was expected, and never twice."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import msgspec

from tabletape.dashboard.service import reading
from tabletape.dashboard.service.desk import Desk
from tabletape.dashboard.service.reading import DueLine, ReadLine
from tabletape.events.errors import TabletapeError
from tabletape.events.importing.lines.diagnosis import explain
from tabletape.events.importing.quarantine.bad_lines import BadLineError
from tabletape.events.log.writing import StaleAppendError
from tabletape.events.vocabulary import SERVED, Event, Vocabulary, tag_of
from tabletape.projector.model.rules import Finding
from tabletape.projector.scribing.scribe import Scribe

MAX_LINES: Final = 1_000
"""Lines of one request."""

GIVEN: Final = ("seq", *SERVED)
"""What the service itself writes into a line."""


class WriteAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """What became of a request: the numbers of its first and last line, what is found now that was not, what is due.

    `repeated`: it had come before, with the same key, and nothing was written again.
    """

    first: int
    seq: int
    findings: list[Finding]
    due: list[DueLine]
    repeated: bool = False


class Delivery(msgspec.Struct, frozen=True, kw_only=True):
    """Who writes, through whose eyes the answer is read, behind which line (None: the last), and the key, if any."""

    writer: str
    viewer: str
    expected: int | None = None
    key: str = ""

    @property
    def served(self) -> dict[str, str]:
        """What is added to each line."""
        return {"writer": self.writer} | ({"request": self.key} if self.key else {})


class BadBodyError(TabletapeError):
    """Lines that cannot be written; the number of the line counts from 1 in the request."""

    def __init__(self, number: int, error: BadLineError) -> None:
        super().__init__(f"line {number}: {error.message}")
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


def write(desk: Desk, game_id: str, lines: Sequence[Any], how: Delivery) -> WriteAnswer:
    """Write lines to a game, all or none; they are on the disk when this returns.

    Raises `BadBodyError` for what is no line of the game, `AheadError` where others were first, `ReusedKeyError`, and
    `LogError` where the lines cannot follow.
    """
    with desk.kept(game_id) as kept:
        scribe = kept.scribe
        events = _events(scribe.replay.game.vocabulary, lines, how.served)
        place = None
        while place is None:
            place = _repeated(scribe, events) if how.key else None
            if place is not None:
                found = [each for each in scribe.replay.findings if place.first <= each.seq <= place.last]
                break
            expected = scribe.last_seq if how.expected is None else how.expected
            try:
                found = scribe.write(events, expected)
                place = Place(expected + 1, expected + len(events))
            except StaleAppendError as error:
                # Another process was first: who did not name a line writes behind that one's, unless it was the same.
                if how.expected is not None:
                    others = reading.lines(desk, kept, how.viewer, expected)
                    raise AheadError(error, scribe.last_seq, others) from None
        return WriteAnswer(
            first=place.first,
            seq=place.last,
            findings=reading.findings(desk, kept, how.viewer, found),
            due=reading.due_behind(kept, how.viewer),
            repeated=place.repeated,
        )


class Place(NamedTuple):
    """Where lines stand in their game, and whether they stood there before."""

    first: int
    last: int
    repeated: bool = False


def _events(vocabulary: Vocabulary, lines: Sequence[Any], served: Mapping[str, str]) -> list[Event]:
    found = []
    for number, line in enumerate(lines, start=1):
        given = [name for name in GIVEN if isinstance(line, dict) and name in line]
        if given:
            message = f"`{given[0]}` is given by the service: leave it out"
            raise BadBodyError(number, BadLineError("unknown-field", (given[0],), message))
        try:
            found.append(vocabulary.convert({**line, **served}))
        except (msgspec.ValidationError, TypeError) as error:
            raise BadBodyError(number, explain(error, line, vocabulary)) from None
    return found


def _repeated(scribe: Scribe, events: Sequence[Event]) -> Place | None:
    """Return where the lines stand that came with the same key from the same writer; None where none did."""
    mine = (events[0].writer, events[0].request)
    known = [event for event in scribe.replay.events if (event.writer, event.request) == mine]
    if not known:
        return None
    if [*map(_said, known)] != [*map(_said, events)]:
        raise ReusedKeyError(f"other lines came with the key {events[0].request!r}: take a new one for new lines")
    seqs = [seq for seq, event in zip(scribe.replay.seqs, scribe.replay.events, strict=True) if event in known]
    return Place(seqs[0], seqs[-1], repeated=True)


def _said(event: Event) -> tuple[str, dict[str, Any]]:
    """Return what a line says, without its number and, as the service may have added it, its time."""
    fields = msgspec.to_builtins(event)
    return tag_of(type(event)), {name: value for name, value in fields.items() if name not in {"seq", "at"}}
