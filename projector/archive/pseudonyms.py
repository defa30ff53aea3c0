"""Games without the names of their players: whoever shares an evening need not say who played.

The same person has the same pseudonym in all games that are shared together.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

import msgspec

from tabletape.events.log.rows import StoredGame
from tabletape.events.vocabulary import Event, vocabulary
from tabletape.events.vocabulary.shared import GameStarted
from tabletape.projector.fold.folding import fold_under
from tabletape.projector.fold.replay import Replay
from tabletape.projector.fold.traced import Traced

Names = Mapping[str, str]
"""Pseudonyms by the names that they stand for."""

FREE: Final = frozenset({"name", "text", "note", "answers"})
"""The fields of events in which people write what they like."""

SHORTEST: Final = 3
"""A first name of so many letters is replaced by itself, too."""


def pseudonyms(games: Iterable[StoredGame]) -> dict[str, str]:
    """Return `Player 1`, `Player 2` … for the names of the players of some games, in the order in which they come."""
    found: dict[str, str] = {}
    for stored in games:
        for player in stored.players:
            found.setdefault(player.name, f"Player {len(found) + 1}")
    return found


def renamed(text: str, names: Names) -> str:
    """Return a text with pseudonyms in place of names, in large or small letters; of `Ann Lee` also of `Ann`."""
    known = {name.casefold(): other for name, other in names.items() if name}
    for name, other in names.items():
        first = name.split(" ")[0]
        if len(first) >= SHORTEST:
            known.setdefault(first.casefold(), other)
    if not known:
        return text
    every = "|".join(re.escape(name) for name in sorted(known, key=len, reverse=True))
    return re.sub(rf"(?<!\w)(?:{every})(?!\w)", lambda met: known[met[0].casefold()], text, flags=re.IGNORECASE)


def renamed_in(value: Any, names: Names) -> Any:
    """Return whatever texts are in with pseudonyms in place of names: structs, mappings, sequences."""
    if isinstance(value, str):
        return renamed(value, names)
    if isinstance(value, msgspec.Struct):
        parts = {field: renamed_in(getattr(value, field), names) for field in value.__struct_fields__}
        return msgspec.structs.replace(value, **parts)
    if isinstance(value, Mapping):
        return {renamed_in(key, names): renamed_in(each, names) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(renamed_in(each, names) for each in value)
    return value


def without_names(stored: StoredGame, replayed: Replay, names: Names) -> tuple[StoredGame, Replay]:
    """Return a stored game and its replay, folded anew, with pseudonyms for names, in ids and in free text too."""
    ids = {
        seat.id: f"p{number}"
        for number, seat in enumerate(stored.players, 1)
        if renamed(seat.id, names) != seat.id  # An id that is a name; one like `A` may mean something else as well.
    }
    events = [_renamed(event, stored.game, names, ids) for event in replayed.events]
    players = tuple(
        seat._replace(id=ids.get(seat.id, seat.id), name=names.get(seat.name, seat.name)) for seat in stored.players
    )
    hidden = stored._replace(game_id=renamed(stored.game_id, names), players=players, file=None)
    traced = isinstance(replayed, Traced)
    return hidden, fold_under(replayed.game, replayed.ruleset, events, replayed.library, traced=traced)


def _renamed(event: Event, slug: str, names: Names, ids: Names) -> Event:
    values = {key: _walked(value, names, ids, key in FREE) for key, value in msgspec.to_builtins(event).items()}
    if isinstance(event, GameStarted):
        values["id"] = renamed(event.id, names)
    values.pop("writer", None)  # A token is called after its owner, more often than not.
    return vocabulary(slug).convert(values)


def _walked(value: Any, names: Names, ids: Names, free: bool) -> Any:  # noqa: FBT001 - whether it is anybody's words
    """Return a value of an event with pseudonyms; a single word is an id unless the field has words of people."""
    if isinstance(value, str):
        owner, colon, card = value.partition(":")
        if owner in ids and " " not in owner:
            return f"{ids[owner]}{colon}{card}"
        return renamed(value, names) if free or " " in value else value
    if isinstance(value, dict):
        return {ids.get(key, key): _walked(each, names, ids, free or key in FREE) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_walked(each, names, ids, free) for each in value]
    return value
