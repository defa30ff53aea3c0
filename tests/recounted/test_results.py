"""Points, places, teams and games that are played together, counted again from the lines that say how games end."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from tests.recounted.intervals import assert_share
from tests.recounted.lines import Read

Rows = list[dict[str, Any]]
Asked = Callable[..., Rows]


def points(read: Read) -> dict[str, float]:
    """Return the points of every player that are known at the end of a game."""
    return dict((read.result or {}).get("scores", {}))


def sides(read: Read) -> list[list[str]]:
    """Return who plays together: the members of each team, and everybody else alone."""
    teams = (read.result or {}).get("teams", {})
    found = defaultdict[str, list[str]](list)
    for player in read.names:
        found[f"team {teams[player]}" if player in teams else player].append(player)
    return [*found.values()]


def places(read: Read) -> dict[str, int]:
    """Return the places of all players: as written, or by the points where these say who won; none otherwise."""
    result = read.result or {}
    known = points(read)
    if result.get("places"):
        return dict(result["places"])
    if not read.winners or result.get("cooperative") or len(known) < len(read.names):
        return {}
    for sign in (1, -1):
        found = {
            player: 1 + sum(sign * other > sign * mine for other in known.values()) for player, mine in known.items()
        }
        if {player for player, place in found.items() if place == 1} == set(read.winners):
            return found
    return {}


def of_berries(reads: list[Read]) -> Iterator[tuple[tuple[str, int], Read]]:
    """Yield the games of which points and places are known, with what they are told apart by."""
    yield from (((read.edition, len(read.names)), read) for read in reads if read.game == "berries")


def told(rows: Rows, *more: str) -> dict[Any, dict[str, Any]]:
    """Return the rows about these games by edition, number of players and what else is named."""
    return {
        (row["ruleset"], row["players"], *(row[name] for name in more)): row for row in rows if row["game"] == "berries"
    }


def test_margins_lie_between_the_winner_and_the_best_of_the_others(asked: Asked, reads: list[Read]) -> None:
    """Of one player or team that won; the points of a team are what all of it have alike."""
    found = defaultdict[tuple[str, int], list[tuple[float, float]]](list)
    for kind, read in of_berries(reads):
        known = [{points(read).get(player) for player in side} for side in sides(read)]
        winners = [place for place, side in enumerate(sides(read)) if set(side) & set(read.winners)]
        if len(winners) != 1 or len(known) < 2 or any(len(each) > 1 or None in each for each in known):
            continue
        values = [float(next(iter(each)) or 0) for each in known]
        mine = values.pop(winners[0])
        if mine >= max(values):
            found[kind].append((mine, mine - max(values)))
        elif mine <= min(values):
            found[kind].append((mine, min(values) - mine))
    rows = told(asked("margins"))
    assert rows.keys() == found.keys()
    for kind, row in rows.items():
        margins = [margin for _, margin in found[kind]]
        close = sum(margin <= abs(mine) / 10 for mine, margin in found[kind])
        assert (row["games"], row["close"]) == (len(margins), close)
        assert (row["lowest"], row["highest"]) == (min(margins), max(margins))
        assert (row["median"], row["p90"]) == (np.median(margins), np.quantile(margins, 0.9, method="inverted_cdf"))
        assert_share(row, "close_rate", close, len(margins))


def test_places_are_counted_by_seat(asked: Asked, reads: list[Read]) -> None:
    """As written or by the points, in finished games of which more than the result is known."""
    found = defaultdict[tuple[str, int, int], list[tuple[int, int, float]]](list)
    for (edition, players), read in of_berries(reads):
        by_player = places(read) if read.over and not read.by_result else {}
        part = sum(place == 1 for place in by_player.values()) / players
        for seat, player in enumerate(read.names, 1):
            if by_player:
                found[edition, players, seat].append((by_player[player], max(by_player.values()), part))
    rows = told(asked("places"), "seat")
    assert rows.keys() == found.keys()
    for kind, row in rows.items():
        own, last, firsts = (np.array(each) for each in zip(*found[kind], strict=True))
        first = int((own == 1).sum())
        assert (row["games"], row["first"], row["last"]) == (len(own), first, (own == last).sum())
        assert (row["mean_place"], row["baseline"]) == pytest.approx((own.mean(), firsts.mean()), abs=1e-6)
        assert_share(row, "first_rate", first, len(own))


def test_points_are_those_of_each_player_and_of_the_table(asked: Asked, reads: list[Read]) -> None:
    """Of finished games, by number of players."""
    found = defaultdict[tuple[str, int, str], list[float]](list)
    for (edition, players), read in of_berries(reads):
        result = read.result or {}
        if read.over:
            found[edition, players, "each player"] += points(read).values()
            found[edition, players, "the table"] += [result["score"]] if "score" in result else []
    rows = told(asked("scores"), "whose")
    assert rows.keys() == {kind for kind, values in found.items() if values}
    for kind, row in rows.items():
        values = found[kind]
        assert (row["scores"], row["lowest"], row["highest"]) == (len(values), min(values), max(values))
        low, high = (np.quantile(values, part, method="inverted_cdf") for part in (0.25, 0.75))
        assert [row[name] for name in ("p25", "median", "p75", "mean")] == pytest.approx(
            [low, np.median(values), high, np.mean(values)], abs=1e-6
        )


def test_a_team_wins_with_whoever_of_it_has_won(asked: Asked, reads: list[Read]) -> None:
    """Finished games with teams of which one won."""
    members, wins, games = defaultdict[Any, list[int]](list), Counter[Any](), Counter[Any]()
    baseline = defaultdict[Any, list[float]](list)
    for (edition, _), read in of_berries(reads):
        teams = (read.result or {}).get("teams", {})
        if not read.over or not (set(read.winners) & teams.keys()):
            continue
        for team in set(teams.values()):
            mine = [player for player in teams if teams[player] == team]
            games[edition, team] += 1
            wins[edition, team] += bool({*mine} & {*read.winners})
            members[edition, team].append(len(mine))
            baseline[edition, team].append(1 / len(set(teams.values())))
    rows = {(row["ruleset"], row["team"]): row for row in asked("teams")}
    assert rows.keys() == games.keys()
    for kind, row in rows.items():
        assert (row["games"], row["wins"]) == (games[kind], wins[kind])
        assert (row["players"], row["baseline"]) == pytest.approx(
            (np.mean(members[kind]), np.mean(baseline[kind])), abs=1e-6
        )
        assert_share(row, "win_rate", wins[kind], games[kind])


def test_games_played_together_are_won_by_all_or_by_nobody(asked: Asked, reads: list[Read]) -> None:
    """Finished games of which the last line says so."""
    found = defaultdict[tuple[str, int], list[tuple[bool, float]]](list)
    for kind, read in of_berries(reads):
        if read.over and (read.result or {}).get("cooperative"):
            found[kind].append((bool(read.winners), (read.result or {})["score"]))
    rows = told(asked("together"))
    assert rows.keys() == found.keys()
    for kind, row in rows.items():
        won, scores = zip(*found[kind], strict=True)
        assert (row["games"], row["wins"], row["median_score"]) == (len(won), sum(won), np.median(scores))
        assert_share(row, "win_rate", sum(won), len(won))


def test_games_that_say_the_same_stand_together(asked: Asked, reads: list[Read]) -> None:
    """Line by line, whatever their ids."""
    same = defaultdict[str, list[str]](list)
    for read in reads:
        head, *others = read.lines
        same[repr([sorted((head | {"id": ""}).items()), *(sorted(line.items()) for line in others)])].append(read.id)
    twice = [sorted(ids) for ids in same.values() if len(ids) > 1]
    assert sorted((row["copies"], row["ids"].split(", ")) for row in asked("duplicates")) == sorted(
        (len(ids), ids) for ids in twice
    )
    assert twice


def test_what_tables_chose_is_told_apart(asked: Asked, reads: list[Read]) -> None:
    """Games of Hanabi with five colours and with six: how many were won, by how many points, in how many turns."""
    found = defaultdict[str, list[Read]](list)
    for read in reads:
        if read.game == "hanabi" and read.over:
            found[read.lines[0]["rulings"].get("colours", "five")].append(read)
    rows = {row["choice"]: row for row in asked("variants")}
    assert rows.keys() == found.keys() == {"five", "six"}
    for choice, row in rows.items():
        results = [read.result or {} for read in found[choice]]
        assert (row["variant"], row["games"], row["together"]) == ("colours", len(results), len(results))
        assert row["wins"] == sum(bool(read.winners) for read in found[choice])
        assert row["median_score"] == np.median([result["score"] for result in results])
        assert row["median_turns"] == np.median([len(read.turns) for read in found[choice]])
        assert_share(row, "win_rate", row["wins"], len(results))
