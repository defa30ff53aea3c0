"""`tabletape scribe`: a log that is kept while the game is played, on this computer or on a phone."""

import sys
import threading
import webbrowser
from contextlib import suppress
from typing import Annotated
from urllib.parse import urlencode

import typer

from tabletape.cli.terminal.arguments import option
from tabletape.cli.terminal.options import DATABASE, Database
from tabletape.cli.terminal.output import say
from tabletape.cli.terminal.serving import (
    HOST,
    LAST_PORT,
    SCRIBE_PORT,
    MoreHosts,
    has_display,
    require_free,
    serve_network,
)
from tabletape.dashboard.service.desk import Desk
from tabletape.dashboard.service.server import local, server
from tabletape.events.errors import RefusedError
from tabletape.events.log import Log
from tabletape.events.log.new import removed_if_empty
from tabletape.events.log.schema import NoLogError, address, file_of
from tabletape.events.vocabulary import known_games


def scribe(
    game: Annotated[
        str, typer.Argument(metavar="[GAME]", help="A game to begin (`splicers`), or the id of one to go on with.")
    ] = "",
    *,
    db: Database = DATABASE,
    port: Annotated[int, typer.Option(min=1, max=LAST_PORT, help="Where the page answers.")] = SCRIBE_PORT,
    lan: Annotated[bool, option("--lan", "Answer other devices on the local network too, behind a code.")] = False,
    allow_host: MoreHosts = None,
) -> None:
    """Keep the log of a game while it is played: tap what happens, or type the first letters.

    It runs until it is stopped (Ctrl+C); every tap is on disk before the page shows it. With --lan a phone opens the
    address that is printed, also as a QR code: only who knows its code can see or write anything, and only the games
    that are begun there, or GAME.

    Example:
        tabletape scribe splicers
        tabletape scribe --lan
    """
    file = file_of(address(db))
    is_new = file is not None and not file.exists()
    with removed_if_empty(db), _log_for(db, game) as log:
        if is_new:
            say("There is no log at ", (db, "bold"), " yet: it begins with the first game that is kept.")
        query = _query(log, game)
        if lan:
            serve_network(log, port, [game] if query.startswith("?game=") else [], query, allow_host or ())
        else:
            _serve_here(log, port, query, allow_host or ())


def _log_for(db: str, game: str) -> Log:
    """Open the log, or begin one; none is begun for the id of a game to go on with, which could not be there."""
    try:
        return Log.open(db, create=not game or game in known_games())
    except NoLogError as error:
        told = f"{error}, and {_neither(game)}" if game and game not in known_games() else str(error)
        raise RefusedError(told) from None


def _query(log: Log, game: str) -> str:
    """Return what the address says of a game. Raises `RefusedError` for one that is neither known nor stored."""
    if not game:
        return ""
    if game in known_games():
        return f"?{urlencode({'new': game})}"
    if any(each.game_id == game for each in log.games()):
        return f"?{urlencode({'game': game})}"
    raise _neither(game)


def _neither(game: str) -> RefusedError:
    return RefusedError(f"{game!r} is neither a game ({', '.join(known_games())}) nor the id of a stored one")


def _serve_here(log: Log, port: int, query: str, hosts: list[str] | tuple[()]) -> None:
    require_free(port)
    place = f"http://{HOST}:{port}/{query}"
    say("The scribe answers at ", (place, "bold"), "; Ctrl+C stops it.")
    sys.stdout.flush()
    if has_display():
        threading.Timer(0.8, webbrowser.open, (place,)).start()
    with suppress(KeyboardInterrupt):
        server(local(Desk(log), hosts), HOST, port).run()
