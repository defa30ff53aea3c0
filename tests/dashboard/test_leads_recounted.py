"""Leads, totals and what was never seen, counted a second time from the lines of the logs alone (see `test_recounted`).

In Crystal Factions progress is the crystals of 50 or the damage done to others of 20 each; lines tell both.
"""

from collections import Counter
from itertools import pairwise
from pathlib import Path

import msgspec
import numpy as np
import pytest

from tabletape.events.vocabulary import tag_of
from tabletape.projector.games import game
from tabletape.projector.selfplay.simulate import Simulated
from tests.dashboard.test_recounted import TABLES, evenings, lines, rows, sides, stored
from tests.recounted.crystal import TurnEnd, turn_ends


@pytest.fixture(params=["full", "sparse"], scope="module")
def answered(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the datasets of these games, with and without the consequences in their logs."""
    return stored(request.param, tmp_path_factory.mktemp("recounted"))


def _turn_ends(played: Simulated) -> list[TurnEnd]:
    return [*turn_ends(map(msgspec.to_builtins, played.events))]


def _of(number: int) -> dict[str, tuple[str, list[TurnEnd]]]:
    """Return who won each game of so many players, with the ends of its turns."""
    return {each.game_id: (each.winner or "", _turn_ends(each)) for players, each in evenings() if players == number}


def test_progress_is_what_crystals_and_damage_say(answered: Path) -> None:
    """At the end of every turn, for every player, among two, three and four."""
    told = {
        (game_id, turn, player): end.progress(player)
        for number in TABLES
        for game_id, (_, ends) in _of(number).items()
        for turn, end in enumerate(ends, 1)
        for player in end.crystals
    }
    assert {(row["game_id"], row["turn"], row["player"]): row["progress"] for row in rows("progress", answered)} == (
        pytest.approx(told)
    )


@pytest.mark.parametrize("number", TABLES)
def test_leads_are_where_one_is_ahead(answered: Path, number: int) -> None:
    """How often the lead changes, when for the last time, who led at half time, and how far the winner was behind."""
    changes, last, half, behind = Counter[int](), list[float](), list[bool](), list[float]()
    for winner, ends in _of(number).values():
        led = [(turn, end.leader) for turn, end in enumerate(ends, 1) if end.leader]
        changed = [turn for (_, before), (turn, now) in pairwise(led) if now != before]
        changes[len(changed)] += 1
        last.append(max(changed, default=0) / len(ends))
        at_half = ends[len(ends) // 2 - 1].leader
        half += [at_half == winner] if at_half else []
        far = [end for end in ends if end.together >= ends[-1].together / 5]
        behind.append(max(0.0, *(end.behind(winner) for end in far)))
    names = ("lead-changes", "lock-in", "snowball", "comeback")
    changing, *once = ([row for row in rows(name, answered) if row["players"] == number] for name in names)
    assert {row["lead_changes"]: row["games"] for row in changing} == changes
    (lock_in,), (snowball,), (comeback,) = once
    assert (lock_in["median"], lock_in["games"]) == (pytest.approx(np.median(last)), len(last))
    reach = np.quantile(last, (0.1, 0.9), method="inverted_cdf")
    assert (lock_in["p10"], lock_in["p90"]) == pytest.approx(tuple(reach))
    assert (snowball["wins"], snowball["games"]) == (sum(half), len(half))
    far_behind = max(behind), np.median(behind), np.quantile(behind, 0.9, method="inverted_cdf")
    assert (comeback["deepest"], comeback["median"], comeback["p90"]) == pytest.approx(far_behind)
    assert (comeback["comebacks"], comeback["games"]) == (sum(each >= 0.25 for each in behind), len(behind))


def test_crystals_at_the_end_of_own_turns_are_what_the_lines_say(answered: Path) -> None:
    """Median, quartiles and how many had so many turns, turn by turn, by number of players."""
    had: dict[tuple[int, int], list[int]] = {}
    for players, each in evenings():
        turns = Counter[str]()
        for end in _turn_ends(each):
            turns[end.on_turn] += 1
            had.setdefault((players, turns[end.on_turn]), []).append(end.crystals[end.on_turn])
    curve = [row for row in rows("resource-curve", answered) if row["name"] == "crystals"]
    found = {(row["players"], row["own_turn"]): row for row in curve}
    assert {turn: row["sides"] for turn, row in found.items()} == {turn: len(each) for turn, each in had.items()}
    for name, part in (("q1", 0.25), ("median", 0.5), ("q3", 0.75)):
        told = {turn: np.quantile(each, part, method="inverted_cdf") for turn, each in had.items()}
        assert {turn: row[name] for turn, row in found.items()} == told


def test_what_was_never_seen_is_in_no_line(answered: Path) -> None:
    """Cards that came to no hand, types of lines that stand in no log, ways to end that no game took."""
    found = {(row["what"], row["name"]) for row in rows("never-seen", answered)}
    seen = {card for side in sides() for card in (*side.hand, side.faction)}
    written = {tag_of(type(event)) for _, each in evenings() for event in each.events}
    ended = {lines(each.events, "game.ended")[0].reason for _, each in evenings()}
    assert {name for what, name in found if what == "card"} == {*game("crystal").cards.library} - seen
    assert not {name for what, name in found if what == "event"} & written
    assert not {name for what, name in found if what == "ending"} & ended
    assert {("event", "player.conceded"), ("event", "game.abandoned"), ("ending", "abandoned")} <= found
