"""Games that other installed packages bring, each by an entry point; one that cannot be used stops nothing else."""

import sys
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Final, NamedTuple

from tabletape.events.errors import TabletapeError, said_by

GROUP: Final = "tabletape.games"
"""The entry point group of games that are written elsewhere: the slug, and where the `GAME` is."""


class NoGameError(TabletapeError):
    """What an entry point names is no game of its slug; the message says what is wrong with it."""


class Plugin(NamedTuple):
    """A game of another package: the package in which its cards and its rulebook lie, and the game itself."""

    package: str
    game: Any


class Plugins(NamedTuple):
    """The games of other packages by their slugs, and for each that cannot be used a sentence that says why."""

    games: Mapping[str, Plugin]
    problems: Mapping[str, str]


def load_plugins(taken: Collection[str], prepare: Callable[[str, Any], Any]) -> Plugins:
    """Load the games of all packages.

    `taken` are the slugs of the games that Tabletape has itself; `prepare` makes a game of what an entry point names,
    and raises `NoGameError` where it is none.
    """
    points = list(entry_points(group=GROUP))
    several = Counter(point.name for point in points)
    found: dict[str, Plugin] = {}
    problems: dict[str, str] = {}
    for point in points:
        if point.name in taken:
            problems[point.name] = f"{_declared(point)}, which Tabletape has itself: declare it under another name"
        elif several[point.name] > 1:
            packages = " and ".join(sorted(_package(each) for each in points if each.name == point.name))
            problems[point.name] = f"{packages} both declare a game {point.name!r}: uninstall one of them"
        else:
            try:
                game = prepare(point.name, point.load())
                found[point.name] = Plugin(_home(point), game)
            except NoGameError as error:
                problems[point.name] = f"{_declared(point)}, but {error}"
            except KeyboardInterrupt:
                raise KeyboardInterrupt(f"while {_package(point)} was being loaded") from None
            except BaseException as error:  # noqa: BLE001 - whatever it raises, even an exit: the other games go on
                reason = said_by(error)
                problems[point.name] = (
                    f"{_declared(point)}, but it cannot be loaded: {reason}; mend or uninstall {_package(point)}"
                )
    return Plugins(found, problems)


def _home(point: EntryPoint) -> str:
    """Return the package in which the game of an entry point lives. Raises `NoGameError` for a module alone."""
    home: str = sys.modules[point.module].__package__ or ""
    if not home:
        raise NoGameError(f"{point.module} is a module alone: make it a folder with an __init__.py, beside its cards")
    return home


def _declared(point: EntryPoint) -> str:
    return f"{_package(point)} declares a game {point.name!r}"


def _package(point: EntryPoint) -> str:
    """Return the package that an entry point is of, with its version."""
    package = getattr(point, "dist", None)
    return f"the package {package.name} {package.version}" if package is not None else f"the module {point.module}"
