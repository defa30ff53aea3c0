"""Datasets by Spark: the same bytes as by processes. Runs where Java and PySpark are (`pip install -e '.[spark]'`)."""

import shutil
from pathlib import Path
from typing import Any

import pytest

from tabletape.events.log import Log
from tabletape.projector.datasets import manifest, plans
from tabletape.projector.datasets.build import build
from tabletape.projector.datasets.game_packs import GamePacks
from tabletape.projector.datasets.manifest import FILE, FOLDER, DatasetError
from tests.projector.test_game_packs import log, packed, parquet

__all__ = ["log"]

pytest.importorskip("pyspark", reason="PySpark is not installed")
pytestmark = pytest.mark.skipif(shutil.which("java") is None, reason="there is no Java")


def test_spark_makes_the_same_datasets(log: Log, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two cores of Spark make the files that processes make, byte for byte, and the manifest too."""
    from tabletape.projector.datasets.by_spark import BySpark  # noqa: PLC0415 - needs PySpark

    monkeypatch.setattr(plans, "PACK_EVENTS", 400)
    monkeypatch.setattr(manifest, "GAME_EVENTS", 0)
    where = packed(log, tmp_path / "packs")
    folders = [tmp_path / name for name in ("processes", "spark")]
    done: list[int] = []
    by_spark = {"engine": BySpark("local[2]"), "progress": lambda games, _of: done.append(games)}
    engines: list[dict[str, Any]] = [{}, by_spark]
    for folder, engine in zip(folders, engines, strict=True):
        build(GamePacks(str(where), str(folder)), **engine)
    ours, theirs = (parquet(folder) for folder in folders)
    assert len(ours) > 50
    assert ours == theirs
    first, second = ((folder / FOLDER / FILE).read_bytes() for folder in folders)
    assert first == second
    assert sum(done) == len(log.games())


def test_spark_needs_games_that_others_can_read() -> None:
    """A log in the memory of this process is refused, because a cluster cannot read it."""
    from tabletape.projector.datasets.by_spark import BySpark  # noqa: PLC0415 - needs PySpark

    with Log.open("sqlite://", create=True) as memory, pytest.raises(DatasetError, match="none in memory"):
        BySpark("local[2]")(memory, Path(), [], lambda _: None)
