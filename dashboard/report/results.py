"""How games ended, with how many points, and in how many of them somebody erred."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import compress
from typing import Final

from tabletape.dashboard.report.choosing import Row
from tabletape.dashboard.report.document import Rows
from tabletape.projector.archive.view import View, ending_in_words
from tabletape.projector.fold.traced import Traced
from tabletape.projector.games import game
from tabletape.projector.model.amounts import counted
from tabletape.projector.model.rules import HARD, Finding

NO_END: Final = "not finished"
"""What is said of a game whose log stops before anybody has won."""

UNKNOWN: Final = "not known"
"""What stands in a table for a number that no log gives."""


def results(games: Sequence[Row], views: Mapping[str, View]) -> Rows:
    """Return the table of results."""
    columns = ("Game", "Players", "Winner", "Ended by", "Turns", "Minutes", "Mistakes")
    rows = [tuple(_of_result(row, views.get(row["game_id"]))) for row in games]
    told = [any(cells) for cells in zip(*rows, strict=True)]  # what no log says has no column
    return Rows(tuple(compress(columns, told)), tuple(tuple(compress(row, told)) for row in rows))


def _of_result(row: Row, view: View | None) -> Iterator[str]:
    # By its id a replay is found; results alone have none.
    yield row["game_id"] if view is not None else ""
    scored = view is None or game(row["game"]).rulebook.open
    yield (scored and row["scores"]) or row["names"] or ""
    yield row["won_by"] or row["winner"] or ("nobody" if row["over"] else NO_END)
    yield ending_in_words(game(row["game"]).vocabulary, row["reason"])
    yield "" if row["turns"] is None else str(row["turns"])
    yield "" if row["minutes"] is None else f"{row['minutes']:.0f}"
    mistakes = lines_wrong(causes_of(view)) if view is not None else 0
    judged = mistakes or (view is not None and view.replay.game.rulebook.stated)
    yield str(mistakes) if judged else UNKNOWN if view is not None else ""


def points_at_the_end(replay: Traced) -> str:
    """Return the points of all players, the winner's first, where points have decided: `112 to 103`; else nothing."""
    table, reckon = replay.table, replay.game.scoreboard
    if not table.over or table.reason != "points":
        return ""
    every = {each: reckon.totals(table, each).get("points") for each in table.players}
    first = sorted(every, key=lambda each: (each not in table.winners, -(every[each] or 0)))
    return "" if None in every.values() else " to ".join(str(every[each]) for each in first)


def causes_of(view: View) -> list[Finding]:
    """Return the mistakes of a game that follow from no earlier one."""
    return [each for each in view.findings if each.kind in HARD and not each.follows and not each.tainted]


def lines_wrong(causes: Sequence[Finding]) -> int:
    """Return in how many lines somebody erred: what is wrong with one line in two ways is one mistake."""
    return len({each.seq for each in causes})


def with_a_mistake(games: Sequence[Row], causes: Mapping[str, Sequence[object]]) -> str:
    """Return how many of the games that were judged had a mistake, as in `1 of 3`; nothing where none was judged."""
    judged = _judged(games, causes)
    return f"{sum(judged)} of {len(judged)}" if judged else ""


def _judged(games: Iterable[Row], causes: Mapping[str, Sequence[object]]) -> list[bool]:
    """Return of each game that was judged whether it had a mistake."""
    read = [(row["game"], causes[row["game_id"]]) for row in games if row["game_id"] in causes]
    return [bool(found) for slug, found in read if found or game(slug).rulebook.stated]


def mistaken(games: Sequence[Row]) -> str:
    """Return in how many judged games, rows of the question `games`, something went wrong: `1 of 3`, or nothing."""
    return with_a_mistake(games, _counted_causes(games))


def mistakes_said(games: Sequence[Row]) -> str:
    """Return the same as a clause: `no mistake in 3 games`."""
    judged = _judged(games, _counted_causes(games))
    of = counted(len(judged), "game")
    said = f"{sum(judged)} of {of} had a mistake" if any(judged) else f"no mistake in {of}"
    return said if judged else ""


def _counted_causes(games: Iterable[Row]) -> dict[str, range]:
    """Return the mistakes that were counted in games with moves, rows of the question `games`, by the game."""
    return {row["game_id"]: range(row["mistakes"]) for row in games if row["detail"] != "results"}
