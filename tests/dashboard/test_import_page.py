"""The import page, as a user sees it: files are uploaded, lines mended, maps written."""

import json
import re
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from tabletape.dashboard.markdown_escape import JOINER, escaped
from tabletape.dashboard.questions import ask
from tabletape.events.importing import Options, import_paths
from tabletape.events.log import Log
from tabletape.projector.datasets.freshness import folder_of
from tests.dashboard.test_pages import ILLEGAL, empty_workspace, links, open_page, page_text, without_errors
from tests.written_games import ANN_WINS

__all__ = ["empty_workspace"]


@pytest.fixture
def import_page(higher: Any, empty_workspace: Path) -> AppTest:
    """Open the import page in an empty workspace that knows Higher."""
    assert higher
    assert not list(empty_workspace.glob("*.db"))
    return open_page("import")


def evening(*lines: dict[str, Any], second_card: str = "two") -> bytes:
    """Return the content of a log of Higher."""
    cards = ["one", "two", "three", "four", "five", "six"]
    players = [{"id": "A", "name": "Ann"}, {"id": "B", "name": "Ben"}]
    whole: list[dict[str, Any]] = [
        {"type": "game.started", "game": "higher", "edition": "first", "id": "g", "players": players, "rulings": {}},
        *({"type": "deck.declared", "player": player, "cards": cards} for player in "AB"),
        {"type": "cards.drawn", "player": "A", "cards": ["A:one", "A:four", "A:six"]},
        {"type": "cards.drawn", "player": "B", "cards": [f"B:{second_card}", "B:three", "B:six"]},
        *lines,
    ]
    return "".join(json.dumps(line) + "\n" for line in whole).encode()


def upload(app: AppTest, *files: tuple[str, bytes]) -> AppTest:
    """Upload files to the page."""
    app.file_uploader[0].set_value([(name, content, "text/plain") for name, content in files])
    return without_errors(app.run())


def test_a_file_is_imported_with_its_findings_and_counted(import_page: AppTest, empty_workspace: Path) -> None:
    """An uploaded log is stored and in the datasets at once; its findings are links to their steps."""
    app = upload(import_page, ("**my** evening.jsonl", evening(*ILLEGAL)))
    assert app.subheader[0].value == escaped("**my** evening.jsonl")
    assert "JSONL, 7 lines: 7 new events" in page_text(app)
    assert "game=g&step=7" in [link.query_string for link in links(app)]
    assert "day=without+a+date" in [link.query_string for link in links(app)]
    (taken,) = [link.label for link in links(app) if ":green-badge[new]" in link.label]
    assert escaped("Ann, Ben: not finished") in taken
    with Log.open(empty_workspace / "tabletape.db") as log:
        assert [(each.game_id, each.file) for each in log.games()] == [("g", "**my** evening.jsonl")]
        assert ask("overview", folder_of(log))["games"].to_pylist() == [1]


def test_a_game_that_was_imported_before_grows_or_stays(import_page: AppTest) -> None:
    """The same log again is unchanged, a longer one grows by its new events."""
    upload(import_page, ("evening.jsonl", evening(*ANN_WINS[:2])))
    assert ":gray-badge[unchanged] 1 game" in page_text(upload(import_page, ("again.jsonl", evening(*ANN_WINS[:2]))))
    app = upload(import_page, ("longer.jsonl", evening(*ANN_WINS)))
    assert ":blue-badge[grown] 1 game" in page_text(app)
    assert "JSONL, 9 lines: 2 new events" in page_text(app)


def test_a_contradicting_log_is_refused_until_it_is_accepted_as_a_revision(
    import_page: AppTest, empty_workspace: Path
) -> None:
    """The page shows the first difference; a button imports the file as the next revision of its game."""
    upload(import_page, ("evening.jsonl", evening()))
    app = upload(import_page, ("other.jsonl", evening(second_card="one")))
    assert "1 game of this file contradicts the log and was left out. Nothing of the file was kept" in page_text(app)
    assert "game 'g' contradicts the log: event 5 differs" in page_text(app)
    assert "tabletape import --revise other.jsonl" in page_text(app)
    next(button for button in app.button if button.label == "Take as a new revision").click().run()
    assert ":violet-badge[new revision] 1 game" in page_text(without_errors(app))
    with Log.open(empty_workspace / "tabletape.db") as log:
        assert log.game("g").revision == 2


def test_new_games_beside_a_refused_one_are_reported(import_page: AppTest) -> None:
    """If one game of a file contradicts the log and another one is new, the page says what was imported."""
    upload(import_page, ("evening.jsonl", evening()))
    both = evening(second_card="one") + evening().replace(b'"id":"g"', b'"id":"h"').replace(b'"id": "g"', b'"id": "h"')
    app = upload(import_page, ("both.jsonl", both))
    assert (
        "1 game of this file contradicts the log and was left out; what is new in 1 other game was taken"
        in page_text(app)
    )
    assert ":green-badge[new] 1 game" in page_text(app)


def test_a_file_whose_bad_line_was_mended_is_imported(import_page: AppTest) -> None:
    """A file that contradicts only its own quarantined line is the next revision of its game."""
    bad = {"type": "card.plyd", "player": "A", "card": "A:four"}
    app = upload(import_page, ("evening.jsonl", evening(bad, *ANN_WINS[1:])))
    assert "Lines that could not be read" in [each.value for each in app.subheader]
    app = upload(import_page, ("evening.jsonl", evening(*ANN_WINS)))
    assert ":violet-badge[new revision] 1 game" in page_text(app)
    assert "Lines that could not be read" not in [each.value for each in app.subheader]


def button(app: AppTest, label: str) -> Any:
    """Return the first button with a label."""
    return next(each for each in app.button if each.label.replace("\\", "").replace(JOINER, "") == label)


def test_how_a_file_is_read_is_confirmed_by_a_click(empty_workspace: Path) -> None:
    """Until then every page asks; the click takes the mark out of the map, and the games stay as they are."""
    (empty_workspace / "s.csv").write_text("Players,Winner\nAnn & Ben,Ann\nAnn & Ben,Ben\n", encoding="utf-8")
    columns = '[columns]\nplayers = "Players"\nwinner = "Winner"\n'
    proposal = f'map = 1\ngame = "tabletop"\nshape = "results"\nid = "{{file}}-{{n}}"\nproposed = true\n{columns}'
    (empty_workspace / "s.map.toml").write_text(proposal, encoding="utf-8")
    with Log.open(empty_workspace / "tabletape.db", create=True) as log:
        import_paths(log, [empty_workspace / "s.csv"], Options(workspace=empty_workspace))
        before = [each.game_id for each in log.games()]
    app = open_page("overview")
    assert any("Nobody has confirmed how" in each.value for each in app.warning)
    without_errors(button(app, "It is right").click().run())
    assert not [each for each in app.button if each.label == "It is right"]
    assert "proposed" not in (empty_workspace / "s.map.toml").read_text(encoding="utf-8")
    with Log.open(empty_workspace / "tabletape.db") as log:
        assert [each.game_id for each in log.games()] == before


def box(app: AppTest) -> Any:
    """Return the box of the first line in quarantine."""
    return next(each for each in app.text_input if str(each.key).startswith("box"))


def tables_of(app: AppTest) -> str:
    """Return the tables of a page as they are written."""
    shown = "".join(str(each.proto.body) for each in app.get("html"))
    return re.sub(r"<td data-is=[^>]*>", "<td>", shown)


def test_a_line_in_quarantine_is_mended_by_a_click(import_page: AppTest, empty_workspace: Path) -> None:
    """A button has the suggestion; after a click the line is in its game and no longer in the list."""
    bad = {"type": "card.plyd", "player": "A", "card": "A:four"}
    app = upload(import_page, ("evening.jsonl", evening(bad, *ANN_WINS[1:])))
    app = without_errors(button(app, "Take type = card.played").click().run())
    assert [each.value for each in app.success] == [escaped("Saved: it changes g.")]
    with Log.open(empty_workspace / "tabletape.db") as log:
        assert [event.type for event in log.stored(log.game("g"))][5] == "card.played"
        assert log.quarantine() == []
    assert "Lines that could not be read" not in [each.value for each in app.subheader]


def test_a_line_in_quarantine_is_corrected_or_passed_over(import_page: AppTest, empty_workspace: Path) -> None:
    """A box holds the line to be changed; a line without meaning is passed over; nonsense is refused in words."""
    bad = {"type": "card.played", "player": "A"}
    app = upload(import_page, ("evening.jsonl", evening({"type": "pizza"}, bad, *ANN_WINS[1:])))
    app = without_errors(button(app, "Leave it out").click().run())
    box(app).set_value("{oops")
    button(app, "Save the line").click()
    app.run()
    assert "begins as JSON" in page_text(app)
    box(app).set_value("type = card.played | player = Ann | card = A:four")
    without_errors(button(app, "Save the line").click().run())
    with Log.open(empty_workspace / "tabletape.db") as log:
        assert log.quarantine() == []
        assert json.loads(log.stored(log.game("g"))[5].body)["card"] == "A:four"


def test_a_bad_line_of_a_file_that_is_not_kept_is_not_in_quarantine(import_page: AppTest) -> None:
    """If nothing of a file was stored, its unreadable lines are not kept either, and the page says so."""
    upload(import_page, ("evening.jsonl", evening()))
    app = upload(import_page, ("other.jsonl", evening({"type": "card.plyd", "player": "A"}, second_card="one")))
    assert "0 new events, 1 line that cannot be read" in page_text(app)
    assert "Nothing of the file was kept" in page_text(app)
    assert "Lines that could not be read" not in [each.value for each in app.subheader]


def test_lines_that_cannot_be_read_are_reported_with_their_place(import_page: AppTest) -> None:
    """A bad line is reported with file and line, the mistake and a suggestion; the rest is imported.

    Below the next file it is folded, under the name of its own.
    """
    app = upload(import_page, ("evening.jsonl", evening({"type": "card.plyd", "player": "A"}, *ANN_WINS)))
    assert "JSONL, 10 lines: 10 new events, 1 line kept aside" in page_text(app)
    (place,) = [each.value for each in app.markdown if "evening\\.jsonl" in each.value and "6" in each.value]
    assert "no event type" in place
    assert any("card\\.played" in each.label for each in app.button)
    app = upload(app, ("second.jsonl", evening(*ANN_WINS).replace(b'"g"', b'"h"')))
    assert "Lines that could not be read" not in [each.value for each in app.subheader]
    assert [each.label for each in app.expander if "could not" in each.label] == [
        f"1 line of {escaped('evening.jsonl')} that could not be read"
    ]


def test_a_file_that_is_no_log_is_refused(import_page: AppTest) -> None:
    """A picture is refused with a reason."""
    app = import_page
    app.file_uploader[0].set_value([("photo.png", b"\x89PNG\r\n\x1a\n\x00\x00", "image/png")])
    app.run()
    assert not app.exception
    assert [each.value for each in app.error] == ["Nothing was taken from this file."]
    assert "photo.png: " in page_text(app)


CHAT = """\
Ann joins the table
Ben joins the table
Ann begins
Ann draws 5 cards
Ben draws 5 cards
Ann plays Paper Lamp from hand
Ben plays Tea from hand
Ann plays Old Bridge from hand
Ben wriggles
Ann wins the game
"""


def say_game(app: AppTest) -> None:
    """Say of every file that is asked about that it is of a game without rules: nothing is taken for granted."""
    for place in range(sum(str(each.key).startswith("map game") for each in app.selectbox)):
        asked = [each for each in app.selectbox if str(each.key).startswith("map game")][place]
        assert asked.value is None
        asked.set_value("tabletop").run()


def test_a_chat_is_read_by_a_map_that_the_page_helps_to_write(import_page: AppTest, empty_workspace: Path) -> None:
    """For an unknown file the page shows the steps to a map; the saved map reads the file."""
    app = import_page
    app.file_uploader[0].set_value([("friday.txt", CHAT.encode(), "text/plain")])
    app.run()
    say_game(app)
    assert not app.exception
    assert re.findall(r"[^\n]*\d lines?\b[^\n]*", page_text(app)) == ["7 of 10 lines read, 2 passed over."]
    (players,) = (each.value for each in app.text_input if "players" in str(each.key))
    assert players == "Ann, Ben"
    assert "Tabletop\\: Ann\\, Ben\\; Ann began" in page_text(app)
    assert "Ann won" in page_text(app)
    assert not app.date_input
    assert 'event = "card.moved"' in str(app.text_area[0].value)
    without_errors(button(app, "Import 1 game").click().run())
    assert "\n1 line kept aside\n" in page_text(app)
    with Log.open(empty_workspace / "tabletape.db") as log:
        assert [(each.game, each.file) for each in log.games()] == [("tabletop", "friday.txt")]
    assert (empty_workspace / "maps" / "friday.map.toml").is_file()
    assert "Lines that could not be read" in [each.value for each in app.subheader]


def test_what_names_a_card_and_no_move_is_asked_about_on_the_page(import_page: AppTest) -> None:
    """One tick reads all of these as cards that are laid, and what they bring."""
    lines = "Ann: Fox, +2 coins\nBen: Owl -1\nAnn: Bear +1\nBen: Fox, +2 coins\nAnn: haha\nBen: Owl, -1 coin\n"
    app = import_page
    app.file_uploader[0].set_value([("compact.txt", lines.encode(), "text/plain")])
    app.run()
    say_game(app)
    (asked,) = (each for each in app.checkbox if "a card and no move" in each.label)
    assert asked.label.replace("\\", "").startswith("5 lines name a card and no move, such as \u201cAnn: Fox, +2 coins")
    assert 'event = "counter.changed"' not in str(app.text_area[0].value)
    without_errors(asked.check().run())
    assert str(app.text_area[0].value).count('event = "card.moved"') == 4
    assert 'event = "counter.changed"' in str(app.text_area[0].value)


def type_game(app: AppTest, name: str) -> AppTest:
    """Type the name of a game that is not in the list."""
    asked = next(each for each in app.selectbox if str(each.key).startswith("map game"))
    asked.options.append(name)  # A browser sends what is typed; AppTest only what is in the list.
    asked.set_value(name)
    return app


RESULTS = b"Date,Players,Winner\n2026-09-04,Jana; Piet,Jana\n2026-09-11,Jana; Piet,Piet\n"


def test_a_game_that_is_new_is_begun_by_its_name(import_page: AppTest, empty_workspace: Path) -> None:
    """Its name is typed, its file begins with it, and the results are its own."""
    app = import_page
    app.file_uploader[0].set_value([("fridays.csv", RESULTS, "text/csv")])
    app.run()
    type_game(app, "Will-o'-Wisps").run()
    assert "4 September 2026: Jana, Piet; Jana won" in page_text(app)
    assert not (empty_workspace / "games").exists()
    button(type_game(app, "Will-o'-Wisps"), "Import 2 games of Will-o'-Wisps").click().run()
    written = (empty_workspace / "games" / "will-o-wisps.toml").read_text(encoding="utf-8")
    assert written.startswith('title = "Will-o\'-Wisps"\n')
    assert not app.exception
    with Log.open(empty_workspace / "tabletape.db") as log:
        assert {each.game for each in log.games()} == {"will-o-wisps"}


def test_where_nearly_nothing_is_read_the_page_asks_first_what_the_lines_are(import_page: AppTest) -> None:
    """Of a game whose rules are code a chat is a result: that is said, with the way on; a said winner is no line."""
    app = import_page
    chat = CHAT.replace("Ann begins\n", "").replace("Ann wins the game\n", "")
    app.file_uploader[0].set_value([("friday.txt", chat.encode(), "text/plain")])
    app.run()
    next(each for each in app.selectbox if str(each.key).startswith("map game")).set_value("crystal").run()
    button(app, "Ann won").click().run()
    assert not app.exception
    (what, *_) = (each.value for each in app.markdown if each.value.startswith("##### "))
    assert what.endswith("from this chat, and not its moves: 6 of 8 lines cannot be read.")
    assert any(link.page.endswith("keep") for link in links(app))
    (leaving,) = (each for each in app.button if each.label.startswith("Import "))
    assert (leaving.label, leaving.proto.type) == ("Import 1 game, and leave 6 lines as they were said", "primary")
    assert "0 of 8 lines read, 2 passed over, and who won as you said it." in [each.value for each in app.caption]


def test_who_won_is_asked_where_no_line_of_a_chat_says_it(import_page: AppTest, empty_workspace: Path) -> None:
    """A tap says it, and stands behind the lines as one of them; it can be taken back."""
    app = import_page
    lines = [f"{who}: {words}" for who in ("Ann", "Ben") for words in ("hello", "my go", "well", "that was nice")]
    app.file_uploader[0].set_value([("talk.txt", "\n".join(lines).encode(), "text/plain")])
    app.run()
    say_game(app)
    assert not any(each.label.startswith("Import 1") for each in app.button)
    button(app, "Ben won").click().run()
    assert "Ann\\, Ben\\; Ben won" in page_text(app)
    button(app, "Take it back").click().run()
    button(app, "Ann won").click().run()
    without_errors(button(app, "Import 1 game").click().run())
    with Log.open(empty_workspace / "tabletape.db") as log:
        (stored,) = log.games()
        assert json.loads(log.stored(stored)[-1].body)["winner"] == "A"
        assert b"".join(log.raw_content(log.arrivals()[-1].file)).splitlines()[-1] == b"Ann won"


def test_the_day_of_a_chat_that_has_times_alone_is_asked(import_page: AppTest, empty_workspace: Path) -> None:
    """What is said goes into the map, so that the games have an evening."""
    app = import_page
    timed = "".join(f"[19:{number:02}] {line}\n" for number, line in enumerate(CHAT.splitlines()))
    app.file_uploader[0].set_value([("friday.txt", timed.encode(), "text/plain")])
    app.run()
    say_game(app)
    next(each for each in app.text_input if str(each.key).startswith("map zone")).set_value("UTC")
    without_errors(app.date_input[0].set_value(date(2026, 5, 1)).run())
    without_errors(button(app, "Import 1 game").click().run())
    with Log.open(empty_workspace / "tabletape.db") as log:
        assert [each.started_at for each in log.games()] == ["2026-05-01T19:02:00Z"]


def test_who_plays_is_asked_on_the_page_where_no_name_begins_lines(import_page: AppTest) -> None:
    """The page goes on with what is said there; what stands before each line can be said, too."""
    app = import_page
    lines = [f"~{number} @table {line}\n" for number, line in enumerate(CHAT.splitlines())]
    app.file_uploader[0].set_value([("friday.txt", "".join(lines).encode(), "text/plain")])
    app.run()
    say_game(app)
    assert "No name begins several of its lines: say who plays." in [each.value for each in app.caption]
    (prefix,) = (each for each in app.text_input if "prefix" in str(each.key))
    prefix.set_value("~{n:number} @table ").run()
    assert "Tabletop\\: Ann\\, Ben\\; Ann began" in page_text(app)


def test_what_is_not_read_is_said_on_the_page(import_page: AppTest) -> None:
    """Before anything is stored a column without a meaning is named, and which figure is the month is asked."""
    app = import_page
    sheet = b"Date,Who,Won by,Fun,Rain\n03/01/2026,Ann & Ben,Ann,4,wet\n05/02/2026,Ben & Cem,Cem,3,dry\n"
    app.file_uploader[0].set_value([("fridays.csv", sheet, "text/csv")])
    app.run()
    say_game(app)
    captions = [each.value for each in app.caption]
    assert not app.exception
    assert any("1 column not read" in each and "Rain" in each for each in captions)
    assert any("is the day nothing says" in each for each in captions)
    (order,) = (each for each in app.radio if "days" in str(each.key))
    order.set_value("the day").run()
    assert not any("is the day nothing says" in each.value for each in app.caption)
