"""The vocabulary of a game: its event types, how a line becomes one of them, and back.

A line of a log is flat: the keys of the envelope and the event's own fields stand side by side
(see docs/reference/log-format.md). Every event type is a frozen struct; the four base classes below say what
kind of fact it is. A field that is `UNSET` was not written down; `None` means that it is known to be none.
"""

import importlib
import pkgutil
import re
import sys
import types
from collections.abc import Mapping
from datetime import datetime
from functools import cache
from typing import Annotated, Any, ClassVar, Final, TypeVar, get_args, get_origin

import msgspec
from msgspec import UNSET, UnsetType

from events.open_games import open_games
from events.plugins import NoGameError, Plugin, Plugins, load_plugins

Time = Annotated[datetime, msgspec.Meta(tz=True, description="RFC 3339, with its time zone")]
MAX_EVENTS: Final = 1_000_000
"""A game has no more events than this; the longest that a table plays in an evening has a few thousand."""

MAX_LIST: Final = 1_000
"""A list in an event (a deck, a hand, the players) has no more entries than this."""

Seq = Annotated[int, msgspec.Meta(ge=1, le=MAX_EVENTS, description="the number of an event within its game, from 1")]
Count = Annotated[int, msgspec.Meta(ge=0, le=1_000)]
Total = Annotated[int, msgspec.Meta(ge=-1_000_000, le=1_000_000)]
Coordinate = Annotated[int, msgspec.Meta(ge=-100, le=100)]
Place = tuple[Coordinate, Coordinate]
PlayerId = Annotated[str, msgspec.Meta(description="the `id` of a player in `game.started`")]
CardId = Annotated[str, msgspec.Meta(description="a card of the game: its name as a slug, `reed-heron`")]
CardName = Annotated[
    str,
    msgspec.Meta(
        description="a card on the table: `A:reed-heron`, `A:reed-heron#2`, or `A:?1` where nobody has seen it"
    ),
]
AnyCard = Annotated[CardName, msgspec.Meta(extra={"whose": "anybody"})]
"""A card that may be another player's than that of the line: a target, a source."""

MadeCard = Annotated[CardName, msgspec.Meta(extra={"made": True})]
"""A card that the game makes with this line: its name has the next number."""

CardIds = Annotated[tuple[CardId, ...], msgspec.Meta(max_length=MAX_LIST)]
CardNames = Annotated[tuple[CardName, ...], msgspec.Meta(max_length=MAX_LIST)]


def usual_words(*words: str) -> msgspec.Meta:
    """Return the mark of a text for which a rulebook has a few words; what else stands there is for the audit to judge.

    The import reads the words also as they are printed: `Mining Lane` in a field `lane` is the word mining.
    """
    return msgspec.Meta(extra={"words": words})


def printed_in(attribute: str) -> msgspec.Meta:
    """Return the mark of a text that stands on a card: in `attribute` of what the game reads in the card's text."""
    return msgspec.Meta(extra={"printed in": attribute})


Phrases = Mapping[str, Mapping[str, str]]
"""The words of a sentence for what a log writes as a fixed value: by field and value."""

CLASSES: Final = ("decision", "chance", "consequence", "remark")


class Event(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    forbid_unknown_fields=True,
    tag_field="type",
    gc=False,
):
    """The envelope that every event has; its fields may be left out.

    `SENTENCE` says the event as people do, as one template or several (see `projector.model.sentences`);
    `PHRASES` has the words for fixed values of its fields. `ASKED_AFTER` are the fields that luck or hidden information
    fills in once the rest is chosen, `ORDERED` the lists whose order means something; `ANY_TIME` says that it may be
    written whoever is on turn, `MAY_BE_UNSEEN` are the fields for a card that may stay unnamed.
    """

    seq: Seq | UnsetType = UNSET
    at: Time | UnsetType = UNSET
    cause: Seq | UnsetType = UNSET
    note: str | UnsetType = UNSET

    CLASS: ClassVar[str] = ""
    SENTENCE: ClassVar[str | tuple[str, ...]] = ""
    PHRASES: ClassVar[Phrases] = {}
    ASKED_AFTER: ClassVar[tuple[str, ...]] = ()
    ORDERED: ClassVar[tuple[str, ...]] = ()
    ANY_TIME: ClassVar[bool] = False
    MAY_BE_UNSEEN: ClassVar[tuple[str, ...]] = ()


class Decision(Event, frozen=True, kw_only=True, gc=False):
    """What a player chose; always in a log."""

    CLASS: ClassVar[str] = "decision"


class Chance(Event, frozen=True, kw_only=True, gc=False):
    """What luck or hidden information decided; always in a log, what nobody saw as a count."""

    CLASS: ClassVar[str] = "chance"


class Consequence(Event, frozen=True, kw_only=True, gc=False):
    """What the rules make of it; may be left out, and is compared with what the fold derives."""

    CLASS: ClassVar[str] = "consequence"


class Remark(Event, frozen=True, kw_only=True, gc=False):
    """What somebody noticed, asked or took back; may be left out."""

    CLASS: ClassVar[str] = "remark"


ENVELOPE: Final = ("seq", "at", "cause", "note")

AnyEvent = TypeVar("AnyEvent", bound=Event)


class UnknownGameError(Exception):
    """No vocabulary is called like that; `args[0]` is the name, `args[1]` the known ones."""

    def __str__(self) -> str:
        """Return which games there are, and why one that is installed cannot be used."""
        name, known = self.args
        problem = plugin_problems().get(name)
        if problem is not None:
            return f"the game {name!r} cannot be used: {problem}"
        return f"there is no game called {name!r}; the games are {', '.join(known)}"


class Vocabulary:
    """All event types of one game, with the decoder and the encoder of its log lines.

    An event type names in its class variable `EXACTLY_ONE` the fields of which exactly one has to stand (`cards` or
    `count`), and a consequence in `SUBJECT` the fields that say which other one it is compared with.
    """

    def __init__(self, game: str, event_types: tuple[type[Event], ...]) -> None:
        self.game = game
        self.types: Mapping[str, type[Event]] = {tag_of(each): each for each in event_types}
        union: Any = event_types[0]
        for each in event_types[1:]:
            union |= each
        self.union = union
        self.decoder: msgspec.json.Decoder[Any] = msgspec.json.Decoder(union)
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


def check_exclusive(event: AnyEvent) -> AnyEvent:
    """Return the event back if exactly one of the fields named in its `EXACTLY_ONE` is written down.

    Raises `msgspec.ValidationError` otherwise.
    """
    names: tuple[str, ...] | None = getattr(event, "EXACTLY_ONE", None)
    if names is not None:
        written = [name for name in names if getattr(event, name) is not UNSET]
        if len(written) != 1:
            found = "both" if written else "neither"
            raise msgspec.ValidationError(f"Expected exactly one of `{'`, `'.join(names)}`, got {found}")
    return event


def tag_of(event_type: type[Event]) -> str:
    """Return the name of an event type as it stands in a log, `seed.played`."""
    tag = event_type.__struct_config__.tag
    if not isinstance(tag, str):
        raise TypeError(f"{event_type.__name__} has no tag of its own")
    return tag


def fields_of(event_type: type[Event]) -> tuple[msgspec.structs.FieldInfo, ...]:
    """Return the event type's own fields, without the envelope, in the order of their declaration."""
    return _fields_of(event_type)


@cache
def _fields_of(event_type: type[Event]) -> tuple[msgspec.structs.FieldInfo, ...]:
    return tuple(field for field in msgspec.structs.fields(event_type) if field.name not in ENVELOPE)


def vocabulary_of(module: types.ModuleType) -> Vocabulary:
    """Collect the event types that a module or package of `events.games` defines or takes over from `events.shared`.

    Every public concrete `Event` in its namespace counts, and the shared ones that every game has (`IN_EVERY_GAME`).
    They come class by class, the shared ones before the game's own, in the order in which they are defined.
    """
    shared = importlib.import_module("events.shared")
    everywhere = [each for each in _event_types(shared) if getattr(each, "IN_EVERY_GAME", False)]
    found = dict.fromkeys([*_event_types(module), *everywhere])
    return Vocabulary(module.__name__.rpartition(".")[2], tuple(sorted(found, key=_order_of_definition)))


def _order_of_definition(event_type: type[Event]) -> tuple[int, bool, int]:
    home = event_type.__module__
    defined = list(vars(sys.modules[home]))
    return CLASSES.index(event_type.CLASS), home != "events.shared", defined.index(event_type.__name__)


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
    package = importlib.import_module("events.games")
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


def _with_its_slug(slug: str, found: Any) -> Any:
    """Return the game of an entry point, its vocabulary called by its slug. Raises `NoGameError` for anything else."""
    words = getattr(found, "vocabulary", None)
    if not isinstance(words, Vocabulary) or not isinstance(found, msgspec.Struct):
        raise NoGameError(f"what it names is a {type(found).__name__} and no `Game`: name the module and `:GAME`")
    called = getattr(found, "slug", None)
    if called != slug:
        raise NoGameError(f"the game calls itself {called!r}: both have to be the same")
    return msgspec.structs.replace(found, vocabulary=Vocabulary(slug, tuple(words.types.values())))


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
        found: Vocabulary = plugins()[game].game.vocabulary
        return found
    if game not in open_games():
        raise UnknownGameError(game, known_games())
    return open_vocabulary(game)


@cache
def built_vocabulary(game: str) -> Vocabulary:
    """Return the vocabulary of a game that lives here."""
    return vocabulary_of(importlib.import_module(f"events.games.{game}"))


@cache
def open_vocabulary(game: str) -> Vocabulary:
    """Return the vocabulary of a game without rules: all of them have the same event types."""
    types = vocabulary_of(importlib.import_module("events.tabletop")).types
    return Vocabulary(game, tuple(types.values()))


def choices_of(field_type: Any) -> tuple[str, ...]:
    """Return the words of a field: those of its `Literal`, or its usual words; an empty tuple where it is free."""
    if get_origin(field_type) is None:
        return ()
    arguments = get_args(field_type)
    if all(isinstance(each, str) for each in arguments):
        return arguments
    usual: tuple[str, ...] = note_of(field_type, "words") or ()
    return usual or tuple(word for each in arguments for word in choices_of(each))


def note_of(annotation: Any, name: str) -> Any:
    """Return what the marks at an annotation say beyond what msgspec checks; None where they say nothing."""
    marks = (each for each in get_args(annotation) if isinstance(each, msgspec.Meta) and each.extra)
    return next((each.extra[name] for each in marks if each.extra and name in each.extra), None)
