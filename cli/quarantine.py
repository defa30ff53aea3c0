"""`tabletape quarantine`: the lines that could not be read."""

from cli.options import DATABASE, AsJson, Database
from cli.output import counted, print_json, remark, say
from events.log import Log


def quarantine(*, db: Database = DATABASE, json: AsJson = False) -> None:
    """Show the lines that could not be read when they were imported: where, why, and what was probably meant.

    Mend them in the file and import it again: what was missing at the end of a game is added; what was missing in the
    middle makes a new revision of the game, which `import --revise` takes. The quarantine of that file is replaced
    as soon as the file is taken.

    Example:
        tabletape quarantine
    """
    with Log.open(db) as log:
        entries = log.quarantine()
    if json:
        print_json(entries)
        return
    for entry in entries:
        say((entry.place, "bold"), "  ", (entry.code, "yellow"), f"  {entry.message}")
        if entry.suggestion:
            say(f"    {entry.suggestion}")
        if entry.raw:
            say("    ", (entry.raw if len(entry.raw) <= 200 else f"{entry.raw[:200]} …", "dim"))
    remark(f"{counted(len(entries), 'line')} in quarantine")
