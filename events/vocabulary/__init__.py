"""The vocabulary of a game: its event types, how a line becomes one of them, and back; and which games there are.

Whoever writes the event types of a game finds here all that they are made of: the classes of `event` and the types of
`fields`.
"""

import importlib
import pkgutil
import re
import sys
import types
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

import msgspec

from tabletape.events.errors import TabletapeError
from tabletape.events.plans import decoder_of
from tabletape.events.rules_file.lines import draws_of, lines_of
from tabletape.events.vocabulary import shared, tabletop
from tabletape.events.vocabulary.event import (
    CLASSES,
    ENVELOPE,
    SERVED,
    ByPlayer,
    Chance,
    Consequence,
    Decision,
    Event,
    OfCard,
    OfPlayer,
    Phrases,
    Remark,
    check_exclusive,
    fields_of,
    tag_of,
)
from tabletape.events.vocabulary.fields import (
    MAX_EVENTS,
    MAX_LIST,
    AnyCard,
    CardId,
    CardIds,
    CardName,
    CardNames,
    Coordinate,
    Count,
    MadeCard,
    Place,
    PlayerId,
    Seq,
    Time,
    Total,
    choices_of,
    note_of,
    printed_in,
    usual_words,
)
from tabletape.events.vocabulary.open_games import OpenGame, game_file_problems, made_once, open_games
from tabletape.events.vocabulary.plugins import NoGameError, Plugin, Plugins, load_plugins, readers


class UnknownGameError(TabletapeError):
    """No vocabulary is called like that; `args[0]` is the name, `args[1]` the known ones."""

    def __str__(self) -> str:
        """Return which games there are, and why one that is installed cannot be used."""
        name, known = self.args
        problem = game_problems().get(name)
        if problem is not None:
            return f"the game {name!r} cannot be used: {problem}"
        return f"there is no game called {name!r}; the games are {', '.join(known)}"


class Vocabulary:
    """All event types of one game, with the decoder and the encoder of its log lines.

    An event type names in its class variable `EXACTLY_ONE` the fields of which exactly one has to stand (`cards` or
    `count`), and a consequence in `SUBJECT` the fields that say which other one it is compared with. `written_as` are
    names of moves that are no types, with the type of which their lines are.
    """

    def __init__(
        self,
        game: str,
        event_types: tuple[type[Event], ...],
        written_as: Mapping[str, str] = types.MappingProxyType({}),
    ) -> None:
        self.game = game
        self.written_as = written_as
        self.types: Mapping[str, type[Event]] = {tag_of(each): each for each in event_types}
        union: Any = event_types[0]
        for each in event_types[1:]:
            union |= each
        self.union = union
        self.decoder = decoder_of(union)
        self._encoder = msgspec.json.Encoder(order="sorted")

    def decode(self, line: bytes | str) -> Event:
        """Read one log line.

        Raises `msgspec.DecodeError` where it is no JSON, `msgspec.ValidationError` where it is no event of this game.
        """
        event: Event = self.decoder.decode(line)
        return check_exclusive(event)

    def convert(self, fields: Mapping[str, Any]) -> Event:
        """Read an event whose fields are already Python values (a row of a sheet).

        Raises `msgspec.ValidationError` as `decode` does. Numbers and booleans may be written as text.
        """
        event: Event = msgspec.convert(fields, self.union, strict=False)
        return check_exclusive(event)

    def encode(self, event: Event) -> bytes:
        """Return the canonical JSON of an event: keys sorted, nothing that was not written down."""
        return self._encoder.encode(event)

    def schema(self) -> dict[str, Any]:
        """Return the JSON Schema (draft 2020-12) of one line of a log of this game."""
        schema = msgspec.json.schema(self.union)
        return {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": f"A log line of {self.game}",
            **schema,
        }


def vocabulary_of(module: types.ModuleType, usual: Iterable[type[Event]] = ()) -> Vocabulary:
    """Collect the event types that a module or package of `events.games` defines or takes over from `shared`.

    Every public concrete `Event` in its namespace counts, and the shared ones that every game has (`IN_EVERY_GAME`);
    `usual` are others that the game has unless it has an event type of its own for the same line.
    They come class by class, the shared ones before the game's own, in the order in which they are defined.
    """
    everywhere = [each for each in _event_types(shared) if getattr(each, "IN_EVERY_GAME", False)]
    own = _event_types(module)
    tags = {tag_of(each) for each in own}
    types_of_game = dict.fromkeys([*own, *everywhere, *(each for each in usual if tag_of(each) not in tags)])
    return Vocabulary(module.__name__.rpartition(".")[2], tuple(sorted(types_of_game, key=_order_of_definition)))


def _order_of_definition(event_type: type[Event]) -> tuple[int, bool, int]:
    home = event_type.__module__
    defined = list(vars(sys.modules[home]))
    return CLASSES.index(event_type.CLASS), home != shared.__name__, defined.index(event_type.__name__)


def _event_types(module: types.ModuleType) -> list[type[Event]]:
    return [
        value
        for name, value in vars(module).items()
        if isinstance(value, type)
        and issubclass(value, Event)
        and value.CLASS
        and not name.startswith("_")
        and isinstance(value.__struct_config__.tag, str)
        and re.fullmatch(r"[a-z0-9-]+\.[a-z0-9-]+", value.__struct_config__.tag)
    ]


@cache
def built_in_games() -> tuple[str, ...]:
    """Return the slugs of the games that live here, found by scanning `events.games`."""
    package = importlib.import_module("tabletape.events.games")
    return tuple(sorted(module.name for module in pkgutil.iter_modules(package.__path__)))


@cache
def _plugins() -> Plugins:
    return load_plugins(built_in_games(), _with_its_slug)


def plugins() -> Mapping[str, Plugin]:
    """Return the games of other installed packages by their slugs, as far as they can be used."""
    return _plugins().games


def plugin_problems() -> Mapping[str, str]:
    """Return why games of other packages cannot be used, by their slugs; empty before anybody asks for games."""
    return _plugins().problems if _plugins.cache_info().currsize else {}


def game_problems() -> Mapping[str, str]:
    """Return why games of the workspace's `games/`, and games and readers of other packages cannot be used, by name."""
    of_readers = readers().problems if readers.cache_info().currsize else {}
    return {**of_readers, **game_file_problems(), **plugin_problems()}


def _with_its_slug(slug: str, game: Any) -> Any:
    """Return the game of an entry point, its vocabulary called by its slug. Raises `NoGameError` for anything else."""
    words = getattr(game, "vocabulary", None)
    if not isinstance(words, Vocabulary) or not isinstance(game, msgspec.Struct):
        raise NoGameError(f"what it names is a {type(game).__name__} and no `Game`: name the module and `:GAME`")
    called = getattr(game, "slug", None)
    if called != slug:
        raise NoGameError(f"the game calls itself {called!r}: both have to be the same")
    return msgspec.structs.replace(game, vocabulary=Vocabulary(slug, tuple(words.types.values())))


def games() -> tuple[str, ...]:
    """Return the slugs of all games with rules: those that live here, and those of plugins."""
    return tuple(sorted({*built_in_games(), *plugins()}))


def known_games() -> tuple[str, ...]:
    """Return the slugs of all games, those without rules as well."""
    return tuple(dict.fromkeys([*games(), *open_games()]))


def vocabulary(game: str) -> Vocabulary:
    """Return the vocabulary of a game.

    Raises `UnknownGameError` where there is none.
    """
    if game in built_in_games():
        return built_vocabulary(game)
    if game in plugins():
        words: Vocabulary = plugins()[game].game.vocabulary
        return words
    if game not in open_games():
        raise UnknownGameError(game, known_games())
    return open_vocabulary(open_games()[game])


@cache
def built_vocabulary(game: str) -> Vocabulary:
    """Return the vocabulary of a game that lives here."""
    return vocabulary_of(importlib.import_module(f"tabletape.events.games.{game}"))


@made_once
def open_vocabulary(described: OpenGame) -> Vocabulary:
    """Return the vocabulary of a game of a file: the event types that all of them have, and those of its moves."""
    usual = vocabulary_of(tabletop).types.values()
    if described.rules is None:
        return Vocabulary(described.slug, (*usual,))
    draws = dict.fromkeys(draws_of(described.rules), tag_of(tabletop.CardsDrawn))
    called = {f"move.{word}": f"move.{move.name}" for move in described.rules.moves.values() for word in move.called}
    written_as = draws | {word: draws.get(tag, tag) for word, tag in called.items()}
    return Vocabulary(described.slug, (*usual, *lines_of(described.rules)), written_as)
