"""Gaps: the lines of a game that could not be read, kept in the game at their place.

Without them the game would look as if nothing had happened there, and a later line could be accused for want of it.
"""

from typing import Final

from tabletape.events.log.rows import Chain, UnfitError
from tabletape.events.vocabulary import MAX_EVENTS, Event, tag_of
from tabletape.events.vocabulary.shared import DeckDeclared, FirstPlayerChosen, LogGap

TEXT_KEPT: Final = 2_000
"""How much of a line that could not be read stands in its `log.gap`."""

NO_HEAD: Final = "no-head"
"""The code of an `UnfitError` for a line that begins a game anew, behind a line that may have been its head."""

_ENDS: Final = frozenset({"game.ended", "game.abandoned"})
_REMARKS: Final = frozenset(
    {"note.added", "question.raised", "moment.marked", "feedback.given", "state.observed", "log.gap"}
)


class Gaps:
    """The lines of one game that could not be read: before the next one that can they become one `log.gap`.

    Each has a number of its own, so that the lines behind them have the number that they have in the file.
    `lines` says in which line of the file each gap begins, by its `seq`.
    """

    def __init__(self, chain: Chain) -> None:
        self._chain = chain
        self._waiting: list[tuple[int, str]] = []
        self._unread = 0
        self.lines: dict[int, int] = {}

    def __bool__(self) -> bool:
        """Return whether a line waits for the next one."""
        return bool(self._unread)

    def leave(self, line: int, text: str) -> None:
        """Leave a line out that could not be read; `text` is what stands there."""
        self._unread += 1
        self._waiting.append((line, text[:TEXT_KEPT]))

    def pass_over(self) -> None:
        """Leave a line out that could not be read, but has changed nothing at the table."""
        self._unread += 1

    def add(self, event: Event) -> None:
        """Put the next event of the game behind the gap.

        Raises `UnfitError` as `Chain.add` does; also where the numbers of the file leave none for the gap, and, with
        the code `NO_HEAD`, where the event begins a game anew: then what could not be read was no line of this game.
        """
        if self._unread:
            if self._waiting and self._begins_anew(event):
                self._waiting.clear()
                self._unread = 0
                raise UnfitError(NO_HEAD, "type", "a game begins here whose game.started could not be read")
            self._place(event.seq if isinstance(event.seq, int) else None)
        self._chain.add(event)

    def close(self) -> None:
        """Put what still waits at the end of the game."""
        if self._waiting:
            self._place(None)

    def is_over(self) -> bool:
        """Return whether the game has ended: what comes next, and is no remark, is of another game."""
        last = next((tag for tag in reversed(self._chain.rows.types) if tag not in _REMARKS), "")
        return last in _ENDS

    def _begins_anew(self, event: Event) -> bool:
        """Return whether an event is said once at the beginning of a game, and this game has said it already.

        Who plays first is said behind the deck lists, where there are any: what begins with it goes on with this game.
        """
        rows = self._chain.rows
        if isinstance(event, FirstPlayerChosen):
            return tag_of(FirstPlayerChosen) in rows.types and tag_of(DeckDeclared) not in rows.types
        said = zip(rows.types, rows.players, strict=True)
        return isinstance(event, DeckDeclared) and (tag_of(type(event)), event.player) in said

    def _place(self, following: int | None) -> None:
        """Put what waits before the number `following`, or where the file gives none behind the last event."""
        last = self._chain.last_seq
        if following is not None and following <= last:
            return  # The event itself is out of order.
        number = min(last + self._unread, MAX_EVENTS if following is None else following - 1)
        if self._waiting and number > last:
            line, text = self._waiting[0]
            self._chain.add(LogGap(seq=number, lines=len(self._waiting), text=text))
            self.lines[number] = line
        elif self._waiting and following is not None:
            line, _ = self._waiting[-1]
            message = f"`seq` is {following}: no number is left for line {line}, which could not be read"
            raise UnfitError("seq-order", "seq", message)
        elif following is None:
            self._chain.last_seq = number
        self._waiting.clear()
        self._unread = 0
