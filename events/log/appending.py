"""Appending lines to games: what several callers want to append at the same time goes into one transaction.

A transaction that is safe from power cuts takes tens of milliseconds, however little it holds. Whoever comes while one
is being written waits for its end, and the first of those who wait then writes for all of them: nobody waits longer
than for two transactions, and who is alone does not wait at all.
"""

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from threading import Lock

from tabletape.events.log.hashes import opening_hash
from tabletape.events.log.rows import CardTexts, Chain, EventRows, StoredGame, UnfitError
from tabletape.events.log.schema import LogError
from tabletape.events.log.writing import BegunError, LogWriter, StaleAppendError
from tabletape.events.vocabulary import Event
from tabletape.events.vocabulary.shared import GameStarted


class Wanted:
    """Events that are to go behind the event `expected` of a game, and what became of them."""

    def __init__(
        self, game_id: str, events: Iterable[Event], expected: int, revision: int, cards: CardTexts | None
    ) -> None:
        self.game_id = game_id
        self.events = list(events)
        self.expected = expected
        self.revision = revision
        self.cards = cards
        self.outcome: StoredGame | BaseException | None = None


class Appender:
    """Takes what is to be appended to one log, from any number of threads."""

    def __init__(self, writing: Callable[[], AbstractContextManager[LogWriter]]) -> None:
        """Append within the transactions that `writing` begins."""
        self._writing = writing
        self._waiting: deque[Wanted] = deque()
        self._turn = Lock()

    def append(self, wanted: Wanted) -> StoredGame:
        """Append, and return the game as it is then, on the disk. Raises what `Log.append` raises."""
        self._waiting.append(wanted)
        with self._turn:
            if wanted.outcome is None:
                self._write([self._waiting.popleft() for _ in range(len(self._waiting))])
        if isinstance(wanted.outcome, StoredGame):
            return wanted.outcome
        if wanted.outcome is None:
            raise AssertionError("every writing has an outcome")
        raise wanted.outcome

    def _write(self, together: Sequence[Wanted]) -> None:
        try:
            with self._writing() as tape:
                for each in together:
                    if len(together) == 1:
                        _take(tape, each)
                    else:
                        _take_or_leave(tape, each)
                taken = [each for each in together if each.outcome is None]
                stored = {(each.game_id, each.revision): each for each in tape.stored({one.game_id for one in taken})}
        except BaseException as error:  # Nobody who waits may go without an answer.
            for each in together:
                each.outcome = each.outcome or error
            if not isinstance(error, Exception):
                raise
        else:
            for each in taken:
                each.outcome = stored[each.game_id, each.revision]


def _take_or_leave(tape: LogWriter, wanted: Wanted) -> None:
    """Append beside others: what cannot follow is taken back without them."""
    mark = tape.mark()
    try:
        _take(tape, wanted)
    except LogError as error:
        wanted.outcome = error
    tape.release(mark, keep=wanted.outcome is None)


def _take(tape: LogWriter, wanted: Wanted) -> None:
    """Append within a transaction. Raises `StaleAppendError`, `BegunError`, or `LogError` for what cannot follow."""
    if not wanted.expected and wanted.events and (game_id := tape.begun(wanted.events[0])):
        raise BegunError(game_id)
    tail = next((each for each in tape.tails(wanted.game_id) if each.revision == wanted.revision), None)
    found = tail.last_seq if tail else 0
    if found != wanted.expected:
        raise StaleAppendError(wanted.game_id, wanted.expected, found)
    if tail:
        tape.append(tail.number, _rows(wanted.events, Chain(tape.players(tail.number), found, tail.last_hash)))
        return
    head = _head(wanted.game_id, wanted.events)
    rows = _rows(wanted.events, Chain((seat.id for seat in head.players), 0, opening_hash(wanted.game_id)))
    number = tape.start(head, wanted.revision)
    tape.append(number, rows)
    if wanted.cards is not None:
        tape.keep_cards(number, wanted.cards)


def _rows(events: list[Event], chain: Chain) -> EventRows:
    """Return the rows of events behind the end of a game, or raise `LogError`."""
    try:
        for event in events:
            chain.add(event)
    except UnfitError as error:
        raise LogError(str(error)) from error
    return chain.rows


def _head(game_id: str, events: list[Event]) -> GameStarted:
    """Return the `game.started` that a new game begins with, or raise `LogError`."""
    if not events or not isinstance(events[0], GameStarted) or events[0].id != game_id:
        raise LogError(f"game {game_id!r} is not in the log yet: its first event has to be its game.started")
    return events[0]
