"""The page My game: the mistakes of a file, how often its rules were kept, and a new rule tried out and written."""

import json
import re
from collections.abc import Iterator
from html import unescape
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash
from typer.testing import CliRunner

from tabletape.cli.main import app as command
from tabletape.dashboard.sections import freshness
from tabletape.dashboard.sections.map_steps import BROUGHT
from tabletape.dashboard.workspace import VARIABLE
from tabletape.events.vocabulary.open_games import look_in
from tests.chromium import in_browser
from tests.chromium import press as press_in_browser
from tests.dashboard.serving import serving
from tests.waiting import PATIENCE

APP = Path(__file__).parents[2] / "dashboard" / "entry" / "app.py"
GAMES = Path(__file__).parents[1] / "recordings" / "own_games"
FILE = """title = "Lanterns"
[zones]
hand = "own"
table = "shared"
[counters]
tokens = { start = 1, max = 8 }
[move.clue]
fields.to = { is = "other player", says = "A clue is given to another player.", cite = "L17" }
does = ["tokens - 1"]
"""
RULE = {"move": "clue", "name": "tokens", "that": "tokens > 0", "says": "A clue costs a token.", "cite": "L18"}


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Make a workspace with an own game and one game in its log, in which Ann clues three times."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(VARIABLE, str(tmp_path / "tabletape.db"))
    # Whatever changed more than ten seconds ago is counted by itself, and a page that is slower is drawn anew.
    monkeypatch.setattr(freshness, "QUICK", 0)
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "lanterns.toml").write_text(FILE)
    seats = [{"id": "A", "name": "Ann"}, {"id": "B", "name": "Ben"}]
    head = {"type": "game.started", "game": "lanterns", "edition": "v1", "id": "friday", "players": seats}
    clues = [{"type": "move.clue", "player": "A", "to": each} for each in "BAB"]
    (tmp_path / "friday.jsonl").write_text("".join(json.dumps(each) + "\n" for each in (head, *clues)))
    assert CliRunner().invoke(command, ["import", "friday.jsonl"]).exit_code == 0
    yield tmp_path
    look_in(APP.parent)


def open_page() -> AppTest:
    """Open the page."""
    app = AppTest.from_file(str(APP), default_timeout=PATIENCE)
    app._page_hash = calc_hash("my-game")
    app.run()
    assert not app.exception
    return app


def page_text(app: AppTest) -> str:
    """Return the texts of the page."""
    parts: tuple[Any, ...] = (*app.text, *app.caption, *app.markdown, *app.error, *app.success, *app.info)
    return "\n".join(str(each.value).replace("\\", "") for each in parts)


def tables(app: AppTest) -> list[list[str]]:
    """Return the cells of the page's tables, row by row, and the items of its lists."""
    shown = "".join(str(each.proto.body) for each in app.main if each.type == "html")
    rows = re.findall(r"<tr>(<td.*?)</tr>", shown) + re.findall(r"<li>.*?</li>", shown)
    return [[unescape(cell) for cell in re.findall(r"<(?:td|li)\b[^>]*>(.*?)</(?:td|li)>", row)] for row in rows]


def press(app: AppTest, label: str, **answers: str) -> AppTest:
    """Fill in the form of a new rule and press a button."""
    for key, answer in answers.items():
        (app.selectbox if key == "move" else app.text_input)(key=key).set_value(answer)
    next(each for each in app.button if each.label.replace("\\", "") == label).click()
    app.run()
    assert not app.exception
    return app


def test_a_rule_is_counted_tried_and_written(place: Path) -> None:
    """Kept and broken are counted; trying a rule stores nothing; what is no rule says why; writing puts it behind."""
    file = place / "games" / "lanterns.toml"
    app = open_page()
    assert tables(app)[0] == ["A clue is given to another player. (L17)", "2", "1", "in 1 of 1 game"]
    assert "In 1 stored game: of 1 rule 1 broken (1 line), 0 always kept." in page_text(app)
    before = (place / "tabletape.db").read_bytes()
    press(app, "Try it: nothing is stored", **RULE)
    assert "In the game of Ann, Ben it finds 1 line." in page_text(app)
    assert tables(app)[-1][:2] == ["4", "Ann: clue Ben"]
    assert "Here there are no tokens; one is needed." in tables(app)[-1][2]
    press(app, "Write it into the file", that="tokns > 0")
    assert "What has to be so then: nothing is called `tokns`" in page_text(app)
    assert "lanterns.toml:12" not in page_text(app)
    assert (file.read_text(), (place / "tabletape.db").read_bytes()) == (FILE, before)
    press(app, "Write it into the file", **RULE)
    assert "Written at the end of the file." in page_text(app)
    assert [row[2] for row in tables(open_page()) if len(row) == 4] == ["1", "1"]


def test_a_file_with_mistakes_shows_them_with_their_places(place: Path) -> None:
    """All mistakes stand on the page with line and column above the file."""
    file = place / "games" / "lanterns.toml"
    file.write_text(FILE.replace("tokens - 1", "tokns - 1").replace('cite = "L17"', 'cit = "L17"'))
    shown = page_text(open_page())
    assert "lanterns.toml:8: [move.clue.fields.to.cit] `cit` is not known here; did you mean `cite`?" in shown
    assert "lanterns.toml:9" in shown
    assert open_page().code[0].value == file.read_text().strip()


def test_who_has_no_game_begins_with_the_example_of_the_documentation(place: Path) -> None:
    """One button brings its chat and its rulebook, which are those of the tutorial; then it is a game like another."""
    (place / "games" / "lanterns.toml").unlink()
    app = open_page()
    press(app, "Begin with an example, Millpond")
    text = page_text(app)
    assert "2. The chat of an evening: millpond-evening.txt\n3. Its rulebook: rulebook.txt\n12 lines of Mara" in text
    assert not app.file_uploader, "no empty box asks for what is there"
    press(app, "Take other files")
    assert [each.key for each in app.file_uploader] == ["begin chat", "begin rulebook", "begin cards"]
    press(app, "Begin with an example, Millpond")
    press(app, "Read the chat")
    assert app.title[0].value == "My game: Millpond"
    assert "Read: 17 moves in 9 lines; 0 lines left open; 3 of talk." in page_text(app)
    accusing = "accuses millpond-evening, line 9: 02.10.26, 19:10 - Jonas: and play a frog"
    assert accusing in page_text(app), "the chat lies in the log alone"
    tutorial = (APP.parents[2] / "docs" / "my-game.md").read_text(encoding="utf-8")
    for file in (APP.parents[1] / "own_game" / "example").iterdir():
        assert f"\n{file.read_text(encoding='utf-8')}```" in tutorial, file.name


def test_a_chat_that_lies_unread_is_asked_about_and_what_no_chat_says_is_named(place: Path) -> None:
    """It is read by the file that is there; a move that no map says, or a map that fits no more, is said."""
    (place / "saturday.txt").write_text("Ann: clue ben\nBen: clue ann\nAnn: clue ben\nBen: hello\n")
    (place / "rulebook.txt").write_text("Lanterns\n\nA clue is given to another player.\n")
    file = place / "games" / "lanterns.toml"
    file.write_text(FILE + "[move.hum]\n")
    app = open_page()
    assert app.selectbox(key="unread").options == ["saturday.txt"]
    app.selectbox(key="unread").select("saturday.txt").run()
    assert "4 lines of Ann, Ben." in page_text(app)
    press(app, "Read it as a chat of this game")
    assert "Read: 3 moves in 3 lines; 0 lines left open; 1" in page_text(app)
    assert [each.value.replace("\\", "") for each in app.warning] == [
        "The file has hum, and no map of a chat says so: rules about it accuse nobody."
    ]
    assert not any(each.key == "unread" for each in app.selectbox)
    file.write_text(FILE.replace("move.clue", "move.hint"))
    (said,) = (each.value.replace("\\", "") for each in open_page().warning if "saturday" in each.value)
    assert said.startswith("saturday.map.toml reads nothing any more: ")
    assert said.endswith("has no event type `move.clue`. Write the move back into the file, or change the map.")


def test_a_game_is_begun_from_its_chat_and_a_sentence_is_watched(place: Path) -> None:
    """The chat and the rulebook begin the file; a sentence shows the line that breaks it before it is written."""
    (place / "games" / "lanterns.toml").unlink()
    app = open_page()
    app.text_input(key="begin title").set_value("Bazaar")
    for key, kind in (("begin chat", "evening"), ("begin rulebook", "rulebook")):
        content = (GAMES / f"bazaar-{kind}.txt").read_bytes()
        app.file_uploader(key=key).set_value([(f"{kind}.txt", content, "text/plain")])
    app.run()
    assert "24 lines of Nia, Omar, Pia." in page_text(app)
    assert [each.value for each in app.text_input][1:3] == ["buy, trade, pass, sell", "pepper, saffron, silk"]
    press(app, "Read the chat")
    assert app.title[0].value == "My game: Bazaar"
    assert "No sentence is watched yet." in page_text(app)
    app.selectbox(key="sentence").select_index(6).run()
    assert "Read as: sell with saffron: at most 1 card at once." in page_text(app)
    assert [row[0][-7:].strip(" ,") for row in tables(app)[-2:]] == ["line 9", "line 12"]
    file = place / "games" / "bazaar.toml"
    assert "needs" not in file.read_text()
    press(app, "It is meant so: write it into the file")
    assert "[move.sell.needs.saffron-cards-1]" in file.read_text()
    assert [row[2] for row in tables(app) if row[0].startswith("Saffron is always sold alone")] == ["2"]
    app.selectbox(key="sentence").set_value(None)
    app.text_input(key="own sentence").set_value("Silk may be sold alone.").run()
    assert "it allows something, which no line can break" in page_text(app)
    app.text_input(key="own sentence").set_value("One sells at least two cards unless it rains.").run()
    assert any("sell: at least 2 cards at once" in each.options for each in app.selectbox)
    app.text_input(key="own sentence").set_value("One sells at least two cards.").run()
    assert "Read as: sell: at least 2 cards at once." in page_text(app)
    assert re.search(r"\d+ lines of sell were judged[.,]", page_text(app).replace("`", ""))
    press(app, "It is meant so: write it into the file")
    assert 'cite = "own words"' in file.read_text()
    assert "Written: One sells at least two cards." in page_text(app)
    assert app.text_input(key="own sentence").value == ""
    press(app, "Take back: One sells at least two cards.")
    assert 'cite = "own words"' not in file.read_text()
    press(app, "Take back: Saffron is always sold alone.")
    assert "needs" not in file.read_text(), "one after another"
    assert not [each for each in app.button if each.label.startswith("Take back")]
    assert not [each for each in app.button if each.label.startswith("It is meant so")], "what is written is cleared"
    app.text_input(key="own sentence").set_value("A lantern glows at night.").run()
    assert "By its words alone it is not understood" in page_text(app)
    assert next(each for each in app.multiselect if each.label == "Which move is it about?").options


def test_the_page_and_the_terminal_ask_the_same_and_write_the_same(place: Path, tmp_path: Path) -> None:
    """Who follows whom is asked where the moves do not say it, and of turns in no order nobody is accused."""
    (place / "games" / "lanterns.toml").unlink()
    who = cycle(("Tess", "Lin", "Bo", "Lin", "Tess", "Bo", "Bo", "Tess"))
    chat = re.sub("Tess:|Bo:|Lin:", lambda _: f"{next(who)}:", (GAMES / "kiln-evening.txt").read_text())
    other = tmp_path / "terminal"
    other.mkdir()
    (other / "evening.txt").write_text(chat)
    files = [str(other / "evening.txt"), str(GAMES / "kiln-rulebook.txt")]
    answers = "\n\nBo, Tess\n1\ny\ny\n\n"
    said = CliRunner().invoke(command, ["rules", "new", "kiln", *files, "--db", str(other / "t.db")], input=answers)
    asked = "Who comes after Bo: Lin or Tess?"
    assert asked in said.output
    assert "Left open: most moves of the log do not follow each other in the order of the players" in said.output
    app = open_page()
    app.text_input(key="begin title").set_value("Kiln")
    app.session_state[BROUGHT] = ("evening.txt", chat.encode())  # As Import leaves it.
    book = (GAMES / "kiln-rulebook.txt").read_bytes()
    app.file_uploader(key="begin rulebook").set_value([("rulebook.txt", book, "text/plain")])
    app.run()
    press(app, "Read the chat")
    next(each for each in app.text_input if each.label == asked).set_value("tess")
    press(app, "This is the order")
    assert not [each for each in app.text_input if each.label == asked]
    press(app, "Watch these")
    written = (place / "games" / "kiln.toml").read_text()
    assert "needs" in written
    assert written == (other / "games" / "kiln.toml").read_text()
    assert (place / "maps" / "evening.map.toml").read_text() == (other / "evening.map.toml").read_text()


SAID_AGAIN = "The same in plain words, `comes out`, or `talk`"


def test_lines_of_a_chat_that_are_left_open_are_said_in_plain_words(place: Path) -> None:
    """The page counts what was read, is open and is talk; a line that is said again is read, with those like it."""
    (place / "games" / "lanterns.toml").unlink()
    chat = ["Nina: bid 2", "Tom: bid 3", "Nina: 4", "Tom: 5", "Nina: bid 6", "Tom: pass", "Nina: pass", "Tom: haha"]
    chat += ["Nina: I pass for today"]
    app = open_page()
    app.text_input(key="begin title").set_value("Quay")
    lines = "".join(f"14.11.26, 20:0{at} - {line}\n" for at, line in enumerate(chat)).encode()
    app.file_uploader(key="begin chat").set_value([("evening.txt", lines, "text/plain")])
    book = b"Whoever is on turn may bid or pass.\nEach bid is higher than the last.\n"
    app.file_uploader(key="begin rulebook").set_value([("book.txt", book, "text/plain")])
    app.run()
    (place / "maps").mkdir()
    (place / "maps" / "evening.map.toml").touch()
    press(app, "Read the chat")
    assert "is there already: give the chat another name" in page_text(app)
    assert not (place / "games" / "quay.toml").exists()
    (place / "maps" / "evening.map.toml").unlink()
    press(app, "Read the chat")
    assert "Read: 6 moves in 6 lines; 2 lines left open; 1 of talk." in page_text(app)
    assert "In line 9 something stands beside the moves" in page_text(app)
    read = (place / "maps" / "evening.map.toml").read_text()
    (place / "maps" / "evening.map.toml").write_text(f"# mine\n{read}")
    next(each for each in app.text_input if each.label == SAID_AGAIN).set_value("bid 4")
    press(app, "Read it so")
    assert "has been changed by hand" in app.error[0].value
    assert (place / "maps" / "evening.map.toml").read_text() == f"# mine\n{read}"
    (place / "maps" / "evening.map.toml").write_text(read)
    rest = "ot judged: 1 rest of a line, kept as a remark: \u201cfor today\u201d ("
    assert f"N{rest}evening, line 9)." in page_text(app)
    assert f"n{rest}evening.txt:9)" in " ".join(CliRunner().invoke(command, ["audit"]).stdout.split())
    app = open_page()  # The lines are there again, whoever opens the page.
    assert [row for row in tables(app) if "Nina: 4" in row[0]] == [["3: Nina: 4 (so are 4)"]]
    for words, told in {
        "dance": "That is none of the moves",
        "bid 4": "Line 3 is read as bid (number 4); read so too: line 4",
    }.items():
        next(each for each in app.text_input if each.label == SAID_AGAIN).set_value(words)
        press(app, "Read it so")
        assert told in page_text(app)
    assert "Read: 8 moves in 8 lines; 0 lines left open; 1 of talk." in page_text(app)
    stored = CliRunner().invoke(command, ["log", "evening", "--jsonl"]).output
    assert re.findall(r'"number":(\d)', stored) == list("23456")
    # What was taken as read is corrected in the same way, with all lines like it, what was remembered too.
    options = next(each for each in app.selectbox if each.label.startswith("What the lines are read as")).options
    assert options[0] == "1: Nina: bid 2: read as bid (number 2) (so are 2, 5)"
    next(each for each in app.text_input if each.label == SAID_AGAIN).set_value("pass")
    press(app, "Correct it")
    assert "Line 1 is read as pass; its 2 is left out; read so too: lines 2, 5" in page_text(app)
    stored = CliRunner().invoke(command, ["log", "evening", "--jsonl"]).output
    assert re.findall(r'"number":(\d)', stored) == list("45")
    press(app, "Take back: Line 1 is read as pass; its 2 is left out; read so too: lines 2, 5")
    stored = CliRunner().invoke(command, ["log", "evening", "--jsonl"]).output
    assert re.findall(r'"number":(\d)', stored) == list("23456")


@pytest.mark.browser
@in_browser
def test_a_rule_is_tried_in_a_browser(place: Path, free_port: int, browser: Any) -> None:
    """At the width of a phone the page is nowhere wider than the screen, and a rule is tried by its form."""
    options = ["--server.headless=true", f"--server.port={free_port}", "--server.address=localhost"]
    command = ["streamlit", "run", str(APP), *options, "--browser.gatherUsageStats=false"]
    with serving(command, place / "tabletape.db", free_port) as address:
        page = browser.new_page(viewport={"width": 390, "height": 844})
        page.goto(f"{address}/my-game")
        page.get_by_text("Kept and broken").wait_for()
        page.get_by_text("Write a rule by hand").click()
        for label, key in {"The sentence": "says", "Where it": "cite", "What has": "that"}.items():
            page.get_by_label(label).first.fill(RULE[key])
            page.get_by_label(label).first.press("Tab")
        chosen = page.locator('input[aria-label^="At which move"][value="clue"]')
        press_in_browser(page.get_by_label("At which move"), page.get_by_role("option", name="clue"), comes=chosen)
        found = page.get_by_text("In the game of Ann, Ben it finds 1 line.")
        press_in_browser(page.get_by_role("button", name="Try it"), comes=found)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_a_game_of_results_goes_on_with_a_chat_that_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is counted by itself; the remarks of the sheet are no rests of lines, and the rulebook is no unread chat."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(VARIABLE, str(tmp_path / "tabletape.db"))
    sheet = "game,players,winner,notes\nTea Market,Ann; Ben,Ann,too long\nTea Market,Ben; Ann,Ben,fine\n"
    (tmp_path / "fridays.csv").write_text(sheet)
    assert CliRunner().invoke(command, ["import", "fridays.csv"]).exit_code == 0
    moves = "Ann: I draw a card\nAnn: I play tea\nBen: I draw a card\nBen: I play silk\n"
    (tmp_path / "chat.txt").write_text(moves * 4)
    rules = (
        "Ann: Whoever is on turn draws a card first.\nAnn: A card is played then.\nBen: Tea is good.\nBen: No.\n" * 2
    )
    (tmp_path / "rules.txt").write_text(rules)
    (tmp_path / "rulebooks").mkdir()
    (tmp_path / "rulebooks" / "tea-market.txt").write_text(rules)
    app = open_page()
    assert "2 games, by result only" in page_text(app)
    assert app.selectbox(key="unread").options == ["chat.txt"]
    app.selectbox(key="unread").set_value("chat.txt").run()
    press(app, "Read it as a chat of this game")
    assert "by result only" not in page_text(app)
    assert "Read: " in page_text(app)
    assert "rests of lines" not in page_text(app)
    assert "[move.play" in (tmp_path / "games" / "tea-market.toml").read_text()
    look_in(APP.parent)


NO_MOVES_YET = 'title = "Fog"\n[zones]\nhand = "own"\ndeck = "shared hidden"\n'


@pytest.mark.parametrize("in_turn", [True, False])
def test_a_log_without_moves_of_the_game_has_no_empty_choice(place: Path, *, in_turn: bool) -> None:
    """Where no rule could look at the log the page says so, and what to do; of draws in turn it watches the order."""
    (place / "games" / "lanterns.toml").write_text(NO_MOVES_YET)
    seats = [{"id": each, "name": each * 3} for each in "ABC"]
    head = {"type": "game.started", "game": "lanterns", "edition": "v1", "id": "drawn", "players": seats}
    draws = [{"type": "cards.drawn", "player": each, "count": 1} for each in ("ABCABC" if in_turn else "ACBACB")]
    (place / "tabletape.db").unlink()
    (place / "drawn.jsonl").write_text("".join(json.dumps(each) + "\n" for each in (head, *draws)))
    assert CliRunner().invoke(command, ["import", "drawn.jsonl"]).exit_code == 0
    app = open_page()
    said = page_text(app)
    assert ("No sentence can be watched yet" in said, "A game that you keep" in said) == (not in_turn,) * 2
    assert [each.key for each in app.text_input if each.key == "own sentence"] == ["own sentence"] * in_turn
    if in_turn:
        app.text_input(key="own sentence").set_value("Fog is always played alone.").run()
        assert "its file names none yet; nobody is accused" in page_text(app)
        app.text_input(key="own sentence").set_value("Nobody holds more than seven cards in hand.").run()
        assert "nobody knows where a turn ends" in page_text(app)
        app.text_input(key="own sentence").set_value("Whoever is on turn draws a card first.").run()
        assert "Read as: a turn begins with a draw of 1" in page_text(app)
        assert not app.number_input, "what the sentence says itself is not asked"
    assert not app.multiselect
