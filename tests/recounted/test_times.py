"""How long games, turns and waits took, counted again from the lines and their times."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import pytest

from tests.recounted.intervals import Z
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


Seated = tuple[str, str, int]
"""A game, its ruleset and how many players."""


def seated(row: dict[str, Any]) -> Seated:
    """Return which games a row is of."""
    return *kind_of(row), row["players"]


def spread(values: list[float]) -> dict[str, float]:
    """Return the median, and what nine of ten numbers are not above."""
    return {"median": float(np.quantile(values, 0.5)), "p90": sorted(values)[-(len(values) // 10) - 1]}


def test_turns_take_as_long_as_their_times_say(asked: Asked, reads: list[Read]) -> None:
    """From the end of a turn to the end of the next, in every game, with the games that tell it."""
    took, games = defaultdict[Seated, list[float]](list), defaultdict[Seated, set[str]](set)
    for read in reads:
        mine = [seconds for turn in read.turns if (seconds := length(turn)) is not None]
        took[*read.kind, len(read.names)] += mine
        games[*read.kind, len(read.names)] |= {read.id} if mine else set()
    found = asked("time-per-turn")
    assert {seated(row) for row in found} == {kind for kind, each in took.items() if each}
    for row in found:
        kind = seated(row)
        assert (row["turns"], row["games"]) == (len(took[kind]), len(games[kind])), kind
        assert {name: row[name] for name in ("median", "p90")} == pytest.approx(spread(took[kind])), kind


def test_players_wait_as_long_as_the_others_turns_took(asked: Asked, reads: list[Read]) -> None:
    """The seconds of the others' turns between two turns of the same player, where all of them are known."""
    waited = defaultdict[Seated, list[float]](list)
    for read in reads:
        waited[*read.kind, len(read.names)] += waits(read.turns)
    found = asked("downtime")
    assert {seated(row) for row in found} == {kind for kind, each in waited.items() if each}
    for row in found:
        kind = seated(row)
        assert row["waits"] == len(waited[kind]), kind
        assert {name: row[name] for name in ("median", "p90")} == pytest.approx(spread(waited[kind])), kind


# -- how long games are ------------------------------------------------------------------------------------------------

Key = tuple[str, str, str, int]


def measured(reads: Iterable[Read], measures: Iterable[str]) -> dict[Key, list[tuple[float, bool]]]:
    """Return how long games are and whether they came to an end, by ruleset, measure and number of players."""
    found = defaultdict[Key, list[tuple[float, bool]]](list)
    for read in reads:
        for measure in measures:
            if number := read.length(measure):
                found[(*read.kind, measure, len(read.names))].append((number, read.over))
    return dict(found)


def running(games: list[tuple[float, bool]]) -> list[tuple[float, float, float, float]]:
    """Return each length at which a game ended, the share still running behind it, and the ends of its interval.

    A game that broke off hands its share on to those that were longer (B. Efron, 1967); the interval is that of the
    logit of the share, with Greenwood's variance.
    """
    order = sorted(games, key=lambda game: (game[0], not game[1]))
    mass, left, spread, found = [1 / len(order)] * len(order), 1.0, 0.0, list[tuple[float, float, float, float]]()
    for place, (length, over) in enumerate(order):
        behind = len(order) - place - 1
        if not over:
            mass[place + 1 :] = [each + mass[place] / behind for each in mass[place + 1 :]]
            continue
        left -= mass[place]
        if (length, True) in order[place + 1 :]:
            continue
        ended = sum(game == (length, True) for game in order)
        longer = sum(game[0] >= length for game in order)
        if left < 1e-9:
            found.append((length, 0.0, 0.0, 0.0))
            break
        spread += ended / (longer * (longer - ended))
        middle, wide = np.log(left / (1 - left)), Z * np.sqrt(spread) / (1 - left)
        found.append((length, left, *(1 / (1 + np.exp(-middle - wide * sign)) for sign in (-1, 1))))
    return found


def half(course: list[tuple[float, float, float, float]], which: int) -> float | None:
    """Return the first length behind which no more than half are running, by the estimate or an end of its interval."""
    return next((each[0] for each in course if each[which] <= 0.5 + 1e-9), None)


def test_games_that_broke_off_are_longer_than_they_were(asked: Asked, reads: list[Read]) -> None:
    """The length that half of the games pass, with its interval; of results alone nobody knows what broke off."""
    games = measured((read for read in reads if not read.by_result), ("turns", "decisions", "minutes"))
    rows = {(*kind_of(row), row["measure"], row["players"]): row for row in asked("length-unfinished")}
    assert rows.keys() == games.keys()
    assert {players for *_, players in rows} == {2, 3, 4}
    for key, row in rows.items():
        course = running(games[key])
        broken = sum(not over for _, over in games[key])
        assert (row["games"], row["unfinished"]) == (len(games[key]), broken), key
        exact = [place for place, each in enumerate(course[:-1]) if abs(each[1] - 0.5) < 1e-9]
        median = (course[exact[0]][0] + course[exact[0] + 1][0]) / 2 if exact else half(course, 1)
        assert (row["median"], row["low"], row["high"]) == pytest.approx((median, half(course, 2), half(course, 3))), (
            key
        )
    assert sum(row["unfinished"] for row in rows.values()) > 10


def test_as_many_games_are_as_long_as_the_lines_say(asked: Asked, reads: list[Read]) -> None:
    """Finished games by rounds and turns, and by tens of decisions and minutes; eight of ten between the two ends."""
    games = measured((read for read in reads if read.over), ("rounds", "turns", "decisions", "minutes"))
    told = Counter(
        (*key, int(length // 10 * 10 if key[2] in {"decisions", "minutes"} else length))
        for key, each in games.items()
        for length, _ in each
    )
    rows = asked("game-length-histogram")
    assert {(*kind_of(row), row["measure"], row["players"], row["length"]): row["games"] for row in rows} == told
    for row in (rows := asked("game-length")):
        lengths = [length for length, _ in games[*kind_of(row), row["measure"], row["players"]]]
        assert row["games"] == len(lengths)
        assert row["median"] == pytest.approx(np.median(lengths))
        ends = np.quantile(lengths, (0.1, 0.9), method="inverted_cdf")
        assert (row["p10"], row["p90"]) == pytest.approx(tuple(ends))
        assert sum(row["p10"] <= length <= row["p90"] for length in lengths) >= 0.8 * len(lengths)  # as is said
    assert len(rows) == len(games)
