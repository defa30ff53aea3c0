"""What feelings go with: the rank correlation of what players said with what happened in their games."""

from collections.abc import Iterator
from typing import Any, Final

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from tabletape.dashboard.questions.methods.sides import column, groups
from tabletape.dashboard.statistics.ranks import FEWEST, rank_correlation

WITH: Final = {
    "won": "having won",
    "first": "having begun",
    "seat": "a later seat",
    "minutes": "longer games, in minutes",
    "turns": "longer games, in turns",
    "lead_changes": "more changes of the lead",
    "dead": "more cards that did nothing",
    "forced": "a larger share of decisions without a choice",
    "asked": "more questions in the game",
    "wrong": "more findings of the audit in the game",
}
"""What happened, by its column, and how it is said."""

LEAST: Final = 4
"""Of fewer answers nothing is said."""

SCHEMA: Final = pa.schema(
    {
        "game": pa.string(), "ruleset": pa.string(), "felt": pa.string(), "goes_with": pa.string(),
        "answers": pa.int64(), "people": pa.int64(), "evenings": pa.int64(), "who": pa.string(),
        "rho": pa.float64(), "low": pa.float64(), "high": pa.float64(), "worth": pa.string(),
    }
)  # fmt: skip


def answer(rows: pa.Table) -> pa.Table:
    """Return a row a feeling and thing that happened; `rows` has a row an answer of a person about a game."""
    correlations = [
        {"game": game, "ruleset": ruleset, "felt": felt} | each
        for (game, ruleset, felt), said in groups(rows, "game", "ruleset", "felt")
        for each in _of_feeling(said)
    ]
    return pa.Table.from_pylist(correlations, SCHEMA)


def _of_feeling(said: pa.Table) -> Iterator[dict[str, Any]]:
    for name, words in WITH.items():
        known = said.filter(said[name].is_valid())
        if known.num_rows < LEAST:
            continue
        evenings, people = _numbered(known["evening"]), _numbered(known["name"])
        correlation = rank_correlation(column(known, name), column(known, "points"), evenings, people)
        if correlation is None:
            continue
        names = sorted(set(known["name"].to_pylist()))
        row = {"goes_with": words, "answers": known.num_rows, "people": len(names), "who": ", ".join(names)}
        row |= {"evenings": len(np.unique(evenings)), "low": correlation.low, "high": correlation.high}
        yield row | {"rho": None if correlation.low is None else correlation.rho, "worth": _worth(row)}


def _numbered(values: pa.ChunkedArray) -> NDArray[np.intp]:
    numbers: NDArray[np.intp] = np.unique(np.array(values.to_pylist()), return_inverse=True)[1]
    return numbers


def _worth(row: dict[str, Any]) -> str:
    """Say what a correlation is worth: nothing below a few evenings and people, and else whether it is surely not 0."""
    missing = [f"{FEWEST - row[kind]} more {kind}" for kind in ("evenings", "people") if row[kind] < FEWEST]
    if missing:
        return f"nothing yet: {' and '.join(missing)} needed"
    if row["low"] is None:
        return "nothing yet: it rests on one evening or person"
    if row["low"] <= 0 <= row["high"]:
        return "no evidence"
    return f"more of one surely goes with {'more' if row['low'] > 0 else 'less'} of the other"
