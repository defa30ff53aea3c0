"""How tense the games of a ruleset are."""

from collections.abc import Iterator
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tabletape.dashboard.questions.methods.sides import GAME, column, groups, run_starts, together, won_by_one
from tabletape.dashboard.statistics.tension import (
    Lead,
    Mean,
    Positions,
    drama,
    mean_of_shares,
    openness,
    worth_of_a_lead,
)

FEWEST: Final = 30
"""With fewer games it is not fitted what a lead is worth."""

MEANS: Final = ("drama", "decisiveness", "uncertainty")

SCHEMA: Final = pa.schema(
    {
        "game": pa.string(), "ruleset": pa.string(), "players": pa.int64(), "games": pa.int64(),
        **{name + end: pa.float64() for name in MEANS for end in ("", "_low", "_high")},
        "fitted_on": pa.string(), "fitted_games": pa.int64(), "missing": pa.int64(),
    }
)  # fmt: skip


def answer(rows: pa.Table) -> pa.Table:
    """Return a row a ruleset and number of players from the ends of all turns of decided games.

    `rows` has a row a player and turn, those of a game by turn: `ruleset_id`, `players`, `game_id`, `turn`, `progress`,
    `ahead`, `won`, `source`, and whether the game was asked for (`mine`).
    """
    kinds = groups(rows, "game", "ruleset", "players")
    tensions = [dict(zip(SCHEMA.names, kind, strict=False)) | each for kind, turns in kinds for each in _tension(turns)]
    return pa.Table.from_pylist(tensions, SCHEMA)


def _tension(turns: pa.Table) -> Iterator[dict[str, Any]]:
    turns = numbered(turns)
    mine = turns.filter(turns["mine"])
    if not mine.num_rows:
        return
    source, lead, fitted = lead_of(turns)
    winners = mine.filter(mine["won"])
    dramas = drama(-column(winners, "ahead"), run_starts(winners, "number"))
    row: dict[str, Any] = {"games": len(dramas), **_said("drama", mean_of_shares(dramas))}
    if lead is None:
        row["missing"] = FEWEST - fitted
    else:
        for name, mean in zip(MEANS[1:], openness(positions_of(mine), lead), strict=True):
            row |= _said(name, mean)
        row |= {"fitted_on": source, "fitted_games": fitted}
    yield row


def _said(name: str, mean: Mean) -> dict[str, float | None]:
    return {name: mean.value, f"{name}_low": mean.low, f"{name}_high": mean.high}


def numbered(turns: pa.Table) -> pa.Table:
    """Put the turns of a game together, and number the games: numbers are compared faster than ids, again and again."""
    turns = together(turns, *GAME)
    starts = run_starts(turns, *GAME)
    numbers = np.repeat(np.arange(len(starts)), np.diff(np.append(starts, turns.num_rows)))
    relevant = turns.select(["game_id", "turn", "progress", "ahead", "won", "source", "mine"])
    return relevant.append_column("number", pa.array(numbers))


def lead_of(turns: pa.Table) -> tuple[str, Lead | None, int]:
    """Fit the worth of a lead on games, with whose they are and how many; not at all where they are too few."""
    games = len(run_starts(turns, "number"))
    source = " and ".join(sorted(pc.unique(turns["source"]).to_pylist()))
    return source, worth_of_a_lead(positions_of(turns)) if games >= FEWEST else None, games


def positions_of(turns: pa.Table) -> Positions:
    """Return the ends of numbered turns, those that exactly one side won, as positions."""
    turns = won_by_one(turns, "number", "turn")
    turn = column(turns, "turn")
    starts = run_starts(turns, "number", "turn")
    games = run_starts(turns, "number")
    length = np.maximum.reduceat(turn, games)
    return Positions(
        progress=column(turns, "progress"),
        share=turn / np.repeat(length, np.diff(np.append(games, len(turn)))),
        starts=starts,
        games=turns["number"].to_numpy()[starts],
        winners=np.flatnonzero(column(turns, "won")),
    )
