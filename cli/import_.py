"""`tabletape import`: files in, events appended, unreadable lines in quarantine."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Literal

import typer

from tabletape.cli.terminal.arguments import option
from tabletape.cli.terminal.heads import keep_head
from tabletape.cli.terminal.options import DATABASE, AsJson, Database
from tabletape.cli.terminal.output import (
    complain,
    is_at_terminal,
    print_fates,
    print_json,
    print_rows,
    remark,
    say,
    tally,
    watched,
)
from tabletape.dashboard.tape.importing import ImportOptions, holds_only_results
from tabletape.dashboard.tape.tape import Tape, open_tape
from tabletape.events.errors import RefusedError
from tabletape.events.importing import FileReport, ImportReport
from tabletape.events.importing.files.sources import NO_ZONE_CODE, NOT_LOOKED_AT_CODE
from tabletape.events.importing.maps.values.times import ZoneError, zone_called
from tabletape.events.log.rows import QuarantinedLine
from tabletape.events.log.schema import WAIT
from tabletape.projector.games import title_of
from tabletape.projector.model.amounts import counted

MAX_SHOWN = 5
"""How many unreadable lines of a file are shown; `tabletape quarantine` shows all of them."""


def import_(  # noqa: PLR0913 - each parameter is an option of the command
    files: Annotated[
        list[str] | None, typer.Argument(metavar="FILE", help="Log files or folders; - is standard input.")
    ] = None,
    *,
    db: Database = DATABASE,
    form: Annotated[
        Literal["jsonl", "csv", "xlsx"] | None,
        option("--format", "The format of the files; by default it is recognised from their content."),
    ] = None,
    dry_run: Annotated[bool, option("--dry-run", "Only say what would happen.")] = False,
    strict: Annotated[bool, option("--strict", "Take nothing of a file with an unreadable line.")] = False,
    revise: Annotated[
        bool, option("--revise", "Store a log that contradicts a stored game as its next revision.")
    ] = False,
    map_: Annotated[Path | None, option("--map FILE", "Read the files by this map, whatever they are.")] = None,
    again: Annotated[
        bool, option("--remap", "Read the kept files of other programs again, by the maps as they are now.")
    ] = False,
    zone: Annotated[
        str, option("--zone NAME", "The zone of times that name none: Europe/Berlin; the workspace remembers it.")
    ] = "",
    any_size: Annotated[bool, option("--any-size", "Take a packed file or a pipe of any size.")] = False,
    heads: Annotated[
        Path | None, option("--heads FILE", "Afterwards, add the log's head to this file (see `verify`).")
    ] = None,
    wait: Annotated[float, option("--wait", "Seconds to wait for other writers, and for a pipe.", min=0)] = WAIT,
    json: AsJson = False,
) -> None:
    """Import playtest logs: JSON Lines, CSV or spreadsheets, also packed (.gz, .zst), single files or folders.

    A game is taken whole or not at all. The same file again changes nothing; a log that has grown adds its new events;
    one that contradicts what is stored is refused, unless --revise. Lines that cannot be read go to quarantine with
    their place and the reason, and the rest of the file goes on, unless --strict.

    Files of other programs are read by a map (`tabletape map`): one that lies beside the file or in `maps/` of the
    workspace, or one that comes with Tabletape (KeyForge, DuelingBook, Star Realms, PTCG Live and Online,
    Pokemon Showdown, Hanabi Live, BG Stats, BoardGameGeek).

    The exit code is 1 where something could not be taken: a file, a game or a line.

    Example:
        tabletape import evenings/
        tabletape import friday.csv --dry-run
        tabletape log some-game --jsonl | tabletape import - --db other.db
    """
    files = files or []
    if bool(files) == again:
        raise RefusedError("name the files to import, or --remap alone for those that are kept")
    with open_tape(db, wait=wait) as tape:
        asked: ImportOptions = {
            "dry_run": dry_run, "strict": strict, "revise": revise, "format": form, "any_size": any_size, "wait": wait,
            "map": map_, "zone": zone,
        }  # fmt: skip
        asks = is_at_terminal() and not (again or json or "-" in files)
        look: ImportOptions = {"needs_look": asks and not dry_run}
        with watched("Importing", _size(files), in_bytes=True) as progress:
            first: ImportOptions = {**asked, "progress": progress, "needs_zone": asks, **look}
            report = tape.import_again(**first) if again else tape.import_files(*files, **first)
        report = _looked_at(tape, _with_zone(tape, report, {**asked, **look}), asked)
        only_results = bool(report.events) and not dry_run and holds_only_results(tape.log, report)
    if heads and not dry_run:
        keep_head(heads, report.head, events=report.events, games=len(report.games))
    if json:
        print_json(report)
    else:
        print_report(report, only_results=only_results)
    if not report.clean:
        raise typer.Exit(1)


def _looked_at(tape: Tape, report: ImportReport, asked: ImportOptions) -> ImportReport:
    """Return the report of an import; what maps read is stored when somebody has seen what would become of it."""
    waiting = _refused_for(report, NOT_LOOKED_AT_CODE)
    if not waiting:
        return report
    for file in waiting:
        say((file.name, "bold"), f": {file.problem.message if file.problem else ''} ({file.format})")
        for text in file.remarks:
            remark(f"  {text}")
        print_fates(file.fates)
    if not typer.confirm(f"Store {counted(len(waiting), 'file')} so?", default=True):
        return report
    return _again(tape, report, waiting, asked)


def _with_zone(tape: Tape, report: ImportReport, asked: ImportOptions) -> ImportReport:
    """Return the report of an import; files whose times say no zone are imported when somebody has said it, once."""
    without = _refused_for(report, NO_ZONE_CODE)
    if not without:
        return report
    return _again(tape, report, without, {**asked, "zone": _asked_zone(", ".join(file.name for file in without))})


def _refused_for(report: ImportReport, code: str) -> list[FileReport]:
    return [file for file in report.files if file.problem and file.problem.code == code]


def _again(tape: Tape, report: ImportReport, files: Sequence[FileReport], asked: ImportOptions) -> ImportReport:
    """Return the report of an import, with some refused files imported again with what was missing."""
    again = tape.import_files(*(file.name for file in files), **asked)
    return replace(again, files=[file for file in report.files if file not in files] + again.files)


def _asked_zone(names: str) -> str:
    """Ask in which zone times were written down; empty where it is unknown."""
    say(f"{names}: the times say no time zone.")
    while True:
        zone = typer.prompt("Zone (as in Europe/Berlin; Enter: not known)", default="", show_default=False).strip()
        try:
            zone_called(zone)
        except ZoneError as error:
            complain(str(error))
        else:
            return str(zone)


def _size(files: Iterable[str]) -> int | None:
    """Return the bytes of all files, or none where standard input is among them."""
    paths = [Path(each) for each in files]
    if any(str(path) == "-" for path in paths):
        return None
    inside = (each for path in paths for each in (path.rglob("*") if path.is_dir() else (path,)))
    return sum(each.stat().st_size for each in inside if each.is_file())


def print_report(report: ImportReport, *, only_results: bool) -> None:
    """Say what an import came to, and what comes next."""
    for file in report.files:
        _print_file(file, told=report.dry_run)
    for text in report.remarks:
        remark(text)
    for reason, number in report.set_aside.items():
        complain(f"{reason}; {counted(number, 'game')} of these files not read: mend that, and import them again")
    if report.games:
        say()
        status = ("new", "grown", "revised", "unchanged", "refused")
        rows = []
        for slug in sorted({each.game for each in report.games}):
            mine = [each for each in report.games if each.game == slug]
            counts = Counter(str(each.status) for each in mine)
            rows.append([title_of(slug), *(counts[each] for each in status), sum(each.events for each in mine)])
        print_rows(["game", *status, "events added"], rows)
    _print_next(report, only_results=only_results)


def _print_file(file: FileReport, *, told: bool) -> None:
    if file.problem:
        complain(_entry(file.problem))
        for text in file.remarks:
            remark(f"  {text}")
        return
    counts = Counter(str(taken.status) for taken in file.games)
    unread = ("line in quarantine", "lines in quarantine") if file.kept else ("unreadable line", "unreadable lines")
    lines = f", {counted(file.quarantined, *unread)}" if file.quarantined else ""
    lines += f", {counted(sum(file.set_aside.values()), 'game')} not read" if file.set_aside else ""
    say((file.name, "bold"), f": {tally(counts) or 'no game'} ({counted(file.events, 'new event')}{lines})")
    for text in file.remarks:
        remark(f"  {text}")
    if told:
        print_fates(file.fates)
    for taken in file.refused:
        complain(f"{file.name}:{taken.line}: {taken.contradiction}")
    for entry in file.entries[:MAX_SHOWN]:
        say("  ", (_entry(entry), "yellow"))
    if file.quarantined > MAX_SHOWN:
        say(f"  … and {counted(file.quarantined - MAX_SHOWN, 'more line')}: see `tabletape quarantine`")


def _entry(entry: QuarantinedLine) -> str:
    suggestion = f"; {entry.suggestion}" if entry.suggestion else ""
    return f"{entry.place}: {entry.message}{suggestion}"


def _print_next(report: ImportReport, *, only_results: bool) -> None:
    if report.events and report.head and not report.dry_run:
        remark(f"Head: {report.head}")
    if report.dry_run:
        remark("Nothing was written: this was a rehearsal (--dry-run).")
    elif report.refused:
        remark("Next: `tabletape import --revise FILE` takes a contradicting log as a new revision of its game.")
    elif report.quarantined:
        rest = "" if only_results else "; `tabletape audit` checks the rest"
        remark(f"Next: `tabletape quarantine --mend` goes through what could not be read{rest}.")
    elif only_results:
        remark("Next: `tabletape build`, then `tabletape stats` says what the results tell.")
    elif report.events:
        remark("Next: `tabletape audit` holds the games against the rulebook.")
    elif report.games:
        remark("Nothing changed: everything was in the log already.")
