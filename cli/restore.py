"""`tabletape restore`: a log from its backup."""

from pathlib import Path
from typing import Annotated

import typer

from tabletape.cli.terminal.options import DATABASE, Database
from tabletape.cli.terminal.output import say
from tabletape.events.errors import RefusedError
from tabletape.events.log import Log
from tabletape.events.log.backup import copy_log
from tabletape.events.log.schema import address, file_of


def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="What `tabletape backup` has made.")],
    *,
    db: Database = DATABASE,
) -> None:
    """Make a log from its backup, and verify it; a log that is there already is left alone.

    Example:
        tabletape restore monday.backup
        tabletape restore monday.backup --db again/tabletape.db
    """
    target = file_of(address(db))
    if target is None:
        raise RefusedError("a backup is made a log in a file: name one with --db")
    with Log.open(file) as log:
        head = copy_log(log, target)
    say(f"{target}: as it was written down. Head: {head}")
