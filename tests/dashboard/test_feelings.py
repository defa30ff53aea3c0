"""The questions about what people said: every number with who said it, and the words as they stand."""

import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from scipy.stats import spearmanr

from tabletape.dashboard.questions import ask
from tabletape.dashboard.questions.methods.felt_with import answer
from tabletape.dashboard.statistics.ranks import rank_correlation
from tabletape.dashboard.workspace import VARIABLE
from tabletape.events.log import Log
from tabletape.projector.datasets.build import build
from tabletape.projector.model.game import Game
from tests.dashboard.test_pages import links, open_page, without_errors
from tests.projector.counting import built
from tests.written_games import ANN_WINS

Store = Callable[..., Path]

SAID = [
    {"type": "question.raised", "player": "B", "text": "Twice?"},
    {"type": "feedback.given", "player": "A", "fun": 2},
    {"type": "feedback.given", "player": "A", "fun": 4, "text": "better than before"},
    {"type": "feedback.given", "player": "B", "fun": 5, "fair": 1},
    {"type": "feedback.given", "fun": 1},
]


def test_feelings_stand_with_who_had_them(store: Store, higher: Game) -> None:
    """Ann, who won and began, said 4 last; Ben 5; somebody 1: of three answers two people are known."""
    assert higher
    folder = built(store("g", *ANN_WINS, *SAID)).folder
    found = {(row["felt"], row["among"]): row for row in ask("feelings", folder).to_pylist()}
    fun = found["fun", "all"]
    assert (fun["answers"], fun["people"], fun["who"], fun["median"]) == (3, 2, "Ann, Ben", 4.0)
    assert [fun[each] for each in ("ones", "twos", "threes", "fours", "fives")] == [1, 0, 0, 1, 1]
    for among, who in (("winners", "Ann"), ("who began", "Ann"), ("others", "Ben")):
        assert (found["fun", among]["answers"], found["fun", among]["who"]) == (1, who)
    assert found["fair", "all"]["answers"] == 1
    assert ("fair", "winners") not in found


def test_words_stand_as_they_were_said(store: Store, higher: Game) -> None:
    """A question is about the last event before it, words about a game about no event; nobody's words are nobody's."""
    assert higher
    folder = built(store("g", *ANN_WINS, *SAID)).folder
    found = [(row["what"], row["who"], row["text"]) for row in ask("remarks", folder).to_pylist()]
    assert found == [("question", "Ben", "Twice?"), ("feedback", "Ann", "better than before")]
    question, words = ask("remarks", folder).to_pylist()
    assert question["on"] is not None
    assert words["on"] is None


def said(evenings: int, people: int) -> pa.Table:
    """Return answers of people who all play each evening: the winner's fun is 5, that of the others less by person."""
    rows = [
        {
            "game": "g", "ruleset": "r", "felt": "fun",
            "points": 5 if (won := person == evening % people) else person % 4 + 1,
            "name": f"p{person}", "evening": f"e{evening}", "won": int(won), "first": None, "seat": person + 1,
            "minutes": None, "turns": 8, "lead_changes": None, "dead": None, "forced": None, "asked": 0, "wrong": 0,
        }
        for evening in range(evenings)
        for person in range(people)
    ]  # fmt: skip
    return pa.Table.from_pylist(rows, pa.schema({name: pa.array([row[name] for row in rows]).type for name in rows[0]}))


def test_feelings_are_held_against_what_happened() -> None:
    """The winners' fives surely go with winning; with too few evenings or people there is no number, and why stands."""
    table = said(12, 8).to_pylist()
    found = {row["goes_with"]: row for row in answer(said(12, 8)).to_pylist()}
    won = found["having won"]
    expected = spearmanr([row["won"] for row in table], [row["points"] for row in table]).statistic
    assert abs(won["rho"] - expected) < 1e-9
    assert 0 < won["low"] < won["rho"] < won["high"]
    assert (won["answers"], won["people"], won["evenings"]) == (96, 8, 12)
    assert won["who"] == ", ".join(f"p{person}" for person in range(8))
    assert won["worth"] == "more of one surely goes with more of the other"
    assert "longer games, in turns" not in found
    few = {row["goes_with"]: row for row in answer(said(12, 4)).to_pylist()}["having won"]
    assert (few["rho"], few["low"], few["worth"]) == (None, None, "nothing yet: 2 more people needed")


def test_clumps_make_the_interval_wide() -> None:
    """Where all of an evening and all of a person say the same, twenty answers are no twenty facts."""
    rng = np.random.default_rng(7)
    evening, person = np.repeat(np.arange(8), 6), np.tile(np.arange(6), 8)
    held = wide = 0
    for _ in range(100):
        x, y = rng.normal(size=8)[evening], rng.normal(size=8)[evening] + 0.5 * rng.normal(size=6)[person]
        plain, found = rank_correlation(x, y, np.arange(48)), rank_correlation(x, y, evening, person)
        assert plain is not None
        assert found is not None
        held += (found.low or 0) <= 0 <= (found.high or 0)
        wide += (found.high or 0) - (found.low or 0) > (plain.high or 0) - (plain.low or 0)
    assert held >= 93
    assert wide >= 95


def test_what_was_said_is_searched_by_words(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Words, a rule or a name find what was said, as it stands, with the way to its step; feelings stand with who."""
    asked = {"type": "question.raised", "player": "B", "text": "*Twice* in a row?", "rule": "higher.turn.alternate"}
    place = store("evening", *ANN_WINS, asked, {"type": "feedback.given", "player": "A", "fun": 4, "text": "better"})
    with Log.open(place) as log:
        build(log)
    monkeypatch.setenv(VARIABLE, str(place))
    question, words_of_ann = "*Twice* in a row?", "better"
    searches: dict[str, set[str]] = {
        "": {question, words_of_ann},
        "twice ROW": {question},
        "players play turn ben": {question},
        "ann": {words_of_ann},
        "twice better": set(),
    }
    for words, texts in searches.items():
        app = without_errors(open_page("games", **({"words": words} if words else {})))
        shown = "\n".join(each.label.replace("\\", "") for each in links(app))
        assert {each for each in (question, words_of_ann) if f"\u201c{each}\u201d" in shown} == texts, words
    assert "What was said (2)" in [each.label for each in app.tabs]
    felt = next(each.value for each in app.dataframe if "felt" in each.value and "who" in each.value)
    assert next(iter(felt["who"])) == "Ann"


def test_what_was_asked_several_times_stands_once_with_its_games(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """The question with how often and its rule, below it each game with its players and day; nothing is cut off."""
    asked = {"type": "question.raised", "player": "B", "text": "Twice in a row?", "rule": "higher.turn.alternate"}
    for day in (1, 8):
        place = store(f"evening-{day}", *ANN_WINS, asked, at=f"2026-05-{day:02}T19:00:00Z")
    with Log.open(place) as log:
        build(log)
    monkeypatch.setenv(VARIABLE, str(place))
    app = without_errors(open_page("games"))
    (said,) = [each.value.replace("\\", "") for each in app.markdown if "Twice in a row" in each.value]
    assert said.startswith("\u201cTwice in a row?\u201d **twice** :gray[")
    ways = re.findall(
        r'<a href="replay\?[^"]*">([^<]*)</a>',
        "".join(each.proto.body for each in app.get("html")).replace("\u00a0", " "),
    )
    assert [each for each in ways if "Three" in each] == [
        f"Ben, in the game of Ann and Ben, {day} May 2026; Three" for day in (8, 1)
    ]
