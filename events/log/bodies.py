"""What is written of the events of stored games, and reading it; many games at one look."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Final, TypeAlias

import msgspec

from tabletape.events.log.rows import StoredGame
from tabletape.events.log.schema import LogError
from tabletape.events.vocabulary import Event, vocabulary

EVENTS_A_QUERY: Final = 5_000
"""Events that are read by one look at the database: short, for a long one would keep others from writing, but not one
for each game: to begin and to end it takes as long as reading three hundred events."""

Bodies: TypeAlias = Sequence[str] | LogError
"""The canonical JSON of a game's events, in order, or why it cannot be read."""


def _moves_lost(game: StoredGame, bodies: Sequence[str]) -> str:
    """Return the first move of a game that its file does not have any more, empty where it has all."""
    known = vocabulary(game.game).types
    with suppress(msgspec.MsgspecError):
        types = (msgspec.json.decode(body)["type"] for body in bodies)
        return next((tag.removeprefix("move.") for tag in types if tag.startswith("move.") and tag not in known), "")
    return ""


def events_of(game: StoredGame, bodies: Bodies) -> list[Event]:
    """Return the events of a stored game, read from what is written of them.

    Raises `LogError` where one cannot be read, `UnknownGameError` where the game is unknown.
    """
    if isinstance(bodies, LogError):
        raise bodies
    try:
        return list(map(vocabulary(game.game).decoder.decode, bodies))
    except msgspec.MsgspecError as error:
        if lost := _moves_lost(game, bodies):
            raise LogError(
                f"game {game.game_id!r} has the move {lost}, which games/{game.game}.toml does not have: call it so "
                "there again, with other words for it under `called`"
            ) from error
        raise LogError(
            f"game {game.game_id!r} cannot be read: {error}; `tabletape verify` says which event was altered"
        ) from error


def batches_of(games: Iterable[StoredGame]) -> Iterator[list[StoredGame]]:
    """Return games in the same order, as many together as one query reads."""
    together: list[StoredGame] = []
    events = 0
    for game in games:
        together.append(game)
        events += game.events
        if events >= EVENTS_A_QUERY:
            yield together
            together, events = [], 0
    if together:
        yield together
