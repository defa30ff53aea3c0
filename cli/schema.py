"""`tabletape schema`: the form of a game's log lines."""

from typing import Annotated

import msgspec
import typer

from tabletape.cli.terminal.output import print_json
from tabletape.dashboard.tape.choosing import require_game
from tabletape.events.importing.maps.schema import MapFile
from tabletape.events.vocabulary import vocabulary


def schema(
    game: Annotated[str, typer.Argument(metavar="GAME", help="The name of a game: splicers, evolve …")],
) -> None:
    """Print the form of a game's log lines as JSON Schema; `map` prints that of a map.

    The schema (draft 2020-12) describes one line; editors and other programs can check logs with it.

    Example:
        tabletape schema splicers > splicers.schema.json
    """
    if game == "map":
        print_json(msgspec.json.schema(MapFile))
        return
    require_game(game)
    print_json(vocabulary(game).schema())
