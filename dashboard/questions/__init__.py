"""Questions about the datasets: one SQL file each in `sql/`, asked the same way by terminal, pages and tests.

A file begins with comments: its title, then `group`, `definition`, `chart`, `counts`, `method`, `share`, `shrunk`,
`column` and `promise` lines. A `share` names two columns of the answer, hits and n; the share and its 95 % interval are
put beside them, for things that come `in` clumps with the column that says how (see `share_columns`). `counts` names
what a game needs in order to count (see `exclusions`), `percents` columns that are shown as percentages, `points` those
that say by how much a share is higher, `parts` a column whose values make up a whole, `personal` columns that hold
people's names or words. A `promise` names the simulation with a known truth in which the columns behind it come true as
often as they say. A `method` turns the rows of the SQL into the answer (see `methods`); `rows` takes the SQL of another
question, `with` begins the SQL with a file of `sql/parts/`, which several questions share.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from importlib import import_module
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final, Literal, TypedDict, Unpack, cast

import msgspec
import pyarrow as pa
from rapidfuzz import process

from tabletape.dashboard.questions.database import Connection, QuestionError, over_datasets
from tabletape.dashboard.questions.filtering import CONDITIONS, Value, narrow, narrowing
from tabletape.dashboard.questions.share_columns import Share, with_shares
from tabletape.projector.datasets.manifest import Folder

if TYPE_CHECKING:
    from tabletape.dashboard.questions.lab import LabEffect

GROUPS: Final = ("overview", "games", "decks", "cards", "rules", "time")
"""The groups of questions, in the order in which they are listed."""

QUERIES: Final = files("tabletape.dashboard.questions").joinpath("sql")
"""Where the files of the questions lie."""

SOURCES: Final = ("people", "bots", "all")
"""Whose games can be asked for."""

_KEYS: Final = (
    "group",
    "definition",
    "chart",
    "counts",
    "method",
    "rows",
    "with",
    "percents",
    "points",
    "parts",
    "personal",
    "share",
    "shrunk",
    "column",
    "promise",
)
_LINE: Final = re.compile(r"-- (?P<key>\w+)(?: (?P<name>\w+))?: (?P<text>.*)")
_PARAMETER: Final = re.compile(r"\$(\w+)")


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """A question as its file puts it; `shares` are shown with their interval, `shrunk` pulled towards one half.

    `counts` are the conditions under which a game counts, in order; `method` is empty where SQL says it all. The rows
    that differ in the column `parts` alone make up a whole; `personal` columns hold people's names or words.
    """

    name: str
    title: str
    group: str
    definition: str
    chart: str
    counts: tuple[str, ...]
    method: str
    shares: tuple[Share, ...]
    shrunk: tuple[Share, ...]
    percents: tuple[str, ...]
    points: tuple[str, ...]
    parts: str
    personal: tuple[str, ...]
    columns: Mapping[str, str]
    promises: Mapping[str, tuple[str, ...]]
    parameters: frozenset[str]
    sql: str


class Filters(TypedDict, total=False):
    """Which games to ask about: of one `game`, under one `ruleset` (its words or its id), of people, bots or all.

    `clean`: only games without a mistake; `game_id`: one match, for the questions that take one.
    `games` (ids) and what follows choose games by what is in them (see `filtering`). `split`: a day
    (as 2026-05-01) at which the games of a ruleset are parted in two, where rulesets are compared.
    Without filters all games of people are asked about. `lab` is no filter: what bots say of cards, where
    `card-effects` is to begin with it (see `lab`).
    """

    game: str
    ruleset: str
    source: Literal["people", "bots", "all"]
    clean: bool
    game_id: str
    games: Sequence[str]
    decks: Sequence[str]
    deck: str
    card: str
    rule: str
    bots: str
    reason: str
    player: str
    since: str
    before: str
    split: str
    lab: "Sequence[LabEffect]"


@cache
def questions() -> tuple[Question, ...]:
    """Return all questions, by group and title."""
    names = [file.name.removesuffix(".sql") for file in QUERIES.iterdir() if file.name.endswith(".sql")]
    every = [read_question(name, _file(name)) for name in names]
    return tuple(sorted(every, key=lambda each: (GROUPS.index(each.group), each.name)))


def _file(name: str) -> str:
    return QUERIES.joinpath(f"{name}.sql").read_text(encoding="utf-8")


def question(name: str) -> Question:
    """Return a question. Raises `QuestionError` with the nearest one where there is none."""
    by_name = {each.name: each for each in questions()}
    if name in by_name:
        return by_name[name]
    nearest = process.extractOne(name.lower(), list(by_name), score_cutoff=60)
    hint = f"did you mean {nearest[0]!r}?" if nearest else f"there are: {', '.join(by_name)}"
    raise QuestionError(f"there is no question called {name!r}; {hint}")


def read_question(name: str, sql: str) -> Question:
    """Read a question from its file. Raises `ValueError` where its comments say too little."""
    title, *lines = [line for line in sql.splitlines() if line.startswith("--")]
    comments = _comments(lines)
    if comments["group"].get("") not in GROUPS or not comments["definition"] or not comments["chart"]:
        raise ValueError(f"sql/{name}.sql needs a title, a group ({', '.join(GROUPS)}), a definition and a chart")
    body = _file(comments["rows"][""]) if comments["rows"] else sql
    if comments["with"]:
        body = _file(f"parts/{comments['with']['']}") + body
    return Question(
        name=name,
        title=title.removeprefix("--").strip(),
        group=comments["group"][""],
        definition=comments["definition"][""],
        chart=comments["chart"][""],
        counts=tuple(comments["counts"].get("", "").replace(",", " ").split()),
        method=comments["method"].get("", ""),
        shares=tuple(_shares(comments["share"])),
        shrunk=tuple(_shares(comments["shrunk"])),
        percents=tuple(comments["percents"].get("", "").replace(",", " ").split()),
        points=tuple(comments["points"].get("", "").replace(",", " ").split()),
        parts=comments["parts"].get("", ""),
        personal=tuple(comments["personal"].get("", "").replace(",", " ").split()),
        columns=comments["column"],
        promises={name: tuple(text.replace(",", " ").split()) for name, text in comments["promise"].items()},
        parameters=frozenset(_PARAMETER.findall(body)),
        sql=body,
    )


def _comments(lines: Iterable[str]) -> dict[str, dict[str, str]]:
    """Return what the comments of a question say, by key and name; a line without a key goes on with the one before."""
    comments: dict[str, dict[str, str]] = {key: {} for key in _KEYS}
    last: tuple[str, str] | None = None
    for line in lines:
        match = _LINE.fullmatch(line)
        if match:
            last = match["key"], match["name"] or ""
            comments[last[0]][last[1]] = match["text"]
        elif last is not None:
            comments[last[0]][last[1]] += " " + line.removeprefix("--").strip()
    return comments


def _shares(lines: Mapping[str, str]) -> Iterable[Share]:
    for name, text in lines.items():
        counts, _, clumps = text.partition(" in ")
        hits, _, n = counts.partition(" / ")
        yield Share(name, hits, n, clumps)


def ask(name: str, datasets: Folder, **filters: Unpack[Filters]) -> pa.Table:
    """Ask a question of a folder of datasets; before the first build there is nothing, so the answer has no rows.

    For each share `win_rate` of the question there are the columns `win_rate`, `win_rate_low` and `win_rate_high`
    (0 to 1; null where n is 0) beside hits and n, and `win_rate_effective`, as many independent things as the n things
    tell as much as. Raises `QuestionError` where there is no such question.
    """
    asked = question(name)
    answer = select(asked.sql, datasets, asked.parameters, **filters)
    if asked.method:
        method = import_module(f"tabletape.dashboard.questions.methods.{asked.method}").answer
        lab = filters.get("lab")
        answer = method(answer, lab) if lab else method(answer)
    return with_shares(answer, asked.shares, asked.shrunk)


def select(sql: str, datasets: Folder, named: Collection[str], **filters: Unpack[Filters]) -> pa.Table:
    """Return the rows of a `SELECT` of our own about the chosen games; `named` are the parameters that it names."""
    values = {key: value for key, value in parameters(filters).items() if key in named}

    chosen_by = cast("Mapping[str, Value]", {key: filters.get(key) for key in CONDITIONS})

    def answer(connection: Connection) -> pa.Table:
        narrow(connection, chosen_by)
        return connection.sql(sql, params=values).to_arrow_table()

    return over_datasets(datasets, narrowing(sql, chosen_by), answer)


def parameters(filters: Filters) -> dict[str, Any]:
    """Return the values of the SQL parameters; None asks for all."""
    source = filters.get("source", "people")
    if source not in SOURCES:
        raise QuestionError(f"games are of {', '.join(SOURCES)}, not of {source!r}")
    return {
        "game": filters.get("game") or None,
        "ruleset": filters.get("ruleset") or None,
        "source": None if source == "all" else source,
        "clean": filters.get("clean", False),
        "game_id": filters.get("game_id") or None,
        "split": filters.get("split") or None,
    }
