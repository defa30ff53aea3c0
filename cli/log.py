"""`tabletape log`: one game's events, as they are stored."""

from typing import Annotated

import msgspec
import typer

from tabletape.cli.terminal.arguments import option
from tabletape.cli.terminal.options import DATABASE, AsJson, Database
from tabletape.cli.terminal.origins import EventPlaces
from tabletape.cli.terminal.output import print_json, print_rows, write
from tabletape.events.errors import RefusedError
from tabletape.events.log import Log
from tabletape.events.log.rows import StoredEvent
from tabletape.events.printable import escaped_json


def log(
    game: Annotated[str, typer.Argument(metavar="GAME", help="The id of a stored game.")],
    *,
    db: Database = DATABASE,
    revision: Annotated[int, typer.Option(min=0, help="Which revision of the game; 0 is the latest.")] = 0,
    json: AsJson = False,
    jsonl: Annotated[bool, option("--jsonl", "Print the log itself, ready to be imported again.")] = False,
) -> None:
    """Show the events of a game as they are stored.

    Of a game that a map has read out of another program's file each event says where it stands there; an event of which
    a word was taken for another one when it was imported says which.

    With --jsonl the output is a log file: importing it elsewhere gives the same game with the same hashes.

    Example:
        tabletape log splicers-worked-game
        tabletape log splicers-worked-game --jsonl > game.jsonl
    """
    if json and jsonl:
        raise RefusedError("--json and --jsonl are two forms of the same: give one of them")
    with Log.open(db) as stored:
        chosen = stored.game(game, revision or None)
        events = stored.stored(chosen)
        places = {} if jsonl else EventPlaces(stored).of(chosen)
        read_as = stored.changed_lines(chosen)
    if jsonl:
        write("".join(f"{escaped_json(event.body)}\n" for event in events))
    elif json:
        more = {"origin": places, "read_as": read_as}
        print_json(
            [_values(event) | {name: of[event.seq] for name, of in more.items() if event.seq in of} for event in events]
        )
    else:
        columns = {name: of for name, of in {"from": places, "read at import": read_as}.items() if of}
        rows = ([*_row(event), *(of.get(event.seq, "") for of in columns.values())] for event in events)
        print_rows(["#", "time", "event", "player", "content", *columns], rows)


def _values(event: StoredEvent) -> dict[str, object]:
    fields = event._asdict()
    return {**fields, "body": msgspec.Raw(event.body.encode()), "hash": event.hash.hex()}


def _row(event: StoredEvent) -> list[object]:
    content = msgspec.json.decode(event.body)
    for known in ("seq", "type", "player", "at"):
        content.pop(known, None)
    return [event.seq, event.at, event.type, event.player, msgspec.json.encode(content).decode() if content else ""]
