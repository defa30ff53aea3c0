"""`tabletape export`: games for other programs."""

from pathlib import Path
from typing import Annotated

from tabletape.cli.terminal.arguments import option
from tabletape.cli.terminal.options import DATABASE, Anonymous, Database, GameIds, OneGame, readable_games
from tabletape.cli.terminal.output import say
from tabletape.dashboard.tape.tape import open_tape
from tabletape.events.errors import RefusedError
from tabletape.projector.model.amounts import counted


def export(  # noqa: PLR0913 - each parameter is an option of the command
    ids: GameIds = None,
    *,
    bgstats: Annotated[Path | None, option("--bgstats FILE", "Results as BG Stats imports them (JSON).")] = None,
    ocel: Annotated[Path | None, option("--ocel FILE", "Events for process mining (OCEL 2.0 JSON).")] = None,
    xes: Annotated[Path | None, option("--xes FILE", "Events for process mining (XES).")] = None,
    xlsx: Annotated[
        Path | None, option("--xlsx FILE", "A workbook with the sheets games, seats, cards and findings.")
    ] = None,
    text: Annotated[Path | None, option("--text FILE", "A transcript: a line an event, in sentences.")] = None,
    db: Database = DATABASE,
    game: OneGame = "",
    anonymous: Anonymous = False,
    force: Annotated[bool, option("--force", "Write over a file that is there already.")] = False,
) -> None:
    """Write games for other programs: a workbook, a transcript, results for BG Stats, events for process mining.

    What nobody wrote down is left empty. Process mining asks for a time of each event: one without a time stands a
    millionth of a second behind the event before it, in a game without any time from 1970 on, so that the order is
    kept; in XES it is marked (`time:written` is false). Times in the workbook are in UTC.
    A transcript can be imported again: below a sentence that leaves something open the event stands as JSON.

    Example:
        tabletape export --xlsx evening.xlsx
        tabletape export --bgstats plays.json
        tabletape export splicers-worked-game --ocel game.ocel.json --xes game.xes
    """
    asked = {"bgstats": bgstats, "ocel": ocel, "xes": xes, "xlsx": xlsx, "text": text}
    wanted = {form: path for form, path in asked.items() if path is not None}
    if not wanted:
        raise RefusedError("say what to write: --xlsx FILE, --text FILE, --bgstats FILE, --ocel FILE or --xes FILE")
    for path in wanted.values():
        if path.exists() and not force:
            raise RefusedError(f"{path} is there already: choose another name, or --force")
    with open_tape(db) as tape:
        there = {each.game_id: each for each in tape.games(ids or None, game=game)}
        chosen = [there[each.game_id] for each in readable_games([one.stored for one in there.values()])]
        for form, path in wanted.items():
            tape.export(chosen, path, form, anonymous=anonymous)
            say(f"{path}: {counted(len(chosen), 'game')}")
