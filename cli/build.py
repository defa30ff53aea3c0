"""`tabletape build`: bring the datasets up to date with the log."""

import time
from typing import Annotated, Any

import msgspec
import typer

from cli.options import DATABASE, AsJson, Cards, Database, Edition, OneGame, Rulings, chosen_games, reading
from cli.output import print_json, remark, say, watched
from events.log import Log
from projector.datasets.build import Built
from projector.datasets.build import build as build_datasets
from projector.datasets.plans import Request
from projector.model.amounts import counted

SHOWN = 10
"""Games without rows that are named one by one."""


def build(  # noqa: PLR0913 - each parameter is an option of the command
    *,
    db: Database = DATABASE,
    game: OneGame = "",
    edition: Edition = "",
    ruling: Rulings = None,
    cards: Cards = "",
    decision_load: Annotated[
        bool,
        typer.Option(
            "--decision-load", help="Also count the legal decisions, and why cards could not be played (slow)."
        ),
    ] = False,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Throw the datasets away and build all of them, as played.")
    ] = False,
    json: AsJson = False,
) -> None:
    """Build the datasets that `stats`, `sql` and the dashboard read: only games that changed are looked at.

    They lie as Parquet files in .tabletape/datasets beside the log. With --edition, --ruling or --cards the games
    stand in them a second time, as another reading of the rules would have them, so that the two can be compared.

    Example:
        tabletape build
        tabletape build --game splicers --ruling domination_threshold=more_than
        tabletape build --decision-load
    """
    asked = Request(
        reading=reading(edition, ruling, chosen_games(game), cards), game=game, decision_load=decision_load, fresh=fresh
    )
    began = time.monotonic()
    with Log.open(db) as log, watched("Building", len(log.games())) as progress:
        built = build_datasets(log, asked, progress=progress)
    if json:
        print_json(_values(built))
        return
    _tell(built, time.monotonic() - began)


def _values(built: Built) -> dict[str, Any]:
    return {**msgspec.structs.asdict(built), "folder": str(built.folder)}


def _tell(built: Built, seconds: float) -> None:
    events = f" ({counted(built.events, 'event')})" if built.projected else ""
    removed = f", {counted(built.removed, 'game')} taken out" if built.removed else ""
    say(f"{counted(built.projected, 'game')} projected{events}, {built.unchanged:,} unchanged{removed}")
    for each in built.skipped[:SHOWN]:
        remark(f"left out: {each.game_id}: {each.reason}", "yellow")
    if len(built.skipped) > SHOWN:
        remark(f"left out: {counted(len(built.skipped) - SHOWN, 'more game')}", "yellow")
    remark(f"{seconds:.1f} s, in {built.folder}; next: `tabletape stats`")
