"""The options that several verbs share, and what they mean, each declared once."""

from collections import Counter
from collections.abc import Sequence
from typing import Annotated

import typer

from tabletape.cli.terminal.arguments import option
from tabletape.cli.terminal.output import remark
from tabletape.events.log.rows import StoredGame
from tabletape.events.log.schema import DEFAULT_FILE
from tabletape.events.vocabulary import known_games
from tabletape.projector.archive.stored import workspace_at
from tabletape.projector.model.amounts import counted


def _enter(db: str) -> str:
    """Know the games of the workspace before anything else asks for one by its name."""
    workspace_at(db)
    return db


Database = Annotated[
    str,
    option(
        "--db FILE|URL",
        "The log: a SQLite file (its folder is the workspace) or postgresql://…",
        callback=_enter,
        is_eager=True,
        envvar="TABLETAPE_DB",
    ),
]
"""Where the log is; the default is `DATABASE`."""

DATABASE = DEFAULT_FILE

Datasets = Annotated[
    str,
    option("--datasets FOLDER|URL", "Datasets by themselves, without their log: a folder, s3://…, gs://…, hdfs://…"),
]
"""Where datasets are read that are not those of the log."""

AsJson = Annotated[bool, option("--json", "Print JSON, for another program.")]

AsCsv = Annotated[bool, option("--csv", "Print CSV, for a spreadsheet.")]

OneGame = Annotated[str, option("--game NAME", "Only games of this name: splicers, evolve … (default: all).")]

GameIds = Annotated[list[str] | None, typer.Argument(metavar="GAME", help="The ids of stored games (default: all).")]

Bots = Annotated[bool, option("--bots", "Count the games of bots in place of those of people.")]

Anonymous = Annotated[bool, option("--anonymous", "Write Player 1, Player 2 … for the names.")]

Edition = Annotated[str, option("--edition EDITION", "Read the games by this edition of the rulebook.")]

Rulings = Annotated[
    list[str] | None, option("--ruling KEY=OPTION", "Read an unclear sentence this way; may be given repeatedly.")
]


Cards = Annotated[
    str, option("--cards now", "Read games by today's cards: `--cards now` (default: as they were recorded).")
]

Processes = Annotated[
    int,
    option(
        "--processes N",
        "How many processes to use (default 0: one for each core, where there is much to do).",
        min=0,
        max=256,
    ),
]


def readable_games(games: Sequence[StoredGame]) -> list[StoredGame]:
    """Return those of some stored games that there are rules or a description for; what is left out is said.

    A game of a package that was uninstalled, or cannot be loaded, stays in the log until the package is back.
    """
    known = known_games()
    lost = Counter(each.game for each in games if each.game not in known)
    for slug, number in sorted(lost.items()):
        remark(f"Left out: {counted(number, 'game')} of {slug}, for which no rules are installed here.", style="yellow")
    return [each for each in games if each.game not in lost]
