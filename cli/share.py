"""`tabletape share`: games as one file that anybody can open, without Tabletape and without a network."""

from pathlib import Path
from typing import Annotated

import typer

from tabletape.cli.replay import chosen_viewer
from tabletape.cli.terminal.options import DATABASE, Database
from tabletape.cli.terminal.output import say
from tabletape.dashboard.replay.component import board_json
from tabletape.dashboard.sharing.page import shared_page
from tabletape.events.errors import RefusedError
from tabletape.events.log import Log
from tabletape.events.log.rows import Game as StoredGame
from tabletape.events.whole_files import write_whole
from tabletape.projector.archive.frames import frames
from tabletape.projector.archive.pseudonyms import anonymous as without_names
from tabletape.projector.archive.stored import replay
from tabletape.projector.archive.view import View
from tabletape.projector.fold.folding import fold_under
from tabletape.projector.fold.traced import Traced
from tabletape.projector.games import game as game_called
from tabletape.projector.kit.areas import EVERYTHING
from tabletape.projector.model.amounts import counted


def share(
    games: Annotated[list[str], typer.Argument(metavar="GAME", help="The ids of stored games.")],
    *,
    db: Database = DATABASE,
    out: Annotated[Path, typer.Option(metavar="FILE", help="The file that is written.")] = Path("evening.html"),
    viewer: Annotated[
        str,
        typer.Option(
            "--as",
            metavar="ID|public",
            show_default="everything",
            help="Leave out what this player, or the public, may not know.",
        ),
    ] = EVERYTHING,
    anonymous: Annotated[bool, typer.Option("--anonymous", help="Write Player 1, Player 2 … for the names.")] = False,
) -> None:
    """Write games into one HTML file with the replay's board, its keys and the findings.

    It opens in any browser of today, on a phone too, and asks nothing of any network. With --as, hidden cards are not
    in the file at all.

    Example:
        tabletape share splicers-autumn-07 --out friday.html
        tabletape share splicers-autumn-07 crystal-autumn-01 --as public --anonymous
    """
    with Log.open(db) as log:
        stored = [log.game(each) for each in games]
        boards = [(_title(each, hide=anonymous), _board(log, each, viewer, hide=anonymous)) for each in stored]
    if not boards:
        raise RefusedError("name at least one game: `tabletape games` lists them")
    title = boards[0][0] if len(boards) == 1 else f"{counted(len(boards), 'game')} from Tabletape"
    write_whole(out, shared_page(title, boards))
    say(f"{out}: {counted(len(boards), 'game')}, {out.stat().st_size // 1000 + 1} kB")


def _title(stored: StoredGame, *, hide: bool) -> str:
    players = "" if hide else f": {', '.join(player.name for player in stored.players)}"
    return f"{game_called(stored.game).title}, {stored.game_id}{players}"


def _board(log: Log, stored: StoredGame, viewer: str, *, hide: bool) -> str:
    replayed = replay(log, stored, log.events(stored), traced=True)
    if hide:
        events = without_names(replayed.events)
        replayed = fold_under(replayed.game, replayed.ruleset, events, replayed.library, traced=True)
    if not isinstance(replayed, Traced):
        raise TypeError("a traced replay was asked for")
    if viewer == EVERYTHING:
        return board_json(frames(replayed))
    return board_json(frames(replayed, chosen_viewer(View(replayed), viewer)))
