"""Scores in results: those in columns that are called like the players of a row, and who has won by them."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from tabletape.events.importing.maps.results.columns import Cells, ResultFault, columns_read, first_path, score_in
from tabletape.events.importing.maps.results.sheet_rows import HEADING
from tabletape.events.importing.maps.schema import Columns
from tabletape.events.importing.maps.seating import SeatedPlayer
from tabletape.events.importing.maps.values.captured import Names


def called_scores(
    cells: Cells, row: Mapping[str, Any], players: Sequence[SeatedPlayer]
) -> dict[str, tuple[str, int | float]]:
    """Return the columns that are called like the players of a row, each with its player and the score in it.

    None where one is missing or is no number, or where they are 1, 2, 3: those may as well be places.
    """
    headings = {str(key).casefold(): str(key) for key in row}
    called = {heading: player.id for player in players if (heading := headings.get(player.name.casefold()))}
    told = {each: (who, score) for each, who in called.items() if (score := score_in(cells.one(row, each))) is not None}
    numbers = sorted(score for _, score in told.values())
    is_for_each = 1 < len(players) == len(told) and numbers != [*range(1, len(told) + 1)]
    return told if is_for_each else {}


def others(cells: Cells, columns: Columns, rows: Sequence[Mapping[str, Any]]) -> set[str]:
    """Return the columns of some rows that a map does not name, and that are not called like a player."""
    read, players = {*columns_read(columns), HEADING}, set[str]()
    for row in rows:
        with suppress(ResultFault):  # A cell whose formula has failed names nobody.
            players |= {name.casefold() for name in cells.names(row, columns.players)}
    return {key for row in rows for key in row if key not in read and key.casefold() not in players}


def agreeing(scores: Mapping[str, float], winners: Sequence[str]) -> dict[str, Mapping[str, float]]:
    """Return scores as a field of a result; nothing where who has won has neither the most nor the fewest."""
    agrees = any({scores[who] for who in winners} <= {end(scores.values())} for end in (min, max))
    return {"scores": scores} if agrees else {}


def best_of(scores: Mapping[str, float], names: Names, columns: Columns) -> list[str]:
    """Return who has the best score; nobody where all have the same. Raises `ResultFault` where one is missing."""
    if len(scores) < len(names.players):
        raise ResultFault("nothing says who won: not everybody has a score", first_path(columns.scores))
    if len(scores) < 2 or len({*scores.values()}) == 1:
        return []
    best = (max if columns.best == "highest" else min)(scores.values())
    return [player for player, score in scores.items() if score == best]
