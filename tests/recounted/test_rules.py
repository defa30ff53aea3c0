"""What became of the rules, counted again by a referee who knows Higher and Whist from their rulebooks alone."""

import json
import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.recounted.conftest import command
from tests.recounted.intervals import assert_clumped, assert_share
from tests.recounted.lines import Read, kind_of
from tests.recounted.referee import Counts, Verdict, counted, verdicts

Rows = list[dict[str, Any]]
Asked = Callable[..., Rows]
Kind = tuple[str, str]

JUDGED = ("higher", "whist")
"""The games of the referee."""


def judged(rows: Rows) -> Iterator[tuple[Kind, dict[str, Any]]]:
    """Yield the rows about the games of the referee, with what they are of."""
    yield from ((kind_of(row), row) for row in rows if row["game"] in JUDGED)


@pytest.fixture(scope="module")
def by_rule(reads: list[Read]) -> dict[tuple[Kind, str], list[tuple[Read, Counts]]]:
    """Return what became of every rule, game by game."""
    found = defaultdict[tuple[Kind, str], list[tuple[Read, Counts]]](list)
    for read in reads:
        if read.game in JUDGED:
            for rule, counts in counted(read.lines).items():
                found[read.kind, rule].append((read, counts))
    return dict(found)


ByRule = dict[tuple[Kind, str], list[tuple[Read, Counts]]]


def assert_counts(row: dict[str, Any], games: list[Counts], *columns: str) -> None:
    """Hold a row about a rule against what became of it in some games."""
    assert [row[name] for name in columns] == [sum(getattr(each, name) for each in games) for name in columns]
    assert row["games"] == sum(each.opportunities > 0 for each in games)
    assert_clumped(row, "trouble_rate", [(each.trouble, each.opportunities) for each in games])


def test_every_rule_was_at_stake_as_often_as_the_referee_says(asked: Asked, by_rule: ByRule) -> None:
    """Kept, broken, asked about and taken back first hand; each is a share of things that come in games."""
    columns = ("opportunities", "trouble", "kept", "broken", "questions", "take_backs", "follow_ups")
    rows = {(kind, row["rule"]): row for kind, row in judged(asked("at-stake"))}
    assert rows.keys() == by_rule.keys()
    for key, row in rows.items():
        assert_counts(row, [counts for _, counts in by_rule[key]], *columns)
        assert row["unverifiable"] == 0
    troubled = {key: row for key, row in rows.items() if row["trouble"]}
    assert {(kind, row["rule"]): row for kind, row in judged(asked("rules-confusion"))} == {
        key: {name: value for name, value in row.items() if name != "kept"} for key, row in troubled.items()
    }


def test_rules_that_most_tables_break_for_good_are_named(asked: Asked, by_rule: ByRule) -> None:
    """In most games in which a rule was at stake it was broken more often than taken back, in two at least."""
    found = {(kind, row["rule"]): (row["games_broken"], row["games"]) for kind, row in judged(asked("house-rules"))}
    told = {}
    for key, games in by_rule.items():
        at_stake = [counts for _, counts in games if counts.kept + counts.broken]
        broken = sum(counts.broken > counts.take_backs for counts in at_stake)
        if broken >= 2 and broken > len(at_stake) / 2:
            told[key] = broken, len(at_stake)
    assert found == told
    assert told
    for _, row in judged(asked("house-rules")):
        assert_share(row, "broken_rate", row["games_broken"], row["games"])


def test_findings_are_what_the_referee_found(asked: Asked, reads: list[Read]) -> None:
    """How often each rule was broken, first hand and in all, and in how many games."""
    found = defaultdict[tuple[Kind, str], list[tuple[str, int, bool]]](list)
    for read in reads:
        for each in verdicts(read.lines) if read.game in JUDGED else ():
            for rule in each.broken:
                found[read.kind, rule].append((read.id, each.number, each.fair))
    rows = {(kind, row["rule"]): row for kind, row in judged(asked("findings"))}
    assert rows.keys() == found.keys()
    for key, row in rows.items():
        mine = found[key]
        games = sorted({game for game, *_ in mine})
        assert (row["kind"], row["findings"], row["games"]) == ("illegal", len(mine), len(games))
        assert row["first_hand"] == sum(fair for *_, fair in mine)
        assert row["example_game"] == games[0]
        assert row["example_seq"] in {number for game, number, _ in mine if game == games[0]}


def standing(read: Read) -> Iterator[Verdict]:
    """Yield what the referee says of the lines that were not taken back."""
    numbers = {number for number, _ in read.standing}
    yield from (each for each in verdicts(read.lines) if each.number in numbers)


def test_decisions_had_as_many_alternatives_as_the_referee_counts(asked: Asked, reads: list[Read]) -> None:
    """Cards that could be laid, by number of players and round: their effective number, and those without another."""
    by_round = defaultdict[tuple[Kind, int, int], dict[str, list[int]]](lambda: defaultdict(list))
    for read in reads:
        for place, each in enumerate(standing(read) if read.game in JUDGED else ()):
            if each.legal:
                lap = 1 if read.game == "higher" else (place - 4) // 4 + 1
                by_round[read.kind, len(read.names), lap][read.id].append(each.legal)
    rows = {(kind, row["players"], row["round"]): row for kind, row in judged(asked("decision-load"))}
    assert rows.keys() == by_round.keys()
    for key, row in rows.items():
        legal = np.sort(np.concatenate([*by_round[key].values()]))
        assert (row["decisions"], row["forced"]) == (len(legal), (legal == 1).sum())
        assert row["branching"] == pytest.approx(math.exp(np.log(legal).mean()), abs=1e-6)
        parts = [np.quantile(legal, part, method="inverted_cdf") for part in (0.1, 0.5, 0.9)]
        assert [row[name] for name in ("p10", "median", "p90")] == parts
        assert_clumped(row, "forced_rate", [(each.count(1), len(each)) for each in by_round[key].values()])
    for kind, row in judged(asked("forced")):
        games = defaultdict[str, list[int]](list)
        for (of_kind, *_), of_round in by_round.items():
            for game, legal_in_it in of_round.items() if of_kind == kind else ():
                games[game] += legal_in_it
        assert (row["source"], row["decisions"]) == ("people", sum(map(len, games.values())))
        assert row["forced"] == sum(each.count(1) for each in games.values())
        assert_clumped(row, "forced_rate", [(each.count(1), len(each)) for each in games.values()])


def test_choices_of_tables_of_other_sizes_are_not_pooled(asked: Asked, reads: list[Read], kept: Path) -> None:
    """Crystal among two, three and four: each number of players has the alternatives of its own games."""
    written = "SELECT game_id, round, legal FROM events WHERE game = 'crystal' AND turn > 0 AND legal > 0"
    database = str(kept / "full" / "tabletape.db")
    told = json.loads(command("sql", written, "--rows", "1000000", "--json", "--db", database))
    sizes = {read.id: len(read.names) for read in reads}
    wanted = defaultdict[tuple[int, int], list[int]](list)
    for row in told:
        wanted[sizes[row["game_id"]], row["round"]].append(row["legal"])
    assert {players for players, _ in wanted} == {2, 3, 4}
    rows = {(row["players"], row["round"]): row for row in asked("decision-load", "--game", "crystal")}
    assert {key: (row["decisions"], row["forced"]) for key, row in rows.items()} == {
        key: (len(legal), legal.count(1)) for key, legal in wanted.items()
    }


# -- new players and old ones ------------------------------------------------------------------------------------------


def plays(reads: list[Read]) -> dict[tuple[str, str], int]:
    """Return for each game and player how many games of its kind there had been by then, with this one."""
    dated = sorted((read.started, read.id, read) for read in reads if read.started is not None)
    found, so_far = dict[tuple[str, str], int](), Counter[tuple[str, str]]()
    for _, _, read in dated:
        for name in read.names.values():
            so_far[read.game, name] += 1
            found[read.id, name] = so_far[read.game, name]
    return found


def decided(read: Read) -> Iterator[tuple[str, bool]]:
    """Yield who decided something while nothing wrong stood on the table, and whether that broke a rule."""
    yield from ((line["player"], False) for line in read.lines if line["type"] == "deck.declared")
    yield from (
        (each.player, bool(each.broken)) for each in verdicts(read.lines) if each.fair and each.legal is not None
    )


def test_mistakes_are_told_apart_by_experience(asked: Asked, reads: list[Read]) -> None:
    """First, second and later games of a name: decisions on a table without a mistake, and those that broke a rule."""
    experience, found = (
        plays(reads),
        defaultdict[tuple[Kind, str], dict[str, list[tuple[str, bool]]]](lambda: defaultdict(list)),
    )
    for read in reads:
        if read.game not in JUDGED:
            continue
        for player, wrong in decided(read):
            name = read.names[player]
            if (read.id, name) in experience:
                stage = ("first", "second", "later")[min(experience[read.id, name], 3) - 1]
                found[read.kind, stage][read.id].append((name, wrong))
    rows = {(kind, row["experience"]): row for kind, row in judged(asked("newcomers"))}
    assert rows.keys() == found.keys()
    for key, row in rows.items():
        of_games = found[key]
        people = {name for each in of_games.values() for name, _ in each}
        broken = [(sum(wrong for _, wrong in each), len(each)) for each in of_games.values()]
        assert (row["people"], row["games"]) == (len(people), len(of_games))
        assert (row["decisions"], row["broken"]) == (sum(n for _, n in broken), sum(h for h, _ in broken))
        assert_clumped(row, "trouble_rate", broken)


def test_trouble_is_told_apart_by_the_experience_of_the_table(asked: Asked, reads: list[Read], by_rule: ByRule) -> None:
    """All new, some new, all old; rules that troubled no table are left out."""
    number = plays(reads)
    found = defaultdict[tuple[Kind, str, str], list[Counts]](list)
    for (kind, rule), games in by_rule.items():
        for read, counts in games:
            of_table = [number.get((read.id, name)) for name in read.names.values()]
            if None not in of_table:
                new = [each == 1 for each in of_table]
                found[kind, rule, "all new" if all(new) else "some new" if any(new) else "all old"].append(counts)
    troubled = {(kind, rule) for (kind, rule, _), each in found.items() if any(counts.trouble for counts in each)}
    rows = {(kind, row["rule"], row["experience"]): row for kind, row in judged(asked("rules-by-experience"))}
    assert rows.keys() == {key for key in found if key[:2] in troubled}
    for key, row in rows.items():
        assert_counts(row, found[key], "opportunities", "trouble", "broken", "questions", "take_backs")
