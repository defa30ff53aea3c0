"""`tabletape games`: what is in the log."""

from typing import Any

from tabletape.cli.terminal.options import DATABASE, AsJson, Database, OneGame
from tabletape.cli.terminal.output import print_json, print_rows, remark
from tabletape.dashboard.tape.tape import open_tape
from tabletape.events.log.rows import StoredGame
from tabletape.projector.model.amounts import counted


def games(*, db: Database = DATABASE, game: OneGame = "", json: AsJson = False) -> None:
    """List the stored games.

    A game that was taken in a contradicting form (`import --revise`) is listed in its latest revision.

    Example:
        tabletape games
        tabletape games --game splicers --json
    """
    with open_tape(db) as tape:
        listed = [each.stored for each in tape.games(game=game)]
    if json:
        print_json([_values(each) for each in listed])
        return
    print_rows(
        ["id", "game", "edition", "players", "events", "played", "from"],
        (
            [each.game_id, each.game, each.edition, _players(each), each.events, _day(each), each.file]
            for each in listed
        ),
    )
    remark(counted(len(listed), "game"))


def _values(game: StoredGame) -> dict[str, Any]:
    return {key: value for key, value in game._asdict().items() if key != "number"}


def _players(game: StoredGame) -> str:
    return ", ".join(player.name for player in game.players)


def _day(game: StoredGame) -> str:
    return (game.started_at or "")[:10]
