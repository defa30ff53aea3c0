"""`tabletape export`: games for other programs."""

from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer

from cli.options import DATABASE, Database, GameIds, OneGame, stored_games
from cli.output import RefusedError, counted, say
from events.log import Log
from projector.reading.archive import replays
from projector.reading.exports import bgstats as as_bgstats
from projector.reading.exports import ocel as as_ocel


def export(  # noqa: PLR0913 - each parameter is an option of the command
    ids: GameIds = None,
    *,
    bgstats: Annotated[
        Path | None, typer.Option("--bgstats", metavar="FILE", help="Results as BG Stats imports them (JSON).")
    ] = None,
    ocel: Annotated[
        Path | None, typer.Option("--ocel", metavar="FILE", help="Events for process mining (OCEL 2.0 JSON).")
    ] = None,
    db: Database = DATABASE,
    game: OneGame = "",
    force: Annotated[bool, typer.Option("--force", help="Write over a file that is there already.")] = False,
) -> None:
    """Write games for other programs: results for BG Stats, events for process mining.

    What nobody wrote down is left empty. OCEL asks for a time of each event: one without a time has that of the event
    before it, and those of a game without any time have the beginning of 1970.

    Example:
        tabletape export --bgstats plays.json
        tabletape export splicers-worked-game --ocel game.ocel.json
    """
    wanted = [(path, make) for path, make in ((bgstats, as_bgstats), (ocel, as_ocel)) if path is not None]
    if not wanted:
        raise RefusedError("say what to write: --bgstats FILE or --ocel FILE")
    for path, _ in wanted:
        if path.exists() and not force:
            raise RefusedError(f"{path} is there already: choose another name, or --force")
    with Log.open(db) as log:
        chosen = stored_games(log, ids, game)
        for path, make in wanted:
            document: dict[str, Any] = make(replays(log, chosen))
            path.write_bytes(msgspec.json.format(msgspec.json.encode(document), indent=1))
            say(f"{path}: {counted(len(chosen), 'game')}")
