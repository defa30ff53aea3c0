"""The replay page and the data that it passes to the board, on the smallest game."""

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

from tabletape.dashboard.replay.component import MODULES, board_json, script
from tabletape.dashboard.workspace import VARIABLE
from tabletape.events.log import Log
from tabletape.projector.archive.frames import Frames, frames
from tabletape.projector.archive.stored import replay_of
from tabletape.projector.datasets.build import build
from tabletape.projector.fold.traced import Traced
from tabletape.projector.model.game import Game
from tests.dashboard.hostile_evening import hostile_lines
from tests.dashboard.test_pages import links, open_page

HOSTILE = "<img src=x onerror=alert(1)>"
LINES = hostile_lines(HOSTILE)

FINDING = "higher.turn.alternate"

Board = dict[str, Any]


@pytest.fixture
def log(higher: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Log:
    """Return a log with one game in which a card is played out of turn."""
    monkeypatch.setenv(VARIABLE, str(tmp_path / "evening.db"))
    app = Log.open(tmp_path / "evening.db", create=True)
    app.append("evening", [higher.vocabulary.decode(json.dumps(line)) for line in LINES], expected_last_seq=0)
    return app


def page(**query: str | list[str]) -> AppTest:
    """Open the replay page at an address."""
    return open_page("replay", **query)


def board_data(app: AppTest) -> tuple[Board, dict[str, Any]]:
    """Return the data of the board's frames, and the other values that the page passes to it."""
    (shown,) = app.get("bidi_component")
    data = json.loads(shown.proto.json)
    return json.loads(data.pop("frames")), data


def frames_of(log: Log) -> Frames:
    """Return the frames of the game in the log."""
    replay = replay_of(log, "evening", traced=True)
    assert isinstance(replay, Traced)
    return frames(replay)


def page_text(app: AppTest) -> str:
    """Return all texts of the page itself."""
    parts = [app.title, app.header, app.error, app.warning, app.info, app.text, app.markdown]
    return "\n".join(element.value for part in parts for element in part)


@pytest.mark.usefixtures("log")
def test_the_page_passes_findings_step_and_viewer_to_the_board() -> None:
    """The board gets every finding with its citation, and the step and the viewer of the address."""
    app = page(game="evening", step="6", viewer="B")
    assert not app.exception
    board, beside = board_data(app)
    assert [(finding["seq"], finding["rule"], finding["lines"]) for finding in board["findings"]] == [
        (7, FINDING, "L2")
    ]
    assert board["ruleTexts"].keys() == {FINDING}
    assert beside == {"step": 6, "viewer": "B", "aside": False, "comments": True}


@pytest.mark.usefixtures("log")
def test_without_a_step_everything_is_shown_from_the_first_finding() -> None:
    """If the address names only the game, the board chooses the step, because it knows the first finding."""
    _, beside = board_data(page(game="evening"))
    assert beside == {"step": None, "viewer": "*", "aside": False, "comments": True}
    assert board_data(page(game="evening", viewer="public", step="later"))[1] == {
        "step": None,
        "viewer": "",
        "aside": False,
        "comments": True,
    }


@pytest.mark.usefixtures("log")
def test_another_edition_reads_the_same_log_differently() -> None:
    """`edition` in the address reads the game by it: in the second edition the One may not be played."""
    board, _ = board_data(page(game="evening", edition="second"))
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
def test_mistakes_in_the_address_are_reported_with_a_suggestion(query: dict[str, Any], words: str) -> None:
    """For an unknown game, edition or ruling there is a message with the nearest one, never an exception."""
    app = page(**query)
    assert not app.exception
    assert words in page_text(app)
    assert not app.get("bidi_component")


def test_a_reader_without_a_game_chooses_one(log: Log) -> None:
    """Without a game, and after an unknown one, the page lists the games, who won and what was wrong.

    A game that is in no dataset yet stands in the list, too, and nothing is said of its end.
    """
    for query in ({}, {"game": "nothing like it"}):
        (link,) = links(open_page("replay", **query))
        assert (link.page, link.query_string) == ("replay", "game=evening")
        assert link.label.endswith("\\: not counted yet")
    build(log)
    app = open_page("replay")
    (link,) = links(app)
    assert link.label.endswith("\\: not finished\\, 1 turn :red-badge[1 mistake]")


@pytest.mark.usefixtures("log")
def test_the_page_leads_back_to_the_list_of_games() -> None:
    """A game has a way to the list of all games, which takes it out of the address."""
    app = open_page("replay", game="evening", step="7")
    assert board_data(app)[0]["game_id"] == "evening"
    app = next(each for each in app.button if each.label == "All games").click().run()
    assert not app.query_params
    assert [link.query_string for link in links(app)] == ["game=evening"]


@pytest.mark.usefixtures("higher")
def test_a_missing_log_is_a_message(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If there is no log yet, the page says so and which pages begin one, no command of a terminal."""
    monkeypatch.setenv(VARIABLE, str(tmp_path / "none.db"))
    app = page(game="evening")
    assert not app.exception
    assert "No game is here yet." in page_text(app)
    assert [link.page for link in links(app)] == ["import", "keep"]


@pytest.mark.usefixtures("log")
def test_a_name_from_a_log_is_only_ever_data() -> None:
    """A hostile name is in the board's data unchanged, and in nothing that the page itself renders."""
    app = page(game="evening")
    assert HOSTILE in dict(board_data(app)[0]["players"]).values()
    assert HOSTILE not in page_text(app)
    rest = [element for element in app.main if element.type != "bidi_component"]
    assert not any(HOSTILE in str(element.proto) for element in rest)


def test_equal_areas_and_rules_are_sent_once(log: Log) -> None:
    """The board's data are complete and hold no area, card, cell, total or rule twice."""
    whole = frames_of(log)
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


def test_the_steps_of_a_viewer_conceal_hidden_cards(log: Log) -> None:
    """Steps whose text differs for a player are sent for that player, without the other's hand."""
    board = json.loads(board_json(frames_of(log)))
    drawn = 3
    assert "One, Four and Six" in board["steps"][drawn]["text"]
    assert "hidden card" in board["seen"]["B"]["steps"][str(drawn)]["text"]
    assert str(drawn) not in board["seen"]["A"]["steps"]


def test_the_board_is_one_module_without_imports() -> None:
    """The scripts are joined to one module: each imports only from those before it, and no name is declared twice."""
    for place, name in enumerate(MODULES):
        imported = re.findall(
            r'from "\./(\w+)\.js"', files("tabletape.dashboard.replay").joinpath(f"{name}.js").read_text("utf-8")
        )
        assert set(imported) <= set(MODULES[:place]), name
    assert {file.stem for file in Path(str(files("tabletape.dashboard.replay"))).glob("*.js")} == set(MODULES)
    declared = re.findall(r"^(?:const|function|class) (\w+)", script(), re.MULTILINE)
    assert max(Counter(declared).values()) == 1
    assert re.findall(r"^(?:import|export) (\w+)", script(), re.MULTILINE) == ["default"]


def test_the_board_never_makes_markup_of_text() -> None:
    """No script of the board parses text as HTML, so that nothing from a log can become an element."""
    assert not re.findall(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|eval\(", script())


needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="there is no JavaScript engine here")


def run_script(folder: Path, more: str) -> Any:
    """Run the board's module in Node with an expression of JavaScript; return its value."""
    node = shutil.which("node")
    assert node is not None
    module = folder / "board.mjs"
    module.write_text(f"{script()}\nconsole.log(JSON.stringify({more}));\n", encoding="utf-8")
    ran = subprocess.run([node, str(module)], capture_output=True, text=True, check=False)  # noqa: S603 - our own file
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)


@needs_node
def test_the_board_draws_for_each_viewer_the_areas_of_the_frames(log: Log, tmp_path: Path) -> None:
    """At each step and for every viewer, the board's tape has exactly the areas of the frames."""
    whole = frames_of(log)
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
    """The tape knows where turns begin, where the findings are, and which step an event number means."""
    expression = (
        "[tape.turns, tape.stops, tape.nextStop(0), tape.previousStop(0), tape.stepOf(4), tape.stepOf(99),"
        " tape.tellingStep(), new Tape({...tape, steps: tape.steps.map((step) => ({...step, findings: []})),"
        " totals: [], totalsSeen: [], areasDrawn: []}).tellingStep()]"
    )
    values = run_script(tmp_path, f"((tape) => {expression})(new Tape({board_json(frames_of(log))}))")
    assert values == [[0], [6], 6, 0, 3, 6, 6, 6]


@pytest.mark.usefixtures("log")
def test_the_page_names_the_slip_and_stores_what_was_meant(higher: Game, tmp_path: Path) -> None:
    """Below the board the slip is searched on request; the mended game is shown and stored as a new revision."""
    twice = [{**LINES[0], "id": "twice"}, *LINES[1:5], LINES[6], LINES[6], {**LINES[6], "player": "B", "card": "B:two"}]
    with Log.open(tmp_path / "evening.db") as log:
        log.append("twice", [higher.vocabulary.decode(json.dumps(line)) for line in twice], expected_last_seq=0)
    app = page(game="twice")
    assert "##### What was probably meant" in [each.value for each in app.markdown]
    app = app.toggle[0].set_value(True).run()
    assert not app.exception
    assert len(app.get("bidi_component")) == 2
    assert app.radio[0].options
    app = next(each for each in app.button if each.label == "Store this as a new revision").click().run()
    assert not app.exception
    with Log.open(tmp_path / "evening.db") as log:
        mended = log.game("twice")
        assert mended.revision == 2
        assert "mended" in (mended.file or "")
        assert replay_of(log, "twice").findings == []


@pytest.mark.usefixtures("log")
@pytest.mark.parametrize("reading", [{"ruling": ["ties=second_card"]}, {"edition": "second"}])
def test_a_slip_is_searched_only_in_the_reading_of_the_table(reading: dict[str, Any]) -> None:
    """With another ruling or edition the page offers no mending, because it would search by the table's own reading."""
    assert "##### What was probably meant" in [each.value for each in page(game="evening").markdown]
    app = page(game="evening", **reading)
    assert not app.exception
    assert [each.value for each in app.subheader] == []


@pytest.mark.parametrize("edition", ["first", "home-made"])
def test_a_game_opens_by_the_version_that_its_log_names(higher: Game, log: Log, edition: str) -> None:
    """Also where no rulebook lists that version: it is read as without it, and bots go on; no other one is made up."""
    lines = [{**LINES[0], "id": "named", "edition": edition}, *LINES[1:]]
    log.append("named", [higher.vocabulary.decode(json.dumps(line)) for line in lines], expected_last_seq=0)
    app = page(game="named", edition=edition, step="6")
    assert not app.error
    assert board_data(app)[0] == board_data(page(game="named", step="6"))[0]
    assert "##### What was probably meant" in [each.value for each in app.markdown]
    app.number_input[1].set_value(1)
    next(each for each in app.button if each.label == "Play the rest").click().run()
    assert not app.exception
    assert "there is no edition called 'other'" in page_text(page(game="named", edition="other"))
    assert replay_of(log, "named").ruleset.edition == edition


def test_bots_do_not_go_on_from_the_end_of_a_finished_game(higher: Game, log: Log) -> None:
    """From the step before it they do at the latest: the page does not know which step the board shows."""
    lines = [{**LINES[0], "id": "done"}, *LINES[1:], {"type": "game.ended", "winner": "B", "reason": "agreed"}]
    log.append("done", [higher.vocabulary.decode(json.dumps(line)) for line in lines], expected_last_seq=0)
    last = log.game("done").last_seq
    for step, offered in ((last, last - 1), (6, 6)):
        shown = page(game="done", step=str(step))
        assert not shown.exception
        assert (shown.number_input[0].value, shown.number_input[0].max) == (offered, last - 1)


def test_bots_go_on_from_a_step(log: Log) -> None:
    """The rest is played from the given step; the page shows the result, and the log has one game as before."""
    app = page(game="evening", step="6")
    app.number_input[1].set_value(4)
    next(each for each in app.button if each.label == "Play the rest").click()
    app.run()
    assert not app.exception
    heading = "Branch of evening from step 6: the rest played 4 times by greedy bots"
    assert any(heading in each.value.replace("\\", "") for each in app.markdown)
    assert len(log.games()) == 1
