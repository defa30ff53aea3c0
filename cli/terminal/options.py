"""The options that several verbs share, and what they mean, each declared once."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from tabletape.cli.terminal.output import remark
from tabletape.events.errors import RefusedError
from tabletape.events.log import Log
from tabletape.events.log.rows import Game as StoredGame
from tabletape.events.log.schema import DEFAULT_FILE
from tabletape.events.vocabulary import game_problems, known_games
from tabletape.events.vocabulary.names import is_by_bots
from tabletape.projector.archive.card_versions import TODAY
from tabletape.projector.archive.stored import Reading, workspace_at
from tabletape.projector.games import game, games
from tabletape.projector.model.amounts import counted
from tabletape.projector.model.game import Game
from tabletape.projector.model.suggestions import unknown


def _enter(db: str) -> str:
    """Know the games of the workspace before anything else asks for one by its name."""
    workspace_at(db)
    return db


Database = Annotated[
    str,
    typer.Option(
        "--db",
        callback=_enter,
        is_eager=True,
        envvar="TABLETAPE_DB",
        metavar="FILE|URL",
        help="The log: a SQLite file (its folder is the workspace) or postgresql://…",
    ),
]
"""Where the log is; the default is `DATABASE`."""

DATABASE = DEFAULT_FILE

Datasets = Annotated[
    str,
    typer.Option(
        "--datasets",
        metavar="FOLDER|URL",
        help="Datasets by themselves, without their log: a folder, s3://…, gs://…, hdfs://…",
    ),
]
"""Where datasets are read that are not those of the log."""

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, for another program.")]

OneGame = Annotated[
    str, typer.Option("--game", metavar="NAME", help="Only games of this name: splicers, evolve … (default: all).")
]

GameIds = Annotated[list[str] | None, typer.Argument(metavar="GAME", help="The ids of stored games (default: all).")]

Bots = Annotated[bool, typer.Option("--bots", help="Count the games of bots in place of those of people.")]

Edition = Annotated[
    str, typer.Option("--edition", metavar="EDITION", help="Read the games by this edition of the rulebook.")
]

Rulings = Annotated[
    list[str] | None,
    typer.Option("--ruling", metavar="KEY=OPTION", help="Read an unclear sentence this way; may be given repeatedly."),
]


Cards = Annotated[
    str,
    typer.Option(
        "--cards", metavar="now", help="Read games by today's cards: `--cards now` (default: as they were recorded)."
    ),
]

Processes = Annotated[
    int,
    typer.Option(
        "--processes",
        min=0,
        max=256,
        metavar="N",
        help="How many processes to use (default 0: one for each core, where there is much to do).",
    ),
]


def chosen_games(name: str) -> list[Game]:
    """Return the game of a name, or all games where it is empty. Raises `RefusedError` where there is none."""
    return [chosen_game(name)] if name else [game(slug) for slug in games()]


def chosen_game(name: str) -> Game:
    """Return the game of a name. Raises `RefusedError` where there is none."""
    require_game(name)
    return game(name)


def require_game(name: str) -> None:
    """Raise `RefusedError` where no game has a name that is not empty; the game itself is not loaded."""
    if name and name not in known_games():
        raise RefusedError(game_problems().get(name) or unknown("game", name, known_games()))


def reading(edition: str, rulings: Sequence[str] | None, concerned: Sequence[Game], cards: str = "") -> Reading:
    """Return the reading that `--edition`, `--ruling` and `--cards` ask for, of the games that it concerns.

    Raises `RefusedError` for a ruling that is not written `key=option` and for cards of any day but today's,
    `RulesetError` for a ruling that no game has.
    """
    if cards not in {"", TODAY}:
        raise RefusedError(f"games are read by the cards that they were recorded under, or by --cards {TODAY}")
    pairs = {}
    for each in rulings or ():
        key, equals, option = (part.strip() for part in each.partition("="))
        if not (key and equals and option):
            raise RefusedError(f"a ruling is written KEY=OPTION, not {each!r}; `tabletape rules --rulings` lists them")
        pairs[key] = option
    asked = Reading(edition, pairs, cards)
    asked.require(concerned)
    return asked


def readable_games(games: Sequence[StoredGame]) -> list[StoredGame]:
    """Return those of some stored games that there are rules or a description for; what is left out is said.

    A game of a package that was uninstalled, or cannot be loaded, stays in the log until the package is back.
    """
    known = known_games()
    lost = Counter(each.game for each in games if each.game not in known)
    for slug, number in sorted(lost.items()):
        remark(f"Left out: {counted(number, 'game')} of {slug}, for which no rules are installed here.", style="yellow")
    return [each for each in games if each.game not in lost]


def counted_games(log: Log, name: str, *, bots: bool) -> list[StoredGame]:
    """Return the stored games of people, or those of bots; all, or those of one game. Raises as `stored_games` does."""
    return [each for each in stored_games(log, None, name) if is_by_bots(each.game_id) == bots]


def stored_games(log: Log, ids: Sequence[str] | None, name: str) -> list[StoredGame]:
    """Return the stored games with the given ids, or all (of one game), each in its latest revision.

    Raises `UnknownGameIdError` for an id that is not in the log, `RefusedError` for a file in place of an id.
    """
    require_game(name)
    if not ids:
        return log.games(game=name or None)
    found = {each.game_id: each for each in log.games(ids=ids)}
    for each in ids:
        if each in found:
            continue
        if Path(each).exists():
            raise RefusedError(f"{each} is a file, not a stored game: `tabletape import {each}` first, then ask again")
        log.game(each)
    return [found[each] for each in dict.fromkeys(ids) if not name or found[each].game == name]
