"""The types of the fields of events: players, cards, places and numbers, and what marks at them say.

A field that is `UNSET` was not written down; `None` means that it is known to be none.
"""

from datetime import datetime
from typing import Annotated, Any, Final, get_args, get_origin

import msgspec

Time = Annotated[datetime, msgspec.Meta(tz=True, description="RFC 3339, with its time zone")]
MAX_EVENTS: Final = 1_000_000
"""A game has no more events than this; the longest that a table plays in an evening has a few thousand."""

MAX_LIST: Final = 1_000
"""A list in an event (a deck, a hand, the players) has no more entries than this."""

MAX_NAME: Final = 500
"""The letters that a name in the head of a game has at most: of a player, a deck, an edition, a ruling, the game."""

MAX_KEY: Final = 200
"""The letters of the key of a request."""

Seq = Annotated[int, msgspec.Meta(ge=1, le=MAX_EVENTS, description="the number of an event within its game, from 1")]
Writer = Annotated[
    str,
    msgspec.Meta(max_length=MAX_NAME, description="who sent the line: the name of a token, or a device of the scribe"),
]
Key = Annotated[
    str,
    msgspec.Meta(max_length=MAX_KEY, description="the key of the request that it came with, so that it comes once"),
]
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
"""A card that the game makes with this line: its name has the next number. A mark `made of` says of which card."""

CardIds = Annotated[tuple[CardId, ...], msgspec.Meta(max_length=MAX_LIST)]
CardNames = Annotated[tuple[CardName, ...], msgspec.Meta(max_length=MAX_LIST)]


def usual_words(*words: str) -> msgspec.Meta:
    """Return the mark of a text for which a rulebook has a few words; what else stands there is for the audit to judge.

    The import reads the words also as they are printed: `Mining Lane` in a field `lane` is the word mining.
    """
    return msgspec.Meta(extra={"words": words})


def usual_numbers(*numbers: int) -> msgspec.Meta:
    """Return the mark of a number for which a rulebook has a few, such as the ranks of its cards."""
    return msgspec.Meta(extra={"numbers": numbers})


def printed_in(attribute: str) -> msgspec.Meta:
    """Return the mark of a text that stands on a card: in `attribute` of what the game reads in the card's text."""
    return msgspec.Meta(extra={"printed in": attribute})


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
