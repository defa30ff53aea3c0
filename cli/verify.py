"""`tabletape verify`: whether the log still is what was written down."""

from pathlib import Path
from typing import Annotated

import typer

from tabletape.cli.terminal.arguments import option
from tabletape.cli.terminal.heads import keep_head, kept_heads
from tabletape.cli.terminal.options import DATABASE, AsJson, Database
from tabletape.cli.terminal.output import print_json, print_rows, remark, say
from tabletape.events.errors import RefusedError
from tabletape.events.log import Log
from tabletape.events.log.integrity import verify as damages
from tabletape.events.log.integrity import verify_new
from tabletape.events.log.schema import LogError
from tabletape.projector.datasets.freshness import folder_of
from tabletape.projector.datasets.integrity import dataset_damages
from tabletape.projector.model.amounts import counted


def verify(  # noqa: PLR0913 - each parameter is an option of the command
    *,
    db: Database = DATABASE,
    head: Annotated[list[str] | None, option("--head HASH", "A head that was kept; may be given repeatedly.")] = None,
    heads: Annotated[
        Path | None, option("--heads FILE", "A file of kept heads, as `import --heads` writes it.")
    ] = None,
    new: Annotated[bool, option("--new", "Read only what was recorded after the newest of the kept heads.")] = False,
    keep: Annotated[Path | None, option("--keep FILE", "Where all is well, put the head into this file.")] = None,
    since: Annotated[str, option("--since HASH", "List what was recorded after this head.")] = "",
    json: AsJson = False,
) -> None:
    """Check the log itself: find whatever was altered, taken away, put elsewhere or slipped in, and damaged raw files.

    The files of the datasets are checked as well: `tabletape build` builds those anew that are not what was written.

    Every event's hash covers its content and the hash before it, and each import ends with a head: one hash over
    everything that the log holds. `import` and `verify` print the newest one. Who keeps a head somewhere else can prove
    later, with --head, that nothing up to it was changed or taken away, whatever was rewritten. The exit code is 1
    where anything is wrong.

    With --new the check takes as long as there is something new: it proves that today's head follows from the kept
    ones, so that the log was neither exchanged nor cut, and that all since then is as it was written down. What lies
    before is not read: a row changed there, with its hashes left as they were, only a check without --new finds.

    Example:
        tabletape verify
        tabletape verify --keep tabletape.heads
        tabletape verify --heads tabletape.heads
        tabletape verify --heads tabletape.heads --new --keep tabletape.heads
        tabletape verify --since 5feceb66ffc86f38d952786c6d696c79c2dbc239dd4e91b46729d73a27fb57e9
    """
    heads_kept = [*(head or ()), *(kept_heads(heads) if heads else ())]
    if new and not heads_kept:
        raise RefusedError("--new needs a head that was kept: --head HASH, or --heads FILE with one in it at least")
    with Log.open(db, damaged=True) as log:
        if since:
            _list(log, since, json=json)
            return
        damage = [*(verify_new(log, heads_kept) if new else damages(log, heads_kept)), *dataset_damages(folder_of(log))]
        newest, games, events = (log.head(), *_size(log)) if not damage else ("", 0, 0)
    if json:
        print_json(damage)
    for each in () if json else damage:
        revision = f" (revision {each.revision})" if each.revision > 1 else ""
        place = f"{each.game_id}{revision}: " if each.game_id else ""
        say((each.what, "bold red"), f"  {place}{each.message}")
    if damage:
        raise typer.Exit(1)
    if keep:
        keep_head(keep, newest, events=events, games=games)
    if not json:
        size = f"{counted(games, 'game')} with {counted(events, 'event')}"
        say(f"{size}: {_proven(len(heads_kept), new=new)}")
        _say_heads(newest, is_kept=bool(heads_kept or keep))


def _proven(proved: int, *, new: bool) -> str:
    """Return what a check without findings has proved, by so many kept heads."""
    heads = counted(proved, "kept head")
    if new:
        return (
            f"goes on from {heads}, and all that came after is as it was written down (what lies before was not read)"
        )
    return f"all as they were written down{f', up to {heads} for certain' if proved else ''}"


def _say_heads(newest: str, *, is_kept: bool) -> None:
    """Print the newest head; where none was kept, say what nobody can notice therefore."""
    if newest:
        remark(f"Head: {newest}")
    if newest and not is_kept:
        remark(
            "No kept head was given: that a log was exchanged as a whole, or cut at its end, cannot be noticed without "
            "one. `tabletape verify --keep FILE` keeps the head; leave FILE where the log's owner cannot change it."
        )


def _size(log: Log) -> tuple[int, int]:
    """Return how many games there are, and how many events they have."""
    games = log.games(all_revisions=True)
    return len(games), sum(game.events for game in games)


def _list(log: Log, since: str, *, json: bool) -> None:
    try:
        recordings = log.since(since)
    except LogError as error:
        raise RefusedError(str(error)) from error
    if json:
        print_json(recordings)
        return
    print_rows(["game", "revision", "events", "recorded", "from"], recordings)
    remark(counted(len(recordings), "recording"))
