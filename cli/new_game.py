"""`tabletape new-game`: the package of a game that runs at once, to be made one's own."""

import keyword
import re
import tempfile
from collections.abc import Iterator
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from tabletape.cli.terminal.arguments import option
from tabletape.cli.terminal.output import say
from tabletape.events.errors import RefusedError
from tabletape.events.vocabulary import known_games
from tabletape.events.whole_files import made_folder, make_folder, sync_folder, write_whole

TEMPLATE: Final = "new_game_files"
"""The folder of the files, in which `NAME` and `TITLE` stand for those of the game."""


def new_game(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="The short name: small letters and digits, as in ladder.")
    ],
    *,
    into: Annotated[Path, option("--into FOLDER", "The folder to write it into.")] = Path(),
    title: Annotated[str, typer.Option(help="What people call it (default: the name).")] = "",
) -> None:
    """Write the package of a new game: rules, cards, rulings, bots and a recorded game, small, and running at once.

    It is a game of its own, Ladder, with a rule for each way to write one. Change it to yours, a rule at a time, and
    let `tabletape check` say what does not hold.

    Example:
        tabletape new-game ladder
        pip install -e ./ladder
        tabletape check ladder ladder/recordings
    """
    _require_name(name)
    folder = into / name
    if folder.exists():
        raise RefusedError(f"{folder} is there already, and may hold somebody's game: choose another name or --into")
    called = " ".join(title.split()) or name.capitalize()
    if '"' in called or "\\" in called:
        raise RefusedError("a title has neither quotation marks nor backslashes")
    with made_folder(into), tempfile.TemporaryDirectory(prefix=f".{name}-", dir=into) as place:
        part = Path(place) / name
        for path, text in _files(files("tabletape.cli") / TEMPLATE):
            file = part / path.replace("NAME", name).removesuffix(".in")
            make_folder(file.parent)
            write_whole(file, text.replace("NAME", name).replace("TITLE", called))
        part.rename(folder)
        sync_folder(into)
    say(f"{folder}: the rules are in {name}/play.py, the rulebook in README.md")
    say(f"Next: `pip install -e {folder}`, then `tabletape check {name} {folder / 'recordings'}`")


def _require_name(name: str) -> None:
    """Raise `RefusedError` for a name that no package can have, or that something else has."""
    if not re.fullmatch(r"[a-z][a-z0-9]{0,39}", name) or keyword.iskeyword(name):
        raise RefusedError(f"a game's name is made of small letters and digits, at most 40, as in ladder; not {name!r}")
    if name in known_games():
        raise RefusedError(f"there is a game called {name} already: choose another name")
    if find_spec(name) is not None:
        raise RefusedError(f"Python has a package called {name} already: choose another name")


def _files(folder: Any, above: str = "") -> Iterator[tuple[str, str]]:
    """Yield the files of the template, each with its path."""
    for each in sorted(folder.iterdir(), key=lambda one: str(one.name)):
        path = f"{above}{each.name}"
        if each.is_dir():
            yield from _files(each, f"{path}/")
        elif each.name.endswith(".in"):
            yield path, each.read_text(encoding="utf-8")
