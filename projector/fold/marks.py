"""Going back in a replay: a mark of where it stands, to try other lines from there and return."""

from copy import copy
from typing import TYPE_CHECKING, Any

import msgspec

from tabletape.projector.fold.passed_over import PassedOver

if TYPE_CHECKING:
    from tabletape.projector.fold.replay import Replay

_TABLE_PARTS = ("derived", "applied", "carried_out", "recognised", "reverted", "rests")


class Mark(msgspec.Struct, frozen=True):
    """A moment of a replay: the length of its table's journal, and copies of everything else that grows, by part."""

    journal: int
    on_table: dict[str, Any]
    in_parts: list[dict[str, Any]]


def mark(replay: "Replay") -> Mark:
    """Mark where a replay stands now; `go_back` returns to it as often as wanted."""
    table = replay.table
    replay.ledger.close()  # A mark copies what is open.
    return Mark(
        journal=len(table.journal),
        on_table={name: _copied(getattr(table, name)) for name in _TABLE_PARTS},
        in_parts=[{name: _copied(value) for name, value in part.items()} for part in _parts(replay)],
    )


def go_back(replay: "Replay", to: Mark) -> None:
    """Put a replay back to a mark that it has passed: folding on from there is folding the whole log anew."""
    table = replay.table
    table.undo(to.journal)
    for name, value in to.on_table.items():
        setattr(table, name, _copied(value))
    for part, stored in zip(_parts(replay), to.in_parts, strict=True):
        part.clear()
        part.update({name: _copied(value) for name, value in stored.items()})


def _parts(replay: "Replay") -> list[dict[str, Any]]:
    """Return what a replay and each of its parts hold, by name."""
    loop = replay.loop
    parts = (loop, loop.written, loop.observations, loop.take_backs)
    return [vars(part) for part in (replay, replay.lines, replay.judge, replay.ledger, replay.doubts, *parts)]


def _copied(value: Any) -> Any:
    kind = type(value)
    if kind is list or kind is dict:
        return value.copy()
    return copy(value) if kind is PassedOver else value
