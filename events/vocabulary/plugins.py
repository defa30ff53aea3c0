"""What other installed packages bring, each by an entry point: games, and readers of files of other programs.

One that cannot be used is named, and stops nothing else.
"""

import logging
import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from functools import cache, wraps
from importlib.metadata import EntryPoint, entry_points
from threading import Timer
from types import GeneratorType
from typing import Any, Final, NamedTuple

import msgspec

from tabletape.events.errors import TabletapeError, said_by

GROUP: Final = "tabletape.games"
"""The entry point group of games that are written elsewhere: the slug, and where the `GAME` is."""


READERS: Final = "tabletape.readers"
"""The entry point group of readers: a name, and where the function is."""


PLAIN_FIELDS: Final = frozenset({"vocabulary", "rulebook", "rules", "rows", "library", "decks"})
"""The fields of a game and of its cards that hold no functions, or only such as stand in rules."""


SLOW: Final = 3.0
"""Seconds that a command waits for the code of a package before it says so."""

LOGGER: Final = logging.getLogger("tabletape")


class NoGameError(TabletapeError):
    """What an entry point names is no game of its slug, or no reader; the message says what is wrong with it."""


class PluginFailedError(TabletapeError):
    """The code of a package's game has raised something; the message names the package and what it was."""


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

    def prepare(_name: str, function: Any) -> Any:
        if not callable(function):
            raise NoGameError(f"what it names is a {type(function).__name__} and no function")
        return function

    return load_plugins((), prepare, READERS)


def load_plugins(taken: Collection[str], prepare: Callable[[str, Any], Any], group: str = GROUP) -> Plugins:
    """Load what all packages declare in a group of entry points.

    `taken` are the slugs of the games that Tabletape has itself; `prepare` makes a game of what an entry point names,
    and raises `NoGameError` where it is none.
    """
    points = list(entry_points(group=group))
    several = Counter(point.name for point in points)
    loaded: dict[str, Plugin] = {}
    problems: dict[str, str] = {}
    for point in points:
        if point.name in taken:
            problems[point.name] = f"{_declared(point)}, which Tabletape has itself: declare it under another name"
        elif several[point.name] > 1:
            packages = " and ".join(sorted(_package(each) for each in points if each.name == point.name))
            problems[point.name] = f"{packages} both declare {_what(point)}: uninstall one of them"
        else:
            try:
                with waited_for(_package(point), "was being loaded"):
                    brought = prepare(point.name, point.load())
                loaded[point.name] = (
                    Plugin(_home(point), _guarded(brought, _package(point)))
                    if group == GROUP
                    else Plugin(_package(point), brought)
                )
            except NoGameError as error:
                problems[point.name] = f"{_declared(point)}, but {error}"
            except KeyboardInterrupt:
                raise
            except BaseException as error:  # noqa: BLE001 - whatever it raises, even an exit: the other games go on
                reason = said_by(error)
                problems[point.name] = (
                    f"{_declared(point)}, but it cannot be loaded: {reason}; mend or uninstall {_package(point)}"
                )
    return Plugins(loaded, problems)


@contextmanager
def waited_for(package: str, what: str) -> Iterator[None]:
    """Say in the log of the program which package is waited for, once that takes long, and name it to who ends that.

    Raises `KeyboardInterrupt` with `what` was going on, whoever has raised it.
    """
    late = Timer(SLOW, LOGGER.warning, ("Waiting for %s, which is slow or hangs; Ctrl+C stops it.", package))
    late.daemon = True
    late.start()
    try:
        yield
    except KeyboardInterrupt:
        raise KeyboardInterrupt(f"while {package} {what}") from None
    finally:
        late.cancel()


def _guarded(part: Any, package: str) -> Any:
    """Return a game of a package whose functions raise `PluginFailedError`, whatever they raise themselves.

    The tests of its rules are called by the fold alone, which stops one game at whatever they raise.
    """
    if isinstance(part, Mapping):
        return {key: _guarded(value, package) for key, value in part.items()}
    if isinstance(part, msgspec.Struct):
        fields = {name: getattr(part, name) for name in part.__struct_fields__ if name not in PLAIN_FIELDS}
        return msgspec.structs.replace(part, **{name: _guarded(each, package) for name, each in fields.items()})
    return _guarded_function(part, package) if callable(part) and not isinstance(part, type) else part


def _guarded_function(function: Callable[..., Any], package: str) -> Callable[..., Any]:
    @wraps(function)
    def guarded(*arguments: Any, **named: Any) -> Any:
        try:
            result = function(*arguments, **named)
        except TabletapeError:
            raise
        except KeyboardInterrupt:
            raise KeyboardInterrupt(f"while the game of {package} was at work") from None
        except BaseException as error:
            raise _failed(package, error) from error
        return all_of(result) if isinstance(result, GeneratorType) else result

    def all_of(result: Iterator[Any]) -> Iterator[Any]:
        try:
            yield from result
        except (TabletapeError, GeneratorExit):
            raise
        except KeyboardInterrupt:
            raise KeyboardInterrupt(f"while the game of {package} was at work") from None
        except BaseException as error:
            raise _failed(package, error) from error

    return guarded


def _failed(package: str, error: BaseException) -> PluginFailedError:
    return PluginFailedError(f"the game of {package} has failed ({said_by(error)}); mend or uninstall it")


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
