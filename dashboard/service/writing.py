"""Lines that come over HTTP: read from a body, written behind the line that was expected, and never twice."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final, Protocol

import msgspec
from msgspec import UNSET, UnsetType

from tabletape.dashboard.scribe.catalogue import USUAL
from tabletape.dashboard.service import reading
from tabletape.dashboard.service.desk import Desk, GameAtDesk, Look
from tabletape.dashboard.service.reading import DueLine, ReadLine
from tabletape.events.errors import TabletapeError
from tabletape.events.importing.lines.diagnosis import explain
from tabletape.events.importing.quarantine.bad_lines import BadLineError
from tabletape.events.log.writing import StaleAppendError
from tabletape.events.vocabulary import SERVED, Event, tag_of
from tabletape.events.vocabulary.plugins import PluginFailedError
from tabletape.projector.model.rules import Finding
from tabletape.projector.scribing.screen_parts import Screen
from tabletape.projector.scribing.scribe import Scribe

MAX_LINES: Final = 1_000
"""Lines of one request."""

GIVEN_FIELDS: Final = ("seq", *SERVED)
"""What the service itself writes into a line."""


class WriteAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """What became of a request: the numbers of its first and last line, what is found now that was not, what is due.

    `repeated`: it had come before, with the same key, and nothing was written again. `screen`: what the scribe's page
    shows, where it was asked for. `problem`: why something of this is left out although the lines are written: the
    package of the game has failed behind them, or the game cannot be followed to its last line.
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

    `shows`: the screen of the game is in the answer, in a `language`. `form`: whose form it is (UNSET: nobody's by
    name), None for none.
    """

    writer: str
    viewer: str
    expected: int | None = None
    key: str = ""
    shows: bool = False
    language: str = USUAL
    form: str | UnsetType | None = None

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
        lines: list[Any] = [msgspec.json.decode(each) for each in body.splitlines() if each.strip()]
    else:
        decoded = msgspec.json.decode(body)
        lines = decoded if isinstance(decoded, list) else [decoded]
    if not 0 < len(lines) <= MAX_LINES:
        message = f"a request has from 1 to {MAX_LINES:,} lines, not {len(lines):,}"
        raise BadBodyError(1, BadLineError("too-many", (), message))
    return lines


class Make(Protocol):
    """What makes the lines of a request: those that were sent, an answer to what is asked, a take-back."""

    def __call__(self, scribe: Scribe) -> Sequence[Event]:
        """Return the lines for the game as it is."""

    def has_made(self, scribe: Scribe, lines: Sequence[Event]) -> bool:
        """Return whether lines that came with the key of the request before can be those of this request."""


def write(desk: Desk, game_id: str, make: Make, how: Delivery, rulings: Mapping[str, str] | None = None) -> WriteAnswer:
    """Write the lines of a request to a game, all or none; they are on the disk when this returns.

    It is the only way of a line into a game that is kept. Where a request with that key has been written already its
    lines are not `make`d again. With `rulings` the game is played by them from its beginning on (see `Scribe.write`).

    Raises `NoViewerError` for a viewer who does not sit there, `AheadError` where others were first, `LogError` where
    the lines cannot follow, and what `make` and `Scribe.write` raise; nothing is written then.
    """
    with desk.kept(game_id) as held:
        reading.require_viewer(held, how.viewer)
        written = _written(desk, held, make, how, rulings)
        said = reading.state(desk, held, how.viewer, partial(_found, held.scribe, written))
        if how.shows:
            try:
                said["screen"] = desk.screen_of(held, how.viewer, Look(language=how.language))
            except PluginFailedError as error:
                said["problem"] = reading.told(error, how.viewer)
        return msgspec.structs.replace(written, **said)


def _found(scribe: Scribe, written: WriteAnswer) -> list[Finding]:
    """Return what the lines of a request have brought to light, or where it had come before what is found on them."""
    if not written.repeated:
        return scribe.brought()
    return [each for each in scribe.replay.findings if written.first <= each.seq <= written.seq]


def _written(desk: Desk, held: GameAtDesk, make: Make, how: Delivery, rulings: Mapping[str, str] | None) -> WriteAnswer:
    """Write the lines of a request, or find those that came with it before; return where they are."""
    scribe = held.scribe
    while not (known := _sent(scribe, how)):
        expected = scribe.last_seq if how.expected is None else how.expected
        try:
            scribe.require_last(expected)
            lines = make(scribe)
            scribe.write(lines, expected, how.served, rulings)
            return WriteAnswer(first=expected + 1, seq=expected + len(lines), findings=[], due=[])
        except StaleAppendError as error:
            # Another process was first: who did not name a line writes behind that one's, unless it was the same.
            if how.expected is not None:
                others = reading.lines(desk, held, how.viewer, expected)
                raise AheadError(error, scribe.last_seq, others) from None
    if not make.has_made(scribe, [each for each in scribe.lines() if each.seq in known]):
        raise ReusedKeyError(f"other lines came with the key {how.key!r}: take a new one for new lines")
    return WriteAnswer(first=known[0], seq=known[-1], findings=[], due=[], repeated=True)


def _sent(scribe: Scribe, how: Delivery) -> Sequence[int]:
    """Return the numbers of the lines that came with the key of a request: of those of forms, of the same player's."""
    known = scribe.sent(how.writer, how.key)
    if not known or how.form is None:
        return known
    lines = {each.seq: each for each in scribe.lines()}
    return [seq for seq in known if getattr(lines[seq], "player", UNSET) == how.form]


class SentLines:
    """Makes lines of those that were sent as JSON. Raises `BadBodyError` for what is no line of the game."""

    def __init__(self, lines: Sequence[Any]) -> None:
        self.lines = lines

    def __call__(self, scribe: Scribe) -> list[Event]:
        """Return the lines as events of the game."""
        vocabulary, events = scribe.replay.game.vocabulary, []
        for number, line in enumerate(self.lines, start=1):
            given = [name for name in GIVEN_FIELDS if isinstance(line, dict) and name in line]
            if given:
                message = f"`{given[0]}` is given by the service: leave it out"
                raise BadBodyError(number, BadLineError("unknown-field", (given[0],), message), len(self.lines))
            try:
                events.append(vocabulary.convert(line))
            except (msgspec.ValidationError, TypeError) as error:
                raise BadBodyError(number, explain(error, line, vocabulary), len(self.lines)) from None
        return events

    def has_made(self, scribe: Scribe, lines: Sequence[Event]) -> bool:
        """Return whether lines say the same as those that were sent."""
        return [*map(said, lines)] == [*map(said, self(scribe))]


def said(event: Event) -> tuple[str, dict[str, Any]]:
    """Return what a line says, without what the service adds to it, and its time, as the service may have added it."""
    fields = msgspec.to_builtins(event)
    return tag_of(type(event)), {name: value for name, value in fields.items() if name not in {*GIVEN_FIELDS, "at"}}
