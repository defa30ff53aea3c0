"""What other installed packages bring, each by an entry point: games, and readers of files of other programs.

One that cannot be used is named, and stops nothing else.
"""

import sys
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Final, NamedTuple

from tabletape.events.errors import TabletapeError, said_by

GROUP: Final = "tabletape.games"
"""The entry point group of games that are written elsewhere: the slug, and where the `GAME` is."""


READERS: Final = "tabletape.readers"
"""The entry point group of readers: a name, and where the function is."""


class NoGameError(TabletapeError):
    """What an entry point names is no game of its slug, or no reader; the message says what is wrong with it."""


class Plugin(NamedTuple):
    """A game or a reader of another package, and the package, in which the cards and the rulebook of a game lie."""

    package: str
    game: Any


class Plugins(NamedTuple):
    """What other packages bring by its name, and for each that cannot be used a sentence that says why."""

    games: Mapping[str, Plugin]
    problems: Mapping[str, str]


@cache
def readers() -> Plugins:
    """Load the readers of all packages."""

    def prepare(_name: str, found: Any) -> Any:
        if not callable(found):
            raise NoGameError(f"what it names is a {type(found).__name__} and no function")
        return found

    return load_plugins((), prepare, READERS)


def load_plugins(taken: Collection[str], prepare: Callable[[str, Any], Any], group: str = GROUP) -> Plugins:
    """Load what all packages declare in a group of entry points.

    `taken` are the slugs of the games that Tabletape has itself; `prepare` makes a game of what an entry point names,
    and raises `NoGameError` where it is none.
    """
    points = list(entry_points(group=group))
    several = Counter(point.name for point in points)
    found: dict[str, Plugin] = {}
    problems: dict[str, str] = {}
    for point in points:
        if point.name in taken:
            problems[point.name] = f"{_declared(point)}, which Tabletape has itself: declare it under another name"
        elif several[point.name] > 1:
            packages = " and ".join(sorted(_package(each) for each in points if each.name == point.name))
            problems[point.name] = f"{packages} both declare {_what(point)}: uninstall one of them"
        else:
            try:
                game = prepare(point.name, point.load())
                found[point.name] = Plugin(_home(point) if group == GROUP else _package(point), game)
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
    return f"{_package(point)} declares {_what(point)}"


def _what(point: EntryPoint) -> str:
    return f"a {'reader' if point.group == READERS else 'game'} {point.name!r}"


def _package(point: EntryPoint) -> str:
    """Return the package that an entry point is of, with its version."""
    package = getattr(point, "dist", None)
    return f"the package {package.name} {package.version}" if package is not None else f"the module {point.module}"
