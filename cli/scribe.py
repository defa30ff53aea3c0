"""`tabletape scribe`: a log that is kept while the game is played, on this computer or on a phone."""

import sys
import threading
import webbrowser
from typing import Annotated, Final
from urllib.parse import urlencode

import segno
import typer

from cli.options import DATABASE, Database
from cli.output import RefusedError, say
from cli.serve import has_display, require_free
from dashboard.scribe.desk import Desk
from dashboard.scribe.lock import new_code
from dashboard.scribe.server import local, on_the_network, own_address, server
from events.log import Log
from events.vocabulary import known_games

PORT: Final = 8511
EVERYWHERE: Final = "0.0.0.0"  # noqa: S104 - only with --lan, behind a code


def scribe(
    game: Annotated[
        str, typer.Argument(metavar="[GAME]", help="A game to begin (`splicers`), or the id of one to go on with.")
    ] = "",
    *,
    db: Database = DATABASE,
    port: Annotated[int, typer.Option(min=1, max=65535, help="Where the page answers.")] = PORT,
    lan: Annotated[
        bool, typer.Option("--lan", help="Answer other devices on the local network too, behind a code.")
    ] = False,
    allow_host: Annotated[
        list[str] | None,
        typer.Option("--allow-host", metavar="NAME", help="Answer under this name too; may be given repeatedly."),
    ] = None,
) -> None:
    """Keep the log of a game while it is played: tap what happens, or type the first letters.

    It runs until it is stopped (Ctrl+C); every tap is on disk before the page shows it. With --lan a phone opens the
    address that is printed, also as a QR code: only who knows its code can see or write anything, and only the games
    that are begun there, or GAME.

    Example:
        tabletape scribe splicers
        tabletape scribe --lan
    """
    with Log.open(db, create=True) as log:
        query = _query(log, game)
        if lan:
            serve_network(log, port, [game] if query.startswith("?game=") else [], query, allow_host or ())
        else:
            _serve_here(log, port, query, allow_host or ())


def _query(log: Log, game: str) -> str:
    """Return what the address says of a game. Raises `RefusedError` for one that is neither known nor stored."""
    if not game:
        return ""
    if game in known_games():
        return f"?{urlencode({'new': game})}"
    if any(each.game_id == game for each in log.games()):
        return f"?{urlencode({'game': game})}"
    raise RefusedError(f"{game!r} is neither a game ({', '.join(known_games())}) nor the id of a stored one")


def _serve_here(log: Log, port: int, query: str, hosts: list[str] | tuple[()]) -> None:
    require_free(port)
    place = f"http://localhost:{port}/{query}"
    say("The scribe answers at ", (place, "bold"), "; Ctrl+C stops it.")
    sys.stdout.flush()
    if has_display():
        threading.Timer(0.8, webbrowser.open, (place,)).start()
    server(local(Desk(log), hosts), "localhost", port).run()


def serve_network(log: Log, port: int, only: list[str], query: str, hosts: list[str] | tuple[()]) -> None:
    """Serve the scribe on the local network behind a new code, of the games `only` and those begun there."""
    require_free(port, EVERYWHERE)
    code, address = new_code(), own_address()
    place = f"http://{address}:{port}/{code}/{query}"
    say("On this network the scribe answers at ", (place, "bold"))
    say("Whoever has this address can see and write the games begun there, and nothing else; Ctrl+C stops it.")
    segno.make(place, micro=False).terminal(out=sys.stdout, compact=True, border=2)
    sys.stdout.flush()
    server(on_the_network(Desk(log, only), code, [address, *hosts]), EVERYWHERE, port).run()
