"""The replay page and what it gives to the board, shown on the smallest game."""

import json
import re
import shutil
import subprocess
from collections import Counter
from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec
import pytest
from streamlit.testing.v1 import AppTest

from dashboard.replay_board import MODULES, board_json, script
from dashboard.workspace import VARIABLE
from events.log import Log
from projector.fold.traced import Traced
from projector.model.game import Game
from projector.reading.archive import replay_of
from projector.reading.frames import Frames, frames
from tests.dashboard.hostile_evening import hostile_lines
from tests.waiting import PATIENCE

HOSTILE = "<img src=x onerror=alert(1)>"
LINES = hostile_lines(HOSTILE)

FINDING = "higher.turn.alternate"

Board = dict[str, Any]


@pytest.fixture
def log(higher: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Log:
    """Return a log with one game in which somebody plays out of turn."""
    monkeypatch.setenv(VARIABLE, str(tmp_path / "evening.db"))
    opened = Log.open(tmp_path / "evening.db", create=True)
    opened.append("evening", [higher.vocabulary.decode(json.dumps(line)) for line in LINES], expected_last_seq=0)
    return opened


def page(**query: str | list[str]) -> AppTest:
    """Open the replay page at an address."""

    def show() -> None:
        from dashboard.pages.replay import replay_page  # noqa: PLC0415 - the script of a page has its own imports

        replay_page()

    opened = AppTest.from_function(show, default_timeout=PATIENCE)
    opened.query_params.update(query)
    return opened.run()


def given(opened: AppTest) -> tuple[Board, dict[str, Any]]:
    """Return the board's own data and what the page says beside it."""
    (shown,) = opened.get("bidi_component")
    data = json.loads(shown.proto.json)
    return json.loads(data.pop("frames")), data


def framed(log: Log) -> Frames:
    """Return the frames of the game in the log."""
    replay = replay_of(log, "evening", traced=True)
    assert isinstance(replay, Traced)
    return frames(replay)


def said(opened: AppTest) -> str:
    """Return all words that stand on the page itself."""
    parts = [opened.title, opened.header, opened.error, opened.warning, opened.info, opened.text, opened.markdown]
    return "\n".join(element.value for part in parts for element in part)


@pytest.mark.usefixtures("log")
def test_the_page_gives_the_board_the_findings_and_the_step_of_the_address() -> None:
    """The board gets every finding with its citation, and opens where the address says, for whom it says."""
    opened = page(game="evening", step="6", viewer="B")
    assert not opened.exception
    board, beside = given(opened)
    assert [(finding["seq"], finding["rule"], finding["lines"]) for finding in board["findings"]] == [
        (7, FINDING, "L2")
    ]
    assert beside == {"step": 6, "viewer": "B", "aside": False, "comments": True}


@pytest.mark.usefixtures("log")
def test_without_a_step_everything_is_shown_from_the_first_finding() -> None:
    """An address that names only the game leaves the step to the board, which knows the first finding."""
    _, beside = given(page(game="evening"))
    assert beside == {"step": None, "viewer": "*", "aside": False, "comments": True}
    assert given(page(game="evening", viewer="public", step="later"))[1] == {
        "step": None,
        "viewer": "",
        "aside": False,
        "comments": True,
    }


@pytest.mark.usefixtures("log")
def test_another_edition_reads_the_same_log_otherwise() -> None:
    """`edition` in the address re-reads the game: in the second edition the One may not be played."""
    board, _ = given(page(game="evening", edition="second"))
    assert [finding["rule"] for finding in board["findings"]] == ["higher.card.no-one", FINDING]
    assert board["ruleset"].startswith("second")


@pytest.mark.usefixtures("log")
@pytest.mark.parametrize(
    ("query", "words"),
    [
        ({"game": "evenign"}, "did you mean 'evening'"),
        ({"game": "evening", "edition": "secnd"}, "did you mean second"),
        ({"game": "evening", "ruling": ["tie"]}, "a ruling is written key=option, not 'tie'"),
        ({"game": "evening", "ruling": ["tei=first"]}, "there is no ruling called 'tei'"),
    ],
)
def test_what_the_address_gets_wrong_is_said_with_a_suggestion(query: dict[str, Any], words: str) -> None:
    """An unknown game, edition or ruling is a message with the nearest one that there is, never an exception."""
    opened = page(**query)
    assert not opened.exception
    assert words in said(opened)
    assert not opened.get("bidi_component")


@pytest.mark.usefixtures("log")
def test_a_reader_without_a_game_chooses_one() -> None:
    """Without a game, and after an unknown one, the page offers the games of the log; the choice opens it."""
    for opened in (page(), page(game="nothing like it")):
        assert opened.selectbox[0].options == ["evening"]
        opened.selectbox[0].select("evening").run()
        assert opened.query_params["game"] == "evening"
        assert given(opened)[0]["game_id"] == "evening"


@pytest.mark.usefixtures("log")
def test_the_page_leads_back_to_the_list_of_games() -> None:
    """Where the dashboard has a page that lists the games, the replay leads back to it."""

    def show() -> None:
        import streamlit as st  # noqa: PLC0415 - the script of a page has its own imports

        from dashboard.pages.replay import replay_page  # noqa: PLC0415 - the same

        games = st.Page(lambda: None, title="Games", url_path="games")
        replay = st.Page(lambda: replay_page(games), title="Replay", url_path="replay", default=True)
        st.navigation([replay, games]).run()

    opened = AppTest.from_function(show, default_timeout=PATIENCE)
    opened.query_params["game"] = "evening"
    opened.run()
    assert not opened.exception
    assert [link.proto.page for link in opened.get("page_link")] == ["games"]
    assert given(opened)[0]["game_id"] == "evening"


@pytest.mark.usefixtures("higher")
def test_a_missing_log_is_a_message(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there is no log yet, the page says so and how one begins."""
    monkeypatch.setenv(VARIABLE, str(tmp_path / "none.db"))
    opened = page(game="evening")
    assert not opened.exception
    assert "tabletape import" in said(opened)


@pytest.mark.usefixtures("log")
def test_a_name_from_a_log_is_only_ever_data() -> None:
    """A hostile name is in the board's data as it was written, and in nothing that the page itself renders."""
    opened = page(game="evening")
    assert HOSTILE in dict(given(opened)[0]["players"]).values()
    assert HOSTILE not in said(opened)
    rest = [element for element in opened.main if element.type != "bidi_component"]
    assert not any(HOSTILE in str(element.proto) for element in rest)


def test_alike_areas_and_rules_are_sent_once(log: Log) -> None:
    """What the board gets is complete and holds no area, card, cell, total and rule twice."""
    whole = framed(log)
    board = json.loads(board_json(whole))
    for kind in ("areasDrawn", "cardsDrawn", "cellsDrawn", "totalsSeen", "rules"):
        assert max(Counter(json.dumps(each, sort_keys=True) for each in board[kind]).values(), default=1) == 1
    assert [board["totalsSeen"][number] for number in board["totals"]] == [*whole.totals]
    for viewer, drawn in whole.drawings.items():
        for changed, numbers in zip(drawn, board["drawings"][viewer], strict=True):
            assert {name: area.title for name, area in changed.items() if area is not None} == {
                name: board["areasDrawn"][number]["title"] for name, number in numbers.items()
            }
            for name, area in changed.items():
                sent = board["areasDrawn"][numbers[name]] if area is not None else {"cards": []}
                titles = [card.title for card in area.cards] if area is not None else []
                assert [board["cardsDrawn"][number]["title"] for number in sent["cards"]] == titles
    for step, sent in zip(whole.steps, board["steps"], strict=True):
        assert [why.rule for why in step.why] == [board["rules"][number]["rule"] for number, _, _ in sent["why"]]


def test_another_viewers_steps_conceal_what_the_viewer_may_not_know(log: Log) -> None:
    """The steps that a player reads otherwise are sent for that player, without the other's hand."""
    board = json.loads(board_json(framed(log)))
    drawn = 3
    assert "One, Four and Six" in board["steps"][drawn]["text"]
    assert "hidden card" in board["seen"]["B"]["steps"][str(drawn)]["text"]
    assert str(drawn) not in board["seen"]["A"]["steps"]


def test_the_board_is_one_module_without_imports() -> None:
    """The scripts join into one module: each imports only from those before it, and no name is declared twice."""
    for place, name in enumerate(MODULES):
        imported = re.findall(
            r'from "\./(\w+)\.js"', files("dashboard").joinpath("board", f"{name}.js").read_text("utf-8")
        )
        assert set(imported) <= set(MODULES[:place]), name
    assert {file.stem for file in Path(str(files("dashboard"))).glob("board/*.js")} == set(MODULES)
    declared = re.findall(r"^(?:const|function|class) (\w+)", script(), re.MULTILINE)
    assert max(Counter(declared).values()) == 1
    assert re.findall(r"^(?:import|export) (\w+)", script(), re.MULTILINE) == ["default"]


def test_the_board_never_makes_markup_of_text() -> None:
    """No script of the board parses text as HTML, so that nothing from a log can become an element."""
    assert not re.findall(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|eval\(", script())


needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="there is no JavaScript engine here")


def run_script(folder: Path, more: str) -> Any:
    """Run the board's module outside a page with a last line of JavaScript, and give the value that it says."""
    node = shutil.which("node")
    assert node is not None
    module = folder / "board.mjs"
    module.write_text(f"{script()}\nconsole.log(JSON.stringify({more}));\n", encoding="utf-8")
    ran = subprocess.run([node, str(module)], capture_output=True, text=True, check=False)  # noqa: S603 - our own file
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)


@needs_node
def test_the_board_draws_for_each_viewer_what_the_frames_say(log: Log, tmp_path: Path) -> None:
    """Step by step and for every viewer, the board's tape has the areas of the frames, none too many."""
    whole = framed(log)
    first = "trick"
    gone = tuple(
        {**changed, **({first: None} if index == 5 else {})} for index, changed in enumerate(whole.drawings[""])
    )
    whole = msgspec.structs.replace(whole, drawings={**whole.drawings, "": gone})
    more = "tape.viewers.map(([viewer]) => tape.steps.map((_, index) => [...tape.areas(viewer, index).keys()].sort()))"
    drawn = run_script(tmp_path, f"((tape) => {more})(new Tape({board_json(whole)}))")
    for viewer, names in zip(whole.viewers, drawn, strict=True):
        known: set[str] = set()
        for changed, seen in zip(whole.drawings[viewer], names, strict=True):
            known = (known | changed.keys()) - {name for name, area in changed.items() if area is None}
            assert seen == sorted(known)
    assert first in drawn[1][4]
    assert first not in drawn[1][5]


@needs_node
def test_keys_lead_to_turns_findings_and_the_nearest_step(log: Log, tmp_path: Path) -> None:
    """The tape knows where turns begin, where the findings are, and which step a number in an address means."""
    asked = (
        "[tape.turns, tape.withFindings, tape.nextFinding(0), tape.previousFinding(0), tape.stepOf(4), tape.stepOf(99)]"
    )
    said = run_script(tmp_path, f"((tape) => {asked})(new Tape({board_json(framed(log))}))")
    assert said == [[0], [6], 6, 0, 3, 6]


@pytest.mark.usefixtures("log")
def test_the_page_names_the_slip_and_stores_what_was_meant(higher: Game, tmp_path: Path) -> None:
    """Below the board the slip is searched on request; the mended table is shown, and stored as a new revision."""
    twice = [{**LINES[0], "id": "twice"}, *LINES[1:5], LINES[6], LINES[6], {**LINES[6], "player": "B", "card": "B:two"}]
    with Log.open(tmp_path / "evening.db") as log:
        log.append("twice", [higher.vocabulary.decode(json.dumps(line)) for line in twice], expected_last_seq=0)
    opened = page(game="twice")
    assert "What was probably meant" in [each.value for each in opened.subheader]
    opened = opened.toggle[0].set_value(True).run()
    assert not opened.exception
    assert len(opened.get("bidi_component")) == 2
    assert opened.radio[0].options
    opened = opened.button[0].click().run()
    assert not opened.exception
    with Log.open(tmp_path / "evening.db") as log:
        mended = log.game("twice")
        assert mended.revision == 2
        assert "mended" in (mended.file or "")
        assert replay_of(log, "twice").findings == []


@pytest.mark.usefixtures("log")
@pytest.mark.parametrize("reading", [{"ruling": ["ties=second_card"]}, {"edition": "second"}])
def test_a_slip_is_searched_only_in_the_reading_of_the_table(reading: dict[str, Any]) -> None:
    """Beside another ruling or edition the page offers no mending: what it would search is not what it shows."""
    assert "What was probably meant" in [each.value for each in page(game="evening").subheader]
    opened = page(game="evening", **reading)
    assert not opened.exception
    assert [each.value for each in opened.subheader] == []


def test_bots_go_on_from_a_step(log: Log) -> None:
    """The rest is played from the step that is asked for; the page says who won, and the log has one game as before."""
    app = page(game="evening", step="6")
    app.number_input[1].set_value(4)
    next(each for each in app.button if each.label == "Play the rest").click()
    app.run()
    assert not app.exception
    told = "Branch of evening from step 6: the rest played 4 times by greedy bots"
    assert any(told in each.value.replace("\\", "") for each in app.markdown)
    assert len(log.games()) == 1
