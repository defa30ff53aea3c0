"""Summaries: datasets that are sums over the games of a pack, so that a question need not add up every game again.

Each is a `SELECT` over the other datasets, `summaries/<dataset>.sql`. Its rows can be added up over packs; it has no
`game_id`, but the other common columns, by which most questions choose games. For games that are chosen otherwise, and
for small packs, the same `SELECT` is asked of their rows alone (see `dashboard.questions`).
"""

from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Final

import duckdb
import pyarrow as pa

from tabletape.projector.datasets.columns import DATASETS, OWN_SCHEMAS, SUMMARIES
from tabletape.projector.datasets.manifest import path_in

SETTINGS: Final[dict[str, str | bool | int | float | list[str]]] = {"threads": 1, "temp_directory": ""}
"""Summaries are made in several processes at once; one thread each writes the same bytes every time."""


@cache
def summary_sql(dataset: str) -> str:
    """Return the `SELECT` that says what a summary is."""
    return files(__name__).joinpath(f"{dataset}.sql").read_text(encoding="utf-8")


def summaries_of(folder: Path, pack: str) -> Iterator[tuple[str, pa.Table]]:
    """Yield the name and the rows of every summary of a pack whose other datasets lie in a folder, in a fixed order."""
    with duckdb.connect(":memory:", config=SETTINGS) as connection:
        for dataset in OWN_SCHEMAS:
            connection.read_parquet(str(folder / path_in(dataset, pack))).create_view(dataset)
        for dataset in SUMMARIES:
            rows = connection.sql(f"SELECT * FROM ({summary_sql(dataset)}) ORDER BY ALL")  # noqa: S608 - our own files
            yield dataset, rows.to_arrow_table().cast(DATASETS[dataset])
