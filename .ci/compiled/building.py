"""The modules that are compiled, and how: rewritten in a folder of their own, then by mypyc and a C compiler."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from constants import with_constants
from native_classes import Structs
from tuples import with_whole_tuples
from verbs import written_out

HERE: Final = Path(__file__).parent
OPEN_CLASSES: Final = "projector/model/open_classes.py"
"""What lets other people's classes extend compiled ones; it is part of the compiled wheel alone."""

COMPILED: Final = ("projector/model", "projector/fold", "projector/kit", "projector/games")
"""The folders whose modules are compiled: what the fold of a log runs through."""

INTERPRETED: Final = {
    "*/__init__.py": "a package stays open for what is put into it",
    "model/card_text.py": "printed cards are decoded by msgspec",
    "model/cards.py": "card files are decoded by msgspec",
    "model/rulebook.py": "rulebooks are decoded by msgspec",
    "model/slots.py": "it is about structs of Python",
    "model/verdicts.py": "findings cross processes, and are compared and written as they are",
    "model/game.py": "a game is put together once",
    "model/areas.py": "pages show it",
    "model/due.py": "the scribe and the bots ask it",
    "model/deciding.py": "the scribe and the bots ask it",
    "model/dice.py": "bots roll them",
    "model/sentences.py": "pages and terminals show it",
    "model/phrases.py": "pages and terminals show it",
    "model/showing.py": "it is asked where a card is shown",
    "fold/misread.py": "named tuples stay Python's",
    "kit/areas.py": "pages show it",
    "kit/card_text.py": "card text is parsed once",
    "kit/card_text_tokens.py": "card text is parsed once",
    "kit/moves.py": "a game is put together once",
    "kit/packaged.py": "a game is put together once",
    "games/*/abilities.py": "card text is parsed once",
    "games/*/schema.py": "printed cards are decoded by msgspec",
    "games/*/view.py": "pages and terminals show it",
    "games/*/legal.py": "the scribe and the bots ask it",
    "games/*/moves.py": "a game is put together once",
}
"""Modules that stay Python, with the reason."""


def modules(root: Path) -> Iterator[Path]:
    """Yield the modules to compile, as paths below the root of the project."""
    for folder in COMPILED:
        for path in sorted((root / folder).rglob("*.py")):
            if not any(path.match(pattern) for pattern in INTERPRETED):
                yield path.relative_to(root)


def prepare(root: Path, to: Path) -> list[Path]:
    """Copy the sources to a folder, the modules to compile with native classes; return these, as relative paths."""
    for package in ("events", "projector"):
        shutil.copytree(root / package, to / package, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(HERE / "open_classes.py", to / OPEN_CLASSES)
    compiled = [*modules(root)]
    names = {_dotted(path): path for path in compiled}
    others = [path for path in (root / "projector").rglob("*.py") if path.relative_to(root) not in compiled]
    structs = Structs(
        {name: (root / path).read_text(encoding="utf-8") for name, path in names.items()},
        [path.read_text(encoding="utf-8") for path in others],
    )
    everything = {_dotted(path.relative_to(to)) for path in to.rglob("*.py")}
    for name, path in names.items():
        source = with_constants(written_out(structs.rewritten(name)), structs.defined(), everything)
        (to / path).write_text(source, encoding="utf-8")
    for path in (to / "projector").rglob("*.py"):
        path.write_text(with_whole_tuples(path.read_text(encoding="utf-8")), encoding="utf-8")
    return compiled


def _dotted(path: Path) -> str:
    return ".".join(path.with_suffix("").parts).removesuffix(".__init__")


SETUP: Final = """
import sys
from mypyc.build import mypycify
from setuptools import setup

modules = ["--config-file=mypy.ini", *sys.argv[1:]]
extensions = mypycify(modules, opt_level="1", debug_level="0", multi_file=True, group_name="tabletape")
setup(name="tabletape", packages=[], ext_modules=extensions, script_args=["build_ext", "--inplace", "--parallel=2"])
"""

SLOTS: Final = "slots.h"
FLAGS: Final = f"-g0 -w -fvisibility=hidden -fno-plt -fno-semantic-interposition -include {SLOTS}"
"""No debug symbols; what the modules have of each other is reached directly: nobody else may replace it; and what has
no place in memory that mypyc knows is looked up once in each place."""

MYPY: Final = """
[mypy]
ignore_missing_imports = true
implicit_reexport = true
follow_imports = silent
disable_error_code = call-arg, var-annotated, assignment, arg-type, return-value
"""


def build(root: Path, to: Path) -> None:
    """Compile the project at `root` in the folder `to`, which is made: the extensions lie beside their sources.

    Raises `RuntimeError` with what mypyc or the compiler has said where that does not work.
    """
    compiled = prepare(root, to)
    for face in (to / "projector" / "games").glob("*/__init__.py"):
        face.write_text("", encoding="utf-8")  # it imports the whole game: mypy could not take its modules in order
    shutil.copy(HERE / SLOTS, to)
    (to / "mypy.ini").write_text(MYPY, encoding="utf-8")
    (to / "compile.py").write_text(SETUP, encoding="utf-8")
    command = [sys.executable, "compile.py", *map(str, compiled)]
    flags = {"CFLAGS": FLAGS, **os.environ}
    done = subprocess.run(command, cwd=to, env=flags, text=True, capture_output=True, check=False)  # noqa: S603 - this Python, our own modules
    if done.returncode != 0:
        said = [line for line in (done.stdout + done.stderr).splitlines() if "warning:" not in line]
        raise RuntimeError("\n".join(said[-40:]))


if __name__ == "__main__":
    build(Path(sys.argv[1]), Path(sys.argv[2]))
