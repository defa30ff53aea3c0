"""`tabletape template`: a spreadsheet in which a game can be written down."""

from pathlib import Path
from typing import Annotated

import typer

from tabletape.cli.terminal.arguments import option
from tabletape.cli.terminal.options import DATABASE, Database
from tabletape.cli.terminal.output import say
from tabletape.dashboard.tape.choosing import chosen_game
from tabletape.events.errors import RefusedError
from tabletape.events.importing.sheets.headings import languages
from tabletape.projector.archive.sheets import write_results_sheet, write_sheet
from tabletape.projector.archive.stored import workspace_at


def template(  # noqa: PLR0913 - each parameter is an option of the command
    game: Annotated[str, typer.Argument(metavar="GAME", help="The name of a game: splicers, evolve …")],
    out: Annotated[Path, typer.Argument(metavar="OUT.xlsx", help="The spreadsheet to write.")],
    *,
    results: Annotated[
        bool, option("--results", "A sheet for results only: a row a game, who played and who won.")
    ] = False,
    language: Annotated[
        str, typer.Option(metavar="CODE", help="The language of the names of the columns: de, es, fr, it, nl, pt.")
    ] = "",
    db: Database = DATABASE,
    force: Annotated[bool, option("--force", "Write over a file that is there already.")] = False,
) -> None:
    """Write a spreadsheet for keeping a log by hand: one event a row, with lists to choose from and an explanation.

    The columns that most rows need stand first, the others behind a fold; the cells that a row needs light up when its
    type is chosen. The second sheet shows a whole game. The lists hold the game's cards and those of
    `cards/<game>.toml` in the workspace. The filled-in sheet is imported as it is.

    Example:
        tabletape template splicers friday.xlsx
        tabletape template splicers freitag.xlsx --language de
        tabletape template splicers results.xlsx --results
    """
    one = chosen_game(game)
    if out.suffix.lower() != ".xlsx":
        raise RefusedError(
            f"a spreadsheet's name ends in .xlsx, as in {out.stem or one.slug}.xlsx; {str(out)!r} does not"
        )
    if out.exists() and not force:
        raise RefusedError(f"{out} is there already, and may hold somebody's notes: choose another name, or --force")
    if language and language not in languages():
        known = ", ".join(languages())
        raise RefusedError(f"the names of the columns are there in {known}, not in {language!r} here")
    if results:
        write_results_sheet(one, out, language)
    else:
        write_sheet(one, workspace_at(db), out, language)
    say(f"{out}: fill it in and `tabletape import {out}`")
