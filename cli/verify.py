"""`tabletape verify`: whether the log still is what was written down."""

import typer

from cli.options import DATABASE, AsJson, Database
from cli.output import counted, print_json, say
from events.integrity import verify as damages
from events.log import Log


def verify(*, db: Database = DATABASE, json: AsJson = False) -> None:
    """Check the log itself: find events that were altered, lost, put elsewhere or slipped in, and damaged raw files.

    Every event's hash covers its content and the hash before it. Who wants to be sure that nobody has rewritten a whole
    game keeps its fingerprint (`tabletape games --json`) somewhere else. The exit code is 1 where anything is wrong.

    Example:
        tabletape verify
    """
    with Log.open(db) as log:
        found = list(damages(log))
        games = log.games(all_revisions=True)
    if json:
        print_json(found)
    for each in () if json else found:
        revision = f" (revision {each.revision})" if each.revision > 1 else ""
        place = f"{each.game_id}{revision}: " if each.game_id else ""
        say((each.what, "bold red"), f"  {place}{each.message}")
    if found:
        raise typer.Exit(1)
    if not json:
        events = counted(sum(game.events for game in games), "event")
        say(f"{counted(len(games), 'game')} with {events}: all as they were written down")
