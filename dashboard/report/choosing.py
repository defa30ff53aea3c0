"""Which games a report is about: an evening, everything since a day, or the games that somebody names."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any, Final, Literal

import msgspec
from rapidfuzz import process

from tabletape.dashboard.questions import ask, select
from tabletape.events.errors import TabletapeError

Row = Mapping[str, Any]

UNDATED_DAY: Final = "without a date"
"""What stands for the day of games whose logs do not say when they were played."""


class ReportError(TabletapeError):
    """There is nothing to report as it was asked for; the message says what there is."""


class Chosen(msgspec.Struct, frozen=True, kw_only=True):
    """The games of a report as rows of the question `games`, those to compare them with, and what they are called.

    `before` are games of the evening before, under its name `day_before`; without dates there are none.
    """

    title: str
    games: Sequence[Row]
    before: Sequence[Row] = ()
    day_before: str = ""


def choose(
    datasets: Path,
    *,
    names: Sequence[str] = (),
    evening: date | Literal["without a date"] | None = None,
    since: date | None = None,
    game: str = "",
) -> Chosen:
    """Choose games of people: those named, those of a day, those since a day, or by default those of the newest day.

    A day is that on which a game began by its own clock; `UNDATED_DAY` are games of which nobody knows it. Raises
    `ReportError` where no game is left.
    """
    if names:
        return _named(datasets, names)
    rows = [row for row in games_as_played(datasets, "people") if not game or row["game"] == game]
    days = sorted({row["began"].date() for row in rows if row["began"]})
    if not rows:
        raise ReportError("there are no games of people to report: `tabletape import` takes logs in")
    if evening == UNDATED_DAY or not (days or evening or since):
        undated = [row for row in rows if not row["began"]]
        if not undated:
            raise ReportError("every game has a date")
        return Chosen(title=f"Playtests {UNDATED_DAY}", games=undated)
    if not days:
        raise ReportError("no game has a date: name the games instead (`tabletape games` lists them)")
    if since:
        mine = [row for row in rows if bool(row["began"]) and row["began"].date() >= since]
        title = f"Playtests since {since}"
        earlier = [day for day in days if day < since]
    else:
        day = evening or days[-1]
        mine = [row for row in rows if row["began"] and row["began"].date() == day]
        title = f"Playtests of {day}"
        earlier = [each for each in days if each < day]
    if not mine:
        raise ReportError(f"no game began then; games began on {_listed(days)}")
    before = [row for row in rows if earlier and row["began"] and row["began"].date() == earlier[-1]]
    return Chosen(title=title, games=mine, before=before, day_before=str(earlier[-1]) if earlier else "")


def games_as_played(datasets: Path, source: Literal["people", "all"]) -> list[Row]:
    """Return the games as their tables read them: in the datasets a game may stand under other readings, too."""
    played = select("SELECT game_id, ruleset FROM games WHERE as_played", datasets, ()).to_pylist()
    own = {(row["game_id"], row["ruleset"]) for row in played}
    rows = ask("games", datasets, source=source).to_pylist()
    return [row for row in rows if (row["game_id"], row["ruleset"]) in own]


def _named(datasets: Path, names: Sequence[str]) -> Chosen:
    """Return games by their ids, those of bots too."""
    known = {row["game_id"]: row for row in games_as_played(datasets, "all")}
    for name in names:
        if name not in known:
            nearest = process.extractOne(name, list(known), score_cutoff=60)
            hint = f"; did you mean {nearest[0]}?" if nearest else ": `tabletape games` lists them"
            raise ReportError(f"there is no game {name}{hint}")
    return Chosen(title=f"Playtests: {', '.join(names)}", games=[known[name] for name in dict.fromkeys(names)])


def _listed(days: Iterable[date]) -> str:
    """Return the last few days in words."""
    last = [str(day) for day in days][-5:]
    return f"{', '.join(last[:-1])} and {last[-1]}" if len(last) > 1 else last[0]
