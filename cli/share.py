"""`tabletape share`: games as one file that anybody can open, without Tabletape and without a network."""

from pathlib import Path
from typing import Annotated

import typer

from tabletape.cli.terminal.arguments import option
from tabletape.cli.terminal.options import DATABASE, Anonymous, Database
from tabletape.cli.terminal.output import say
from tabletape.dashboard.tape.tape import open_tape
from tabletape.projector.model.amounts import counted
from tabletape.projector.model.areas import EVERYTHING


def share(  # noqa: PLR0913 - each option is one
    games: Annotated[list[str], typer.Argument(metavar="GAME", help="The ids of stored games.")],
    *,
    db: Database = DATABASE,
    out: Annotated[Path, typer.Option(metavar="FILE", help="The file that is written.")] = Path("evening.html"),
    viewer: Annotated[
        str,
        option("--as ID|public", "Leave out what this player, or the public, may not know.", show_default="everything"),
    ] = EVERYTHING,
    step: Annotated[
        int | None, typer.Option(metavar="N", help="Open at this event of the first game (default: its first finding).")
    ] = None,
    anonymous: Anonymous = False,
) -> None:
    """Write games into one HTML file with the replay's board, its keys and the findings.

    It opens in any browser of today, on a phone too, and asks nothing of any network. With --as, hidden cards are not
    in the file at all. Its address says game and step (`friday.html#game=splicers-autumn-07&step=18`); with --step the
    file opens there without one.

    Example:
        tabletape share splicers-autumn-07 --out friday.html
        tabletape share splicers-autumn-07 --step 18
        tabletape share splicers-autumn-07 crystal-autumn-01 --as public --anonymous
    """
    with open_tape(db) as tape:
        tape.share([tape.game(each) for each in games], out, viewer=viewer, anonymous=anonymous, step=step)
    say(f"{out}: {counted(len(games), 'game')}, {out.stat().st_size // 1000 + 1} kB")
