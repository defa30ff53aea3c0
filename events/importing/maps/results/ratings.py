"""What players say of a game in a form: ratings and words in the columns of results become `feedback.given`."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from tabletape.events.importing.lines.words import plain
from tabletape.events.importing.maps.results.columns import NO, YES, Cells, columns_read, paths
from tabletape.events.importing.maps.results.rows import Row
from tabletape.events.importing.maps.schema import AnyColumn, Column, Columns
from tabletape.events.importing.maps.seating import SeatedPlayer
from tabletape.events.importing.maps.values.times import day_said
from tabletape.events.vocabulary.names import slug_of

ASKED_NAMES: Final = ("fun", "fair", "length", "again", "text")
"""What every game asks; each other name is that of a question of one's own."""

LENGTHS: Final = ("too short", "right", "too long")

_QUESTION_WORDS: Final = {
    "fun": "fun|enjoy|enjoyed|enjoyable|spass|spa\u00df|plaisir|amus\\w*|diver\\w+|plezier|leuk",
    "fair": "fair|fairness|gerecht|\u00e9quitable|just[ao]|giust[ao]|eerlijk|equilibrad[ao]",
    "again": "again|nochmal|noch einmal|wieder|rejou\\w+|otra vez|di nuovo|de novo|opnieuw",
}
_LONG: Final = re.compile(r"\b(?:long|length|lang|länge|longueur|largo|lungo|longo)\b", re.IGNORECASE)
MARKS: Final = re.compile(r"[1-5](?:\.0)?")
"""What is a mark from 1 to 5."""

OF_TEN: Final = "{}-of-10"
"""What marks to ten are called that answer a question: another one than with marks from 1 to 5."""

FUN_OF_TEN: Final = OF_TEN.format("fun")
TO_TEN: Final = re.compile(r"(?:\d|10)(?:\.0)?")
"""What is a mark to ten."""

_QUESTION: Final = re.compile(r"\?|1\s*(?:-|\u2013|to|bis)\s*5|\brat(?:e|ing)\b", re.IGNORECASE)
_SCALE: Final = re.compile(r"[\[(].*?[\])]|[?:]")
_REMARKS: Final = re.compile(r"\b(comments?|thoughts|feedback|anything else|improve|change)\b", re.IGNORECASE)


def question_of(key: str) -> str:
    """Return what the heading of a column asks for, empty for anything else."""
    asked = (name for name, word in _QUESTION_WORDS.items() if re.search(rf"\b(?:{word})\b", key, re.IGNORECASE))
    return next(asked, "")


def scale_of(about: str, texts: Sequence[str]) -> str:
    """Return what marks are called that answer a question, empty where some are none.

    Marks from 1 to 5 are called like the question; on another scale, to ten, it is another one.
    """
    if all(MARKS.fullmatch(text) for text in texts):
        return about
    return OF_TEN.format(about) if all(TO_TEN.fullmatch(text) for text in texts) else ""


def rated_columns(rows: Sequence[Mapping[str, Any]], taken: set[str]) -> dict[str, str]:
    """Return which columns of a form rate the game, by what they ask; only those whose cells are all such answers.

    Marks from 1 to 5 are ratings under a question (`?`, `1-5`); whatever is not plainly one is not read, and is named.
    Nor are several columns for one question, `fun Ann` and `fun Ben`: none of them says how much fun the game was.
    """
    by_question: dict[str, str] = {}
    several: set[str] = set()
    for key in dict.fromkeys(key for row in rows for key in row):
        texts = [text for row in rows if (text := str(row.get(key, "")).strip())]
        if key in taken or not texts:
            continue
        about = question_of(key)
        rated = all(MARKS.fullmatch(text) for text in texts)
        if about == "again" and all(_again(text) is not None for text in texts):
            by_question.setdefault("again", key)
        elif about in {"fun", "fair"} and (asked := scale_of(about, texts)):
            several |= {asked} & by_question.keys()
            by_question.setdefault(asked, key)
        elif _LONG.search(key) and all(text.casefold() in LENGTHS for text in texts):
            by_question.setdefault("length", key)
        elif rated and _QUESTION.search(key):
            by_question.setdefault(slug_of(plain(_SCALE.sub(" ", key)))[:60].strip("-"), key)
        elif _REMARKS.search(key) and not rated:
            by_question.setdefault("text", key)
    return {name: key for name, key in by_question.items() if name and name not in several}


def answered_together(rows: Iterable[Row], columns: Columns, cells: Cells, again: list[str]) -> Iterator[list[Row]]:
    """Yield the rows of a form that are about one game, each said by another: all else in them is the same.

    Of the time only the day has to be the same: a form writes when each of its answers came. Who answers again begins
    another game, and is noted in `again`.
    """
    said = {path for column in (columns.by, *columns.feedback.values()) for path in paths(column)}
    dates = set(paths(columns.date))
    same = [path for path in columns_read(columns) if path not in said]
    games: dict[tuple[str, ...], list[dict[str, Row]]] = {}
    answered: Counter[tuple[tuple[str, ...], str]] = Counter()
    for row in rows:
        texts = ((path, cells.whole(row.values or row.stands, path)) for path in same)
        about = tuple(day_said(text) if path in dates else text for path, text in texts)
        who = cells.whole(row.values or row.stands, columns.by) or row.place
        known = games.setdefault(about, [])
        if (nth := answered[about, who]) == len(known):
            known.append({})
        known[nth][who] = row
        answered[about, who] += 1
    for of_one in games.values():
        again += [f"{next(iter(answers.values())).place} ({', '.join(answers)})" for answers in of_one[1:]]
        yield from ([*answers.values()] for answers in of_one)


def feedback_in(
    cells: Cells, rows: Sequence[Any], columns: Columns, players: Sequence[SeatedPlayer]
) -> Iterator[tuple[dict[str, Any], str]]:
    """Return what the rows of a game say of it, each with what of it could not be taken (empty where all was).

    A row for each player is said by that player; else the column `by` says who did, if it names one of the players.
    """
    ids = {player.name: player.id for player in players}
    each_says = bool(columns.group) and not columns.by and len(rows) == len(players)
    listed = said_by_each(columns)
    for row in rows[:1] if listed else ():
        names = [each.name for each in players]
        answers = {name: cells.marks(row, column, columns, names) for name, column in listed.items()}
        for place, player in enumerate(players):
            said, wrong = _answers({name: texts[place] for name, texts in answers.items() if texts})
            if said or wrong:
                yield said | ({"player": player.id} if said else {}), ", ".join(wrong)
    for place, row in enumerate(rows if columns.group or columns.by else rows[:1]):
        others = {name: column for name, column in columns.feedback.items() if name not in listed}
        said, wrong = _answers(
            {
                name: cells.whole(row, column) if isinstance(column, str) else cells.one(row, column)
                for name, column in others.items()
            }
        )
        who = cells.whole(row, columns.by) if columns.by else ""
        if said and (each_says or who in ids):
            said["player"] = players[place].id if each_says else ids[who]
        elif said and who:
            wrong.append(f"who said it, `{who[:40]}` is none of the players")
        if said or wrong:
            yield said, ", ".join(wrong)


def said_by_each(columns: Columns) -> dict[str, AnyColumn]:
    """Return the columns in which each of the players says something, `3; 2`, by what they ask, or one for each."""
    return {
        name: each
        for name, each in columns.feedback.items()
        if isinstance(each, list) or (isinstance(each, Column) and each.split)
    }


def _answers(texts: Mapping[str, str]) -> tuple[dict[str, Any], list[str]]:
    """Return answers as fields of what somebody says, and those that are none."""
    said: dict[str, Any] = {}
    wrong = []
    for name, text in texts.items():
        meant = _meant(name, text) if text else None
        if text and meant is None:
            wrong.append(f"{name} `{text[:40]}`")
        elif meant is not None:
            into = said if name in ASKED_NAMES else said.setdefault("answers", {})
            into[name] = meant
    return said, wrong


def _meant(name: str, text: str) -> Any:
    """Return an answer as its question takes it; None for what is none."""
    if name in {"fun", "fair"}:
        return int(float(text)) if MARKS.fullmatch(text) else None
    if name == "again":
        return _again(text)
    return (text.casefold() if text.casefold() in LENGTHS else None) if name == "length" else text


def _again(text: str) -> bool | None:
    said = text.casefold()
    return True if said in YES else False if said in NO else None
