"""Games of several kinds of bots are no pool: where bots disagree, a share of both says nothing of either.

So each kind is asked for itself, and people for themselves, side by side, with what all kinds say: they agree, it
depends on play, or it is open.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any, Final, Unpack

import pyarrow as pa

from tabletape.dashboard.questions import Filters, Question, ask, question, select
from tabletape.dashboard.questions.filtering import KINDS
from tabletape.dashboard.statistics.intervals import newcombe, wilson
from tabletape.projector.datasets.manifest import Folder
from tabletape.projector.selfplay.kinds import Bot

AS_THEY_STAND: Final = frozenset(
    {"duplicates", "each-finding", "games", "never-seen", "overview", "players", "progress", "remarks", "rulesets"}
)
"""Questions that list games, or what is in them, and count nothing that depends on how somebody plays."""

LADDER: Final = "bots-ladder"
"""The question that asks each kind of bots for itself, whoever is asked about."""

PLAYED_BY: Final = "played_by"

RUNGS: Final = tuple(each.value for each in Bot)
"""The kinds of bots, the weakest first."""

KEYS: Final = (
    "game", "ruleset", "ruleset_a", "ruleset_b", "dimension", "measure", "value", "own", "other", "card", "rule",
    "deck", "reason", "players", "seat", "round", "phase", "type", "name", "own_turn", "experience", "variant",
    "choice", "team", "felt", "goes_with", "among",
)  # fmt: skip
"""The columns that say what a row is about; rows that have them alike differ in who played alone."""

SAID: Final = ("bots_say", "trend", "trend_low", "trend_high")
"""What stands beside the rows of several kinds of bots."""

NEAR: Final = 0.1
"""Shares without a baseline agree where they surely lie within ten points of each other."""

Row = Mapping[str, Any]


def ask_apart(name: str, datasets: Folder, **filters: Unpack[Filters]) -> pa.Table:
    """Answer a question like `ask`, but never of a pool: of people and of each kind of bots by themselves.

    Where there are several, `played_by` says whose a row is (`mixed`: several kinds at one table), and `bots_say` what
    all kinds say (see `said_of_kinds`). Raises `QuestionError` where there is no such question.
    """
    played = () if name in AS_THEY_STAND else who_played(datasets, filters)
    if name == LADDER or len(played) < 2:
        answer = ask(name, datasets, **filters)
        return _beside(name, answer) if name == LADDER else answer
    found = []
    for who in played:
        mine: Filters = {**filters, **only(who)}
        answer = ask(name, datasets, **mine)
        place = 1 + max(answer.column_names.index(key) for key in ("game", "ruleset") if key in answer.column_names)
        found.append(answer.add_column(place, PLAYED_BY, pa.array([who] * answer.num_rows, pa.string())))
    return _beside(name, pa.concat_tables(found))


def who_played(datasets: Folder, filters: Filters) -> tuple[str, ...]:
    """Return who played the chosen games: people, kinds of bots, the weakest first.

    Nobody where people alone are asked about, or one kind of bots is.
    """
    if filters.get("source", "people") == "people" or filters.get("bots"):
        return ()
    sql = (
        f"SELECT DISTINCT coalesce(bots, 'people') AS who FROM games LEFT JOIN ({KINDS}) USING (game_id, ruleset_id) "  # noqa: S608 - our own text
        "WHERE ($game IS NULL OR game = $game) AND ($ruleset IS NULL OR $ruleset IN (ruleset, ruleset_id)) "
        "AND ($source IS NULL OR source = $source) "
        "ORDER BY who"
    )
    found: list[str] = select(sql, datasets, ("game", "ruleset", "source"), **filters)["who"].to_pylist()
    ladder = ("people", *RUNGS)
    return tuple(sorted(found, key=lambda who: ladder.index(who) if who in ladder else len(ladder)))


def only(who: str) -> Filters:
    """Return the filters that leave only the games of people, or of one kind of bots."""
    return Filters(source="people") if who == "people" else Filters(source="bots", bots=who)


def _beside(name: str, answer: pa.Table) -> pa.Table:
    """Put what the kinds of bots say beside their rows."""
    said = said_of_kinds(question(name), answer.to_pylist())
    for column in SAID if any(said) else ():
        kind = pa.string() if column == SAID[0] else pa.float64()
        answer = answer.append_column(column, pa.array([each.get(column) for each in said], kind))
    return answer


def said_of_kinds(asked: Question, rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Return for each row of an answer, which say by whom they are played, what all kinds of bots say; {} for nothing.

    *Agree*: the intervals of all kinds lie on the same side of the baseline, or, where there is none, the shares within
    ten points of each other; *depends on play*: two kinds clearly differ (the 99 % interval of their difference leaves
    out 0; of two intervals without shares, they do not touch); else it is open. The trend is how much the share changes
    from one rung of the ladder to the next.
    """
    kinds: dict[tuple[Any, ...], list[Row]] = {}
    for row in rows:
        if row[PLAYED_BY] in RUNGS:
            kinds.setdefault(_about(row), []).append(row)
    said = {about: _said(asked, of) for about, of in kinds.items()}
    return [said[_about(row)] if row[PLAYED_BY] in RUNGS else {} for row in rows]


def _about(row: Row) -> tuple[Any, ...]:
    """Return what a row is about; on a page `letter` says of which version, and `among` of which part of the games."""
    on_page = "letter" in row
    return (row.get("letter"), *(row.get(key) for key in KEYS if not (on_page and key == "among")))


def _said(asked: Question, kinds: Sequence[Row]) -> dict[str, Any]:
    if asked.shares:
        from tabletape.dashboard.statistics.comparison import slope  # noqa: PLC0415 - an answer about people waits for no library

        share = asked.shares[0]
        told = [(RUNGS.index(row[PLAYED_BY]), *share.effective(row)) for row in kinds if row[share.n]]
        if len(told) < 2:
            return {}
        counts = [(hits, n) for _, hits, n in told]
        trend = slope(told)
        return {SAID[0]: _verdict(counts, kinds[0].get("baseline"))} | dict(zip(SAID[1:], trend or (), strict=False))
    ends = [(row["low"], row["high"]) for row in kinds if row.get("low") is not None]
    if len(ends) < 2:
        return {}
    parted = any(a[1] < b[0] or b[1] < a[0] for a, b in combinations(ends, 2))
    return {SAID[0]: "depends on play" if parted else "open"}


def _verdict(counts: Sequence[tuple[float, float]], baseline: float | None) -> str:
    sides = {_side(hits, n, baseline) for hits, n in counts} if baseline else {0}
    if sides in ({-1}, {1}):
        return "agree"
    apart = [newcombe(a, b) for a, b in combinations(counts, 2)]
    if any(each.words == "clear" for each in apart):
        return "depends on play"
    return "agree" if not baseline and all(max(-each.low, each.high) <= NEAR for each in apart) else "open"


def _side(hits: float, n: float, baseline: float) -> int:
    """Return on which side of the baseline the interval of a share lies; 0 where it holds it."""
    reach = wilson(hits, n)
    return int(reach.low > baseline) - int(reach.high < baseline)


def agreement_in_words(asked: Question, rows: Sequence[Row]) -> str:
    """Say what depends on play, what kinds of bots agree about, and of how much neither is known; empty without bots.

    `rows` are those of an answer, each with who played its games.
    """
    about: dict[str, list[str]] = {}
    named = {}
    for row, said in zip(rows, said_of_kinds(asked, rows), strict=True):
        if said:
            named[_about(row)] = said[SAID[0]], _named(asked, row) + _trend(said)
    for verdict, words in named.values():
        about.setdefault(verdict, []).append(words)
    parts = [f"{verdict}: {_listed(about[verdict])}" for verdict in ("depends on play", "agree") if verdict in about]
    parts += [f"open: {len(about['open'])}"] if "open" in about else []
    return f"What kinds of bots say: {'; '.join(parts)}." if parts else ""


def _named(asked: Question, row: Row) -> str:
    words = [str(row[key]) for key in KEYS if row.get(key) and key not in {"game", "ruleset", "players", "among"}]
    words += [f"of {row['players']}"] if row.get("players") else []
    return " ".join(words) or (asked.shares[0].name.replace("_", " ") if asked.shares else asked.name)


def _trend(said: Row) -> str:
    if said.get("trend") is None:
        return ""
    low, each, high = (f"{100 * said[name]:+.0f}" for name in ("trend_low", "trend", "trend_high"))
    return f" ({each} points a rung, {low} to {high})"


LISTED: Final = 5


def _listed(words: Iterable[str]) -> str:
    first = list(words)
    more = f" and {len(first) - LISTED} more" if len(first) > LISTED else ""
    return ", ".join(first[:LISTED]) + more
