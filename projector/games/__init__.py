"""The games, and how they are found.

A game is a folder here whose `__init__.py` holds `GAME = Game(…)`, a module of event types in `events/games/` with the
same name, and its recorded games under `tests/`. Nothing else names it. Games of other packages are found by their
entry points (see `events.vocabulary.plugins`), and the games without rules by their files (see `projector.tabletop`).
"""

import importlib
import pkgutil
from functools import cache

from tabletape.events.vocabulary import UnknownGameError, known_games, plugins
from tabletape.events.vocabulary.open_games import OpenGame, made_once, open_games
from tabletape.projector.model.game import Game
from tabletape.projector.model.rulebook import title_in


@cache
def built_in_games() -> tuple[str, ...]:
    """Return the slugs of the games whose rules live here, found by scanning `projector.games`."""
    return tuple(sorted(each.name for each in pkgutil.iter_modules(__path__) if each.ispkg))


def games() -> tuple[str, ...]:
    """Return the slugs of all games with rules: those that live here, and those of plugins."""
    return tuple(sorted({*built_in_games(), *plugins()}))


def game(slug: str) -> Game:
    """Return a game, with rules or without. Raises `UnknownGameError` where there is none."""
    if slug in built_in_games():
        return built_game(slug)
    if slug in plugins():
        asked: Game = plugins()[slug].game
        return asked
    if slug not in open_games():
        raise UnknownGameError(slug, known_games())
    return open_game(open_games()[slug])


def title_of(slug: str) -> str:
    """Return the title of a game, without loading it where it lives here. Raises `UnknownGameError` as `game` does."""
    if slug in built_in_games():
        return title_in(package_of(slug))
    return open_games()[slug].title if slug not in plugins() and slug in open_games() else game(slug).title


@cache
def built_game(slug: str) -> Game:
    """Return a game whose rules live here."""
    built: Game = importlib.import_module(package_of(slug)).GAME
    return built


@made_once
def open_game(described: OpenGame) -> Game:
    """Return the game of a table that a file describes."""
    from tabletape.projector.tabletop import game_of  # noqa: PLC0415 - who asks for a game with rules does not wait for it

    return game_of(described)


def package_of(slug: str) -> str:
    """Return the package that a game lives in."""
    if slug in built_in_games():
        return f"tabletape.projector.games.{slug}"
    return plugins()[slug].package if slug in plugins() else "tabletape.projector.tabletop"
