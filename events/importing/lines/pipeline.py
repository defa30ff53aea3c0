"""The fast path of a line into a game, and whether a line off that path may be read as it was meant."""

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import msgspec

from tabletape.events.importing.quarantine.bad_lines import BARE_COPY, NEW_CARD, UNKNOWN_WORD, BadLineError, NewGame
from tabletape.events.log.rows import UnfitError
from tabletape.events.vocabulary import Event

UNREADABLE: Final = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, NewGame, BadLineError, UnfitError)


class LinePipeline(NamedTuple):
    """The fast path of a line into the game that is being read; each step raises for a line that is not good."""

    decode: Callable[[Any], Event]
    check: Callable[[Event], None]
    add: Callable[[Event], None]


def _no_game(_item: Any) -> Event:
    raise BadLineError("no-game", (), "no game has begun here: a log begins with its game.started")


def _nothing(_event: Event) -> None:
    """Do nothing: no line gets to this step before a game has begun."""


OUTSIDE_GAME = LinePipeline(_no_game, _nothing, _nothing)


def may_be_meant(error: Exception) -> bool:
    """Return whether what is wrong with a line may be only the way in which it is written."""
    if isinstance(error, BadLineError | UnfitError):
        return error.code in {"unknown-card", BARE_COPY, NEW_CARD, UNKNOWN_WORD, "unknown-player"}
    return isinstance(error, msgspec.ValidationError)
