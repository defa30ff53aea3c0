"""Small logs whose rows can be counted by hand, and the rows of the datasets that are built from them."""

from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from tabletape.events.log import Log
from tabletape.projector.datasets import pack_builder
from tabletape.projector.datasets.build import Built, build
from tabletape.projector.datasets.columns import COMMON
from tabletape.projector.datasets.manifest import read_manifest
from tabletape.projector.datasets.plans import Request
from tabletape.projector.datasets.rows.game_rows import rows_of_game


def built(place: Path, **options: Any) -> Built:
    """Build the datasets of a log."""
    with Log.open(place) as log:
        return build(log, Request(**options))


def rows(place: Path, dataset: str) -> list[dict[str, Any]]:
    """Return the rows of a dataset, without the columns that all datasets have, except the game's id and ruleset."""
    folder = place.parent / ".tabletape" / "datasets"
    hidden = {name for name, _, _ in COMMON} - {"game_id", "ruleset"}
    found = [row for file in read_manifest(folder).files(dataset) for row in pq.read_table(folder / file).to_pylist()]
    ordered = sorted(found, key=lambda row: (row.get("game_id", ""), row.get("ruleset", "")))
    return [{key: value for key, value in row.items() if key not in hidden} for row in ordered]


def one(found: list[dict[str, Any]], **where: Any) -> dict[str, Any]:
    """Return the only row that has these values."""
    (row,) = [row for row in found if all(row[key] == value for key, value in where.items())]
    return row


def fail_for(bad: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make `rows_of_game` raise `ZeroDivisionError` for one game, as an error in its code would."""

    def rows_or_error(replay: Any, **options: Any) -> Any:
        if replay.events[0].id == bad:
            raise ZeroDivisionError("division by zero")
        return rows_of_game(replay, **options)

    monkeypatch.setattr(pack_builder, "rows_of_game", rows_or_error)
