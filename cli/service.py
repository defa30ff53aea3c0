"""`tabletape service`: games over HTTP for several tables, programs and people, each with a token of its own."""

import sys
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any, get_args

import typer

from tabletape.cli.terminal.options import DATABASE, Database
from tabletape.cli.terminal.output import print_rows, say
from tabletape.cli.terminal.serving import HOST, LAST_PORT, require_free
from tabletape.dashboard.service.access import Holders
from tabletape.dashboard.service.application import application
from tabletape.dashboard.service.connections import for_tables
from tabletape.dashboard.service.desk import Desk
from tabletape.dashboard.service.limits import A_SECOND, REQUESTS_AT_ONCE, Rate
from tabletape.dashboard.service.server import server
from tabletape.dashboard.service.tokens import AccessTokens, Role
from tabletape.events.errors import RefusedError
from tabletape.events.log import Log
from tabletape.events.log.new import removed_if_empty
from tabletape.projector.archive.stored import workspace
from tabletape.projector.model.suggestions import unknown

PORT = 8521
ACTIONS = ("add", "list", "revoke")


def service(  # noqa: PLR0913 - the options of a command
    words: Annotated[
        list[str] | None, typer.Argument(metavar="[token add NAME|token list|token revoke NAME]", show_default=False)
    ] = None,
    *,
    db: Database = DATABASE,
    host: Annotated[str, typer.Option(metavar="ADDRESS", help="Where it answers; 0.0.0.0 for every network.")] = HOST,
    port: Annotated[int, typer.Option(min=1, max=LAST_PORT, help="The port at which it answers.")] = PORT,
    role: Annotated[Role | None, typer.Option(help="What a new token may do.", show_default=False)] = None,
    seat: Annotated[str, typer.Option(metavar="ID", help="The seat of a new player's token, as in A.")] = "",
    game: Annotated[str, typer.Option(metavar="ID", help="The only game that a new token is for.")] = "",
    days: Annotated[int | None, typer.Option(min=1, max=3650, help="How long a new token is good.")] = None,
    origin: Annotated[
        list[str] | None, typer.Option(metavar="URL", help="Pages of this address may ask too; may be repeated.")
    ] = None,
    certificate: Annotated[str, typer.Option(metavar="FILE", help="A certificate (PEM), with --key: TLS.")] = "",
    key: Annotated[str, typer.Option(metavar="FILE", help="The key of the certificate.")] = "",
    connections: Annotated[int, typer.Option(min=10, max=10_000, help="How many there may be, of all.")] = 1000,
    of_one: Annotated[
        int, typer.Option(min=10, max=10_000, help="How many one address may have; all of them behind a proxy.")
    ] = 100,
    rate: Annotated[float, typer.Option(min=1, help="Requests a second that each token may make.")] = A_SECOND,
) -> None:
    """Take events of games over HTTP, and let others follow them live: see /v1/ at its address for what can be asked.

    It runs until it is stopped (Ctrl+C). Whoever asks needs a token, which is shown once, kept as a hash and can be
    taken back at any time. A line is on disk before it is acknowledged; each knows which token wrote it.

    Example:
        tabletape service token add anns-table --role keeper --days 30
        tabletape service
        tabletape service token revoke anns-table
    """
    if words:
        _tokens(words, db, role, (seat, game, days))
        return
    require_free(port, host)
    tls = _tls(certificate, key)
    with removed_if_empty(db), Log.open(db, create=True) as log:
        app = application(Desk(log), Holders(workspace(log), Rate(rate, max(REQUESTS_AT_ONCE, 2 * rate))), origin or ())
        place = f"{'https' if certificate else 'http'}://{host}:{port}/v1/"
        say("The service answers at ", (place, "bold"), "; Ctrl+C stops it.")
        if not AccessTokens(workspace(log)).all():
            say("Nobody has a token yet: tabletape service token add NAME --role designer")
        sys.stdout.flush()
        with suppress(KeyboardInterrupt):
            server(app, host, port, for_tables(connections, of_one), **tls).run()


def _tls(certificate: str, key: str) -> dict[str, Any]:
    """Return the settings of the server for TLS. Raises `RefusedError` where a file is missing."""
    if not certificate and not key:
        return {}
    for name, file in (("--certificate", certificate), ("--key", key)):
        if not Path(file).is_file():
            raise RefusedError(f"TLS needs a file for {name}: there is none at {file!r}")
    return {"ssl_certfile": certificate, "ssl_keyfile": key}


def _tokens(words: list[str], db: str, role: Role | None, about: tuple[str, str, int | None]) -> None:
    """Add, list or revoke tokens."""
    if words[0] != "token" or len(words) < 2 or words[1] not in ACTIONS:
        wrong = words[1] if words[0] == "token" and len(words) > 1 else words[0]
        raise RefusedError(f"{unknown('action', wrong, ['token', *ACTIONS])}; say `token add NAME`, `token list`, …")
    with removed_if_empty(db), Log.open(db, create=words[1] == "add") as log:
        tokens = AccessTokens(workspace(log))
        if words[1] == "list":
            rows = [
                (each.name, each.role, each.seat, each.game, each.until.date().isoformat() if each.until else "")
                for each in tokens.all()
            ]
            print_rows(["name", "role", "seat", "game", "until"], rows)
        elif len(words) != 3:
            raise RefusedError(f"name the token: tabletape service token {words[1]} NAME")
        elif words[1] == "revoke":
            tokens.revoke(words[2])
            say(f"{words[2]} is taken back: from now on it opens nothing.")
        else:
            _add(log, tokens, words[2], role, about)


def _add(log: Log, tokens: AccessTokens, name: str, role: Role | None, about: tuple[str, str, int | None]) -> None:
    if role is None:
        raise RefusedError(f"say what it may do: --role {'|'.join(get_args(Role))}")
    seat, game, days = about
    if game:
        stored = log.game(game)
        if seat and seat not in {each.id for each in stored.players}:
            raise RefusedError(unknown("seat of this game", seat, [each.id for each in stored.players]))
    say((tokens.add(name, role, seat=seat, game=game, days=days), "bold"))
    say(f"This is the token {name}. It is shown this once.")
