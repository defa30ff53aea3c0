"""How long turns and waits took, counted again from the times in the lines."""

from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import pytest

from tests.recounted.lines import Read, Turn, kind_of

Asked = Callable[..., list[dict[str, Any]]]


def length(turn: Turn) -> float | None:
    """Return the seconds of a turn, where both ends were written down."""
    return None if turn.began is None or turn.ended is None else turn.ended - turn.began


def waits(turns: Iterable[Turn]) -> Iterable[float]:
    """Yield for every turn but a player's first one the seconds of the others' turns since the one before."""
    since: dict[str, float | None] = {}
    for turn in turns:
        if (waited := since.get(turn.player)) is not None:
            yield waited
        took = length(turn)
        since = {player: None if each is None or took is None else each + took for player, each in since.items()}
        since[turn.player] = 0.0


def spread(values: list[float]) -> dict[str, float]:
    """Return the median, and what nine of ten numbers are not above."""
    return {"median": float(np.quantile(values, 0.5)), "p90": float(np.quantile(values, 0.9))}


def test_turns_take_as_long_as_their_times_say(asked: Asked, reads: list[Read]) -> None:
    """From the end of a turn to the end of the next, in every game, with the games that tell it."""
    took, games = defaultdict[tuple[str, str], list[float]](list), defaultdict[tuple[str, str], set[str]](set)
    for read in reads:
        mine = [seconds for turn in read.turns if (seconds := length(turn)) is not None]
        took[read.kind] += mine
        games[read.kind] |= {read.id} if mine else set()
    found = asked("time-per-turn")
    assert {kind_of(row) for row in found} == {kind for kind, each in took.items() if each}
    for row in found:
        kind = kind_of(row)
        assert (row["turns"], row["games"]) == (len(took[kind]), len(games[kind])), kind
        assert {name: row[name] for name in ("median", "p90")} == pytest.approx(spread(took[kind])), kind


def test_players_wait_as_long_as_the_others_turns_took(asked: Asked, reads: list[Read]) -> None:
    """The seconds of the others' turns between two turns of the same player, where all of them are known."""
    waited = defaultdict[tuple[str, str], list[float]](list)
    for read in reads:
        waited[read.kind] += waits(read.turns)
    found = asked("downtime")
    assert {kind_of(row) for row in found} == {kind for kind, each in waited.items() if each}
    for row in found:
        kind = kind_of(row)
        assert row["waits"] == len(waited[kind]), kind
        assert {name: row[name] for name in ("median", "p90")} == pytest.approx(spread(waited[kind])), kind
