"""`tabletape watch`: the log of another program, read as it grows; what the rules say of it appears as it happens."""

import time
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Annotated, Final

import typer

from tabletape.cli.terminal.arguments import option
from tabletape.cli.terminal.findings import print_finding
from tabletape.cli.terminal.options import DATABASE, Database
from tabletape.cli.terminal.output import complain, remark, say
from tabletape.dashboard.service.connection import connect
from tabletape.dashboard.service.watching import Destination, NewLines, OtherService, OwnLog, Watching
from tabletape.events.errors import RefusedError
from tabletape.events.log import Log
from tabletape.events.log.new import removed_if_empty
from tabletape.projector.model.amounts import counted
from tabletape.projector.rulebooks.kept import no_quote

PAUSE: Final = 0.2
"""Seconds between two looks at the file."""


def watch(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The log that another program writes.")],
    *,
    db: Database = DATABASE,
    map_: Annotated[Path | None, option("--map FILE", "Read it by this map, not by the one that fits.")] = None,
    service: Annotated[
        str, typer.Option(metavar="URL", help="Send it to the service at this address, not to a log here.")
    ] = "",
    token: Annotated[
        str, typer.Option(envvar="TABLETAPE_TOKEN", show_envvar=True, help="The designer's token for the service.")
    ] = "",
) -> None:
    """Follow a log that another program writes (a chat, a battle log), and say what is against the rules at once.

    It is read as `tabletape import` reads it, each time from its beginning, up to its last whole line: a half-written
    line waits. It may not be there yet, or vanish for a while. Where it begins anew, what comes is kept as another file
    beside the first (battle-2.txt). It runs until it is stopped (Ctrl+C).

    Example:
        tabletape watch battle.txt
        tabletape watch chat.log --map chat.map.toml
        tabletape watch battle.txt --service https://playtests.example
    """
    if not file.resolve().parent.is_dir() or file.is_dir():
        raise RefusedError(f"{file} cannot be watched: " + ("it is a folder" if file.is_dir() else "no such folder"))
    with ExitStack() as open_here:
        place: Destination
        if service:
            if map_ is not None or not token:
                raise RefusedError("a service needs --token, and reads by its own maps: leave out --map")
            place = OtherService(connect(service, token))
        else:
            open_here.enter_context(removed_if_empty(db))
            place = OwnLog(open_here.enter_context(Log.open(db, create=True)), file, map_)
        say(f"Watching {file}" + ("" if file.exists() else ", which is not there yet") + "; Ctrl+C stops it.")
        with suppress(KeyboardInterrupt):
            _follow(Watching(file, place))


def _follow(watching: Watching) -> None:
    """Say what comes, until it is stopped. Raises `typer.Exit` where what comes contradicts what is stored."""
    said = ""
    while True:
        news = watching.look()
        if news is not None:
            said = _say(news, said)
        time.sleep(PAUSE)


def _say(news: NewLines, said: str) -> str:
    """Say what an import brought; return the problem that it has, which is said once."""
    report = news.report
    if report["problem"] and report["problem"] != said:
        remark(f"{report['file']} cannot be read yet: {report['problem']}")
    for game in report["games"]:
        if game["status"] == "refused":
            complain(f"{report['file']}: {game['contradiction']}")
            raise typer.Exit(1)
        if game["events"]:
            unread = f", {counted(report['quarantined'], 'line')} in quarantine" if report["quarantined"] else ""
            say((game["game_id"], "bold"), f": {counted(game['events'], 'new event')} ({game['status']}{unread})")
    for game_id, finding in news.findings:
        say(f"  {game_id}, event {finding.seq}")
        print_finding(finding, no_quote)
    return str(report["problem"])
