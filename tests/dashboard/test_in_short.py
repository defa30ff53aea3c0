"""What pages say first: whether it is fair, how close and how long games are, of results what is not known."""

import json
import re
from itertools import product
from math import prod
from pathlib import Path
from typing import Any

import pytest
from scipy.stats import binomtest

import tabletape.projector.games.splicers
from tabletape.dashboard.report.document import Bullets
from tabletape.dashboard.report.said import Sayings, fun_by_name
from tabletape.dashboard.report.summary import Happened, most_won, summary
from tabletape.dashboard.report.untried import untried
from tabletape.dashboard.sections.in_short import (
    by_luck,
    closeness,
    fairness,
    least_like_luck,
    length,
    mirrored,
    most_lengths,
    standing_out,
)
from tabletape.dashboard.sections.one_card import had_it
from tabletape.dashboard.statistics.intervals import NO_BREAK, share_said
from tabletape.dashboard.statistics.luck import chance_of_luck
from tabletape.dashboard.workspace import VARIABLE
from tabletape.events.log import Log
from tabletape.events.vocabulary import vocabulary
from tabletape.projector.datasets.build import build
from tests.dashboard.asking import rows
from tests.dashboard.test_pages import links, open_page, page_text, without_errors

GAMES = 12


def share_of_wins(wins: int, **more: Any) -> dict[str, Any]:
    """Return a share of wins of twelve games of two, as `decks` and `stopping` have it."""
    low, high = {6: (0.25, 0.75), 9: (0.47, 0.91), 11: (0.65, 0.99)}[wins]
    row = {"measure": "deck", "value": f"deck-{wins}", "players": 2, "games": 12, "wins": wins, "baseline": 0.5}
    row |= {
        "verdict": "keep testing",
        "win_rate": wins / 12,
        "by_luck": binomtest(wins, 12, 0.5).pvalue,
    }
    return row | {"win_rate_low": low, "win_rate_high": high} | more


def test_a_share_of_a_page_says_its_interval_in_words_and_breaks_only_before_it() -> None:
    """On a phone a count is not parted from its share, nor the interval in two."""
    said = share_said(12, 18)
    assert said.replace(NO_BREAK, " ") == "12 of 18, 67 % (likely 44 to 84 %)"
    assert said.count(" ") == 1
    assert share_said(0, 0) == "none yet (0 of 0)"


def test_what_luck_hardly_brings_is_watched_and_not_called_unfair() -> None:
    """It may still be luck, and how often luck alone brings the farthest of so many shares from even is said."""
    even, far = share_of_wins(6, measure="first player", value=""), share_of_wins(11)
    shares = [even, share_of_wins(9), far]
    assert fairness(shares, shares) == "to watch: Deck 11 won 11 of 12, which may still be luck"
    assert fairness([even], [even]) == "nothing is shown to be unfair yet"
    assert fairness([], []) == ""
    unfair = [share_of_wins(9, verdict="not fair"), share_of_wins(11, verdict="not fair")]
    assert fairness(shares, unfair) == "not fair: Deck 11 won 11 of 12 and Deck 9 won 9 of 12"
    assert fairness([even], [share_of_wins(6, verdict="fair")]) == "who begins and every deck win a fair share"
    assert by_luck(shares) == "Shares as far from even come by chance alone about 1 time in 53."
    assert least_like_luck(shares).replace(NO_BREAK, " ").startswith("Farthest from luck so far: Deck 11 won 11 of 12")
    assert least_like_luck([even]) == ""
    assert by_luck([even]) == "Shares as far from even come by chance alone more often than not."
    said = by_luck([even, share_of_wins(9)]).replace(NO_BREAK, " ")
    assert said.startswith("Farthest from luck so far: Deck 9 won 9 of 12")
    assert said.endswith("50 %. Shares as far from even come by chance alone about 1 time in 4.")


def test_the_share_that_is_singled_out_is_the_one_that_luck_explains_least() -> None:
    """Two of three where four play is less like luck than one of five where two do, whatever else is said of them."""
    four = share_of_wins(6, players=4, games=3, baseline=0.25, win_rate=2 / 3, by_luck=0.16) | {"wins": 2}
    two = share_of_wins(6, games=5, win_rate=0.2, by_luck=0.38) | {"wins": 1}
    first = least_like_luck([row | {"measure": "first player", "value": ""} for row in (two, four)])
    assert first.replace(NO_BREAK, " ").startswith("Farthest from luck so far: who begins with 4 players won 2 of 3")
    assert first.endswith("even would be 25 %.")


def test_the_luck_in_games_that_are_not_alike_is_that_of_each_of_them() -> None:
    """A deck that two of three have wins two games of three by luck; games that are alike are a binomial's."""
    for wins, games, even in ((3, 4, 1 / 3), (4, 4, 0.5), (11, 12, 0.5), (0, 2, 0.25), (40, 1000, 0.03)):
        assert chance_of_luck(wins, [even] * games) == pytest.approx(binomtest(wins, games, even).pvalue)
    chances = [1 / 2, 1 / 3, 2 / 3, 1 / 4]
    every = [
        (sum(won), prod(chance if one else 1 - chance for chance, one in zip(chances, won, strict=True)))
        for won in product((False, True), repeat=len(chances))
    ]
    likely = [sum(chance for number, chance in every if number == wins) for wins in range(len(chances) + 1)]
    for wins, mine in enumerate(likely):
        by_hand = sum(each for each in likely if each <= mine * (1 + 1e-9))
        assert chance_of_luck(wins, chances) == pytest.approx(by_hand)


def test_lengths_and_margins_are_said_for_each_number_of_players() -> None:
    """Minutes come before turns, and what nobody knows is no clause."""
    two = {"measure": "minutes", "players": 2, "games": 12, "p10": 37, "median": 43.0, "p90": 48}
    assert length([two, two | {"measure": "turns"}]) == "half of the games take at most 43 minutes"
    finished = [two, two | {"players": 3, "p10": 50, "p90": 50}]
    assert length(finished) == "a game takes 43 minutes with 2 players and 43 with 3"
    assert most_lengths(finished) == "Most games: 37 to 48 minutes with 2 players."
    of_few = [two | {"games": 1, "p90": 37}, two | {"players": 3, "games": 5}]
    assert length(of_few) == "a game takes 43 minutes with 2 players (1 game) and 43 with 3 (5 games)"
    assert most_lengths(of_few) == "37 to 48 minutes with 3 players (5 games)."
    assert closeness([{"close": 1, "games": 2}, {"close": 2, "games": 3}]) == (
        "3 of 5 games were close, won by at most a tenth of the winner's points"
    )
    assert (length([]), most_lengths([]), closeness([]), standing_out([])) == ("", "", "", "")


def test_of_two_decks_one_stands_for_both() -> None:
    """What the other one wins is the rest, unless somebody else won too or there are more decks."""

    def decks(*wins: int, games: int = 18) -> list[dict[str, Any]]:
        each = enumerate(wins)
        return [{"value": f"d{n}", "wins": w, "games": games, "win_rate": w / games, "among": ""} for n, w in each]

    assert mirrored(decks(6, 12)) == "d0"
    assert mirrored(decks(6, 11)) == mirrored(decks(6, 6, 6)) == mirrored([]) == ""


@pytest.fixture(scope="module")
def sheet(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Store twelve results with points and minutes, as a sheet gives them."""
    place = tmp_path_factory.mktemp("sheet") / "tabletape.db"
    words = vocabulary("tabletop")
    players = [{"id": "A", "name": "Ann"}, {"id": "B", "name": "Ben"}]
    with Log.open(place, create=True) as log:
        for number in range(GAMES):
            started = {"type": "game.started", "game": "tabletop", "edition": "one", "id": f"g{number}"}
            result = {"type": "result.recorded", "winners": ["A"], "minutes": 30 + number}
            lines = [started | {"players": players, "rulings": {}}, result | {"scores": {"A": 20 + number, "B": 15}}]
            felt = [{"type": "feedback.given", "fun": 4}, {"type": "note.added", "text": "the lake again"}]
            lines += felt if number == 0 else []
            lines += [{"type": "feedback.given", "answers": {"fun-of-10": "9"}}] if number == 1 else []
            log.append(f"g{number}", [words.decode(json.dumps(each)) for each in lines], expected_last_seq=0)
        build(log)
    return place


@pytest.mark.parametrize(
    ("page", "first"),
    [
        (
            "overview",
            "Half of the games take at most 35.5 minutes; fun is 4.0 of 5 in 1 of 12 games (not in it: marks of 10",
        ),
        ("balance", "0 of 12 games were close, won by at most a tenth of the winner's points."),
        ("balance", "Whether it helps to begin is open: a column with who began tells that."),
        ("pace", "How much fun are they?"),
        ("cards", "There are no cards in these logs."),
    ],
)
def test_a_page_of_results_says_what_is_known_and_shows_nothing_empty(
    sheet: Path, page: str, first: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The sentence at the top is an answer, and no box says that there is none."""
    monkeypatch.setenv(VARIABLE, str(sheet))
    app = without_errors(open_page(page))
    text = page_text(app).replace("\\", "")
    assert first in text
    assert "None of the chosen games has the answer yet" not in text
    assert not app.info
    if page in {"pace", "cards"}:
        assert "keep" in {each.page for each in links(app)}


def test_the_games_of_a_sheet_are_listed_with_their_fun_and_what_was_said(
    sheet: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a sheet tells of each game stands in its row."""
    monkeypatch.setenv(VARIABLE, str(sheet))
    app = without_errors(open_page("games"))
    shown = "".join(str(each.proto.body) for each in app.get("html"))
    assert '<td data-is="Fun">4\u00a0of\u00a05</td><td data-is="Said">the lake again</td>' in shown
    assert '<td data-is="Fun">9\u00a0of\u00a010</td>' in shown
    assert "Ann won 12 times." in page_text(app).replace("\\", "")
    ways = [each.label.replace("\\", "") for each in links(without_errors(open_page("overview")))]
    assert "**Rules**: 1 remark: \u201cthe lake again\u201d; no move was written down." in ways


def test_who_won_is_said_with_how_often_they_played_where_that_differs() -> None:
    """Two of two games is more than two of six."""
    games = [{"won_by": won, "names": names, "over": True, "cooperative": False} for won, names in (
        ("Wim", "Wim, Ira"), ("Wim", "Wim, Ira"), ("Ira", "Bo, Ira"), ("Ira", "Bo, Ira"),
    )]  # fmt: skip
    assert most_won(games) == "Wim won 2 of 2, Ira 2 of 4"
    assert most_won(games[:2]) == "Wim won twice"
    assert most_won(games[:1]) == "Wim won"


def test_the_marks_of_players_stand_with_their_names() -> None:
    """Beside the points of the same players a bare mark would be read as that of another."""
    marks = (("Nell", 5, None), ("Ira", 3, None), ("", None, 9))
    told = [{"game_id": "g1", "name": name, "fun": five, "fun_of_ten": ten} for name, five, ten in marks]
    assert fun_by_name({"game_id": "g1"}, told).replace("\u00a0", " ") == "Nell 5, Ira 3 of 5; 9 of 10"
    assert fun_by_name({"game_id": "g2"}, told) == ""


def test_the_games_with_a_mistake_are_those_that_are_not_clean(tmp_path: Path) -> None:
    """A count that the table wrote down wrong is a mistake as a play against the rules is: both numbers are one."""
    sample = Path(tabletape.projector.games.splicers.__file__).parent / "samples" / "autumn-evenings.jsonl"
    every = [json.loads(line) for line in sample.read_text(encoding="utf-8").splitlines()]
    starts = [at for at, line in enumerate(every) if line["type"] == "game.started"]
    place, words = tmp_path / "tabletape.db", vocabulary("splicers")
    with Log.open(place, create=True) as log:
        for begin, end in zip(starts, [*starts[1:], len(every)], strict=True):
            if every[begin]["id"] in {"autumn-2-01", "autumn-2-02", "autumn-2-03"}:
                events = [words.decode(json.dumps(line)) for line in every[begin:end]]
                log.append(every[begin]["id"], events, expected_last_seq=0)
        folder = build(log).folder
    found = {row["game_id"]: (row["mistakes"], row["clean"]) for row in rows("games", folder)}
    assert found["autumn-2-01"] == (1, False)
    assert all(clean == (not mistakes) for mistakes, clean in found.values())


@pytest.mark.parametrize(
    ("played", "won_by", "said"),
    [
        ({"Hal": True}, "Hal", "Hal played it and won"),
        ({"Hal": False}, "Ada", "Hal held it; Ada won"),
        ({"Hal": True, "Ada": True, "Bo": False}, None, "Hal and Ada played it; Bo held it; nobody won"),
        ({}, "Ada", "in no hand that is known; Ada won"),
    ],
)
def test_a_game_of_a_card_says_who_had_it_and_who_won(played: dict[str, bool], won_by: str | None, said: str) -> None:
    """Who played it stands before who only held it."""
    assert had_it(played, won_by) == said


@pytest.fixture(scope="module")
def versions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Store twelve results of a day of version one, then two of version two: fewer, and later."""
    place = tmp_path_factory.mktemp("versions") / "tabletape.db"
    words = vocabulary("tabletop")
    players = [{"id": "A", "name": "Ann"}, {"id": "B", "name": "Ben"}]
    with Log.open(place, create=True) as log:
        for number in range(1, GAMES + 3):
            version, day = ("one", "04") if number <= GAMES else ("two", "11")
            started: dict[str, Any] = {"type": "game.started", "game": "tabletop", "edition": version}
            started |= {"id": f"g{number}", "players": players, "rulings": {}, "at": f"2026-09-{day}T00:00:00+02:00"}
            lines = [started, {"type": "result.recorded", "winners": ["A"], "minutes": 30 + number}]
            lines += [{"type": "note.added", "text": f"note {number}"}]
            log.append(f"g{number}", [words.decode(json.dumps(each)) for each in lines], expected_last_seq=0)
        build(log)
    return place


def test_pages_open_on_the_version_that_was_played_last_and_lead_to_the_other(
    versions: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a phone nobody sees the sidebar: what the page leaves out is a link on it, that shows those games."""
    monkeypatch.setenv(VARIABLE, str(versions))
    app = without_errors(open_page("balance"))
    assert "2 games, version two; only the result is known." in page_text(app)
    ways = {each.label.replace("\\", ""): each.query_string for each in links(app)}
    assert ways["one, 12 games"] == "ruleset=one"
    assert ways["Both, side by side"] == "beside=one"
    assert not [label for label in ways if "Replay" in label]  # Of results there is none.
    beside = without_errors(open_page("overview", ruleset="two", beside="one"))
    said = "##### Since one, fewer than 3 games on a side, so nothing is compared."
    assert said in page_text(beside).replace("\\", "")
    assert beside.table[0].value.to_dict("records") == [
        {"2 players": "Games", "one": "12", "two": "2"},
        {"2 players": "Minutes", "one": "half take at most 36.5", "two": "half take at most 43.5"},
        {"2 players": "Ann won", "one": "12 of 12", "two": "2 of 2"},
        {"2 players": "Ben won", "one": "0 of 12", "two": "0 of 2"},
    ]
    older = without_errors(open_page("balance", ruleset="one"))
    assert "12 games, version one; only the result is known." in page_text(older)
    assert "two, 2 games" in {each.label.replace("\\", "") for each in links(older)}


def test_of_one_evening_the_last_game_of_a_sheet_stands_first(versions: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The twelfth row came after the ninth, in the list of games as in what was said of late."""
    monkeypatch.setenv(VARIABLE, str(versions))
    app = without_errors(open_page("overview", ruleset="one"))
    assert "of late \u201cnote 12\u201d" in "".join(each.label for each in links(app))
    said = [each.label for each in links(without_errors(open_page("rules", ruleset="one"))) if "note" in each.label]
    assert [each.split()[1].strip("\u201d") for each in said] == [str(each) for each in range(GAMES, 0, -1)]
    shown = "".join(str(each.proto.body) for each in without_errors(open_page("games", ruleset="one")).get("html"))
    assert re.findall(r"note (\d+)", shown) == [str(each) for each in range(GAMES, 0, -1)]


def test_the_replay_of_a_result_says_its_version(versions: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beside its day: that is all that the log knows of it."""
    monkeypatch.setenv(VARIABLE, str(versions))
    shown = "".join(str(each.proto.body) for each in without_errors(open_page("replay", game="g13")).get("html"))
    assert "11 September 2026, version two, 43 minutes" in shown.replace(NO_BREAK, " ")


def test_what_no_game_can_try_is_not_said_to_be_left_to_try() -> None:
    """A rule of another edition alone is none of these games', and an event is named without its fields."""
    every = [{"what": "rule", "name": "splicers.old.splice-play-now", "title": "now"}]
    every += [{"what": "event", "name": "card.identified", "title": "A card becomes known; `was` is its old name."}]
    lines = [*untried("splicers", every, ["0.2a"])]
    assert lines == [("Events that nobody has written down (1)", "A card becomes known")]
    assert len([*untried("splicers", every, ["0.2a-2016-08-27 splice_destination=play_now"])]) == 2


@pytest.mark.parametrize(
    ("minutes", "said"),
    [
        ((52, 59, 66), "Half of the games took at most 59 minutes (all of them 52\u201166) and 30 turns."),
        ((None, None, None), "Half of the games took at most 30 turns."),
    ],
)
def test_how_long_the_games_of_an_evening_took_is_said_as_far_as_it_is_known(minutes: Any, said: str) -> None:
    """Of games of which neither is known nothing is said."""
    nothing = {"names": "", "won_by": "", "mistakes": None, "judged": False, "detail": "results", "cooperative": False}
    games = [{"game_id": str(n), "game": "x", "over": True, "minutes": n, "turns": 30, **nothing} for n in minutes]
    happened = Happened(said=Sayings(), causes={})
    told = next(each for each in summary(games, {}, happened) if isinstance(each, Bullets))
    assert told.lines[0] == said
    untold = [{**row, "minutes": None, "turns": None} for row in games]
    assert not any(
        "Half" in line for each in summary(untold, {}, happened) if isinstance(each, Bullets) for line in each.lines
    )
