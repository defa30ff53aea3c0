"""What every way to write a log down has in common, and a game as it comes out of the reading."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol

from tabletape.events.importing.quarantine.bad_lines import BadLineError
from tabletape.events.importing.report import Status, TakenGame
from tabletape.events.log.rows import Chain
from tabletape.events.vocabulary import Event, Vocabulary
from tabletape.events.vocabulary.shared import GameStarted


class Notation(Protocol):
    """A way to write a log down; `Any` is an item of it, a line or a row. What it does not say is usual."""

    def batches(self) -> Iterator[Iterable[tuple[int, Any]]]:
        """Return the items with their line numbers."""

    def decoder(self, vocabulary: Vocabulary) -> Callable[[Any], Event]:
        """Return what turns an item into an event."""

    def repaired(self, _item: Any) -> Any | None:
        """Return an item in another encoding as it was meant; None where that is not what is wrong."""
        return None

    def is_blank(self, _item: Any) -> bool:
        """Return whether nothing stands there."""
        return False

    def slug(self, item: Any) -> str | None:
        """Return the game that an item begins, if it begins one."""

    def may_be_head(self, _item: Any) -> bool:
        """Return whether an item that cannot be read was probably meant to begin a game."""
        return False

    def raw(self, item: Any) -> str:
        """Return an item as text."""

    def plain(self, _item: Any, _vocabulary: Vocabulary) -> dict[str, Any] | None:
        """Return an item as plain fields, however they are written; `None` where it has none."""
        return None

    def is_separator(self, _item: Any) -> bool:
        """Return whether an item only parts what stands above it from what stands below."""
        return False

    def diagnose(self, item: Any, error: Exception, vocabulary: Vocabulary) -> tuple[BadLineError, int]:
        """Return why an item cannot be read, and its column."""


class ReadGame(NamedTuple):
    """A game as it comes in: its head, its file, the line where it begins, its rows so far, the line where it ends.

    `end` is the line of the next game or behind the last line of the file; 0 as long as the game goes on. `gaps` says
    in which line each gap begins, by its `seq`, and `changed` what of an event was taken for another word.
    """

    head: GameStarted
    file: str
    line: int
    chain: Chain
    end: int = 0
    gaps: Mapping[int, int] = MappingProxyType({})
    changed: Mapping[int, str] = MappingProxyType({})

    def taken(self, status: Status, revision: int, events: int) -> TakenGame:
        """Return what became of the game; `events` of it are new in the log."""
        return TakenGame(self.head.id, self.head.game, status, revision, events, self.line, None)
