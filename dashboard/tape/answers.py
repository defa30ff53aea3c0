"""Questions to datasets, and their answers: rows, shares with interval and baseline, sentences, a chart."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Unpack

import pyarrow as pa

from tabletape.dashboard.questions import Filters, Question, ask, question
from tabletape.dashboard.questions.bots_apart import PLAYED_BY, agreement_in_words, ask_apart, numbers_in_words
from tabletape.dashboard.questions.by_luck import standing_out
from tabletape.dashboard.questions.database import QueryRows, QuestionError
from tabletape.dashboard.questions.exclusions import exclusions_in_words
from tabletape.dashboard.questions.lab import lab_in_words
from tabletape.dashboard.questions.query_process import ask_sql
from tabletape.dashboard.questions.share_columns import Share
from tabletape.dashboard.statistics.intervals import percent
from tabletape.dashboard.tape.choosing import require_game
from tabletape.dashboard.tape.records import DataFrames, cell_text, table_html
from tabletape.dashboard.tape.tape import open_tape
from tabletape.events.errors import RefusedError
from tabletape.events.log import Log
from tabletape.projector.archive.stored import workspace
from tabletape.projector.datasets.freshness import outdated
from tabletape.projector.datasets.manifest import Folder, named_folder
from tabletape.projector.model.amounts import counted
from tabletape.projector.model.suggestions import unknown

if TYPE_CHECKING:
    import altair as alt

NO_ANSWER: Final = "No game in the datasets has the answer."
MAX_ROWS: Final = 1_000_000
"""Rows that `sql` gives; with more it refuses, because an answer that is cut off unseen is wrong."""


class AnsweredShare(NamedTuple):
    """A share of one row of an answer: what the row is about, the share with its 95 % interval, and in words.

    `baseline` is what the share would be if it did not matter; None where the question has none.
    """

    label: str
    name: str
    value: float
    low: float
    high: float
    baseline: float | None
    words: str


class QuestionAnswer(DataFrames):
    """The answer to a question: `table` is all of it in Arrow, `question` says how it is counted."""

    def __init__(self, asked: Question, table: pa.Table, folder: Folder, filters: Filters) -> None:
        self.question = asked
        self.table = table
        self._folder = folder
        self._filters = filters

    def __len__(self) -> int:
        return int(self.table.num_rows)

    def __repr__(self) -> str:
        return self.sentence

    @property
    def rows(self) -> list[dict[str, Any]]:
        """The answer as plain rows."""
        rows: list[dict[str, Any]] = self.table.to_pylist()
        return rows

    @property
    def shares(self) -> tuple[AnsweredShare, ...]:
        """The shares that are known, row by row; empty for a question whose answer is no share."""
        return tuple(self._share(each, row) for each in self.question.shares for row in self.rows if row[each.n])

    def _share(self, share: Share, row: dict[str, Any]) -> AnsweredShare:
        low, high = row[f"{share.name}_low"], row[f"{share.name}_high"]
        baseline = row.get("baseline") if share == self.question.shares[0] else None
        return AnsweredShare(
            self._label(row), share.name, row[share.name], low, high, baseline, f"{share.in_words(row)}"
        )

    def _label(self, row: dict[str, Any]) -> str:
        """Return what tells a row apart: its columns before those that are counted."""
        counts = {name for share in self.question.shares for name in (share.hits, share.n)} | {"baseline"}
        names = self.table.column_names
        before = names[: min(names.index(each) for each in counts if each in names)]
        said = [cell_text(row[each]) if isinstance(row[each], str) else f"{each} {row[each]}" for each in before]
        return ", ".join(said)

    @property
    def value(self) -> float:
        """The share, where the answer is a single one. Raises `RefusedError` where it is not."""
        return self._single().value

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of a single share. Raises `RefusedError` as `value` does."""
        return self._single().low, self._single().high

    @property
    def baseline(self) -> float | None:
        """What a single share would be if it did not matter. Raises `RefusedError` as `value` does."""
        return self._single().baseline

    def _single(self) -> AnsweredShare:
        shares = self.shares
        if len(shares) != 1:
            narrower = "look at .shares, or ask with game=, ruleset=, bots="
            there = f"{len(shares)} shares: {narrower}" if shares else "no share"
            raise RefusedError(f"the answer to {self.question.name} has {there}")
        return shares[0]

    @property
    def counted(self) -> str:
        """Which games are counted and why not the others, in sentences; empty where all are."""
        apart = PLAYED_BY in self.table.column_names
        return exclusions_in_words(self.question, self._folder, apart=apart, **self._filters)

    @property
    def sentences(self) -> tuple[str, ...]:
        """The answer in sentences: the question, its shares with counts and intervals, and which games are counted."""
        said = [f"{each.label}: {each.words}{_against(each.baseline)}" for each in self.shares]
        if not said:
            said = [counted(len(self), "row") + "." if len(self) else NO_ANSWER]
        return tuple(line for line in (self.question.title, *said, *self.notes) if line)

    @property
    def notes(self) -> tuple[str, ...]:
        """What stands below the answer: what kinds of bots say, what luck alone would, which games are counted."""
        kinds = agreement_in_words(self.question, self.rows) if PLAYED_BY in self.table.column_names else ""
        lab = self._filters.get("lab", ())
        asked = lab_in_words(lab, self.table["card"].to_pylist()) if lab else ()
        return tuple(line for line in (kinds, *asked, *self.by_luck, self.counted) if line)

    @property
    def by_luck(self) -> tuple[str, ...]:
        """How many rows stand out, and how many would by luck alone, in sentences; empty where no row could."""
        return standing_out(self.question, self.rows)

    @property
    def sentence(self) -> str:
        """The sentences as one text."""
        return "\n".join(self.sentences)

    def worded(self) -> tuple[list[str], list[list[str]]]:
        """Return headings and rows as people read them: a share with its count and interval, in one column."""
        shares = {share.name: share for share in self.question.shares}
        hidden = {column for share in self.question.shares for column in share.hidden}
        columns = [column for column in self.table.column_names if column not in hidden]
        cells = []
        for row in self.rows:
            words = numbers_in_words(self.question, row) | {name: each.in_words(row) for name, each in shares.items()}
            cells.append([cell_text((row | words)[column]) for column in columns])
        return [column.replace("_", " ") for column in columns], cells

    def to_arrow(self) -> pa.Table:
        """Return the answer as an Arrow table."""
        return self.table

    def chart(self) -> "alt.LayerChart":
        """Return the shares of the answer, or its medians, with their intervals as an Altair chart.

        Raises `RefusedError` for an answer that is neither; `rows` and `to_arrow` have all of it.
        """
        from tabletape.dashboard.tape.charting import chart_of  # noqa: PLC0415 - who asks for rows does not wait for Altair

        return chart_of(self)

    def _repr_mimebundle_(self, **_wanted: Any) -> dict[str, Any]:
        """Show the chart in a notebook, or a table where the answer has no chart."""
        try:
            shown = self.chart()._repr_mimebundle_() or {}
        except RefusedError:
            headings, rows = self.worded()
            shown = {"text/html": table_html(headings, rows, len(rows), self.sentences)}
        data = shown[0] if isinstance(shown, tuple) else shown
        return {**data, "text/plain": self.sentence}

    def left_out(self) -> list[str]:
        """Return which games were not asked about, in sentences."""
        filters = self._filters
        unclean_too: Filters = {**filters, "clean": False}
        everybody: Filters = {**unclean_too, "source": "all"}
        any_day: Filters = {**unclean_too, "since": "", "before": ""}
        everything, mine, always = (self._overview(each) for each in (everybody, unclean_too, any_day))
        others, other_days = (
            sum(row["games"] for row in more) - sum(row["games"] for row in mine) for more in (everything, always)
        )
        unclean = sum(row["games"] - row["clean_games"] for row in mine) if filters.get("clean") else 0
        whose = "people" if filters.get("source") == "bots" else "bots"
        said = {
            f"Left out: {counted(other_days, 'game')} of other days, or without a date.": other_days,
            f"Left out: {counted(others, 'game')} of {whose}.": others,
            f"Left out: {counted(unclean, 'game')} with a mistake.": unclean,
        }
        return [words for words, number in said.items() if number]

    @property
    def is_of_nothing(self) -> bool:
        """Whether the datasets have no game at all that could have been asked about."""
        unclean_too: Filters = {**self._filters, "clean": False}
        everybody: Filters = {**unclean_too, "source": "all"}
        any_day: Filters = {**unclean_too, "since": "", "before": ""}
        return not (len(self) or self._overview(everybody) or self._overview(any_day))

    def _overview(self, filters: Filters) -> list[dict[str, Any]]:
        rows: list[dict[str, Any]] = ask("overview", self._folder, **filters).to_pylist()
        return rows


def _against(baseline: float | None) -> str:
    return f", against {percent(baseline)} % if it did not matter" if baseline else ""


class DatasetFolder:
    """Built datasets, in a folder or at an address (`s3://…`): what can be asked without their log."""

    def __init__(self, folder: Folder, log: Log | None = None) -> None:
        self.folder = folder
        self._log = log

    @property
    def outdated(self) -> int:
        """How many games of their log the datasets lack, or have otherwise; none where they stand alone."""
        return outdated(self._log) if self._log else 0

    @property
    def unconfirmed(self) -> str:
        """That games were read by a proposal nobody has looked at, in a sentence; empty where there are none."""
        if self._log is None or not any(each.format.startswith("map ") for each in self._log.arrivals()):
            return ""
        from tabletape.events.importing.maps.remembering import said_of_unconfirmed, unconfirmed  # noqa: PLC0415 - most logs were read by no map

        return said_of_unconfirmed(unconfirmed(self._log, workspace(self._log)))

    def ask(self, name: str, **filters: "Unpack[Filters]") -> QuestionAnswer:
        """Answer a question of the catalogue (`tabletape stats` lists them); see `Filters` for which games.

        Raises `QuestionError` for an unknown question, `RefusedError` for an unknown game or ruleset, and for a filter
        that the question cannot heed.
        """
        asked = question(name)
        if filters.get("clean") and "clean" not in asked.parameters:
            raise RefusedError(f"{name} is asked of all games, also of those with a mistake: leave out --clean")
        if filters.get("split") and "split" not in asked.parameters:
            raise RefusedError(
                f"{name} compares nothing, so no day can part its games: leave out --split, or use --since"
            )
        if filters.get("lab") and name != "card-effects":
            raise RefusedError(f"{name} has no room for what bots say of a card: --lab is for card-effects")
        require_game(filters.get("game", ""))
        self._require_ruleset(filters.get("ruleset", ""))
        return QuestionAnswer(asked, ask_apart(name, self.folder, **filters), self.folder, filters)

    def _require_ruleset(self, wanted: str) -> None:
        """Refuse a ruleset that no game of the datasets was read by."""
        known = {row["ruleset_id"]: row["ruleset"] for row in ask("overview", self.folder, source="all").to_pylist()}
        if wanted and wanted not in {*known, *known.values()}:
            raise RefusedError(unknown("ruleset in the datasets", wanted, sorted(known.values())))

    def select(self, query: str, *, rows: int, seconds: float = 30.0) -> QueryRows:
        """Answer one `SELECT` with so many rows at most, and say whether there are more. Raises `QuestionError`."""
        return ask_sql(query, self.folder, seconds=seconds, rows=rows)

    def sql(self, query: str, *, seconds: float = 30.0) -> pa.Table:
        """Answer one `SELECT` (DuckDB's) as an Arrow table. Raises `QuestionError` where there are too many rows."""
        answer = self.select(query, rows=MAX_ROWS, seconds=seconds)
        if answer.cut:
            raise QuestionError(f"there are more than {MAX_ROWS:,} rows: count in SQL, or ask with a LIMIT")
        return answer.table


@contextmanager
def opened_datasets(place: str, datasets: str = "") -> Iterator[DatasetFolder]:
    """Open the datasets of a folder or an address, or without one those of the log at a place.

    Raises `DatasetError` where there are none, `LogError` where there is no log.
    """
    if datasets:
        yield DatasetFolder(named_folder(datasets))
        return
    with open_tape(place) as tape:
        yield tape.datasets
