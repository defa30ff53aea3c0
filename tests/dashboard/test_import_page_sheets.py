"""The import page with sheets of results: how they are read is shown, and can be said."""

from html import unescape
from pathlib import Path

from streamlit.testing.v1 import AppTest

from tabletape.dashboard.markdown_escape import escaped
from tabletape.events.log import Log
from tabletape.events.vocabulary.shared import FeedbackGiven, ResultRecorded
from tests.dashboard.test_import_page import button, import_page, say_game, tables_of
from tests.dashboard.test_pages import empty_workspace, open_page, page_text, without_errors

__all__ = ["empty_workspace", "import_page"]


def test_teams_and_a_turned_sheet_are_said_on_the_page(import_page: AppTest) -> None:
    """A column for each team is shown with what parts its names, and that the columns of a sheet are its games."""
    app = import_page
    teams = b"Team A,Team B,score A,score B\nAnn & Bo,Cid & Di,10,7\nAnn & Cid,Bo & Di,5,9\n"
    turned = b",Game 1,Game 2\nPlayers,Ann & Bo,Bo & Cid\nWinner,Ann,Cid\n"
    app.file_uploader[0].set_value([("teams.csv", teams, "text/csv"), ("turned.csv", turned, "text/csv")])
    app.run()
    say_game(app)
    assert not app.exception
    shown = unescape(tables_of(app))
    assert "<td>sides</td><td>Team A (split &) and Team B (split &)</td>" in shown
    assert "<td>turned</td><td>True</td>" in shown


def test_results_are_read_by_their_columns_from_the_page(import_page: AppTest, empty_workspace: Path) -> None:
    """A sheet of results is recognized by the columns that say who played and who won.

    A game that nobody won is a draw. Its days are stored as they are written: they need no zone, and none is kept.
    """
    app = import_page
    app.context = {"timezone": "Europe/Berlin"}
    sheet = b"Date,Who,Won by,How long\n13/11/2026,Ann & Ben,Ann,40\n14/11/2026,Ben & Cem,Cem,35\n"
    app.file_uploader[0].set_value([("fridays.csv", sheet, "text/csv")])
    app.run()
    assert "Time zone" in [each.label for each in app.expander]
    assert not (empty_workspace / "tabletape.toml").exists()
    say_game(app)
    assert not app.exception
    assert "day/month/year" in tables_of(app)
    assert "\n13 November 2026: Ann, Ben; Ann won; 40 min\n" in page_text(app)
    assert "It looks like results" in page_text(app)
    without_errors(button(app, "Import 2 games").click().run())
    assert app.title[0].value == "This evening"
    shown = without_errors(open_page("replay", game="fridays-1"))
    assert shown.title[0].value.endswith(escaped(": Ann, Ben"))
    assert "Ann won" in page_text(shown)
    assert "13\u00a0November\u00a02026, 40 minutes" in "".join(str(each.proto.body) for each in shown.get("html"))
    app = open_page("import")
    app.file_uploader[0].set_value([("later.csv", sheet + b"15/11/2026,Ann & Cem,Draw,50\n", "text/csv")])
    app.run()
    assert any("3 games" in each.value for each in app.markdown)
    assert "How long" in tables_of(app)
    with Log.open(empty_workspace / "tabletape.db") as log:
        assert [str(each.started_at)[:10] for each in log.games()] == ["2026-11-13", "2026-11-14"]
    assert not (empty_workspace / "tabletape.toml").exists()
    without_errors(button(app, "Import these games").click().run())
    assert app.title[0].value == "Overview: Tabletop"
    assert escaped("Taken: 3 games.") in [each.value for each in app.success]
    with Log.open(empty_workspace / "tabletape.db") as log:
        assert len(log.games()) == 5
    assert "No move of these games was written down" in page_text(without_errors(open_page("rules")))


def test_a_sheet_of_a_new_game_with_a_column_for_each_score_is_read_in_one_click(import_page: AppTest) -> None:
    """It fits the results sheet that the page offers, which would call the game an edition and leave the scores out."""
    app = import_page
    app.context = {"timezone": "Europe/Berlin"}
    sheet = "date,game,players,winner,ann,ben,cem\n2026-08-07,Lantern,Cem; Ann,Ann,31,,19\n"
    sheet += "2026-08-14,Lantern,Ann; Ben,Ann; Ben,30,30,\n2026-08-21,Lantern,Ann; Ben,Ben,3,9,\n"
    app.file_uploader[0].set_value([("evenings.csv", sheet.encode(), "text/csv")])
    app.run()
    assert "7 August 2026: Cem, Ann; Ann won; Cem 19, Ann 31" in page_text(app)
    assert "tabletape rules new" not in page_text(app)
    without_errors(button(app, "Import 3 games of Lantern").click().run())
    assert app.title[0].value == "Overview: Lantern", "of its games one is of the last evening"
    shown = page_text(without_errors(open_page("overview")))
    assert "Overview: Lantern" in shown
    assert "how many of those that somebody won were won by that player" in shown
    games = tables_of(open_page("games"))
    assert ">Ann\u00a031, Cem\u00a019</a>" in games
    assert ">Ann and Ben</td>" in games
    mine = without_errors(open_page("my-game"))
    assert mine.title[0].value == "My game: Lantern"
    assert "No move of these games was written down" in page_text(mine)


def test_how_a_sheet_is_read_can_be_said_on_the_page(import_page: AppTest) -> None:
    """The encoding, players with scores, and that each row is a game lead on where nothing was seen."""
    app = import_page
    app.file_uploader[0].set_value([("down.csv", "Name;1;2\njürgen;4;9\nzoë;8;2\n".encode("cp850"), "text/csv")])
    app.run()
    assert any("encoding cp850" in each.value for each in app.error)
    (encoding,) = (each for each in app.text_input if "encoding" in str(each.key))
    encoding.set_value("cp850").run()
    say_game(app)
    assert any("players Ann" in each.value for each in app.caption)
    (scored,) = (each for each in app.text_input if "scored" in str(each.key))
    scored.set_value("jürgen, zoë").run()
    assert "\njürgen, zoë; zoë won" in page_text(app)
    app.file_uploader[0].set_value([("pad.csv", b"Category,Ann,Ben\nGold,4,12\nFields,8,9\n", "text/csv")])
    app.run()
    say_game(app)
    assert [any("write a row Total" in each.value for each in app.caption), "Ben won" in page_text(app)] == [
        True,
        False,
    ]
    (rows,) = (each for each in app.checkbox if "rows" in str(each.key))
    rows.check().run()
    assert "\nAnn, Ben; Ben won" in page_text(app)


def test_a_zone_is_given_on_the_page_and_remembered(import_page: AppTest, empty_workspace: Path) -> None:
    """The zone of times without one is stored in the workspace; an unknown zone is refused in words."""
    app = import_page
    app.text_input(key="zone").set_value("Atlantis").run()
    assert [each.value for each in app.error] == ["there is no time zone 'Atlantis'; write it as Europe/Berlin or UTC"]
    app.text_input(key="zone").set_value("Europe/Berlin").run()
    assert (empty_workspace / "tabletape.toml").read_text(encoding="utf-8") == 'zone = "Europe/Berlin"\n'


HARBOUR = """\
date,game,version,players,points,winner,minutes,fun
2026-09-04,Tea Market,v3,Mara; Tom,30; 21,Mara,44,3; 2
2026-09-04,Tea Market,v3,Mara; Tom; Elke,35; 35; 28,,50,4; 4; 1
2026-09-11,Tea Market,v4,Tom; Mara,20; 19,Tom,41,5; 2
"""
"""Three games, of the second of which nobody says who won."""


def with_harbour(app: AppTest) -> AppTest:
    """Hand these games in where it is known in which time zone they were played."""
    app.context = {"timezone": "Europe/Berlin"}
    app.file_uploader[0].set_value([("harbour.csv", HARBOUR.encode(), "text/csv")])
    return app.run()


def test_a_row_without_a_winner_is_asked_about_before_its_file_is_imported(
    import_page: AppTest, empty_workspace: Path
) -> None:
    """The answer can be taken back; with it the row is a game like the others, of its version."""
    app = with_harbour(import_page)
    assert "2 of 3 games of Tea Market. Is this right?" in page_text(app)
    assert f"**{escaped('Row 3: Mara 35, Tom 35, Elke 28')}**: nobody is named" in page_text(app)
    assert "version v3" in page_text(app)
    assert "Mara: fun 3; Tom: fun 2" in page_text(app)
    assert "Not read" not in page_text(app)
    button(app, "Tom won").click().run()
    assert escaped("You said it: row 3 is now won by Tom.") in page_text(app)
    button(app, "Take it back").click().run()
    assert "2 of 3 games" in page_text(app)
    button(app, "It was a draw").click().run()
    assert escaped("You said it: row 3 is now a draw.") in page_text(app)
    without_errors(button(app, "Import 3 games of Tea Market").click().run())
    with Log.open(empty_workspace / "tabletape.db") as log:
        games = log.games()
        assert {(each.game, each.edition) for each in games} == {("tea-market", "v3"), ("tea-market", "v4")}
        (result,) = (each for each in log.events(log.game("harbour-2")) if isinstance(each, ResultRecorded))
        assert (result.winners, result.scores) == ((), {"A": 35, "B": 35, "C": 28})
        assert log.quarantine() == []


def test_a_second_sheet_asks_the_same_and_so_does_a_row_that_was_kept_aside(
    import_page: AppTest, empty_workspace: Path
) -> None:
    """Read by what is remembered it says how many games it has; a row kept aside is answered by a click later."""
    app = with_harbour(import_page)
    without_errors(button(app, "Import 2 games of Tea Market").click().run())
    app = open_page("import")
    assert not [each for each in app.text_input if str(each.key).startswith("box")]
    without_errors(button(app, "It was a draw").click().run())
    assert [each.value for each in app.success] == [escaped("Row 3 is now a draw.")]
    with Log.open(empty_workspace / "tabletape.db") as log:
        assert len(log.games()) == 3
    app = open_page("import")
    app.file_uploader[0].set_value([("later.csv", HARBOUR.replace("2026-09", "2026-10").encode(), "text/csv")])
    app.run()
    assert escaped("2 of 3 games are read, and nothing is stored yet") in page_text(app)
    button(app, "Leave it out").click().run()
    assert escaped("You said it: row 3 is left out.") in page_text(app)
    without_errors(button(app, "Import these games").click().run())
    with Log.open(empty_workspace / "tabletape.db") as log:
        assert len(log.games()) == 5
        assert log.quarantine() == []


ODD = b"""\
when,game,who,best,lead,length,mood,said
2026-10-23,Tea Market,Mara; Tom,Tom,Mara,41,4,good pace
2026-10-24,Tea Market,Tom; Elke; Mara,Mara,Tom,52,3,upkeep forgotten
"""
"""A sheet of which two headings alone say what they mean."""


def test_which_column_says_what_is_asked_with_what_is_likely_chosen(
    import_page: AppTest, empty_workspace: Path
) -> None:
    """What stands in the cells tells who won and who began; the answers can be others, and no command is named."""
    app = import_page
    app.context = {"timezone": "Europe/Berlin"}
    app.file_uploader[0].set_value([("odd.csv", ODD, "text/csv")])
    app.run()
    chosen = {each.label.partition("?")[0]: each.value for each in app.selectbox}
    assert (chosen["Who played"], chosen["Who won"], chosen["Who began"]) == ("who", "best", "lead")
    assert (chosen["Which day"], chosen["The points of each"], chosen["How much fun, 1 to 5"]) == ("when", "", "mood")
    assert "tabletape" not in page_text(app)

    def say(asked: str, column: str) -> None:
        next(each for each in app.selectbox if each.label.startswith(asked)).set_value(column).run()

    say("Who began", "")
    say("Who won", "lead")
    assert "Mara won; 41 min; fun 4" in page_text(app)
    say("Who won", "best")
    say("Who began", "lead")
    without_errors(button(app, "Import 2 games of Tea Market").click().run())
    with Log.open(empty_workspace / "tabletape.db") as log:
        events = log.events(log.game("odd-1"))
    assert [type(each).__name__ for each in events] == [
        "GameStarted", "FirstPlayerChosen", "ResultRecorded", "FeedbackGiven"
    ]  # fmt: skip
    assert isinstance(events[3], FeedbackGiven)
    assert (events[3].fun, events[3].text) == (4, "good pace")


GUILDS = b"""\
When,Players,Winner,Kin,Weather,Afterwards
3 Sep,Ilse; Tom,Ilse,Smuggler; Warden,rain,too long
10 Sep,Tom; Ilse,Tom,Warden; Smuggler,sun,
"""
"""A sheet with columns that no heading explains, and days without a year."""


def test_a_column_that_nobody_knows_is_asked_about_and_so_is_the_year(
    import_page: AppTest, empty_workspace: Path
) -> None:
    """What is chosen is read so, the rest is left out; the days are those of the year that is said."""
    app = import_page
    app.context = {"timezone": "Europe/Berlin"}
    app.file_uploader[0].set_value([("guilds.csv", GUILDS, "text/csv")])
    app.run()
    say_game(app)
    for asked, meant in (("*Kin*", "the role or deck of each player"), ("*Afterwards*", "a remark")):
        box = next(each for each in app.selectbox if each.label.startswith(f"What is {asked}"))
        assert box.value == "leave it out"
        box.set_value(meant).run()
    weather = next(each for each in app.selectbox if each.label.startswith("What is *Weather*"))
    assert "a remark" not in weather.options
    next(each for each in app.number_input if each.label.startswith("Which year?")).set_value(2026).run()
    assert "\n3 September 2026: Ilse, Tom; Ilse won; Ilse: Smuggler, Tom: Warden; \u201ctoo long\u201d\n" in page_text(
        app
    )
    without_errors(button(app, "Import 2 games").click().run())
    with Log.open(empty_workspace / "tabletape.db") as log:
        games = log.games()
    assert [str(each.started_at)[:10] for each in games] == ["2026-09-03", "2026-09-10"]
    assert [seat.deck for seat in games[0].players] == ["Smuggler", "Warden"]


def test_a_sheet_with_a_word_twice_is_asked_about_as_a_sheet(import_page: AppTest) -> None:
    """Whatever seems to speak in its lines: a sheet of results is none of a chat."""
    app = import_page
    sheet = (
        b"When,Who sat down,Won by,Table,Thoughts\n3 Sep,Ilse; Tom,Ilse,club,too long\n4 Sep,Tom; Ilse,Tom,club,fine\n"
    )
    app.file_uploader[0].set_value([("club.csv", sheet, "text/csv")])
    app.run()
    chosen = {each.label.partition("?")[0]: each.value for each in app.selectbox}
    assert (chosen["Who played"], chosen["Who won"], chosen["What was said"]) == ("Who sat down", "Won by", "Thoughts")
