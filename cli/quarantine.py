"""`tabletape quarantine`: the lines that could not be read, and writing them right."""

import contextlib
import sys
from collections.abc import Iterator, Sequence
from typing import Annotated

import typer

from tabletape.cli.import_ import print_report
from tabletape.cli.terminal.arguments import option
from tabletape.cli.terminal.options import DATABASE, AsJson, Database
from tabletape.cli.terminal.output import complain, is_at_terminal, print_json, remark, say
from tabletape.dashboard.tape.importing import holds_only_results
from tabletape.events.importing.lines.text import Fields, LineTextError, changed, written
from tabletape.events.importing.quarantine.mending import OpenLine, mend, open_lines
from tabletape.events.importing.quarantine.mends import Mend
from tabletape.events.log import Log
from tabletape.events.log.rows import QuarantinedLine
from tabletape.projector.archive.stored import import_options, workspace_at
from tabletape.projector.model.amounts import counted

KEYS = {
    "t": "take it",
    "w": "write it right",
    "a": "as it stands",
    "p": "pass it over",
    "Enter": "leave it",
    "q": "stop",
}


def quarantine(
    *,
    mend_: Annotated[bool, option("--mend", "Go through the lines and write them right.")] = False,
    db: Database = DATABASE,
    json: AsJson = False,
) -> None:
    """Show the lines that could not be read when they were imported: where, why, and what was probably meant.

    With --mend each line is shown with what it was probably meant to say: t takes that, w writes it right in a box
    (the whole line, or only what changes: `card = A:reed-heron`), a keeps an unknown card as a card, p passes
    over a line that does not belong to the game, Enter leaves it for later, q stops. What is mended joins its game
    where it belongs; the file itself need not be changed, and may grow. Of lines that a map leaves over, each kind is
    asked about by its first line, until all are mended or passed over; many alike are better mended in the map.

    Mending the lines in the file and importing it again does the same.

    Example:
        tabletape quarantine
        tabletape quarantine --mend
    """
    with Log.open(db) as log:
        if mend_:
            _mend(log, db)
            return
        entries = log.quarantine()
    if json:
        print_json(entries)
        return
    for entry in entries:
        _show(entry)
        if entry.raw:
            say("    ", (entry.raw if len(entry.raw) <= 200 else f"{entry.raw[:200]} …", "dim"))
    remark(f"{counted(len(entries), 'line')} in quarantine")
    if entries:
        remark("Next: `tabletape quarantine --mend` goes through them.")


def _show(entry: QuarantinedLine) -> None:
    say((entry.place, "bold"), "  ", (entry.code, "yellow"), f"  {entry.message}")
    if entry.suggestion:
        say(f"    {entry.suggestion}")


def _mend(log: Log, db: str) -> None:
    """Go through the lines, then read their files again."""
    options = import_options(workspace_at(db))
    lines, others = open_lines(log, options)
    for entry in others:
        _show(entry)
    asked: set[tuple[str, int]] = set()
    while lines:
        asked |= {_key(line) for line in lines}
        mends = list(_answers(lines))
        if not mends:
            break
        report = mend(log, mends, options)
        print_report(report, only_results=holds_only_results(log, report))
        # Of lines that a map has left over, each kind is asked about by its first line.
        lines = [line for line in open_lines(log, options)[0] if _key(line) not in asked]
    left = len(log.quarantine())
    remark(f"{counted(left, 'line')} in quarantine")


def _key(line: OpenLine) -> tuple[str, int]:
    return line.entry.file, line.entry.line


def _answers(lines: Sequence[OpenLine]) -> Iterator[tuple[str, Mend]]:
    """Ask about each line; return the mends of those that are mended, each with the name of its file."""
    for number, line in enumerate(lines, 1):
        say((f"{number} of {len(lines)}  ", "dim"), (line.entry.place, "bold"), f"  {line.entry.message}")
        say("    ", written(line.fields) or line.entry.raw)
        if line.suggestion is not None:
            say("    t takes: ", (_difference(line.fields, line.suggestion), "green"))
        elif line.entry.suggestion:
            say(f"    {line.entry.suggestion}")
        try:
            answer = _answer(line)
        except typer.Abort:
            return
        for each in answer:
            yield line.name, each


def _difference(fields: Fields, meant: Fields) -> str:
    """Return what a suggestion changes; all of it where nothing of the line can be read."""
    return written({name: value for name, value in meant.items() if name not in fields or fields[name] != value})


def _answer(line: OpenLine) -> list[Mend]:
    """Return the mends of a line, none where it is left as it is. Raises `typer.Abort` where no more is to be asked."""
    unfit = {key for key, fits in (("t", line.suggestion is not None), ("a", line.is_taken)) if not fits}
    names = KEYS if len(line.alike) < 2 else {**KEYS, "p": f"pass over all {len(line.alike)} like it"}
    keys = ", ".join(f"{key} {what}" for key, what in names.items() if key not in unfit)
    while True:
        match typer.prompt(keys, default="", show_default=False).strip().lower()[:1]:
            case "":
                return []
            case "q":
                raise typer.Abort
            case "p":
                return line.mends(None)
            case "t" if line.suggestion is not None:
                return line.mends(line.suggestion)
            case "a" if line.is_taken:
                return line.mends(line.fields)
            case "w":
                return line.mends(_written_right(line))


def _written_right(line: OpenLine) -> Fields:
    """Ask for the line until it can be read."""
    while True:
        with _prefilled(written(line.fields) or line.entry.raw):
            text = typer.prompt("line")
        try:
            return changed(line.fields, text, line.place)
        except LineTextError as error:
            complain(str(error))


@contextlib.contextmanager
def _prefilled(text: str) -> Iterator[None]:
    """Put a text into the line that is asked for, so that only what is wrong has to be changed; at a terminal only."""
    if sys.platform == "win32" or not is_at_terminal():
        yield
        return
    try:
        import readline  # noqa: PLC0415 - some builds of Python are without it
    except ImportError:
        yield
        return
    readline.set_startup_hook(lambda: readline.insert_text(text))
    try:
        yield
    finally:
        readline.set_startup_hook()
