"""Tables laid out for those who play: the same people at the same seats again and again, so a copy is all it takes."""

from collections.abc import Mapping
from typing import Any, Final

from tabletape.events.vocabulary.shared import Seat
from tabletape.projector.model.game import Game
from tabletape.projector.model.rulebook import Ruleset
from tabletape.projector.model.table import Table

MAX_CACHED_TABLES: Final = 64
"""Tables of a game that are kept to be copied."""


def new_table(game: Game, seats: tuple[Seat, ...], ruleset: Ruleset, library: Mapping[str, Any]) -> Table[Any, Any]:
    """Return a new table of a game, laid out for some players under a ruleset, with a library of cards."""
    kept: dict[tuple[str, tuple[Seat, ...]], Table[Any, Any]] = game.__dict__.setdefault("_laid_out", {})
    key = ruleset.id, seats
    table = kept.get(key)
    if table is None or table.library is not library:
        if len(kept) == MAX_CACHED_TABLES:
            kept.clear()
        table = kept[key] = game.opening(seats, ruleset, library)
        table.edition = ruleset.read_by
    fresh = table.copy()
    fresh.derived += table.derived
    fresh.applied += table.applied
    return fresh
