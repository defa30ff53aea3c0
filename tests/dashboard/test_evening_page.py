"""The page *This evening*, and what pages say of a game without rules."""

import re
from datetime import UTC, datetime, timedelta
from html import unescape
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from tabletape.dashboard.markdown_escape import escaped
from tabletape.dashboard.report.summary import NO_MOVES, NO_RULES
from tabletape.dashboard.workspace import VARIABLE
from tabletape.events.log import Log
from tabletape.events.vocabulary import Event, tabletop
from tabletape.events.vocabulary.shared import (
    FeedbackGiven,
    FirstPlayerChosen,
    GameStarted,
    NoteAdded,
    PlayTakenBack,
    ResultRecorded,
    Seat,
)
from tabletape.projector.datasets.build import build
from tabletape.projector.datasets.plans import Request
from tabletape.projector.model.amounts import middle
from tests.dashboard.test_pages import ILLEGAL, Store, links, open_page, page_text, without_errors
from tests.written_games import ANN_WINS


def test_the_page_of_an_evening_says_what_it_came_to(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """The newest evening stands first: its lines, who said what, its games; an older one has its own address."""
    place = store("may", *ANN_WINS, at="2026-05-01T19:00:00Z")
    store("june", *ANN_WINS, {"type": "feedback.given", "player": "A", "fun": 4}, at="2026-06-01T19:00:00Z")
    with Log.open(place) as log:
        build(log, Request())
    monkeypatch.setenv(VARIABLE, str(place))
    app = open_page("evening")
    assert not app.exception
    assert [each.value for each in app.title] == ["This evening"]
    assert app.selectbox[0].options == ["1\u00a0June\u00a02026", "1\u00a0May\u00a02026"]
    shown = "".join(str(each.proto.body) for each in app.main if each.type == "html")
    assert "Fun, 1 to 5, said by 1 of 2 people: Ann 4." in unescape(shown)
    older = open_page("evening", day="2026-05-01")
    assert [each.value for each in older.title] == ["An earlier evening"]


def test_a_log_that_was_only_begun_counts_as_no_game_and_is_named(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody opened the scribe and wrote nothing: no number knows of it, and every page says that it is there."""
    place = store("played", *ANN_WINS, at="2026-05-01T19:00:00Z")
    seats = (Seat(id="A", name="Ann"), Seat(id="B", name="Ben"))
    at = datetime(2026, 5, 2, 19, tzinfo=UTC)
    with Log.open(place) as log:
        begun = GameStarted(game="higher", id="opened", edition="first", players=seats, at=at)
        log.append("opened", [begun], expected_last_seq=0)
        build(log, Request())
    monkeypatch.setenv(VARIABLE, str(place))
    for page in ("evening", "overview", "pace"):
        app = without_errors(open_page(page))
        assert "1 begun log has no move yet: it is not counted" in {each.label for each in links(app)}
        assert "2 games" not in page_text(app)
    assert [each.value for each in open_page("evening").title] == ["This evening: 1\u00a0May\u00a02026"]


def test_a_game_that_ended_without_a_turn_or_a_time_is_not_said_to_be_unfinished(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """How long it took is what nobody knows."""
    place = tmp_path / "tabletape.db"
    with Log.open(place, create=True) as log:
        seats = (Seat(id="A", name="Ann"), Seat(id="B", name="Ben"))
        begun = GameStarted(game="tabletop", id="one", edition="unknown", players=seats)
        scored = tabletop.CounterChanged(player="A", counter="points", by=3)
        log.append("one", [begun, scored, tabletop.GameEnded(winner="A", reason="won")], expected_last_seq=0)
        build(log, Request())
    monkeypatch.setenv(VARIABLE, str(place))
    said = page_text(without_errors(open_page("pace")))
    known = "How long a game takes is not known: no log of a finished one says a time, a round or a turn."
    assert escaped(known) in said


def test_games_whose_logs_do_not_say_their_day_have_an_evening_too(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They stand behind all days, said to have none, and can be sent; no day is made up for them."""
    place = store("dated", *ANN_WINS, at="2026-05-01T19:00:00Z")
    store("some-day", *ANN_WINS)
    with Log.open(place) as log:
        build(log, Request())
    monkeypatch.setenv(VARIABLE, str(place))
    app = without_errors(open_page("evening"))
    assert app.selectbox[0].options == ["1\u00a0May\u00a02026", "without a date"]
    app = without_errors(app.selectbox[0].set_value("without a date").run())
    assert [each.value for each in app.title] == ["Games without a date"]
    assert "No day is known of these games" in page_text(app)
    assert [each.query_string for each in links(app) if each.page == "replay"] == ["game=some-day&edition=first"]
    assert "Send" in [each.proto.label for each in app.get("download_button")]


def test_a_game_without_rules_is_not_said_to_keep_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a game has only zones and counters, no page says that no rule was broken, or how many turns it had."""
    monkeypatch.setenv(VARIABLE, str(tmp_path / "tabletape.db"))
    seats = (Seat(id="A", name="Ann"), Seat(id="B", name="Ben"))
    head = GameStarted(
        game="tabletop", id="friday", edition="v1", players=seats, at=datetime(2026, 5, 1, 19, tzinfo=UTC)
    )
    with Log.open(tmp_path / "tabletape.db", create=True) as log:
        log.append("friday", [head, NoteAdded(text="the lake again")], expected_last_seq=0)
        build(log, Request())
    for page in ("overview", "rules"):
        app = without_errors(open_page(page))
        text = "\n".join([page_text(app), *(each.label for each in links(app))])
        assert (NO_RULES if page == "rules" else "no rule is stated") in text.replace("\\", "")
        assert "No rule has given" not in text
        assert "of 1 game had" not in text
        assert "without anything illegal" not in text
    app = without_errors(open_page("evening"))
    shown = "".join(str(each.proto.body) for each in app.main if each.type == "html")
    assert NO_RULES in unescape(shown)
    assert '<a href="replay?game=friday" target="_self">Not finished.</a>' in in_html(app)


def test_more_findings_than_fit_are_shown_on_demand(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Behind the first ten findings of an evening the others stand in a fold, each with a link to its event."""
    for number in range(12):
        place = store(f"evening-{number}", *ILLEGAL)
    with Log.open(place) as log:
        build(log)
    monkeypatch.setenv(VARIABLE, str(place))
    app = without_errors(open_page("evening"))
    steps = [each.query_string for each in links(app) if "step=7" in each.query_string]
    assert len({*steps}) == 12
    (fold,) = [each for each in app.expander if each.label == "2 more"]
    assert len(fold.get("page_link")) == 2


def test_of_results_alone_no_rule_is_said_to_be_checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who won is all that is known: no book-keeping was checked either, and the replay says who began, and the day."""
    monkeypatch.setenv(VARIABLE, str(tmp_path / "tabletape.db"))
    seats = (Seat(id="A", name="Ann"), Seat(id="B", name="Ben"))
    head = GameStarted(game="tabletop", id="won", edition="", players=seats, at=datetime(2026, 5, 1, 19, tzinfo=UTC))
    told = [head, FirstPlayerChosen(player="B", method="seat"), ResultRecorded(winners=("A",), turns=1)]
    with Log.open(tmp_path / "tabletape.db", create=True) as log:
        log.append("won", told, expected_last_seq=0)
        build(log, Request())
    text = page_text(without_errors(open_page("rules"))).replace("\\", "")
    assert NO_MOVES in text
    assert NO_RULES not in text
    app = without_errors(open_page("replay", game="won"))
    assert "1 May 2026, Ben began, 1 turn" in in_html(app).replace("\N{NO-BREAK SPACE}", " ")
    assert [each.page for each in links(app)] == ["evening"]


@pytest.mark.parametrize(
    ("scores", "said"),
    [
        ({"A": 40.0, "B": 33.0, "C": 35.5}, "Ann won by 4.5, 40 to 35.5."),
        ({"A": 12.0, "B": 15.0, "C": 13.0}, "Ann won by 1, 12 to 13."),
        ({"A": 40.0, "B": 44.0, "C": 12.0}, "Ann won."),
        ({"A": 40.0, "B": 40.0}, "Ann won; Ben had 40 as well."),
        ({"A": 14.0, "B": 9.0, "C": 14.0}, "Ann won; Cleo had 14 as well."),
        ({}, "Ann won."),
        ({"A": 17.0, "B": 17.0}, "Draw: Ann and Ben, 17 each."),
        ({"A": 17.0, "B": 12.0}, "Draw."),
    ],
)
def test_a_result_says_by_how_much_only_where_its_scores_do(
    scores: dict[str, float], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The most or the fewest points may win; a winner between the others, or as high as one, is not said to lead."""
    monkeypatch.setenv(VARIABLE, str(tmp_path / "tabletape.db"))
    names = ("Ann", "Ben", "Cleo")[: max(2, len(scores))]
    seats = tuple(Seat(id=id_, name=name) for id_, name in zip("ABC", names, strict=False))
    head = GameStarted(game="tabletop", id="won", edition="", players=seats, at=datetime(2026, 5, 1, 19, tzinfo=UTC))
    felt = FeedbackGiven(player="B", fun=2, text="too long")
    with Log.open(tmp_path / "tabletape.db", create=True) as log:
        log.append(
            "won",
            [head, ResultRecorded(winners=() if "Draw" in said else ("A",), scores=scores), felt],
            expected_last_seq=0,
        )
        build(log, Request())
    shown = in_html(without_errors(open_page("evening")))
    assert f">{said}</a>" in shown
    assert "Ben: fun 2 of 5, “too long”" in shown
    assert 'replay?game=won"' in shown
    text = page_text(open_page("evening")).replace("\\", "")
    assert ("The score of each player" in text) == (not scores)
    assert "Who began: it shows whether it helps to begin" in text
    assert "What was said" not in text


def test_the_fun_of_all_players_is_one_line_for_each_scale(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who says more than a mark has a line of their own."""
    monkeypatch.setenv(VARIABLE, str(tmp_path / "tabletape.db"))
    seats = tuple(Seat(id=id_, name=name) for id_, name in zip("ABC", ("Ann", "Ben", "Cleo"), strict=True))
    of_ten = [FeedbackGiven(player=each, answers={"fun-of-10": mark}) for each, mark in (("A", "8"), ("C", "10"))]
    of_five = [FeedbackGiven(player=each, fun=fun) for each, fun in (("A", 4), ("B", 2))]
    more = FeedbackGiven(player="C", fun=3, again=True)
    at = datetime(2026, 5, 1, 19, tzinfo=UTC)
    with Log.open(tmp_path / "tabletape.db", create=True) as log:
        for name, said in (("ten", of_ten), ("five", [*of_five, more])):
            head = GameStarted(game="tabletop", id=name, edition="", players=seats, at=at)
            log.append(name, [head, ResultRecorded(winners=("A",)), *said], expected_last_seq=0)
        build(log, Request())
    shown = in_html(without_errors(open_page("evening")))
    assert "Fun, of 10: Ann 8, Cleo 10" in shown
    assert "Fun, of 5: Ann 4, Ben 2" in shown
    assert "Cleo: fun 3 of 5, again" in shown


def test_a_result_names_what_each_played_and_tells_marks_from_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The card, the page of the game and the list of games say it alike, the most points first also of a tie."""
    monkeypatch.setenv(VARIABLE, str(tmp_path / "tabletape.db"))
    seats = (
        Seat(id="A", name="Ann", deck="Ferryman"),
        Seat(id="B", name="Ben", deck="red-moor"),
        Seat(id="C", name="Cleo", deck="Warden"),
    )
    head = GameStarted(game="tabletop", id="won", edition="", players=seats, at=datetime(2026, 5, 1, 19, tzinfo=UTC))
    felt = FeedbackGiven(text="Ferryman finally fun", answers={"fun-of-10": "9"})
    result = ResultRecorded(winners=("C",), scores={"A": 14.0, "B": 9.0, "C": 14.0})
    with Log.open(tmp_path / "tabletape.db", create=True) as log:
        log.append("won", [head, result, felt], expected_last_seq=0)
        build(log, Request())
    for asked in ({"page": "evening"}, {"page": "replay", "game": "won"}):
        shown = in_html(without_errors(open_page(**asked)))
        assert re.findall(r"<li[^>]*><span>(.*?) *(?:<small>|</span>)", shown) == [
            "Cleo (Warden)",
            "Ann (Ferryman)",
            "Ben (Red Moor)",
        ]
        assert "Fun 9 of 10, “Ferryman finally fun”" in shown
    listed = in_html(without_errors(open_page("games"))).replace("\N{NO-BREAK SPACE}", " ")
    assert "Cleo (Warden) 14, Ann (Ferryman) 14, Ben (Red Moor) 9" in listed


def in_html(app: AppTest) -> str:
    """Return what the HTML of a page says."""
    return unescape("".join(str(each.proto.body) for each in app.get("html")))


def test_an_evening_of_two_games_shows_one_of_them_and_a_choice_of_the_other(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That with results has their cards and what was said, that with moves its replay; each has a way on."""
    place = store("told", *ANN_WINS, at="2026-05-01T19:00:00Z")
    seats = (Seat(id="A", name="Ann"), Seat(id="B", name="Ben"))
    head = GameStarted(game="tabletop", id="won", edition="v2", players=seats, at=datetime(2026, 5, 1, 20, tzinfo=UTC))
    result = ResultRecorded(winners=("A",), scores={"A": 40.0, "B": 33.0})
    with Log.open(place) as log:
        log.append("won", [head, result, NoteAdded(text="The tide drags")], expected_last_seq=0)
        build(log, Request())
    store("before", *ANN_WINS, at="2026-04-01T19:00:00Z")
    with Log.open(place) as log:
        build(log, Request())
    monkeypatch.setenv(VARIABLE, str(place))
    app = without_errors(open_page("evening"))
    assert app.selectbox(key="of").options == ["Higher", "Tabletop"]
    ways = [(each.page, each.label) for each in links(app)]
    assert ("", "Higher first over all evenings") in ways
    assert len([page for page, _ in ways if page == "replay"]) == 1
    cards = in_html(app.selectbox(key="of").set_value("Tabletop").run())
    assert ">Ann won by 7, 40 to 33.</a>" in cards
    assert "\u201cThe tide drags\u201d" in cards
    assert not any("remark" in each.label for each in app.expander)
    ways = [(each.page, each.label) for each in links(app)]
    assert ("", "Tabletop v2 over all evenings") in ways
    assert not [page for page, _ in ways if page == "replay"]


def test_a_line_that_nobody_can_read_and_the_middle_of_two_games_are_said_as_people_say_them() -> None:
    """One line does not speak of itself as several; of 40 and 49 minutes the middle is 44.5 wherever it is said."""
    assert [middle(each) for each in (44.5, 104.5, 44.3, 9.25)] == ["44.5", "104.5", "44", "9.2"]


def test_a_game_that_was_kept_is_shown_with_its_points_and_cards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who won by how much, in how many rounds, and what each player laid: what was taken back is not among it."""
    monkeypatch.setenv(VARIABLE, str(tmp_path / "tabletape.db"))
    at = datetime(2026, 5, 1, 19, tzinfo=UTC)
    seats = (Seat(id="A", name="Ann"), Seat(id="B", name="Ben"))
    head = GameStarted(game="tabletop", id="kept", edition="v1", players=seats, at=at)
    lines: list[Event] = [head]
    for turn, (player, card) in enumerate((("A", "sea-fog"), ("B", "gull"), ("A", "sea-fog"))):
        lines += [
            tabletop.TurnStarted(player=player),
            tabletop.CardMoved(player=player, card=f"{player}:{card}", from_="hand", to="table"),
            tabletop.CounterChanged(player=player, counter="points", by=2 + turn),
        ]
    lines += [
        tabletop.CardMoved(player="B", card="B:rope", from_="hand", to="table"),
        PlayTakenBack(to=10),
        tabletop.GameEnded(winner="A", reason="agreed", at=at + timedelta(minutes=25)),
    ]
    with Log.open(tmp_path / "tabletape.db", create=True) as log:
        log.append("kept", lines, expected_last_seq=0)
        build(log, Request())
    cards = in_html(without_errors(open_page("evening")))
    assert ">Ann won by 3, 6 to 3.</a>" in cards
    assert "2 rounds, 25 minutes" in cards
    assert "Sea Fog (twice)" in cards
    assert "Gull" in cards
    assert "Rope" not in cards
