"""Leads, totals and what was never seen, counted a second time from the lines of the logs alone (see `test_recounted`).

In Crystal Factions progress is the crystals of 50 or the damage dealt of 20; between two players the lines tell both.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
import pytest

from tabletape.events.vocabulary import tag_of
from tabletape.projector.games import game
from tabletape.projector.selfplay.simulate import Simulated
from tests.dashboard.test_recounted import evenings, lines, rows, sides, stored

ENOUGH: Final = 50
HITPOINTS: Final = 20


@pytest.fixture(params=["full", "sparse"], scope="module")
def answered(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the datasets of these games, with and without the consequences in their logs."""
    return stored(request.param, tmp_path_factory.mktemp("recounted"))


class TurnEnd(NamedTuple):
    """Whose turn it was, what everybody has in crystals at its end, and what damage each has suffered."""

    on_turn: str
    crystals: dict[str, int]
    suffered: Counter[str]

    def progress(self, player: str) -> float:
        """How near one of two players is to winning."""
        (other,) = {"A", "B"} - {player}
        return min(max(self.crystals[player] / ENOUGH, self.suffered[other] / HITPOINTS), 1.0)

    @property
    def leader(self) -> str:
        """Who of two players is alone ahead; nobody if both are as near."""
        one, two = self.progress("A"), self.progress("B")
        return "" if one == two else "A" if one > two else "B"


def _turn_ends(played: Simulated) -> Iterator[TurnEnd]:
    crystals, suffered, on_turn = dict[str, int](), Counter[str](), ""
    for event in played.events:
        tag, player = tag_of(type(event)), getattr(event, "player", "")
        if tag == "turn.started":
            if on_turn:
                yield TurnEnd(on_turn, dict(crystals), Counter(suffered))
            on_turn = player
        crystals[player] = getattr(event, "crystals", crystals.get(player, 0))
        suffered[player] += getattr(event, {"attack.resolved": "damage", "damage.taken": "amount"}.get(tag, ""), 0)
    yield TurnEnd(on_turn, crystals, suffered)


def of_two() -> dict[str, tuple[str, list[TurnEnd]]]:
    """Return who won each game of two players, with the ends of its turns."""
    return {each.game_id: (each.winner or "", [*_turn_ends(each)]) for players, each in evenings() if players == 2}


def test_progress_is_what_crystals_and_damage_say(answered: Path) -> None:
    """At the end of every turn, for both players."""
    found = {(row["game_id"], row["turn"], row["player"]): row["progress"] for row in rows("progress", answered)}
    told = {
        (game_id, number, player): end.progress(player)
        for game_id, (_, ends) in of_two().items()
        for number, end in enumerate(ends, 1)
        for player in "AB"
    }
    assert {key: found[key] for key in told} == pytest.approx(told)


def test_leads_are_where_one_is_ahead(answered: Path) -> None:
    """How often the lead changes, when for the last time, who led at half time, and how far the winner was behind."""
    changes, last, half, behind = Counter[int](), list[float](), list[bool](), list[float]()
    for winner, ends in of_two().values():
        led = [(turn, end.leader) for turn, end in enumerate(ends, 1) if end.leader]
        changed = [turn for (_, before), (turn, now) in pairwise(led) if now != before]
        changes[len(changed)] += 1
        last.append(max(changed, default=0) / len(ends))
        at_half = ends[len(ends) // 2 - 1].leader
        half += [at_half == winner] if at_half else []
        (loser,) = {"A", "B"} - {winner}
        far = [end for end in ends if _together(end) >= _together(ends[-1]) / 5]
        behind.append(max(0.0, *(end.progress(loser) - end.progress(winner) for end in far)))
    names = ("lead-changes", "lock-in", "snowball", "comeback")
    changing, *once = ([row for row in rows(name, answered) if row["players"] == 2] for name in names)
    assert {row["lead_changes"]: row["games"] for row in changing} == changes
    (lock_in,), (snowball,), (comeback,) = once
    assert (lock_in["median"], lock_in["games"]) == (pytest.approx(np.median(last)), len(last))
    assert (snowball["wins"], snowball["games"]) == (sum(half), len(half))
    assert (comeback["deepest"], comeback["median"]) == pytest.approx((max(behind), np.median(behind)))
    assert (comeback["comebacks"], comeback["games"]) == (sum(each >= 0.25 for each in behind), len(behind))


def _together(end: TurnEnd) -> float:
    return end.progress("A") + end.progress("B")


def test_crystals_at_the_end_of_own_turns_are_what_the_lines_say(answered: Path) -> None:
    """Median, quartiles and number of players, turn by turn, among two, three and four players."""
    had: dict[int, list[int]] = {}
    for _, each in evenings():
        turns = Counter[str]()
        for end in _turn_ends(each):
            turns[end.on_turn] += 1
            had.setdefault(turns[end.on_turn], []).append(end.crystals[end.on_turn])
    found = {row["own_turn"]: row for row in rows("resource-curve", answered) if row["name"] == "crystals"}
    assert {turn: row["players"] for turn, row in found.items()} == {turn: len(each) for turn, each in had.items()}
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
