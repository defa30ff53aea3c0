"""Full and sparse logs count the same: it makes no difference whether a consequence was written down or derived."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest

from tabletape.dashboard.questions import ask, questions
from tabletape.events.log import Log
from tabletape.events.vocabulary import Event
from tabletape.projector.datasets.build import build
from tabletape.projector.datasets.plans import Request
from tabletape.projector.games import game, games
from tabletape.projector.selfplay.kinds import Bot
from tabletape.projector.selfplay.simulate import Plan, Simulated, simulate

GAMES: Final = 5
FEWER: Final = {"phylogenome": 2}
"""Counting its legal decisions takes long."""

WRITTEN: Final = {"events"}
"""Columns that count the lines of a log, which are fewer if consequences were not written down."""


@cache
def played(slug: str, players: int) -> list[Simulated]:
    """Return simulated games of one game with all their consequences."""
    one = game(slug)
    plan = Plan(seed=5, bots=(Bot.RANDOM,) * players, full=True)
    return list(simulate(one, one.cards, plan, FEWER.get(slug, GAMES)))


def timed(events: Iterable[Event]) -> list[Event]:
    """Return events with times: each some seconds after the one before, consequences at the time of their cause."""
    found, now = [], datetime(2026, 5, 1, 19, 0, tzinfo=UTC)
    for number, event in enumerate(events):
        if event.CLASS != "consequence":
            now += timedelta(seconds=3 + number * 7 % 40)
        found.append(msgspec.structs.replace(event, at=now))
    return found


def stored(place: Path, matches: Iterable[tuple[str, list[Event]]]) -> Path:
    """Store games in a new log and return the folder of their datasets."""
    place.mkdir()
    with Log.open(place / "tabletape.db", create=True) as log:
        for game_id, events in matches:
            log.append(game_id, events, expected_last_seq=0)
        return build(log, Request(decision_load=True)).folder


def answers(folder: Path) -> dict[str, list[dict[str, Any]]]:
    """Return the answers to all questions, without the columns that count lines."""
    found = {}
    for asked in questions():
        rows = ask(asked.name, folder, source="bots").to_pylist()
        found[asked.name] = [{key: value for key, value in row.items() if key not in WRITTEN} for row in rows]
    return found


@pytest.mark.parametrize(("slug", "players"), [*((slug, 2) for slug in games()), ("crystal", 3)])
def test_every_question_has_the_same_answer_with_and_without_consequences(
    slug: str, players: int, tmp_path: Path
) -> None:
    """The same games with and without their consequences give the same answer to every question."""
    matches = [(each.game_id, timed(each.events)) for each in played(slug, players)]
    full = answers(stored(tmp_path / "full", matches))
    decided = [(name, [event for event in events if event.CLASS != "consequence"]) for name, events in matches]
    bare = answers(stored(tmp_path / "bare", decided))
    assert full["time-per-turn"]
    assert {name for name in full if full[name] != bare[name]} == set()
