"""A log without the names of its players: whoever shares an evening need not say who played."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec import UNSET

from tabletape.events.vocabulary import Event
from tabletape.events.vocabulary.shared import GameStarted


def anonymous(events: Sequence[Event]) -> list[Event]:
    """Return the events of a game with `Player 1`, `Player 2` … for its players' names, in free text too."""
    started = events[0] if events else None
    if not isinstance(started, GameStarted):
        return list(events)
    names = {seat.name: f"Player {number}" for number, seat in enumerate(started.players, 1)}
    seats = tuple(msgspec.structs.replace(seat, name=names[seat.name]) for seat in started.players)
    rest = (_renamed(event, names) for event in events[1:])
    return [msgspec.structs.replace(started, players=seats, writer=UNSET), *rest]


def _renamed(event: Event, names: Mapping[str, str]) -> Event:
    texts = {name: getattr(event, name, UNSET) for name in ("note", "text")}
    changed: dict[str, Any] = {name: _without(text, names) for name, text in texts.items() if isinstance(text, str)}
    if event.writer is not UNSET:  # A token is called after its owner, more often than not.
        changed["writer"] = UNSET
    return msgspec.structs.replace(event, **changed) if changed else event


def _without(text: str, names: Mapping[str, str]) -> str:
    for name, other in names.items():
        text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", other, text, flags=re.IGNORECASE)
    return text
