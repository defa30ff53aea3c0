"""Appending lines to games: what several callers want to append at the same time goes into one transaction.

A transaction that is safe from power cuts takes tens of milliseconds, however little it holds. Whoever comes while one
is being written waits for its end, and the first of those who wait then writes for all of them: nobody waits longer
than for two transactions, and who is alone does not wait at all. Who has an outcome goes on at once, whoever writes.
"""

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from itertools import islice
from threading import Lock
from typing import Final

from tabletape.events.log.hashes import opening_hash
from tabletape.events.log.rows import ENCODE, CardTexts, Chain, EventRows, StoredGame, UnfitError
from tabletape.events.log.schema import LogError
from tabletape.events.log.writing import BegunError, LogWriter, StaleAppendError, Tail
from tabletape.events.vocabulary import Event
from tabletape.events.vocabulary.shared import GameStarted

MOST: Final = 200
"""Appendings of one transaction: with more of them the first would wait for the last."""


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
        self.turn = Lock()
        self.turn.acquire()


class Appender:
    """Takes what is to be appended to one log, from any number of threads."""

    def __init__(self, writing: Callable[[], AbstractContextManager[LogWriter]]) -> None:
        """Append within the transactions that `writing` begins."""
        self._writing = writing
        self._waiting: deque[Wanted] = deque()
        self._gate = Lock()
        self._is_led = False

    def append(self, wanted: Wanted) -> StoredGame:
        """Append, and return the game as it is then, on the disk. Raises what `Log.append` raises."""
        with self._gate:
            self._waiting.append(wanted)
            leads, self._is_led = not self._is_led, True
        if not leads:
            wanted.turn.acquire()  # Until there is an outcome, or it is this one's turn to write for those who wait.
        if wanted.outcome is None:
            self._lead()
        if isinstance(wanted.outcome, StoredGame):
            return wanted.outcome
        if wanted.outcome is None:
            raise AssertionError("every writing has an outcome")
        raise wanted.outcome

    def _lead(self) -> None:
        """Write for the first of those who wait, and let the next one write for the others."""
        with self._gate:
            together = [self._waiting.popleft() for _ in range(min(len(self._waiting), MOST))]
        try:
            self._write(together)
        finally:
            with self._gate:
                self._is_led = bool(self._waiting)
                following = [*together[1:], *islice(self._waiting, 1)]
            for each in following:
                each.turn.release()

    def _write(self, together: Sequence[Wanted]) -> None:
        try:
            with self._writing() as tape:
                _Ends(tape, together).take()
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


class _Ends:
    """Where the games of one transaction end, with what it has appended to them already."""

    def __init__(self, tape: LogWriter, together: Sequence[Wanted]) -> None:
        self._tape = tape
        self._together = together
        tails_of_games = tape.tails_of({each.game_id for each in together})
        self._known = {(game, tail.revision): tail for game, tails in tails_of_games.items() for tail in tails}

    def take(self) -> None:
        """Append what can follow. What cannot is refused alone; where it is alone, that is the end of all.

        Only the beginning of a game can fail half-way, and has a part of the transaction to itself.
        """
        for each in self._together:
            mark = self._tape.mark() if len(self._together) > 1 and not each.expected else None
            try:
                self._append(each)
            except LogError as error:
                if len(self._together) == 1:
                    raise
                each.outcome = error
            if mark is not None:
                self._tape.release(mark, keep=each.outcome is None)

    def _append(self, wanted: Wanted) -> None:
        """Append, or raise `StaleAppendError`, `BegunError`, or `LogError` for what cannot follow."""
        if not wanted.expected and wanted.events and (game_id := self._tape.begun(wanted.events[0])):
            raise BegunError(game_id)
        tail = self._known.get((wanted.game_id, wanted.revision))
        last = tail.last_seq if tail else 0
        if last != wanted.expected:
            raise StaleAppendError(wanted.game_id, wanted.expected, last)
        if tail is None:
            tail = self._begin(wanted)
        else:
            rows = rows_of(wanted.events, tail.chain)
            self._tape.append(tail.number, rows)
            if rows.seqs:
                tail = tail._replace(last_seq=rows.seqs[-1], last_hash=rows.hashes[-1])
        self._known[wanted.game_id, wanted.revision] = tail

    def _begin(self, wanted: Wanted) -> Tail:
        """Begin a game, and return where it ends."""
        if not wanted.events or not isinstance(wanted.events[0], GameStarted) or wanted.events[0].id != wanted.game_id:
            raise LogError(f"game {wanted.game_id!r} is not in the log yet: its first event has to be its game.started")
        head = wanted.events[0]
        rows = rows_of(wanted.events, Chain((seat.id for seat in head.players), 0, opening_hash(wanted.game_id)))
        number = self._tape.start(head, wanted.revision)
        self._tape.append(number, rows)
        if wanted.cards is not None:
            self._tape.keep_cards(number, wanted.cards)
        return Tail(number, wanted.revision, rows.seqs[-1], rows.hashes[-1], ENCODE(head.players).decode())


def rows_of(events: Iterable[Event], chain: Chain) -> EventRows:
    """Return the rows of events behind the end of a game. Raises `LogError` where one cannot follow."""
    try:
        for event in events:
            chain.add(event)
    except UnfitError as error:
        raise LogError(str(error)) from error
    return chain.rows
