"""`tabletape build`: bring the datasets up to date with the log."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Literal

import msgspec
import typer

from tabletape.cli.terminal.arguments import option
from tabletape.cli.terminal.options import DATABASE, AsJson, Cards, Database, Edition, OneGame, Rulings
from tabletape.cli.terminal.output import print_json, remark, say, watched
from tabletape.dashboard.tape.choosing import chosen_games, reading, require_game
from tabletape.events.errors import RefusedError
from tabletape.events.log import Log
from tabletape.events.log.game_source import GameSource
from tabletape.projector.datasets.build import Built
from tabletape.projector.datasets.build import build as build_datasets
from tabletape.projector.datasets.copying import copy_datasets
from tabletape.projector.datasets.game_packs import GamePacks
from tabletape.projector.datasets.pack_builder import Engine, by_processes
from tabletape.projector.datasets.places import shown
from tabletape.projector.datasets.plans import Request
from tabletape.projector.model.amounts import counted

MAX_SHOWN = 10
"""Games without rows that are named one by one."""


def build(  # noqa: PLR0913 - each parameter is an option of the command
    *,
    db: Database = DATABASE,
    game: OneGame = "",
    edition: Edition = "",
    ruling: Rulings = None,
    cards: Cards = "",
    decision_load: Annotated[
        bool, option("--decision-load", "Also count the legal decisions, and why cards could not be played (slow).")
    ] = False,
    packs: Annotated[
        str, option("--packs FOLDER|URL", "Build from game packs (`tabletape pack`), not from the log.")
    ] = "",
    engine: Annotated[
        Literal["processes", "spark"], typer.Option(help="Who does the work: this computer, or Spark.")
    ] = "processes",
    master: Annotated[
        str, option("--master URL", "The Spark cluster: spark://host:7077, yarn, local[2] …")
    ] = "local[*]",
    fresh: Annotated[bool, option("--fresh", "Throw the datasets away and build all of them, as played.")] = False,
    datasets: Annotated[
        str, option("--datasets FOLDER|URL", "Then copy them to where others ask them: a folder, s3://…, gs://…")
    ] = "",
    json: AsJson = False,
) -> None:
    """Build the datasets that `stats`, `sql` and the dashboard read: only games that changed are looked at.

    They lie as Parquet files in .tabletape/datasets beside the log. With --edition, --ruling or --cards the games
    stand in them a second time, as another reading of the rules would have them, so that the two can be compared.
    With --datasets they are copied to another folder or an address when they are built: what is there already stays,
    and the manifest comes last. `serve`, `stats` and `sql` ask them there by the same option.

    Example:
        tabletape build
        tabletape build --game splicers --ruling domination_threshold=more_than
        tabletape build --decision-load
        tabletape build --packs s3://bucket/games --engine spark --master spark://host:7077
        tabletape build --datasets s3://bucket/study
    """
    require_game(game)
    concerned = chosen_games(game) if edition or ruling else []
    how = reading(edition, ruling, concerned, cards)
    asked = Request(reading=how, game=game, decision_load=decision_load, fresh=fresh)
    began = time.monotonic()
    with _source(db, packs) as source:
        with watched("Building") as progress:
            built = build_datasets(source, asked, progress=progress, engine=_engine(engine, master))
        copied = None
        if datasets:
            with watched("Copying") as progress:
                copied = copy_datasets(source, built.folder, datasets, fresh=fresh, progress=progress)
    if json:
        values = {**msgspec.structs.asdict(built), "folder": str(built.folder)}
        print_json({**values, **({"copied": copied.files} if copied else {})})
        return
    _print(built, time.monotonic() - began)
    if copied:
        remark(f"{counted(copied.files, 'file')} copied to {shown(datasets)}: `--datasets` asks them there")


@contextmanager
def _source(db: str, packs: str) -> Iterator[GameSource]:
    """Open the log, or the game packs for the workspace that the log is in; an empty log is made there for the pages.

    Raises `RefusedError` where the log has games of its own.
    """
    with Log.open(db, create=bool(packs)) as log:
        if not packs:
            yield log
            return
        if log.games():
            raise RefusedError(
                f"the log {log} has games of its own: build game packs in a workspace of theirs (--db NEW/tabletape.db)"
            )
        yield GamePacks(packs, str(log.workspace))


def _engine(name: str, master: str) -> Engine:
    if name == "processes":
        return by_processes
    from tabletape.events.startup import show_pandas  # noqa: PLC0415
    from tabletape.projector.datasets.by_spark import BySpark  # noqa: PLC0415 - an extra that few have

    show_pandas()  # PySpark looks for it.
    return BySpark(master)


def _print(built: Built, seconds: float) -> None:
    events = f" ({counted(built.events, 'event')})" if built.projected else ""
    removed = f", {counted(built.removed, 'game')} taken out" if built.removed else ""
    if built.older:
        remark("The datasets were those of an older version: all games are built anew, as they were played.", "yellow")
    for file, problem in built.mended.items():
        remark(f"built anew: {file} {problem}", "yellow")
    say(f"{counted(built.projected, 'game')} projected{events}, {built.unchanged:,} unchanged{removed}")
    for each in built.skipped[:MAX_SHOWN]:
        remark(f"left out: {each.game_id}: {each.reason}", "yellow")
    if len(built.skipped) > MAX_SHOWN:
        remark(f"left out: {counted(len(built.skipped) - MAX_SHOWN, 'more game')}", "yellow")
    remark(f"{seconds:.1f} s, in {built.folder}; next: `tabletape stats`")
