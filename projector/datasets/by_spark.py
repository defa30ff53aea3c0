"""Making packs on a Spark cluster: each plan is one task, and does there what a process does here.

Needs PySpark (`tabletape[spark]`) and Java. The machines of a cluster need the same Tabletape, a source of games that
all of them reach (game packs, or a log in PostgreSQL) and the folder of the datasets under the same name.
"""

import os
import pickle
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import pyarrow as pa

from tabletape.events.log.game_source import GameSource
from tabletape.events.startup import collect_less_often
from tabletape.projector.datasets.manifest import DatasetError
from tabletape.projector.datasets.origin import code_of
from tabletape.projector.datasets.pack_builder import PackResult, make_whole
from tabletape.projector.datasets.plans import PackPlan
from tabletape.projector.parallel import work_apart

LOCAL: Final = "local[*]"
"""Spark on this computer, on all of its cores."""

SETTINGS: Final = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.sql.execution.arrow.maxRecordsPerBatch": "1",
}

RESULT: Final = "plan long, made binary"


class BySpark:
    """The engine that makes packs by Spark."""

    def __init__(self, master: str = LOCAL) -> None:
        """Make packs by the cluster at an address (`local[2]`, `spark://host:7077`, `yarn`).

        Raises `DatasetError` where PySpark is not installed.
        """
        try:
            from pyspark.sql import SparkSession  # noqa: PLC0415 - an extra that few have
        except ModuleNotFoundError:
            raise DatasetError("Spark needs the package pyspark, and Java 17: pip install 'tabletape[spark]'") from None
        self._builder = SparkSession.builder
        self._master = master

    def __call__(
        self, source: GameSource, folder: Path, plans: Sequence[PackPlan], progress: Callable[[int], object]
    ) -> list[PackResult]:
        """Make the packs of some plans in a folder; `progress` is called with the number of all games at the end.

        Raises `DatasetError` where only this process can read the games, or where the cluster fails.
        """
        opener = source.opener()
        if opener is None:
            raise DatasetError("Spark reads game packs, or a log in a file or on a server, but none in memory")
        if not plans:
            return []
        works = [pickle.dumps((opener, str(source.workspace), str(folder), plan)) for plan in plans]
        made = self._run(works)
        progress(sum(len(plan.projected) for plan in plans))
        return [pickle.loads(made[number]) for number in range(len(plans))]  # noqa: S301 - what our own tasks say

    def _run(self, works: list[bytes]) -> dict[int, bytes]:
        """Run each piece of work as a task; return what came of them by their numbers."""
        if self._master.startswith("local"):
            os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
        builder = self._builder.master(self._master).appName("tabletape")
        for key, value in SETTINGS.items():
            builder = builder.config(key, value)
        session = builder.getOrCreate()
        session.sparkContext.setLogLevel("ERROR")
        try:
            table = pa.table({"plan": pa.array(range(len(works)), pa.int64()), "work": pa.array(works, pa.binary())})
            tasks = session.createDataFrame(table).repartitionByRange(len(works), "plan")
            done = tasks.mapInArrow(tasks_of, RESULT).toArrow()
        except Exception as error:
            raise DatasetError(f"Spark could not build the datasets: {_reason(error)}") from error
        finally:
            session.stop()
        return dict(zip(done["plan"].to_pylist(), done["made"].to_pylist(), strict=True))


def tasks_of(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Do the work in some batches, in a process of the cluster; return what came of it."""
    collect_less_often()
    for batch in batches:
        for number, work in zip(batch["plan"].to_pylist(), batch["work"].to_pylist(), strict=True):
            made = pickle.dumps(_make(work))
            yield pa.RecordBatch.from_pydict({"plan": [number], "made": pa.array([made], pa.binary())})


def _make(work: bytes) -> PackResult:
    opener, workspace, folder, plan = pickle.loads(work)  # noqa: S301 - what our own driver says
    for each in plan.projected[:1]:
        if each.entry.code != code_of(Path(workspace), plan.game):
            raise DatasetError(f"a machine of the cluster has other rules or cards of {plan.game}: install the same")
    return work_apart(opener, (folder, plan), _make_in)


def _make_in(source: GameSource, what: tuple[str, PackPlan]) -> PackResult:
    folder, plan = what
    return make_whole(source, Path(folder), plan)


def _reason(error: Any) -> str:
    """Return what went wrong in a task, in one line."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    ours = [line for line in lines if line.startswith(("projector.", "events."))]
    return (ours or lines or [type(error).__name__])[-1 if ours else 0]
