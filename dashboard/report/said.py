"""What people said about some games: their remarks, how much fun it was, how long it felt."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from statistics import mean
from typing import Final

import msgspec

from tabletape.dashboard.questions import select
from tabletape.dashboard.report.choosing import Row
from tabletape.dashboard.report.document import Block, Bullets, Heading
from tabletape.dashboard.statistics.intervals import NO_BREAK
from tabletape.projector.datasets.manifest import Folder
from tabletape.projector.model.amounts import counted, tenths

FEEDBACK: Final = """\
SELECT feedback.*, coalesce(name, '') AS name, TRY_CAST(answer AS INTEGER) AS fun_of_ten
FROM feedback LEFT JOIN seats USING (game, game_id, ruleset_id, player)
LEFT JOIN (FROM answers WHERE question = 'fun-of-10') AS marks
  ON (marks.game_id, marks.ruleset_id) = (feedback.game_id, feedback.ruleset_id)
    AND marks.player IS NOT DISTINCT FROM feedback.player
ORDER BY game_id, name"""

REMARKS: Final = """\
SELECT remarks.*, coalesce(name, '') AS name
FROM remarks LEFT JOIN seats USING (game, game_id, ruleset_id, player)
ORDER BY game_id, seq"""


FUN_ON: Final = {5: "fun", 10: "fun_of_ten"}
"""Where the marks of fun stand, by out of how much they are."""


class Sayings(msgspec.Struct, frozen=True):
    """What people said about some games: their feedback, and their remarks, as rows with the names of who said them."""

    feedback: Sequence[Row] = ()
    remarks: Sequence[Row] = ()


def said_about(games: Sequence[Row], datasets: Folder) -> Sayings:
    """Return what was said about some games, as their tables read them."""
    ids = [row["game_id"] for row in games]
    if not ids:
        return Sayings()
    read_by = {(row["game_id"], row["ruleset"]) for row in games}
    rows_of_questions = []
    for sql in (FEEDBACK, REMARKS):
        rows = select(sql, datasets, (), games=ids, source="all").to_pylist()
        rows_of_questions.append([row for row in rows if (row["game_id"], row["ruleset"]) in read_by])
    return Sayings(*rows_of_questions)


def felt(said: Sayings, games: Sequence[Row]) -> Iterator[Block]:
    """Yield what people said about the games: every number with who gave it, no average of a few."""
    seats = sum(len([name for name in (row["names"] or "").split(", ") if name]) for row in games)
    of = counted(seats, "person", "people") if len(games) == 1 else f"{seats} who played, game by game"
    lines = [*_scales(said.feedback, of), *lengths_felt(said.feedback), *_words(said)]
    if lines:
        yield Heading("How it felt", 3)
        yield Bullets(tuple(lines))


def _scales(rows: Sequence[Row], of_all: str) -> Iterator[str]:
    for field, words, of in (("fun", "Fun", 5), ("fun_of_ten", "Fun", 10), ("fair", "Fair", 5)):
        given = _marks(rows, field)
        if given:
            each = ", ".join(f"{name or 'somebody'} {value}" for value, name in given)
            yield f"{words}, 1 to {of}, said by {len(given)} of {of_all}: {each}."


def _marks(rows: Iterable[Row], field: str) -> list[tuple[int, str]]:
    """Return the marks that people gave, the best first, each with whose it is, if that is known."""
    return sorted(((row[field], row["name"]) for row in rows if row[field] is not None), reverse=True)


def fun_by_name(game: Row, feedback: Iterable[Row]) -> str:
    """Return how much fun each who said so had in a game, and out of how much, which stays in one line."""
    mine = [row for row in feedback if row["game_id"] == game["game_id"]]
    given = {of: [f"{name}{NO_BREAK}{value}".strip() for value, name in _marks(mine, on)] for of, on in FUN_ON.items()}
    return "; ".join(f"{', '.join(marks)}{NO_BREAK}of{NO_BREAK}{of}" for of, marks in given.items() if marks)


def lengths_felt(rows: Sequence[Row]) -> Iterator[str]:
    """Yield how many found a game too short, right or too long, and how many would play again, of those who said so."""
    lengths = Counter(row["length"] for row in rows if row["length"])
    if lengths:
        yield "Length: " + ", ".join(f"{times} {length}" for length, times in lengths.most_common()) + "."
    again = [row["again"] for row in rows if row["again"] is not None]
    if again:
        yield f"Would play again: {sum(again)} of {len(again)} who said so."


def fun_of(games: Iterable[Row], feedback: Sequence[Row]) -> list[tuple[list[int], int]]:
    """Return how much fun people said that games were, and out of how much: the scale that more used comes first."""
    ids = {row["game_id"] for row in games}
    mine = [row for row in feedback if row["game_id"] in ids]
    given = [([row[name] for row in mine if row[name] is not None], of) for of, name in FUN_ON.items()]
    return sorted((each for each in given if each[0]), key=lambda each: -len(each[0]))


def fun_by_game(games: Iterable[Row], feedback: Sequence[Row]) -> dict[int, list[float]]:
    """Return how much fun each game was, by out of how much: the average of what was said of it, so each counts once.

    The scale that more games have comes first.
    """
    by_scale: dict[int, list[float]] = defaultdict(list)
    for game in games:
        for marks, of in fun_of([game], feedback):
            by_scale[of].append(mean(marks))
    return dict(sorted(by_scale.items(), key=lambda each: -len(each[1])))


def fun_said(games: Sequence[Row], feedback: Sequence[Row]) -> str:
    """Return how much fun games were on average, of how many and whose marks, and which marks are not in it."""
    by_scale = fun_by_game(games, feedback)
    if not by_scale:
        return ""
    (scale, fun), *others = by_scale.items()
    some = f" in {len(fun)} of {counted(len(games), 'game')}" if len(fun) < len(games) else ""
    left_out = "".join(f" (not in it: marks of {of}, in {counted(len(more), 'game')})" for of, more in others)
    average = " on average" if len(fun) > 1 else ""
    return f"{tenths(mean(fun))} of {scale}{average}{some}{_by_whom(games, feedback, scale)}{left_out}"


def _by_whom(games: Iterable[Row], feedback: Sequence[Row], scale: int) -> str:
    """Say how many of all who played games gave them a mark on a scale, where not everybody did."""
    given = [row for row in feedback if row[FUN_ON[scale]] is not None]
    seats = {row["game_id"]: row["players"] for row in games}
    names = [row["name"] for row in given if row["game_id"] in seats]
    of = sum(seats[game_id] for game_id in {row["game_id"] for row in given} & seats.keys())
    return f", {len(names)} of {of} marks given" if all(names) and len(names) < of else ""


def _words(said: Sayings) -> Iterator[str]:
    for row in said.remarks:
        if row["what"] == "feedback" and row["text"]:
            yield f"{row['name']}: “{row['text']}”" if row["name"] else f"“{row['text']}”"
