"""`tabletape docs`: the reference pages, written from the code that they describe."""

from pathlib import Path
from typing import Annotated

import typer

from tabletape.cli.reference import pages
from tabletape.cli.terminal.output import say
from tabletape.projector.model.amounts import counted


def docs(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Where the pages are written.")] = Path("docs"),
) -> None:
    """Write the reference pages: the commands, the events, the metrics, the datasets, and the rules of every game.

    They are made from the code itself, so they say what it does; pages written by hand are left alone.

    Example:
        tabletape docs
        tabletape docs /tmp/pages
    """
    written = 0
    recordings = folder.resolve().parent / "tests" / "recordings"
    for name, text in pages(recordings if recordings.is_dir() else None).items():
        file = folder / name
        if file.is_file() and file.read_text(encoding="utf-8") == text:
            continue
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8", newline="\n")
        say(str(file))
        written += 1
    say(f"{counted(written, 'page')} written, the others are up to date")
