"""Finding the map of a file: one that lies beside it or in the workspace, or one that comes with Tabletape."""

from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Final

from tabletape.events.importing.maps.documents.foreign import fits, is_of_shape, is_vassal
from tabletape.events.importing.maps.documents.trees import Tree
from tabletape.events.importing.maps.map import SUFFIX, Map, MapError, map_name, read_map
from tabletape.events.vocabulary import UnknownGameError, vocabulary
from tabletape.events.workspace_files import text_of

FITTING_SHARE: Final = 0.5
"""A map fits a file if it understands at least this much of its first lines."""


VASSAL: Final = "vassal"
"""The map of the chat of Vassal's logs."""


def map_of_file(path: Path) -> Map:
    """Read a map. Raises `MapError` with file and line where it cannot be used."""
    try:
        text = text_of(path)
    except OSError as error:
        raise MapError(f"{path}: the map cannot be read: {error.strerror}") from None
    return _read(text, str(path))


def _read(text: str, name: str) -> Map:
    try:
        return read_map(text, name, vocabulary)
    except UnknownGameError as error:
        raise MapError(f"{name}:1: {error}") from None


@cache
def shipped_maps() -> tuple[Map, ...]:
    """Return the maps that come with Tabletape, by name."""
    folder = files("tabletape.events.importing.maps").joinpath("shipped")
    maps = sorted((each.name, each) for each in folder.iterdir() if each.name.endswith(SUFFIX))
    return tuple(_read(each.read_text(encoding="utf-8"), name) for name, each in maps)


def maps_of_program(content: bytes) -> list[Map]:
    """Return the shipped map with the sentences that a program writes into every game's chat; none but Vassal does."""
    if not is_vassal(content):
        return []
    return [used for used in shipped_maps() if map_name(Path(used.name)) == VASSAL]


def own_maps(path: Path, workspace: Path | None) -> Iterator[Map]:
    """Return the maps beside a file and in the workspace, those that are called like the file first."""
    yield from map(map_of_file, own_map_files(path, workspace))


def own_map_files(path: Path, workspace: Path | None) -> list[Path]:
    """Return where these maps lie."""
    folders = [path.parent, *([workspace / "maps"] if workspace is not None else [])]
    maps = dict.fromkeys(each for folder in folders if folder.is_dir() for each in sorted(folder.glob(f"*{SUFFIX}")))
    stem = stem_of(path)
    return sorted(maps, key=lambda one: map_name(one) != stem)


def stem_of(path: Path) -> str:
    """Return the name of a file without its folder and endings."""
    plain = path.name
    for ending in (".gz", ".zst"):
        plain = plain.removesuffix(ending)
    return Path(plain).stem or plain


def own_map(path: Path, content: bytes, workspace: Path | None) -> Map | None:
    """Return the map beside a file or in the workspace that is called like it, else the one of them that fits best.

    Raises `MapError` where one of them cannot be used.
    """
    tree = Tree(content, whole=False)
    best: tuple[float, Map] | None = None
    for used in own_maps(path, workspace):
        if map_name(Path(used.name)) == stem_of(path) and is_of_shape(used, tree):
            return used
        best = _better(best, used, tree)
    return best[1] if best else None


def fitting_map(path: Path, content: bytes, workspace: Path | None) -> Map | None:
    """Return the map that fits a file: an own one, else the shipped one that fits best.

    Raises `MapError` where a map beside the file or in the workspace cannot be used.
    """
    own = own_map(path, content, workspace)
    if own is not None:
        return own
    tree = Tree(content, whole=False)
    best: tuple[float, Map] | None = None
    for used in shipped_maps():
        best = _better(best, used, tree)
    return best[1] if best else None


def _better(best: tuple[float, Map] | None, used: Map, tree: Tree) -> tuple[float, Map] | None:
    """Return a map with how much of a file it understands, where that is enough and more than that of the best one."""
    share = fits(used, tree)
    return (share, used) if share >= FITTING_SHARE and (best is None or share > best[0]) else best
