"""The page What if: a change is chosen, bots play, and the result is shown."""

from datetime import date
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from tabletape.dashboard.pages.what_if import PLAYED_KEY
from tabletape.dashboard.workspace import VARIABLE
from tabletape.events.importing import import_paths
from tabletape.events.importing.report import Options
from tabletape.events.log import Log
from tabletape.events.vocabulary.open_games import look_in
from tabletape.projector.datasets.build import build
from tabletape.projector.datasets.plans import Request
from tests.dashboard.test_pages import APP, links
from tests.dashboard.test_pages import open_page as open_on


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in an empty workspace: the page needs no log."""
    monkeypatch.setenv(VARIABLE, str(tmp_path / "evening.db"))
    return tmp_path


RACE = """
title = "Race"
players = [2, 2]
score = "steps"
counters.steps = { start = 0, max = 9, each = true }
turn = { actions = 1, says = "In turn.", cite = "L1" }
move.step.does = ["steps + 1"]
end.there = { that = "any(players where steps(it) > 2)", says = "Three win.", cite = "L2" }
"""

SHEET = """
map = 1
game = "tabletop"
edition = "unknown"
shape = "results"
id = "{file}-{n}"
[columns]
players = {column = "players", split = ";"}
winner = "winner"
date = "date"
minutes = "minutes"
feedback = {fun = "fun"}
"""


def open_page(**address: str) -> AppTest:
    """Open the page with a card of Crystal in the address, or with something else."""
    return open_on("what-if", **{"of": "Crystal Factions", **(address or {"card": "sporeling"})})


def page_text(app: AppTest) -> str:
    """Return the texts of the page."""
    return "\n".join(
        str(each.value).replace("\\", "")
        for each in (*app.text, *app.markdown, *app.caption, *app.subheader, *app.error)
    )


def test_a_card_is_changed_played_and_reported() -> None:
    """The card of the address is selected; played pairs are reported with interval, table and the kind of bots."""
    app = open_page(of="Crystal Factions")
    app.number_input[0].set_value(10)
    app.button(key="example card").click()
    app.run()
    assert len(app.multiselect(key="card").value) == 1
    assert "In 10 games of greedy bots" in page_text(app)
    assert app.button(key="more games").label.startswith("Play 40 games, in about ")
    app.button(key="more games").click()
    app.run()
    assert "In 40 games of greedy bots" in page_text(app)
    app = open_page()
    assert not app.exception
    assert app.multiselect(key="card").value == ["sporeling"]
    app.number_input[1].set_value(20)
    app.run()
    next(each for each in app.button if each.label == "Play").click()
    app.run()
    assert not app.exception
    assert "Sporeling with cost 2" in page_text(app)
    assert "In 20 games of greedy bots" in page_text(app)
    assert "not how people will play" in page_text(app)
    assert "copies dead in a hand" in list(app.table[0].value["measure"])


def test_a_number_in_the_file_of_an_own_game_is_changed(place: Path) -> None:
    """Games of files stand in the list; what their bots play with another number is reported."""
    (place / "games").mkdir()
    (place / "games" / "race.toml").write_text(RACE)
    app = open_page(of="Race")
    app.number_input[0].set_value(10)
    app.button(key="example counters.steps.start").click()
    app.run()
    assert app.multiselect(key="number").value == ["counters.steps.start"]
    app.multiselect(key="number").set_value(["counters.steps.start", "counters.steps.max"])
    app.run()
    next(each for each in app.number_input if each.label == "Games, each played twice").set_value(10)
    app.multiselect[-1].set_value(["random"])
    app.run()
    next(each for each in app.button if each.label == "Play").click()
    app.run()
    assert not app.exception
    assert "counters.steps.start 1 and counters.steps.max 10" in page_text(app).lower()
    assert "In 10 games of random bots" in page_text(app)
    look_in(APP.parent)


def test_pairs_that_were_played_before_a_stop_are_kept() -> None:
    """Another run of the page, as after a click on Stop, shows the pairs so far; for another card there are none."""
    app = open_page()
    app.number_input[1].set_value(10)
    app.run()
    next(each for each in app.button if each.label == "Play").click()
    app.run()
    progress = app.session_state[PLAYED_KEY]
    del next(iter(progress.pairs.values()))[6:]
    app.run()
    assert "In 6 games of greedy bots" in page_text(app)
    app.multiselect(key="card").set_value(["thorn-acolyte"])
    app.run()
    assert "In 6 games" not in page_text(app)


def test_one_of_two_bots_may_not_play_a_card() -> None:
    """A restriction is asked for in place of a change, and its report says whose wins are looked at."""
    app = open_page(**{"try": "Forbid something to one side", "without": "trooper"})
    assert not app.exception
    assert app.multiselect(key="without").value == ["trooper"]
    assert not [each for each in app.multiselect(key="never").options if "." in each or "_" in each]
    app.multiselect(key="never").set_value(["deploy.ended"])
    app.number_input[0].set_value(10)
    app.run()
    next(each for each in app.button if each.label == "Play").click()
    app.run()
    assert not app.exception
    assert "Without Trooper and never deploy ended" in page_text(app)
    assert "In 10 games of greedy bots, each played twice, the side that does without won " in page_text(app)


def test_several_cards_and_rulings_are_changed_at_once() -> None:
    """Each selected card has numbers of its own, and the report names all changes."""
    app = open_page()
    app.multiselect(key="card").set_value(["sporeling", "thorn-acolyte"])
    app.multiselect(key="rulings_asked").set_value(["draw_mandatory"])
    app.run()
    app.number_input(key="cost of thorn-acolyte").set_value(7)
    next(each for each in app.number_input if each.label == "Games, each played twice").set_value(10)
    app.run()
    next(each for each in app.button if each.label == "Play").click()
    app.run()
    assert not app.exception
    assert "Sporeling with cost 2 and Thorn Acolyte with cost 7 and Must a" in page_text(app)
    assert "? \u201cno, but who draws" in page_text(app)
    assert "copies of Thorn Acolyte dead in a hand" in list(app.table[0].value["measure"])


def test_of_a_game_without_rules_the_games_before_a_change_are_compared_with_those_since(place: Path) -> None:
    """Bots cannot play it, which the page says, and leads to Balance, which asks for the day of the change."""
    rows = "".join(f"2026-05-{day:02},Ann; Ben,Ann,{30 + day},{day % 5 + 1}\n" for day in range(1, 13))
    (place / "fridays.map.toml").write_text(SHEET)
    rows += "2026-05-13,Ann; Ben; Cem,Ann,50,5\n"
    (place / "fridays.csv").write_text(f"date,players,winner,minutes,fun\n{rows}")
    with Log.open(place / "evening.db", create=True) as log:
        assert import_paths(log, [place / "fridays.csv"], Options(zone="Europe/Berlin")).games
        build(log, Request())
    app = open_page(of="Tabletop")
    assert not app.exception
    said = "There is nothing to try out yet: bots play by rules to the end, and no sentence says how Tabletop ends."
    assert said in page_text(app)
    assert [(each.page, each.query_string) for each in links(app)] == [("my-game", ""), ("balance", "changed=true")]
    assert not app.button
    app = open_on("balance", of="Tabletop", changed="true")
    app = next(each for each in app.date_input).set_value(date(2026, 5, 7)).run()
    assert not app.exception
    said = "Before and since 7 May 2026, minutes rose from 33.5 to 39.5 (likely by 3.5 to 8.5)."
    assert said in page_text(app).replace("\\", "")
    of_two, of_three = (each.value.to_dict("records") for each in app.table)
    assert of_two == [
        {"2 players": "Games", "before": "6", "since": "6"},
        {"2 players": "Minutes", "before": "half take at most 33.5", "since": "half take at most 39.5"},
        {"2 players": "Fun", "before": "2.8 of 5 on average", "since": "3.0 of 5 on average"},
        {"2 players": "Ann won", "before": "6 of 6", "since": "6 of 6"},
        {"2 players": "Ben won", "before": "0 of 6", "since": "0 of 6"},
    ]
    assert of_three[:2] == [
        {"3 players": "Games", "before": "0", "since": "1"},
        {"3 players": "Minutes", "before": "", "since": "50"},
    ]


def test_two_versions_are_compared_in_one_block_and_a_day_is_asked_for_below(place: Path) -> None:
    """Version two against one, without what one game with three players says."""
    days = [(f"2026-05-{day:02}", "one" if day < 7 else "two", 30 + day) for day in range(1, 13)]
    rows = "".join(f"{day},{version},Ann; Ben,Ann,{minutes}\n" for day, version, minutes in days)
    rows += "2026-05-05,one,Ann; Ben; Cem,Ann,50\n2026-05-12,two,Ann; Ben; Cem,Ann,60\n"
    (place / "fridays.map.toml").write_text(SHEET.replace('feedback = {fun = "fun"}', 'edition = "version"'))
    (place / "fridays.csv").write_text(f"date,version,players,winner,minutes\n{rows}")
    with Log.open(place / "evening.db", create=True) as log:
        assert import_paths(log, [place / "fridays.csv"], Options(zone="Europe/Berlin")).games
        build(log, Request())
    app = open_on("balance", of="Tabletop", changed="true")
    assert not app.exception
    heads = [each.value.replace("\\", "") for each in app.markdown if " against " in each.value]
    assert heads == ["**two against one, minutes with 2 players rose from 33.5 to 39.5 (likely by 3.5 to 8.5).**"]
    assert not any("3 players" in each.value for each in app.text)
    assert "Left out: what fewer than 3 games on a side say." in page_text(app)
    of_two, of_three = (each.value.to_dict("records") for each in app.table)
    assert of_two[1] == {"2 players": "Minutes", "one": "half take at most 33.5", "two": "half take at most 39.5"}
    assert of_three == [
        {"3 players": "Games", "one": "1", "two": "1"},
        {"3 players": "Minutes", "one": "50", "two": "60"},
        {"3 players": "Ann won", "one": "1 of 1", "two": "1 of 1"},
        {"3 players": "Ben won", "one": "0 of 1", "two": "0 of 1"},
        {"3 players": "Cem won", "one": "0 of 1", "two": "0 of 1"},
    ]
    assert (app.date_input[0].value, "Split by a day instead" in {each.label for each in app.expander}) == (None, True)


def test_two_versions_say_their_fun_and_who_wins_as_balance_says_it(place: Path) -> None:
    """Decks are drawn, of all numbers of players, so nothing is said of games of which nobody knows who began."""
    rows = "".join(
        f"2026-05-{day:02},{version},{names},{decks},Ann,{fun}\n"
        for version, days, fun in (("one", range(1, 5), 2), ("two", range(11, 15), 4))
        for day in days
        for names, decks in (("Ann; Ben", "Fog; Moor"), ("Ann; Ben; Cem", "Fog; Moor; Reed"))
        if day % 4 or names == "Ann; Ben"
    )
    versions = SHEET.replace('fun = "fun"}', 'fun = "fun"}\nedition = "version"').replace(
        'players = {column = "players", split = ";"}',
        'players = {column = "players", split = ";"}\ndecks = {column = "decks", split = ";"}',
    )
    (place / "fridays.map.toml").write_text(versions)
    (place / "fridays.csv").write_text(f"date,version,players,decks,winner,fun\n{rows}")
    with Log.open(place / "evening.db", create=True) as log:
        assert import_paths(log, [place / "fridays.csv"], Options(zone="Europe/Berlin")).games
        build(log, Request())
    app = open_on("balance", of="Tabletop", changed="true")
    assert not app.exception
    charts = [each.proto.body for each in app.get("html") if 'class="row-chart"' in each.proto.body]
    assert "100 % (7 of 7), was 100 % (7 of 7); likely -35 to +35" in charts[-1].replace("\N{NO-BREAK SPACE}", " ")
    watched = "To watch, which may still be luck: fun rose from 2.0 to 4.0 of 5 on average (likely by 2)"
    assert watched in page_text(app).replace("\\", "")
    assert "do not say who began" not in page_text(app)
    # That all games count is not said again.
    assert not any(each.value.startswith("7 games") for each in app.caption)
