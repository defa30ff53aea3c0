"""Forms in which players say how it was, as three programs write them: from the file to the question `feelings`."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest

from tabletape.dashboard.questions import ask
from tabletape.events.log import Log
from tabletape.events.vocabulary.shared import FeedbackGiven
from tabletape.projector.datasets.build import build
from tests.cli.conftest import Tabletape
from tests.cli.test_map_sheets import write_book

GOOGLE: Final = """\
"Timestamp","Game night","Who won?","Players","Your name","How much fun was it? (1-5)","How fair did it feel? (1-5)","How did the length feel?","Would you play it again?","Was the theme clear? (1-5)","Anything else?"
"2026/11/20 10:42:11 PM GMT+1","2026-11-20","Ann","Ann, Ben, Cleo","Ann","5","4","right","Yes","4","The market was great"
"2026/11/20 10:43:02 PM GMT+1","2026-11-20","Ann","Ann, Ben, Cleo","Ben","2","2","too long","No","2","I never had a choice"
"2026/11/21 12:04:40 AM GMT+1","2026-11-20","Ann","Ann, Ben, Cleo","Cleo","3","","too long","","3",""
"2026/11/27 10:01:12 PM GMT+1","2026-11-27","Ben","Ann, Ben","Ben","5","5","right","Yes","4","Much better"
"2026/11/27 10:02:12 PM GMT+1","2026-11-27","Ben","Ann, Ben","Ann","4","4","right","Yes","5",""
"""  # noqa: E501 - as the program writes it
MICROSOFT: Final[list[list[str | int]]] = [
    ["ID", "Start time", "Completion time", "Email", "Name", "Date of the game", "Players", "Winner", "Your name",
     "How much fun was it (1-5)?", "How fair was it (1-5)?", "Would you play again?", "Comments"],
    [1, "11/20/26 22:41:02", "11/20/26 22:42:11", "anonymous", "", "2026-11-20", "Ann;Ben", "Ann", "Ann",
     5, 4, "Yes", "Nice"],
    [2, "11/20/26 22:41:20", "11/20/26 22:43:02", "anonymous", "", "2026-11-20", "Ann;Ben", "Ann", "Ben",
     2, 2, "No", ""],
]  # fmt: skip
BG_STATS: Final[dict[str, Any]] = {
    "games": [{"id": 1, "name": "Lanterns of Ys", "cooperative": False, "highestWins": True, "uuid": "g-1"}],
    "players": [{"id": 1, "name": "Ann", "uuid": "p-1"}, {"id": 2, "name": "Ben", "uuid": "p-2"}],
    "plays": [
        {
            "uuid": "play-1", "gameRefId": 1, "playDate": "2026-11-20 20:00:00", "durationMin": 45, "ignored": False,
            "rating": 4, "rounds": 0, "usesTeams": False, "comments": "too dry",
            "playerScores": [
                {"playerRefId": 1, "score": "12", "winner": True, "startPlayer": True, "rank": 1},
                {"playerRefId": 2, "score": "9", "winner": False, "startPlayer": False, "rank": 2},
            ],
        }
    ],
    "userInfo": {"meRefId": 1},
}  # fmt: skip


def google(folder: Path) -> str:
    """Write the answers to a form as Google does, and return the name of the file."""
    (folder / "google.csv").write_text(GOOGLE, encoding="utf-8")
    return "google.csv"


def microsoft(folder: Path) -> str:
    """Write the answers to a form as Microsoft does, and return the name of the file."""
    write_book(folder / "microsoft.xlsx", {"Form1": MICROSOFT})
    return "microsoft.xlsx"


class Form(NamedTuple):
    """A file of answers, and what comes of it: the games, the points for fun, how many answers, and the remarks."""

    write: Callable[[Path], str]
    games: list[str]
    fun: list[int]
    answers: dict[tuple[str, str], int]
    remarks: list[str]


@pytest.mark.parametrize(
    "form",
    [
        Form(
            google,
            ["2026-11-20 Ann, Ben, Cleo: Ann", "2026-11-27 Ann, Ben: Ben"],
            [5, 2, 3, 5, 4],
            {("fun", "all"): 5, ("fun", "winners"): 2, ("fair", "all"): 4, ("fair", "winners"): 2},
            [
                "Ann: was the theme clear: 4; The market was great",
                "Ben: was the theme clear: 2; I never had a choice",
                "Cleo: was the theme clear: 3",
                "Ben: was the theme clear: 4; Much better",
                "Ann: was the theme clear: 5",
            ],
        ),
        Form(
            microsoft,
            ["2026-11-20 Ann, Ben: Ann"],
            [5, 2],
            {("fun", "all"): 2, ("fun", "winners"): 1, ("fair", "all"): 2, ("fair", "winners"): 1},
            ["Ann: Nice"],
        ),
    ],
)
def test_each_answer_of_a_form_is_said_of_the_one_game(form: Form, tabletape: Tabletape, tmp_path: Path) -> None:
    """Answers about the same game are one game and one win, each with who gave it, and the questions have them."""
    name = form.write(tmp_path)
    assert tabletape("map", name).exit_code == 0
    done = tabletape("import", name, "--zone", "Europe/Berlin")
    assert done.exit_code == 0, done.output
    with Log.open(tmp_path / "tabletape.db") as log:
        given = [each for one in log.games() for each in log.events(one) if isinstance(each, FeedbackGiven)]
        folder = build(log).folder
        days = [(one.started_at or "")[:10] for one in log.games()]
    assert [each.fun for each in given] == form.fun
    played = ask("games", folder).to_pylist()
    assert [f"{day} {row['names']}: {row['won_by']}" for day, row in zip(days, played, strict=True)] == form.games
    felt = {(row["felt"], row["among"]): row["answers"] for row in ask("feelings", folder).to_pylist()}
    assert {key: felt[key] for key in form.answers} == form.answers
    assert [f"{row['who']}: {row['text']}" for row in ask("remarks", folder).to_pylist()] == form.remarks


def test_who_answers_again_begins_another_game(tabletape: Tabletape, tmp_path: Path) -> None:
    """Two answers of Ben about what looks like one game are two games, and that is said."""
    lines = GOOGLE.splitlines()
    (tmp_path / "google.csv").write_text("\n".join([*lines[:3], lines[2]]) + "\n", encoding="utf-8")
    said = tabletape("map", "google.csv").output
    assert "answered again, so it is taken for another game: row 4 (Ben)" in said
    assert "google-2" in said


def test_what_bg_stats_rates_is_said_by_nobody_known(tabletape: Tabletape, tmp_path: Path) -> None:
    """The rating of a play is an answer of one's own question, because it goes to ten; its comment is a note."""
    (tmp_path / "plays.json").write_text(json.dumps(BG_STATS), encoding="utf-8")
    done = tabletape("import", "plays.json", "--zone", "Europe/Berlin")
    assert done.exit_code == 0, done.output
    with Log.open(tmp_path / "tabletape.db") as log:
        (one,) = log.games()
        (given,) = [each for each in log.events(one) if isinstance(each, FeedbackGiven)]
    assert given.answers == {"rating": "4"}
    assert not isinstance(given.player, str)
