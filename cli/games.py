"""`tabletape games`: what is in the log."""

from tabletape.cli.terminal.options import DATABASE, AsJson, Database, OneGame
from tabletape.cli.terminal.output import print_json, print_rows, remark
from tabletape.dashboard.tape.tape import open_tape
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
        print_json([{key: value for key, value in each._asdict().items() if key != "number"} for each in listed])
        return
    rows = []
    for each in listed:
        players = ", ".join(player.name for player in each.players)
        day = (each.started_at or "")[:10]
        rows.append([each.game_id, each.game, each.edition, players, each.events, day, each.file])
    print_rows(["id", "game", "edition", "players", "events", "played", "from"], rows)
    remark(counted(len(listed), "game"))
