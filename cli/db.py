"""`tabletape db`: the database that the log lives in."""

from typing import Annotated, Literal

import typer

from tabletape.cli.terminal.options import DATABASE, Database
from tabletape.cli.terminal.output import say
from tabletape.events.log import schema as log_schema
from tabletape.events.log.new import removed_if_empty
from tabletape.events.log.tables import SCHEMA


def db(
    action: Annotated[
        Literal["upgrade", "current"],
        typer.Argument(help="current: say which version the database has; upgrade: bring it to today's."),
    ],
    *,
    db: Database = DATABASE,
) -> None:
    """Maintain the database of the log.

    `current` says which version its tables have, `upgrade` brings them to today's. An upgrade keeps every event; it
    happens as a whole or not at all.

    Example:
        tabletape db current
        tabletape db upgrade --db postgresql://localhost/playtests
    """
    if action == "current":
        revision = log_schema.current(db)
        say(f"{revision or 'empty'} (this Tabletape knows {SCHEMA})")
        return
    with removed_if_empty(db):
        before, after = log_schema.upgrade(db)
    say(f"already at {after}" if before == after else f"upgraded from {before or 'nothing'} to {after}")
