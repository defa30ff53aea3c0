"""`tabletape report`: what an evening of playtests came to, as a page that prints or as Markdown."""

from datetime import date, datetime
from functools import partial
from pathlib import Path
from typing import Annotated, Final

import typer

from tabletape.cli.terminal.arguments import option
from tabletape.cli.terminal.options import DATABASE, Anonymous, Database, OneGame
from tabletape.cli.terminal.output import remark, say, watched, write
from tabletape.dashboard.report.choosing import ReportError, choose
from tabletape.dashboard.report.evening import pseudonyms_of, replays_of, without_names_in
from tabletape.dashboard.report.evening import report as written_report
from tabletape.dashboard.report.writing import as_html, as_markdown
from tabletape.dashboard.tape.choosing import chosen_games
from tabletape.events.errors import RefusedError
from tabletape.events.log import Log
from tabletape.events.whole_files import write_whole
from tabletape.projector.archive.stored import workspace
from tabletape.projector.datasets.build import build
from tabletape.projector.model.amounts import counted
from tabletape.projector.rulebooks.kept import Quote

DAY: Final = "%Y-%m-%d"
WRITERS: Final = {".html": as_html, ".htm": as_html, ".md": as_markdown, ".markdown": as_markdown}


def report(  # noqa: PLR0913 - each parameter is an option of the command
    games: Annotated[
        list[str] | None, typer.Argument(metavar="GAME", help="The ids of stored games (default: the newest evening).")
    ] = None,
    *,
    db: Database = DATABASE,
    evening: Annotated[
        datetime | None, option("--evening DAY", "The games that began on this day.", formats=[DAY])
    ] = None,
    since: Annotated[
        datetime | None, option("--since DAY", "The games that began on this day or later.", formats=[DAY])
    ] = None,
    game: OneGame = "",
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The file that is written, .html or .md (default: print Markdown)."),
    ] = None,
    anonymous: Anonymous = False,
) -> None:
    """Write what an evening of playtests came to: results, mistakes with citation and table, questions, what to test.

    Without games and days it is about the newest day on which people played. The HTML page asks no network and prints.

    Example:
        tabletape report --out evening.html
        tabletape report --since 2026-05-01 --game splicers --out may.md
        tabletape report splicers-worked-game
    """
    if sum(map(bool, (games, evening, since))) > 1:
        raise RefusedError("games, --evening and --since each choose the games: give one of them")
    if out is not None and out.suffix.lower() not in WRITERS:
        raise RefusedError(f"a report is written as .html or .md, not as {out.suffix or out.name!r}")
    chosen_games(game)
    with Log.open(db) as log:
        with watched("Building") as progress:
            datasets = build(log, progress=progress).folder
        try:
            chosen = choose(datasets, names=games or (), evening=_day(evening), since=_day(since), game=game)
        except ReportError as error:
            raise RefusedError(str(error)) from None
        names = pseudonyms_of(log, chosen) if anonymous else {}
        replays = replays_of(log, chosen, lambda words: remark(words, "yellow"), names)
        whole = written_report(chosen, replays, datasets, partial(Quote, workspace(log)))
        document = without_names_in(whole, names)
    if out is None:
        write(as_markdown(document))
        return
    write_whole(out, WRITERS[out.suffix.lower()](document))
    say(f"{out}: {counted(len(chosen.games), 'game')}, {out.stat().st_size // 1000 + 1} kB")


def _day(chosen: datetime | None) -> date | None:
    return chosen.date() if chosen else None
