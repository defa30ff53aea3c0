"""`tabletape verify`: whether the log still is what was written down."""

from pathlib import Path
from typing import Annotated

import typer

from tabletape.cli.terminal.heads import kept_heads
from tabletape.cli.terminal.options import DATABASE, AsJson, Database
from tabletape.cli.terminal.output import RefusedError, print_json, print_rows, remark, say
from tabletape.events.log import Log
from tabletape.events.log.integrity import verify as damages
from tabletape.events.log.schema import LogError
from tabletape.projector.model.amounts import counted


def verify(
    *,
    db: Database = DATABASE,
    head: Annotated[
        list[str] | None,
        typer.Option("--head", metavar="HASH", help="A head that was kept; may be given repeatedly."),
    ] = None,
    heads: Annotated[
        Path | None,
        typer.Option("--heads", metavar="FILE", help="A file of kept heads, as `import --heads` writes it."),
    ] = None,
    since: Annotated[str, typer.Option("--since", metavar="HASH", help="List what was recorded after this head.")] = "",
    json: AsJson = False,
) -> None:
    """Check the log itself: find whatever was altered, taken away, put elsewhere or slipped in, and damaged raw files.

    Every event's hash covers its content and the hash before it, and each import ends with a head: one hash over
    everything that the log holds. `import` and `verify` print the newest one. Who keeps a head somewhere else can prove
    later, with --head, that nothing up to it was changed or taken away, whatever was rewritten. The exit code is 1
    where anything is wrong.

    Example:
        tabletape verify
        tabletape verify --heads tabletape.heads
        tabletape verify --since 5feceb66ffc86f38d952786c6d696c79c2dbc239dd4e91b46729d73a27fb57e9
    """
    kept = [*(head or ()), *(kept_heads(heads) if heads else ())]
    with Log.open(db, damaged=True) as log:
        if since:
            _list(log, since, json=json)
            return
        found = list(damages(log, kept))
        newest, size = (log.head(), _size(log)) if not found else ("", "")
    if json:
        print_json(found)
    for each in () if json else found:
        revision = f" (revision {each.revision})" if each.revision > 1 else ""
        place = f"{each.game_id}{revision}: " if each.game_id else ""
        say((each.what, "bold red"), f"  {place}{each.message}")
    if found:
        raise typer.Exit(1)
    if not json:
        proven = f", up to {counted(len(kept), 'kept head')} for certain" if kept else ""
        say(f"{size}: all as they were written down{proven}")
        if newest:
            remark(f"Head: {newest}")


def _size(log: Log) -> str:
    games = log.games(all_revisions=True)
    return f"{counted(len(games), 'game')} with {counted(sum(game.events for game in games), 'event')}"


def _list(log: Log, since: str, *, json: bool) -> None:
    try:
        found = log.since(since)
    except LogError as error:
        raise RefusedError(str(error)) from error
    if json:
        print_json(found)
        return
    print_rows(["game", "revision", "events", "recorded", "from"], found)
    remark(counted(len(found), "recording"))
