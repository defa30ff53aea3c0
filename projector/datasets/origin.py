"""What rows were made from besides the log: the sources and cards that decide what a game's rows say, as one hash."""

import hashlib
import importlib.util
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Final

import tabletape.events.games
from tabletape.events.vocabulary import built_in_games, known_games, vocabulary
from tabletape.events.vocabulary.open_games import open_games
from tabletape.projector.datasets.columns import SCHEMA
from tabletape.projector.games import package_of

SHARED_PACKAGES: Final = (
    "tabletape.projector.datasets",
    "tabletape.projector.fold",
    "tabletape.projector.kit",
    "tabletape.projector.model",
)
"""The packages whose code decides what the rows of every game say."""

EVENTS: Final = ("event.py", "fields.py", "names.py", "shared.py", "__init__.py")
"""The modules of `events.vocabulary` that do as well."""


def code_of(workspace: Path, slug: str) -> str:
    """Return sixteen digits that change with the rules, cards or columns of a game, the designer's own included.

    Empty for a game that is not known (any more): its package is gone, or cannot be loaded.
    """
    if slug not in known_games():
        return ""
    own = workspace / "cards" / f"{slug}.toml"
    changed = own.stat().st_mtime_ns if own.is_file() else 0
    described = open_games().get(slug)
    return _code_of(own, slug, changed, described.text if described is not None else "")


@cache
def _code_of(own: Path, slug: str, changed: int, described: str) -> str:
    digest = hashlib.sha256(f"{SCHEMA}{described}{_shared_code()}".encode())
    for file in (*_sources(slug), *([own] if changed else [])):
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


@cache
def _shared_code() -> str:
    digest = hashlib.sha256()
    for file in (
        *(_folder("tabletape.events.vocabulary") / name for name in EVENTS),
        *_files_in(map(_folder, SHARED_PACKAGES)),
    ):
        digest.update(file.read_bytes())
    return digest.hexdigest()


def _sources(slug: str) -> Iterator[Path]:
    folders = [_folder(package_of(slug))]
    if slug in built_in_games():
        folders.append(_folder(f"{tabletape.events.games.__name__}.{slug}"))
    else:
        if slug in open_games():
            folders.append(_folder("tabletape.events.rules_file"))
        for name in sorted({each.__module__ for each in vocabulary(slug).types.values()}):
            yield Path(str(sys.modules[name].__file__))
    yield from _files_in(folders)


def _files_in(folders: Iterable[Path]) -> Iterator[Path]:
    for folder in folders:
        yield from sorted(each for each in folder.rglob("*") if each.suffix in {".py", ".toml", ".sql"})


def _folder(package: str) -> Path:
    """Return the folder of a package: found, not imported, so that nobody waits here for the rules of all games."""
    spec = importlib.util.find_spec(package)
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError("a game without a package of its own")
    return Path(spec.origin).parent


def name_of(parts: list[str]) -> str:
    """Return the name of a file by what it is made from."""
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]
