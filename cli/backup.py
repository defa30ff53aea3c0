"""`tabletape backup`: a copy of the log, made while others write to it."""

from pathlib import Path
from typing import Annotated

import typer

from tabletape.cli.terminal.options import DATABASE, Database
from tabletape.cli.terminal.output import say
from tabletape.events.log import Log
from tabletape.events.log.backup import copy_log


def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The copy that is made; it may not be there yet.")],
    *,
    db: Database = DATABASE,
) -> None:
    """Copy the log as it is now, also while others write to it, and verify the copy.

    It is one file, from which `tabletape restore` makes a log again; it holds everything but the files that lie beside
    a log: own cards, maps and rulebooks, and the tokens of a service.

    Example:
        tabletape backup monday.backup
    """
    with Log.open(db) as log:
        head = copy_log(log, file)
    say(f"{file}: as it was written down. Head: {head}")
