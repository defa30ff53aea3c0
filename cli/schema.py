"""`tabletape schema`: the form of a game's log lines."""

from typing import Annotated

import msgspec
import typer

from tabletape.cli.terminal.options import DATABASE, Database
from tabletape.cli.terminal.output import print_json
from tabletape.dashboard.tape.choosing import require_game
from tabletape.events.importing.maps.schema import MapFile
from tabletape.events.rules_file.tables import GameFile
from tabletape.events.vocabulary import vocabulary
from tabletape.projector.archive.stored import workspace_at


def schema(
    game: Annotated[str, typer.Argument(metavar="GAME", help="The name of a game: splicers, evolve …")],
    *,
    db: Database = DATABASE,
) -> None:
    """Print the form of a game's log lines as JSON Schema; `map` prints that of a map, `game` that of a game's file.

    The schema (draft 2020-12) describes one line; editors and other programs can check logs with it.

    Example:
        tabletape schema splicers > splicers.schema.json
    """
    if game == "map":
        print_json(msgspec.json.schema(MapFile))
        return
    if game == "game":
        print_json(msgspec.json.schema(GameFile))
        return
    workspace_at(db)
    require_game(game)
    print_json(vocabulary(game).schema())
