"""Games of several kinds of bots are no pool: where bots disagree, a share of both says nothing of either.

So each kind is asked for itself, and people for themselves, side by side, with what all kinds say: they agree, it
depends on play, or it is open.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from math import comb
from typing import Any, Final, Unpack

import pyarrow as pa

from tabletape.dashboard.questions import Filters, Question, ask, question, select
from tabletape.dashboard.questions.by_luck import luck_in_words, neutral
from tabletape.dashboard.questions.filtering import KINDS
from tabletape.dashboard.statistics.intervals import STRICTER, newcombe, percentage_in_words, wilson
from tabletape.projector.datasets.manifest import Folder
from tabletape.projector.model.amounts import counted
from tabletape.projector.selfplay.kinds import Bot

PLAIN_QUESTIONS: Final = frozenset(
    {"duplicates", "each-finding", "games", "never-seen", "overview", "players", "progress", "remarks", "rulesets"}
)
"""Questions that list games, or what is in them, and count nothing that depends on how somebody plays."""

LADDER: Final = "bots-ladder"
"""The question that asks each kind of bots for itself."""

PLAYED_BY: Final = "played_by"

RUNGS: Final = tuple(each.value for each in Bot)
"""The kinds of bots, the weakest first."""

KEYS: Final = (
    "game", "ruleset", "ruleset_a", "ruleset_b", "dimension", "measure", "value", "own", "other", "card", "rule",
    "deck", "reason", "players", "seat", "round", "phase", "type", "name", "own_turn", "experience", "variant",
    "choice", "team", "felt", "goes_with", "among",
)  # fmt: skip
"""The columns that say what a row is about; rows that have them alike differ in who played alone."""

LADDER_COLUMNS: Final = ("bots_say", "trend", "trend_low", "trend_high")
"""What stands beside the rows of several kinds of bots."""

NEAR: Final = 0.1
"""Shares without a baseline agree where they surely lie within ten points of each other."""

MAX_NAMED: Final = 5
"""How many rows are named of which kinds of bots say the same."""

Row = Mapping[str, Any]


def ask_apart(name: str, datasets: Folder, **filters: Unpack[Filters]) -> pa.Table:
    """Answer a question like `ask`, but never of a pool: of people and of each kind of bots by themselves.

    Where there are several, `played_by` says whose a row is (`mixed`: several kinds at one table), and `bots_say` what
    all kinds say (see `said_of_kinds`). Raises `QuestionError` where there is no such question.
    """
    played = () if name in PLAIN_QUESTIONS else who_played(datasets, filters)
    if name == LADDER or len(played) < 2:
        answer = ask(name, datasets, **filters)
        return _beside(name, answer) if name == LADDER else answer
    answers = []
    for who in played:
        mine: Filters = {**filters, **only(who)}
        answer = ask(name, datasets, **mine)
        place = 1 + max(answer.column_names.index(key) for key in ("game", "ruleset") if key in answer.column_names)
        answers.append(answer.add_column(place, PLAYED_BY, pa.array([who] * answer.num_rows, pa.string())))
    together = pa.concat_tables(answers)
    asked = question(name)
    if asked.parts:
        together = pa.Table.from_pylist(with_zeros(asked, together.to_pylist()), together.schema)
    return _beside(name, together)


def who_played(datasets: Folder, filters: Filters) -> tuple[str, ...]:
    """Return who played the chosen games: people, kinds of bots, the weakest first.

    Nobody where people alone are asked about, or one kind of bots is.
    """
    if filters.get("source", "people") == "people" or filters.get("bots"):
        return ()
    sql = (
        f"SELECT DISTINCT coalesce(bots, 'people') AS who FROM games LEFT JOIN ({KINDS}) USING (game_id, ruleset_id) "  # noqa: S608 - our own text
        "WHERE ($game IS NULL OR game = $game) AND ($ruleset IS NULL OR $ruleset IN (ruleset, ruleset_id)) "
        "AND ($source IS NULL OR source = $source) AND (clean OR NOT $clean) "
        "ORDER BY who"
    )
    players: list[str] = select(sql, datasets, ("game", "ruleset", "source", "clean"), **filters)["who"].to_pylist()
    ladder = ("people", *RUNGS)
    return tuple(sorted(players, key=lambda who: ladder.index(who) if who in ladder else len(ladder)))


def only(who: str) -> Filters:
    """Return the filters that leave only the games of people, or of one kind of bots."""
    return Filters(source="people") if who == "people" else Filters(source="bots", bots=who)


def with_zeros(asked: Question, rows: Sequence[Row]) -> Sequence[Row]:
    """Put a row of none beside the others, wherever some have a part of a whole that the same whole of others lacks.

    Otherwise nothing would be said of the strongest difference: that some do always what others never do. As many
    independent things tell of it as of that part of the same whole of which the fewest do.
    """
    if not asked.parts:
        return rows
    wholes: dict[tuple[Any, ...], dict[str, list[Row]]] = {}
    for row in rows:
        wholes.setdefault(_about({**row, asked.parts: None}), {}).setdefault(row[PLAYED_BY], []).append(row)
    rows_of_all = list(rows)
    for kinds in wholes.values():
        every = dict.fromkeys(row[asked.parts] for of_kind in kinds.values() for row in of_kind)
        for of_kind in kinds.values():
            known = {row[asked.parts] for row in of_kind}
            rows_of_all += [_none(asked, of_kind, part) for part in every if part not in known]
    return rows_of_all


def _none(asked: Question, of_kind: Sequence[Row], part: str) -> Row:
    """Return the row of a part of a whole that nobody took, like those of its other parts."""
    share = asked.shares[0]
    n = min(row[f"{share.name}_effective"] for row in of_kind)
    of_share = {"": 0.0, "_low": 0.0, "_high": wilson(0, n).high, "_effective": n}
    return {
        **of_kind[0], asked.parts: part, **{key: 0 for key in (share.hits, "decisive") if key in of_kind[0]},
        **{share.name + end: each for end, each in of_share.items()},
    }  # fmt: skip


def _beside(name: str, answer: pa.Table) -> pa.Table:
    """Put what the kinds of bots say beside their rows."""
    said = said_of_kinds(question(name), answer.to_pylist())
    for column in LADDER_COLUMNS if any(said) else ():
        kind = pa.string() if column == LADDER_COLUMNS[0] else pa.float64()
        answer = answer.append_column(column, pa.array([each.get(column) for each in said], kind))
    return answer


def said_of_kinds(asked: Question, rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Return for each row of an answer, which say by whom they are played, what all kinds of bots say; {} for nothing.

    The first share is judged. *Agree*: the interval of each kind lies on the same side of its baseline, however far
    apart they are, or, where there is none, the shares within ten points of each other. *Depends on play*: they do not
    agree so, and two kinds clearly differ (the 99 % interval of their difference leaves out 0); else it is open. Kinds
    with other baselines (they sat at other tables) are not set against each other. The trend is how much the share
    changes from one rung of the ladder to the next. An interval without a share is judged likewise by what it would be
    if nothing mattered (one half, or 0), two of them differ where they do not touch, and where nothing says what it
    would be, no more is said than that.
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
    if not asked.shares:
        return _said_of_intervals([row for row in kinds if row.get("low") is not None])
    from tabletape.dashboard.statistics.comparison import slope  # noqa: PLC0415 - an answer about people waits for no library

    share = asked.shares[0]
    told = [row for row in kinds if row[share.n]]
    if len(told) < 2:
        return {}
    counts = [share.effective(row) for row in told]
    baselines = [row.get("baseline") for row in told]
    alike = len({each and round(each, 9) for each in baselines}) == 1
    rungs = [(RUNGS.index(row[PLAYED_BY]), *each) for row, each in zip(told, counts, strict=True)]
    trend = slope(rungs) if alike else None
    return {LADDER_COLUMNS[0]: _verdict(counts, baselines, alike=alike)} | dict(
        zip(LADDER_COLUMNS[1:], trend or (), strict=False)
    )


def _said_of_intervals(kinds: Sequence[Row]) -> dict[str, Any]:
    """Return what kinds of bots say where an answer has intervals and no share."""
    if len(kinds) < 2:
        return {}
    even = neutral(kinds[0])
    if even is not None and {int(row["low"] > even) - int(row["high"] < even) for row in kinds} in ({-1}, {1}):
        return {LADDER_COLUMNS[0]: "agree"}
    if any(a["high"] < b["low"] or b["high"] < a["low"] for a, b in combinations(kinds, 2)):
        return {LADDER_COLUMNS[0]: "depends on play"}
    return {} if even is None else {LADDER_COLUMNS[0]: "open"}


def _verdict(counts: Sequence[tuple[float, float]], baselines: Sequence[float | None], *, alike: bool) -> str:
    """Return what shares say, each with its baseline; `alike` says whether that is one for all."""
    sides = {_side(*each, baseline) for each, baseline in zip(counts, baselines, strict=True)}
    if sides in ({-1}, {1}):
        return "agree"
    if not alike:
        return "open"
    apart = [newcombe(a, b) for a, b in combinations(counts, 2)]
    if any(each.words == "clear" for each in apart):
        return "depends on play"
    return "agree" if not baselines[0] and all(max(-each.low, each.high) <= NEAR for each in apart) else "open"


def luck_of(kinds: int) -> float:
    """Return how often, at most, so many kinds that play alike are said to depend on play: each pair of them may be."""
    return (1 - STRICTER) * comb(kinds, 2)


def _side(hits: float, n: float, baseline: float | None) -> int:
    """Return on which side of the baseline the interval of a share lies; 0 where it holds it, or there is none."""
    if not baseline:
        return 0
    reach = wilson(hits, n)
    return int(reach.low > baseline) - int(reach.high < baseline)


def agreement_in_words(asked: Question, rows: Sequence[Row]) -> str:
    """Say what depends on play, what kinds of bots agree about, and of how much neither is known; empty without bots.

    Beside it stands how much would depend on play by luck. `rows` are those of an answer, each with who played.
    """
    rows = with_zeros(asked, rows)
    about: dict[str, list[str]] = {}
    named, kinds = {}, Counter[tuple[Any, ...]]()
    for row, said in zip(rows, said_of_kinds(asked, rows), strict=True):
        if said:
            named[_about(row)] = said[LADDER_COLUMNS[0]], _named(asked, row) + _trend(said)
            kinds[_about(row)] += 1
    for verdict, words in named.values():
        about.setdefault(verdict, []).append(words)
    parts = [f"{verdict}: {_listed(about[verdict])}" for verdict in ("depends on play", "agree") if verdict in about]
    parts += [f"open: {len(about['open'])}"] if "open" in about else []
    if not parts:
        return ""
    judged = f" of the {asked.shares[0].name.replace('_', ' ')}" if asked.shares else ""
    luck = luck_in_words(sum(map(luck_of, kinds.values())))
    by_luck = f" Of {counted(len(named), 'row')} {luck} would depend on play by luck." if len(named) > 1 else ""
    return f"What kinds of bots say{judged}: {'; '.join(parts)}.{by_luck}"


def _named(asked: Question, row: Row) -> str:
    words = [str(row[key]) for key in KEYS if row.get(key) and key not in {"game", "ruleset", "players", "among"}]
    words += [f"of {row['players']}"] if row.get("players") else []
    return " ".join(words) or (asked.shares[0].name.replace("_", " ") if asked.shares else asked.name)


def numbers_in_words(asked: Question, row: Row) -> dict[str, str | None]:
    """Return the numbers of a row that people read as percentages, or as points that a share is higher or lower."""
    percents = {*asked.percents, *(share.name for share in asked.shrunk)} & row.keys()
    found = {name: None if row[name] is None else percentage_in_words(row[name]) for name in percents}
    changed = [name for name in (*asked.points, *LADDER_COLUMNS[1:]) if row.get(name) is not None]
    return found | {name: f"{round(100 * row[name]):+d} points" for name in changed}


def _trend(said: Row) -> str:
    if said.get("trend") is None:
        return ""
    low, each, high = (f"{100 * said[name]:+.0f}" for name in ("trend_low", "trend", "trend_high"))
    return f" ({each} points a rung, {low} to {high})"


def _listed(words: Iterable[str]) -> str:
    first = list(words)
    more = f" and {len(first) - MAX_NAMED} more" if len(first) > MAX_NAMED else ""
    return ", ".join(first[:MAX_NAMED]) + more
