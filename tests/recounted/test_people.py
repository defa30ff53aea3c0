"""What players said, and how their second games differ, counted again from their words and times in the lines."""

from collections import defaultdict
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import pytest
from scipy.stats import norm, rankdata, t

from tests.recounted.lines import SAID, Read, kind_of
from tests.recounted.referee import verdicts
from tests.recounted.test_rules import plays, standing

Rows = list[dict[str, Any]]
Asked = Callable[..., Rows]


class Answer(NamedTuple):
    """What somebody said of a game: the id of the player, none where nobody knows, and the points."""

    read: Read
    player: str
    felt: str
    points: int


def answers(reads: list[Read]) -> Iterator[Answer]:
    """Yield what was said of every game; what a player says again replaces what was said before."""
    for read in reads:
        last = dict[tuple[str, str, int], int]()
        for number, line in enumerate(read.lines):
            if line["type"] == "feedback.given":
                player = line.get("player", "")
                for felt in ("fun", "fair"):
                    if felt in line:
                        last[player, felt, 0 if player else number] = line[felt]
        yield from (Answer(read, player, felt, points) for (player, felt, _), points in last.items())


def test_feelings_are_what_players_said_last(asked: Asked, reads: list[Read]) -> None:
    """Of all, of winners and others in games that came to an end, and of who began; with the people who said it."""
    found = defaultdict[tuple[Any, ...], list[Answer]](list)
    for each in answers(reads):
        read = each.read
        among = {"all": True, "who began": bool(each.player) and each.player == read.beginner}
        if each.player and read.over and read.game != "market":
            among |= {"winners": each.player in read.winners, "others": each.player not in read.winners}
        for name in (name for name, is_so in among.items() if is_so):
            found[*read.kind, each.felt, name].append(each)
    rows = {(*kind_of(row), row["felt"], row["among"]): row for row in asked("feelings")}
    of_market = {key for key in rows if key[0] == "market" and key[3] in {"winners", "others"}}
    assert rows.keys() - of_market == found.keys()
    for key, mine in found.items():
        row, said = rows[key], [each.points for each in mine]
        names = sorted({each.read.names[each.player] for each in mine if each.player})
        assert (row["answers"], row["games"]) == (len(mine), len({each.read.id for each in mine}))
        assert (row["people"], row["who"] or "") == (len(names), ", ".join(names))
        assert [row[name] for name in ("ones", "twos", "threes", "fours", "fives")] == [
            said.count(n) for n in range(1, 6)
        ]
        assert row["median"] == np.median(said)


# -- what feelings go with ---------------------------------------------------------------------------------------------


def happened(each: Answer) -> dict[str, float | None]:
    """Return what happened in a game of Higher, as far as a player can feel it."""
    read = each.read
    taken = [line["player"] for _, line in read.played if line["type"] == "trick.taken"][: len(read.turns)]
    ahead = np.cumsum([1 if player == "A" else -1 for player in taken])
    led = [np.sign(by) for by in ahead if by]
    hand = next(line["cards"] for line in read.lines if line["type"] == "cards.drawn" and line["player"] == each.player)
    laid = {line["card"] for _, line in read.standing if line["type"] == "card.played"}
    legal = [verdict.legal for verdict in standing(read) if verdict.legal]
    return {
        "having won": float(each.player in read.winners) if read.over else None,
        "having begun": float(each.player == read.beginner),
        "a later seat": float([*read.names].index(each.player) + 1),
        "longer games, in minutes": read.minutes,
        "longer games, in turns": float(len(read.turns)) if read.turns else None,
        "more changes of the lead": float(sum(a != b for a, b in pairwise(led))) if led else None,
        "more cards that did nothing": float(len({*hand} - laid)) if read.over else None,
        "a larger share of decisions without a choice": legal.count(1) / len(legal) if legal else 0.0,
        "more questions in the game": float(sum(line["type"] == "question.raised" for line in read.lines)),
        "more findings of the audit in the game": float(sum(len(verdict.broken) for verdict in verdicts(read.lines))),
    }


def fishers_z(x: np.ndarray, y: np.ndarray) -> float:
    """Return Fisher's z of the correlation of ranks."""
    return float(np.arctanh(np.clip(np.corrcoef(rankdata(x), rankdata(y))[0, 1], -0.999, 0.999)))


def interval(x: np.ndarray, y: np.ndarray, *clumps: np.ndarray) -> tuple[float, float]:
    """Return the interval of a rank correlation: the variance of single answers and what evenings and people add."""
    z, n = fishers_z(x, y), len(x)
    plain = (1 + np.tanh(z) ** 2 / 2) / (n - 3)
    left_out = [[fishers_z(x[of != one], y[of != one]) for one in np.unique(of)] for of in clumps]
    added = [(len(each) - 1) * float(np.mean((np.array(each) - np.mean(each)) ** 2)) for each in left_out]
    variance = plain + sum(each - plain for each in added)
    if variance <= plain:
        reach = float(norm.ppf(0.975)) * np.sqrt(plain)
    else:
        sizes = np.array([len(each) for each in left_out])
        freedom = max(variance**2 / sum(np.array(added) ** 2 / (sizes - 1)), min(sizes) - 1)
        reach = float(t.ppf(0.975, freedom)) * np.sqrt(variance)
    return float(np.tanh(z - reach)), float(np.tanh(z + reach))


def test_feelings_rise_with_what_happened_as_their_ranks_do(asked: Asked, reads: list[Read]) -> None:
    """Spearman's coefficient and its interval, of all ten things; no number below six evenings or six people."""
    found = defaultdict[tuple[Any, ...], list[tuple[float, int, str, str]]](list)
    for each in answers([read for read in reads if read.game == "higher"]):
        for name, value in happened(each).items() if each.player else ():
            if value is not None:
                about = each.read.names[each.player], each.read.day or each.read.id
                found[each.read.edition, each.felt, name].append((value, each.points, *about))
    told = {key: each for key, each in found.items() if len(each) > 3 and len({value for value, *_ in each}) > 1}
    rows = {
        (kind_of(row)[1], row["felt"], row["goes_with"]): row for row in asked("felt-with") if row["game"] == "higher"
    }
    assert rows.keys() == told.keys()
    for key, row in rows.items():
        x, y, people, evenings = (np.array(each) for each in zip(*told[key], strict=True))
        sizes = len(np.unique(people)), len(np.unique(evenings))
        assert (row["answers"], row["people"], row["evenings"]) == (len(x), *sizes)
        if min(sizes) < 6:
            assert (row["rho"], row["low"]) == (None, None)
        else:
            assert row["rho"] == pytest.approx(np.tanh(fishers_z(x, y)))
            assert (row["low"], row["high"]) == pytest.approx(interval(x, y, evenings, people)), key
            assert (row["worth"] == "no evidence") == (row["low"] <= 0 <= row["high"])


def test_remarks_stand_as_they_were_said(asked: Asked, reads: list[Read]) -> None:
    """Every question and word about a game, by whom, about what; a slip that was taken back is none."""
    found = []
    for read in reads:
        for number, line in enumerate(read.lines, 1):
            if line["type"] in SAID and not _is_slip(read, number):
                what = line["type"].split(".")[0]
                if what != "feedback" or "text" in line:
                    who = read.names.get(line.get("player", ""))
                    found.append((read.game, read.id, number, what, who, line.get("rule"), line.get("text")))
    assert sorted(found, key=str) == sorted(
        (
            (row["game"], row["game_id"], row["seq"], row["what"], row["who"], row["rule"], row["text"])
            for row in asked("remarks")
        ),
        key=str,
    )
    for row in asked("remarks"):
        read = next(each for each in reads if each.id == row["game_id"])
        if row["what"] == "question":
            acts = [n for n, line in enumerate(read.lines[: row["seq"]], 1) if read.is_act(line)]
            assert row["on"] == acts[-1], row


def _is_slip(read: Read, number: int) -> bool:
    """Return whether a take-back took back this remark and nothing but remarks."""
    for place, line in enumerate(read.lines, 1):
        if line["type"] == "play.taken-back" and line["to"] < number < place:
            behind = read.lines[line["to"] : place - 1]
            if all(each["type"] in SAID | {"play.taken-back"} for each in behind):
                return True
    return False


# -- second games ------------------------------------------------------------------------------------------------------


def test_second_games_stand_beside_first_ones(asked: Asked, reads: list[Read]) -> None:
    """The mean of the logarithms of the ratios over groups that share no game, with Student's interval."""
    number = plays(reads)
    found = defaultdict[tuple[Any, ...], set[tuple[str, str]]](set)
    by_id = {read.id: read for read in reads}
    of_name = {(by_id[game].game, name, play): by_id[game] for (game, name), play in number.items()}
    for (game, name, play), one in of_name.items():
        two = of_name.get((game, name, 2))
        if play == 1 and two and one.over and two.over and one.kind == two.kind and len(one.names) == len(two.names):
            found[one.kind, len(one.names)].add((one.id, two.id))
    told = {}
    for (kind_, players), pairs in found.items():
        for measure in ("decisions", "rounds", "turns", "minutes"):
            lengths = [(a, b, by_id[a].length(measure), by_id[b].length(measure)) for a, b in sorted(pairs)]
            known = [(a, b, np.log(y / x)) for a, b, x, y in lengths if x and y]
            if known:
                told[kind_, players, measure] = known
    rows = {(kind_of(row), row["players"], row["measure"]): row for row in asked("learning")}
    assert rows.keys() == told.keys()
    for key, row in rows.items():
        means = [np.mean(each) for each in _groups(told[key])]
        assert (row["pairs"], row["independent"]) == (len(told[key]), len(means)), key
        assert row["difference"] == pytest.approx(np.expm1(np.mean(means)))
        if np.ptp(means) > 0:  # one group, or some that are all alike, do not tell how much groups differ
            reach = t.ppf(0.975, len(means) - 1) * np.std(means, ddof=1) / np.sqrt(len(means))
            ends = np.expm1(np.mean(means) - reach), np.expm1(np.mean(means) + reach)
            assert (row["low"], row["high"]) == pytest.approx(ends)
        else:
            assert row["low"] is None


def _groups(pairs: list[tuple[str, str, float]]) -> list[list[float]]:
    """Return the numbers of pairs in groups, of which no two share a game: each is called as its least game."""
    called = {game: game for a, b, _ in pairs for game in (a, b)}
    for _ in pairs:
        for a, b, _ in pairs:
            called[a] = called[b] = min(called[a], called[b])
    found = defaultdict[str, list[float]](list)
    for a, _, value in pairs:
        found[called[a]].append(float(value))
    return [*found.values()]
