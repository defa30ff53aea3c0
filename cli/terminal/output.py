"""How every verb speaks: tables, JSON, progress, and a plain message in place of a traceback.

Results go to standard output, everything else to standard error. What comes out of logs is data: it is never read as
markup, and control characters in it never reach the terminal.
"""

import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from typing import Any, NoReturn, Protocol

import msgspec
import typer
from rich.box import SIMPLE_HEAD
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from tabletape.events.errors import TabletapeError, said_by
from tabletape.events.printable import escaped_json, in_one_line
from tabletape.events.workspace_files import GameFileError

LIBRARIES_FOR_ARGUMENTS = ("typer", "click")
EXTRAS = {
    "altair": "dashboard",
    "h11": "scribe",
    "pypdf": "rulebook",
    "python_calamine": "sheets",
    "segno": "scribe",
    "starlette": "scribe",
    "streamlit": "dashboard",
    "textual": "screen",
    "uvicorn": "scribe",
    "xlsxwriter": "sheets",
}
"""The libraries that only some commands need, and which part of an install brings each."""

INTERRUPTED_CODE = 130
BROKEN_PIPE = 141
DEFECT = 70


@contextmanager
def plainly() -> Iterator[None]:
    """Turn whatever goes wrong into a message on standard error and an exit code."""
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        # Nobody reads any more; what is still in the buffer has to go somewhere when Python ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        raise typer.Exit(BROKEN_PIPE) from None
    except KeyboardInterrupt as interrupt:
        remark(f"{' '.join(['Stopped', *map(str, interrupt.args)])}. Nothing is half-written.")
        raise typer.Exit(INTERRUPTED_CODE) from None
    except GeneratorExit:
        raise
    except BaseException as error:
        if type(error).__module__.partition(".")[0] in LIBRARIES_FOR_ARGUMENTS or os.environ.get("TABLETAPE_DEBUG"):
            raise
        if isinstance(error, SystemExit):  # Rich ends so where nobody reads any more.
            raise
        _end(error)


def in_words(error: Exception) -> str:
    """Return what went wrong: our own errors are meant for people as they stand, others are a mistake of ours."""
    if isinstance(error, TabletapeError):
        return str(error)
    return f"Tabletape has made a mistake of its own ({type(error).__name__}: {error}); please report it"


def _end(error: BaseException) -> NoReturn:
    if isinstance(error, TabletapeError):
        # Of the mistakes of a game's file each has its line.
        for message in str(error).split("\n") if isinstance(error, GameFileError) else [str(error)]:
            complain(message)
        raise typer.Exit(1) from None
    library = str(error.name).partition(".")[0] if isinstance(error, ModuleNotFoundError) else ""
    if library in EXTRAS:
        complain(f"this needs {library}, which is not installed: pip install 'tabletape[{EXTRAS[library]}]'")
        raise typer.Exit(1) from None
    if isinstance(error, OSError):
        place = f"{error.filename}: " if error.filename else ""
        complain(f"{place}{error.strerror or error}")
        raise typer.Exit(1) from None
    complain(
        f"Tabletape has made a mistake of its own ({said_by(error)}). Your log is as it was. "
        "Please report the command; with TABLETAPE_DEBUG=1 it shows where."
    )
    raise typer.Exit(DEFECT) from None


def complain(message: str) -> None:
    """Say on standard error what is wrong."""
    _console(sys.stderr).print(Text.assemble(("Error: ", "bold red"), in_one_line(message)), soft_wrap=True)


def remark(message: str, style: str = "dim") -> None:
    """Print a remark besides the result, on standard error."""
    _console(sys.stderr).print(Text(in_one_line(message), style=style), soft_wrap=True)


def say(*parts: str | tuple[str, str]) -> None:
    """Print a line of the result; a part is text, or text with a style."""
    styled = [in_one_line(part) if isinstance(part, str) else (in_one_line(part[0]), part[1]) for part in parts]
    _console(sys.stdout).print(Text.assemble(*styled), soft_wrap=True)


def write(text: str) -> None:
    """Print text as it is: something that another program reads."""
    sys.stdout.write(text)


def print_json(value: Any) -> None:
    """Print a value as indented JSON."""
    write(escaped_json(msgspec.json.format(msgspec.json.encode(_by_name(value)), indent=2).decode()) + "\n")


def _by_name(value: Any) -> Any:
    """Return named tuples as objects with their names, wherever they stand."""
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return {key: _by_name(each) for key, each in value._asdict().items()}
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: _by_name(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, list | tuple):
        return [_by_name(each) for each in value]
    return {key: _by_name(each) for key, each in value.items()} if isinstance(value, dict) else value


def print_jsonl(values: Iterable[Any]) -> None:
    """Print values as JSON Lines."""
    for value in values:
        write(escaped_json(msgspec.json.encode(value).decode()) + "\n")


def print_rows(headings: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print a table: with lines and colours at a terminal, as plain aligned columns, a row a line, elsewhere.

    A column whose values are all numbers is set to the right. Where a terminal is too narrow for the columns, every row
    is a paragraph.
    """
    cells = [[in_one_line("" if cell is None else str(cell)) for cell in row] for row in rows]
    if not sys.stdout.isatty():
        _print_plain(headings, cells)
        return
    console = _console(sys.stdout)
    widest = [max(_longest_word(text) for text in column) for column in zip(headings, *cells, strict=True)]
    if sum(widest) + 3 * len(widest) > console.width:
        _print_paragraphs(console, headings, cells)
        return
    table = _table(headings, cells)
    for column, width in zip(table.columns, widest, strict=True):
        column.min_width = width
    console.print(table)


def print_fates(kinds: Sequence[tuple[int, str, str, int, str]]) -> None:
    """Print what becomes of each kind of line, or each column: how many, what they are read as, which, the first."""
    if kinds:
        rows = [(lines, fate, sentence, line) for lines, sentence, fate, line, _ in kinds]
        print_rows(("lines", "read as", "sheet, column or sentence", "first line"), rows)


def _table(headings: Sequence[str], cells: Sequence[Sequence[str]]) -> Table:
    table = Table(box=SIMPLE_HEAD, header_style="bold", pad_edge=False, padding=(0, 2, 0, 0))
    for heading, column in zip(headings, _columns(headings, cells), strict=True):
        table.add_column(heading, justify="right" if _is_numeric(column) else "left", overflow="fold")
    for row in cells:
        table.add_row(*map(Text, row))
    return table


def _longest_word(text: str) -> int:
    """Return the width below which a cell would be torn apart; a very long word may be."""
    return min(40, max(map(cell_len, text.split()), default=0))


def _columns(headings: Sequence[str], cells: Sequence[Sequence[str]]) -> list[tuple[str, ...]]:
    """Return the cells by column, without the headings."""
    return list(zip(*cells, strict=True)) if cells else [() for _ in headings]


def _is_numeric(column: Sequence[str]) -> bool:
    return bool(column) and all(text.replace(".", "", 1).lstrip("-").isdigit() for text in column)


def _print_plain(headings: Sequence[str], cells: Sequence[Sequence[str]]) -> None:
    """Write aligned columns without Rich, which takes a minute for the games of a large log."""
    columns = _columns(headings, cells)
    widths = [max(map(cell_len, (heading, *column))) for heading, column in zip(headings, columns, strict=True)]
    numeric = [_is_numeric(column) for column in columns]
    for row in (headings, *cells):
        padded = (
            blank + text if right else text + blank
            for text, width, right in zip(row, widths, numeric, strict=True)
            for blank in [" " * (width - cell_len(text))]
        )
        write("  ".join(padded).rstrip() + "\n")


def _print_paragraphs(console: Console, headings: Sequence[str], cells: Sequence[Sequence[str]]) -> None:
    for row in cells:
        console.print(Text(row[0], style="bold"))
        for heading, text in zip(headings[1:], row[1:], strict=True):
            if text:
                console.print(Text(f"  {heading}: {text}"))


class OnProgress(Protocol):
    """A function that takes reports of progress."""

    def __call__(self, done: int, of: int | None = None, /) -> object:
        """Take how many bytes or games have been done since the last call, and of how many where that is new."""


@contextmanager
def watched(
    title: str, total: int | None = None, *, in_bytes: bool = False, printing: bool = False
) -> Iterator[OnProgress]:
    """Show a progress bar on standard error while something long goes on, at a terminal only.

    Where results are printed meanwhile (`printing`) and show on the same terminal, they are progress enough. Yields
    the function that takes reports of progress.
    """
    if not sys.stderr.isatty() or (printing and sys.stdout.isatty()):
        yield lambda _done, _of=None: None
        return
    from rich import progress as bars  # noqa: PLC0415 - a terminal that nobody watches does not wait for it

    count = bars.DownloadColumn() if in_bytes else bars.MofNCompleteColumn()
    columns = (bars.TextColumn("{task.description}"), bars.BarColumn(), count, bars.TimeRemainingColumn())
    with bars.Progress(*columns, console=_console(sys.stderr), transient=True) as progress:
        task = progress.add_task(title, total=total)
        yield lambda done, of=None: progress.update(task, advance=done, total=of)


def is_at_terminal() -> bool:
    """Return whether somebody sits at a terminal who can be asked."""
    return sys.stdin.isatty()


def and_more(numbers: Sequence[int], limit: int = 6) -> str:
    """Return numbers as words, the first few of many: `41, 42, 43 and 7 more`."""
    listed = ", ".join(map(str, numbers[:limit]))
    return listed if len(numbers) <= limit else f"{listed} and {len(numbers) - limit} more"


def tally(counts: Mapping[str, int]) -> str:
    """Return counts as one line: `3 illegal, 1 drift`; nothing where there are none."""
    return ", ".join(f"{number:,} {name}" for name, number in counts.items() if number)


def _console(stream: Any) -> Console:
    return Console(file=stream, markup=False, highlight=False, emoji=False)
