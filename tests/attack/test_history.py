"""A history on two scribes that are killed and paused, and the check of histories: it finds whatever is planted."""

import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.attack.history import history
from tests.attack.history_check import ACKNOWLEDGED, NOTE, REFUSED, TAKEN_BACK, UNKNOWN, Line, Request, wrong_with
from tests.attack.schema import empty_schema

GAME = "g"
LOG = [
    Line(1, "game.started", "", "h1"),
    Line(2, NOTE, "a.", "h2"),
    Line(3, NOTE, "b.", "h3"),
    Line(4, TAKEN_BACK, "", "h4"),
    Line(5, NOTE, "c.", "h5"),
]


def answer(line: str, text: str, seq: int, at: float, outcome: str = ACKNOWLEDGED) -> Request:
    """Return a request at a time that was answered when the game reached to line `seq`; one that writes wrote that."""
    shown = tuple((each.seq, f"note: {each.text}") for each in LOG[:seq])
    if outcome != ACKNOWLEDGED:
        return Request(GAME, line, text, seq - 1, at, at + 0.5, outcome)
    return Request(GAME, line, text, seq - 1, at, at + 0.5, outcome, seq, f"h{seq}", shown)


HISTORY = [
    answer("", "", 1, 0),
    answer(NOTE, "a.", 2, 1),
    answer(NOTE, "x.", 2, 1.2, REFUSED),
    answer(NOTE, "b.", 3, 2, UNKNOWN),
    answer(NOTE, "b.", 3, 3, REFUSED),
    answer("", "", 3, 3.5),
    answer(TAKEN_BACK, "", 4, 4),
    answer(NOTE, "lost.", 5, 5, UNKNOWN),
    answer(NOTE, "c.", 5, 6),
    answer("", "", 5, 7),
]


def test_a_history_that_fits_its_log_is_right() -> None:
    """What nobody knows may be there or not."""
    assert wrong_with(HISTORY, {GAME: LOG}) == []


def renumbered(lines: Sequence[Line]) -> list[Line]:
    """Return lines with the numbers of their places."""
    return [line._replace(seq=number) for number, line in enumerate(lines, 1)]


PLANTED: dict[str, tuple[list[Request], list[Line], str]] = {
    "a lost note": (
        HISTORY,
        [LOG[0], *renumbered(LOG)[2:]],
        "the note a. was acknowledged as line 2, but is",
    ),
    "a lost end": (HISTORY, LOG[:4], "the note c. was acknowledged as line 5, but is not there"),
    "a lost take-back": (HISTORY, [*LOG[:3], *LOG[4:]], "what takes back was acknowledged as line 4, but is not there"),
    "a doubled line": (HISTORY, [*LOG, LOG[1]._replace(seq=6)], "the note a. is there twice, as lines [2, 6]"),
    "reordered lines": (
        HISTORY,
        renumbered([LOG[0], LOG[2], LOG[1], *LOG[3:]]),
        "the note a. was acknowledged as line 2, but is",
    ),
    "a refused note": (HISTORY, [*LOG, Line(6, NOTE, "x.", "h6")], "the note x. is there as line 6, but was refused"),
    "a note from nobody": (HISTORY, [*LOG, Line(6, NOTE, "y.", "h6")], "the note y. is there as line 6"),
    "a take-back from nobody": (HISTORY, [*LOG, Line(6, TAKEN_BACK, "", "h6")], "line 6 takes back, but was refused"),
    "acknowledged twice": ([*HISTORY, answer(NOTE, "c.", 5, 8)], LOG, "the note c. was acknowledged 2 times"),
    "taken back twice": ([*HISTORY, answer(TAKEN_BACK, "", 4, 8)], LOG, "line 4 was acknowledged twice"),
    "another line in its place": (
        HISTORY,
        [*LOG[:4], LOG[4]._replace(hash="other")],
        "an answer reached to line 5 (h5), which is not in the log",
    ),
    "an answer that is behind": ([*HISTORY, answer("", "", 3, 8)], LOG, "an earlier one reached to line 5"),
    "an answer that is ahead": (
        [answer("", "", 5, -1), *HISTORY],
        LOG,
        "shows the lines [2, 3, 5] before they",
    ),
    "an answer without a line": (
        [*HISTORY, HISTORY[-1]._replace(sent=8, answered=9, shown=HISTORY[-1].shown[:-1])],
        LOG,
        "an answer reached to line 5, but shows [1, 2, 3, 4]",
    ),
    "an answer with another line": (
        [*HISTORY, HISTORY[-1]._replace(sent=8, answered=9, shown=((5, "note: z."),))],
        LOG,
        "an answer shows other lines than the log has: [5]",
    ),
    "a game that is gone": (HISTORY, [], "the note a. was acknowledged as line 2, but is"),
}


@pytest.mark.parametrize("planted", PLANTED)
def test_the_check_finds_what_is_planted(planted: str) -> None:
    """Each way in which a history and its log can contradict each other is named."""
    requests, lines, message = PLANTED[planted]
    found = wrong_with(requests, {GAME: lines})
    assert any(message in each for each in found), found


def test_a_history_fits_the_log_that_it_left(tmp_path: Path) -> None:
    """Beside kills, pauses, repeated and late requests and a clock that goes back each acknowledged line is there."""
    outcome = history(str(tmp_path / "log.db"), tmp_path, rounds=1, seed=1)
    assert outcome.problems == []
    assert outcome.counts["acknowledged"]


@pytest.mark.skipif("TABLETAPE_TEST_POSTGRESQL" not in os.environ, reason="TABLETAPE_TEST_POSTGRESQL names no database")
def test_a_history_fits_the_log_that_it_left_on_postgresql(tmp_path: Path) -> None:
    """The same on PostgreSQL."""
    with empty_schema(os.environ["TABLETAPE_TEST_POSTGRESQL"], "tabletape_history") as place:
        outcome = history(place, tmp_path, rounds=1, seed=1)
    assert outcome.problems == []
    assert outcome.counts["acknowledged"]
