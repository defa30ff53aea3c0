"""An event: the envelope that all of them have, and the four classes that say what kind of fact one is.

Most event types are about a player or a card that their first field names: `ByPlayer`, `OfPlayer`, `OfCard`.

Every event type is a frozen struct. A line of a log is flat: the keys of the envelope and the event's own fields stand
side by side (see docs/reference/log-format.md).
"""

from collections.abc import Collection, Mapping
from functools import cache
from typing import Annotated, ClassVar, Final, TypeVar

import msgspec
from msgspec import UNSET, Meta, UnsetType

from tabletape.events.vocabulary.fields import CardName, Key, PlayerId, Seq, Time, Writer

Phrases = Mapping[str, Mapping[str, str]]
"""The words of a sentence for what a log writes as a fixed value: by field and value."""

Plain = Mapping[str, Mapping[str, Collection[str]]]
"""Sentences for some values together: by the sentence, and field by field."""

CLASSES: Final = ("decision", "chance", "consequence", "remark")


class Event(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type", gc=False):
    """The envelope that every event has; its fields may be left out.

    `SENTENCE` says the event as people do, as one template or several (see `projector.model.sentences`);
    `PHRASES` has the words for fixed values of its fields, `PLAIN` a sentence of its own for some of these together:
    playing a card is a move of it. `ASKED_AFTER` are the fields that luck or hidden information
    fills in once the rest is chosen, `ORDERED` the lists whose order means something; `ANY_TIME` says that it may be
    written whoever is on turn, `MAY_BE_UNSEEN` are the fields for a card that may stay unnamed.
    """

    seq: Seq | UnsetType = UNSET
    at: Time | UnsetType = UNSET
    cause: Seq | UnsetType = UNSET
    note: str | UnsetType = UNSET
    writer: Writer | UnsetType = UNSET
    request: Key | UnsetType = UNSET

    CLASS: ClassVar[str] = ""
    SENTENCE: ClassVar[str | tuple[str, ...]] = ""
    PHRASES: ClassVar[Phrases] = {}
    PLAIN: ClassVar[Plain] = {}
    ASKED_AFTER: ClassVar[tuple[str, ...]] = ()
    ORDERED: ClassVar[tuple[str, ...]] = ()
    ANY_TIME: ClassVar[bool] = False
    MAY_BE_UNSEEN: ClassVar[tuple[str, ...]] = ()


class Decision(Event, frozen=True, kw_only=True, gc=False):
    """What a player chose; always in a log."""

    CLASS: ClassVar[str] = "decision"


class ByPlayer(Decision, frozen=True, kw_only=True, gc=False):
    """What one player chose."""

    player: PlayerId


class Chance(Event, frozen=True, kw_only=True, gc=False):
    """What luck or hidden information decided; always in a log, what nobody saw as a count."""

    CLASS: ClassVar[str] = "chance"


class Consequence(Event, frozen=True, kw_only=True, gc=False):
    """What the rules make of it; may be left out, and is compared with what the fold derives."""

    CLASS: ClassVar[str] = "consequence"


class OfPlayer(Consequence, frozen=True, kw_only=True, gc=False):
    """What the rules make of it for a player; compared with what the fold derives for the same one."""

    SUBJECT: ClassVar[tuple[str, ...]] = ("player",)

    player: PlayerId


class OfCard(Consequence, frozen=True, kw_only=True, gc=False):
    """What becomes of a card; compared with what the fold derives for the same one."""

    SUBJECT: ClassVar[tuple[str, ...]] = ("card",)

    card: Annotated[CardName, Meta(description="the card")]


class Remark(Event, frozen=True, kw_only=True, gc=False):
    """What somebody noticed, asked or took back; may be left out."""

    CLASS: ClassVar[str] = "remark"


SERVED: Final = ("writer", "request")
"""What a service adds to the lines that it takes; nobody fills it in by hand."""

ENVELOPE: Final = ("seq", "at", "cause", "note", *SERVED)

AnyEvent = TypeVar("AnyEvent", bound=Event)


def check_exclusive(event: AnyEvent) -> AnyEvent:
    """Return the event if exactly one of the fields named in its `EXACTLY_ONE` is written down.

    Raises `msgspec.ValidationError` otherwise.
    """
    names: tuple[str, ...] | None = getattr(event, "EXACTLY_ONE", None)
    if names is not None:
        written = [name for name in names if getattr(event, name) is not UNSET]
        if len(written) != 1:
            which = "both" if written else "neither"
            raise msgspec.ValidationError(f"Expected exactly one of `{'`, `'.join(names)}`, got {which}")
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
