"""The page of imports, as a reader uses it: files handed in, lines mended, maps written."""

import json
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from dashboard.markdown_escape import JOINER, escaped
from dashboard.questions import ask
from events.log import Log
from projector.datasets.freshness import folder_of
from tests.dashboard.test_pages import ILLEGAL, WON, here, links, opened, said, sound

__all__ = ["here"]


@pytest.fixture
def handed_in(higher: Any, here: Path) -> AppTest:
    """Return the open page on which logs are handed in, in an empty workspace that knows Higher."""
    assert higher
    assert not list(here.glob("*.db"))
    return opened("import")


def evening(*lines: dict[str, Any], second_card: str = "two") -> bytes:
    """Return a log of Higher as a file."""
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


def hand_in(app: AppTest, *files: tuple[str, bytes]) -> AppTest:
    """Drop files into the page."""
    app.file_uploader[0].set_value([(name, content, "text/plain") for name, content in files])
    return sound(app.run())


def test_a_file_is_taken_with_its_findings_and_counted(handed_in: AppTest, here: Path) -> None:
    """A dropped log is in the log and in the datasets at once; its findings are links to their steps."""
    app = hand_in(handed_in, ("**my** evening.jsonl", evening(*ILLEGAL)))
    assert app.subheader[0].value == escaped("**my** evening.jsonl")
    assert "JSONL, 7 lines: 7 new events" in said(app)
    assert "game=g&step=7" in [link.query_string for link in links(app)]
    with Log.open(here / "tabletape.db") as log:
        assert [(each.game_id, each.file) for each in log.games()] == [("g", "**my** evening.jsonl")]
        assert ask("overview", folder_of(log))["games"].to_pylist() == [1]


def test_what_was_taken_before_grows_or_stays(handed_in: AppTest) -> None:
    """The same log again is unchanged, a longer one grows by its new events."""
    hand_in(handed_in, ("evening.jsonl", evening(*WON[:2])))
    assert ":gray-badge[unchanged] 1 game" in said(hand_in(handed_in, ("again.jsonl", evening(*WON[:2]))))
    app = hand_in(handed_in, ("longer.jsonl", evening(*WON)))
    assert ":blue-badge[grown] 1 game" in said(app)
    assert "JSONL, 9 lines: 2 new events" in said(app)


def test_a_log_that_contradicts_is_refused_until_it_is_taken_as_a_revision(handed_in: AppTest, here: Path) -> None:
    """The first difference is told; a button takes the file as the next revision of its game."""
    hand_in(handed_in, ("evening.jsonl", evening()))
    app = hand_in(handed_in, ("other.jsonl", evening(second_card="one")))
    assert "1 game of this file contradicts the log and was left out. Nothing of the file was kept" in said(app)
    assert "game 'g' contradicts the log: event 5 differs" in said(app)
    assert "tabletape import --revise other.jsonl" in said(app)
    next(button for button in app.button if button.label == "Take as a new revision").click().run()
    assert ":violet-badge[new revision] 1 game" in said(sound(app))
    with Log.open(here / "tabletape.db") as log:
        assert log.game("g").revision == 2


def test_what_was_kept_beside_a_refused_game_is_told(handed_in: AppTest) -> None:
    """Where one game of a file contradicts the log and another one is new, the page says which was taken."""
    hand_in(handed_in, ("evening.jsonl", evening()))
    both = evening(second_card="one") + evening().replace(b'"id":"g"', b'"id":"h"').replace(b'"id": "g"', b'"id": "h"')
    app = hand_in(handed_in, ("both.jsonl", both))
    assert "1 game of this file contradicts the log and was left out; what is new in 1 other game was taken" in said(
        app
    )
    assert ":green-badge[new] 1 game" in said(app)


def test_a_file_whose_bad_line_was_mended_is_taken(handed_in: AppTest) -> None:
    """A file that contradicts nothing but its own quarantined line is the next revision of its game."""
    bad = {"type": "card.plyd", "player": "A", "card": "A:four"}
    app = hand_in(handed_in, ("evening.jsonl", evening(bad, *WON[1:])))
    assert "In quarantine" in [each.value for each in app.subheader]
    app = hand_in(handed_in, ("evening.jsonl", evening(*WON)))
    assert ":violet-badge[new revision] 1 game" in said(app)
    assert "In quarantine" not in [each.value for each in app.subheader]


def button(app: AppTest, label: str) -> Any:
    """Return the first button with a label."""
    return next(each for each in app.button if each.label.replace("\\", "").replace(JOINER, "") == label)


def box(app: AppTest) -> Any:
    """Return the box of the first line in quarantine."""
    return next(each for each in app.text_input if str(each.key).startswith("box"))


def test_a_line_in_quarantine_is_mended_by_a_click(handed_in: AppTest, here: Path) -> None:
    """What was probably meant stands on a button; pressed, the line is in its game and no longer in the list."""
    bad = {"type": "card.plyd", "player": "A", "card": "A:four"}
    app = hand_in(handed_in, ("evening.jsonl", evening(bad, *WON[1:])))
    app = sound(button(app, "Take type = card.played").click().run())
    assert "g (revision 2)" in said(app).replace("\\", "").replace(JOINER, "")
    with Log.open(here / "tabletape.db") as log:
        assert [event.type for event in log.stored(log.game("g"))][5] == "card.played"
        assert log.quarantine() == []
    assert "In quarantine" not in [each.value for each in app.subheader]


def test_a_line_in_quarantine_is_written_right_or_passed_over(handed_in: AppTest, here: Path) -> None:
    """A box holds the line to be changed; a line that says nothing is passed over; nonsense is refused in words."""
    bad = {"type": "card.played", "player": "A"}
    app = hand_in(handed_in, ("evening.jsonl", evening({"type": "pizza"}, bad, *WON[1:])))
    app = sound(button(app, "Pass it over").click().run())
    box(app).set_value("{oops")
    button(app, "Write it so").click()
    app.run()
    assert "begins as JSON" in said(app)
    box(app).set_value("type = card.played | player = Ann | card = A:four")
    sound(button(app, "Write it so").click().run())
    with Log.open(here / "tabletape.db") as log:
        assert log.quarantine() == []
        assert json.loads(log.stored(log.game("g"))[5].body)["card"] == "A:four"


def test_a_bad_line_of_a_file_that_is_not_kept_is_not_in_quarantine(handed_in: AppTest) -> None:
    """Where nothing of a file was kept, its unreadable lines did not go to quarantine, and the page does not say so."""
    hand_in(handed_in, ("evening.jsonl", evening()))
    app = hand_in(handed_in, ("other.jsonl", evening({"type": "card.plyd", "player": "A"}, second_card="one")))
    assert "0 new events, 1 line that cannot be read" in said(app)
    assert "it did not go to quarantine" in said(app)


def test_lines_that_cannot_be_read_are_told_with_their_place(handed_in: AppTest) -> None:
    """A bad line is reported with file, line and column, what is wrong and what may help; the rest is taken."""
    app = hand_in(handed_in, ("evening.jsonl", evening({"type": "card.plyd", "player": "A"}, *WON)))
    assert "JSONL, 10 lines: 10 new events, 1 line in quarantine" in said(app)
    (place,) = [each.value for each in app.markdown if "evening\\.jsonl" in each.value and "6" in each.value]
    assert "no event type" in place
    assert any("card\\.played" in each.label for each in app.button)


def test_a_file_that_is_no_log_is_told_so(handed_in: AppTest) -> None:
    """A picture is refused with a reason, and nothing of it is kept."""
    app = handed_in
    app.file_uploader[0].set_value([("photo.png", b"\x89PNG\r\n\x1a\n\x00\x00", "image/png")])
    app.run()
    assert not app.exception
    assert [each.value for each in app.error] == ["Nothing was taken from this file."]
    assert app.dataframe[0].value.to_dict("records")[0]["where"] == "photo.png"


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


def test_a_chat_is_read_by_a_map_that_the_page_helps_to_write(handed_in: AppTest, here: Path) -> None:
    """An unknown file is followed by the steps to its map; saved, it reads the file, and the next one like it."""
    app = handed_in
    app.file_uploader[0].set_value([("friday.txt", CHAT.encode(), "text/plain")])
    app.run()
    assert not app.exception
    assert "It looks like a log of 10 lines" in said(app)
    assert app.text_input(key=next(each.key for each in app.text_input if "players" in each.key)).value == "Ann, Ben"
    assert "friday: Ann, Ben; Ann began" in said(app)
    assert "Ann won" in said(app)
    assert "line 6: card.moved  player = A | card = A:paper-lamp | from = hand | to = table" in said(app)
    sound(button(app, "Save the map and import").click().run())
    with Log.open(here / "tabletape.db") as log:
        assert [(each.game, each.file) for each in log.games()] == [("tabletop", "friday.txt")]
    assert (here / "maps" / "friday.map.toml").is_file()
    assert "In quarantine" in [each.value for each in app.subheader]


def test_results_are_read_by_their_columns_from_the_page(handed_in: AppTest, here: Path) -> None:
    """Of a sheet of results the columns are shown that say who played and who won, and its games in words."""
    app = handed_in
    sheet = b"Who,Won by,How long\nAnn & Ben,Ann,40\nBen & Cem,Cem,35\n"
    app.file_uploader[0].set_value([("fridays.csv", sheet, "text/csv")])
    app.run()
    assert not app.exception
    assert "It looks like results" in said(app)
    sound(button(app, "Save the map and import").click().run())
    with Log.open(here / "tabletape.db") as log:
        assert len(log.games()) == 2


def test_a_zone_is_said_on_the_page_and_remembered(handed_in: AppTest, here: Path) -> None:
    """The zone of times that name none is written into the workspace; one that there is not is refused in words."""
    app = handed_in
    app.text_input(key="zone").set_value("Atlantis").run()
    assert [each.value for each in app.error] == ["there is no time zone 'Atlantis'; write it as Europe/Berlin or UTC"]
    app.text_input(key="zone").set_value("Europe/Berlin").run()
    assert (here / "tabletape.toml").read_text(encoding="utf-8") == 'zone = "Europe/Berlin"\n'
