"""Where stored games are read from: a log, or packs of games."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from tabletape.events.log.bodies import Bodies
from tabletape.events.log.rows import CardTexts, Recording, StoredGame
from tabletape.events.vocabulary import Event


class Opener(NamedTuple):
    """How another process opens the same source: a function of a module, and the words that it takes."""

    open: Callable[..., Any]
    words: tuple[str, ...]


class GameSource(Protocol):
    """Games with their events, and the card texts that they were recorded under."""

    @property
    def workspace(self) -> Path:
        """The folder of the datasets and of a designer's own cards."""

    def opener(self) -> Opener | None:
        """Return what opens the same source in another process; None where only this one has it."""

    def head(self) -> str:
        """Return a hash (hexadecimal) that stands for all that there is."""

    def since(self, head: str) -> list[Recording]:
        """Return what was recorded after a head. Raises `LogError` where this source has no such head."""

    def games(self, *, ids: Sequence[str] | None = None) -> list[StoredGame]:
        """Return all games, or those with some ids, in the order of their recording."""

    def bodies(self, games: Iterable[StoredGame]) -> Iterator[tuple[StoredGame, Bodies]]:
        """Return games with the canonical JSON of their events, or why that cannot be read."""

    def each(self, games: Iterable[StoredGame]) -> Iterator[tuple[StoredGame, list[Event]]]:
        """Return games with their events, one after the other. Raises `LogError` where one cannot be read."""

    def card_texts(self, game: StoredGame) -> CardTexts | None:
        """Return the card files that a game was recorded under; None for none."""

    def changed_lines(self, game: StoredGame) -> Mapping[int, str]:
        """Return what of a game's events was taken for other words than those of its files, by their `seq`."""
