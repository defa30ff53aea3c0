"""`tabletape schema`: the form of a game's log lines."""

from typing import Annotated

import msgspec
import typer

from tabletape.cli.terminal.output import RefusedError, print_json
from tabletape.events.importing.maps.schema import MapFile
from tabletape.events.vocabulary import known_games, vocabulary
from tabletape.projector.model.suggestions import unknown


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
    if game not in known_games():
        raise RefusedError(unknown("game", game, known_games()))
    print_json(vocabulary(game).schema())
