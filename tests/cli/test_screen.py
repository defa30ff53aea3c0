"""The screen of `tabletape replay`, used by its keys as a person would."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widgets import OptionList, TabbedContent

from tabletape.cli.screen.app import GameScreen, ReplayApp
from tabletape.cli.screen.dialogs import Help, Questions
from tabletape.projector.archive.view import View
from tabletape.projector.fold.folding import fold
from tabletape.projector.fold.traced import Traced
from tabletape.projector.model.areas import EVERYTHING
from tabletape.projector.model.game import Game

ONE_MISTAKE = Path(__file__).parents[1] / "sixth_game" / "one-mistake.jsonl"
NARROW, WIDE = (80, 24), (160, 50)
MISTAKE = 9
"""The step (from 0) with the finding."""


def view_of(game: Game, lines: list[str]) -> View:
    """Return the view of a game from its log lines."""
    replay = fold(game, list(map(game.vocabulary.decode, lines)), traced=True)
    assert isinstance(replay, Traced)
    return View(replay)


@pytest.fixture
def view(higher: Game) -> View:
    """Open the recorded game."""
    return view_of(higher, ONE_MISTAKE.read_text(encoding="utf-8").splitlines())


def top_screen(pilot: Pilot[Any]) -> Screen[Any]:
    """Return the topmost screen or dialog."""
    return pilot.app.screen


def screen_text(pilot: Pilot[Any]) -> str:
    """Return the text that is on the screen."""
    app = pilot.app
    rows = app.screen._compositor.render_strips(app.size)
    return "\n".join("".join(segment.text for segment in row) for row in rows)


def drive(
    view: View,
    script: Callable[[Pilot[Any], GameScreen], Awaitable[None]],
    *,
    size: tuple[int, int] = NARROW,
    index: int | None = None,
    viewer: str = EVERYTHING,
) -> None:
    """Open the screen and run a script of keys on it."""

    async def run() -> None:
        app = ReplayApp(view, index, viewer)
        async with app.run_test(size=size) as pilot:
            while " q Leave " not in screen_text(pilot):  # the keys are drawn last
                await pilot.pause()
            await script(pilot, app.game)

    asyncio.run(run())


def test_it_opens_at_the_first_finding_and_shows_it(view: View) -> None:
    """A game with a finding opens there: rule, citation, message and what was expected stand on the screen."""

    async def script(pilot: Pilot[Any], game: GameScreen) -> None:
        assert game.index == MISTAKE
        text = screen_text(pilot)
        for words in ("✗ illegal higher.card.from-hand  Turns, L2.2", "A:five is not in the hand", "expected: a hand"):
            assert words in text
        assert "●  10 Ann: card played - Five" in text

    drive(view, script)


def test_a_game_without_findings_opens_at_its_start(higher: Game) -> None:
    """A game in which no rule was broken opens at its first event, and no finding is shown."""
    clean = view_of(higher, ONE_MISTAKE.read_text(encoding="utf-8").splitlines()[:9])

    async def script(pilot: Pilot[Any], game: GameScreen) -> None:
        assert game.index == 0
        assert not game.query_one("#finding").display
        assert "●" not in screen_text(pilot)

    drive(clean, script)


STEPS = (
    ("right", MISTAKE + 1),
    ("left", MISTAKE - 1),
    ("left left right", MISTAKE - 1),
    ("home", 0),
    ("end", 11),
    ("home left", 0),
    ("end right", 11),
    ("home shift+right", MISTAKE),
    ("end shift+left", MISTAKE),
    ("shift+left", 0),
    ("home n", MISTAKE),
    ("home N", MISTAKE),
    ("end p", MISTAKE),
    ("end P", MISTAKE),
    ("n", MISTAKE),
    ("p", MISTAKE),
)
"""Keys pressed at the mistake, and the step that they lead to."""


def test_keys_step_through_the_game(view: View) -> None:
    """Arrows go by steps, shifted ones by turns, home and end to the ends, n and p by findings, never beyond them."""

    async def script(pilot: Pilot[Any], game: GameScreen) -> None:
        for keys, there in STEPS:
            game.index = MISTAKE
            await pilot.press(*keys.split())
            assert (keys, game.index) == (keys, there)

    drive(view, script)


def test_keys_that_find_no_finding_say_so(view: View) -> None:
    """Beyond the last finding n stays where it is and says why."""

    async def script(pilot: Pilot[Any], _game: GameScreen) -> None:
        await pilot.press("n")
        await pilot.pause()
        assert "No finding after this event; 1 finding in all." in " ".join(
            notice.message for notice in pilot.app._notifications
        )

    drive(view, script)


def test_v_changes_the_viewer(view: View) -> None:
    """It goes from everything to the public, to each player and round again; only its owner sees a hand."""

    async def script(pilot: Pilot[Any], game: GameScreen) -> None:
        for viewer, hand, drawn in (
            ("", "░ card", "Ann draws 3 hidden cards"),
            ("A", "▌One 1", "Ann draws One, Four and Six"),
            ("B", "░ card", "Ann draws 3 hidden cards"),
            ("*", "▌One 1", "Ann draws One, Four and Six"),
        ):
            await pilot.press("v")
            await pilot.pause()
            assert game.viewer == viewer
            text = screen_text(pilot)
            assert hand in text
            assert drawn in text
            if viewer in {"", "B"}:
                assert "One" not in text

    drive(view, script, index=3)


def test_tabs_show_what_changed_the_table_why_and_the_source(view: View) -> None:
    """The keys 1 to 4 open the four tabs about the step."""

    async def script(pilot: Pilot[Any], game: GameScreen) -> None:
        for key, name, words in (
            ("2", "table", "tricks"),
            ("3", "why", "✗ higher.card.from-hand  Turns, L2.2"),
            ("4", "source", '{"card":"A:five","player":"A"'),
            ("1", "changed", "• Five: Ann's deck to trick"),
        ):
            await pilot.press(key)
            await pilot.pause()
            assert game.query_one(TabbedContent).active == name
            assert words in screen_text(pilot)

    drive(view, script, size=WIDE)


@pytest.mark.parametrize("key", ["a", "A"])
def test_a_lists_the_questions_and_goes_to_one(view: View, key: str) -> None:
    """One key lists the questions of the table; choosing one goes to its event, escape goes back."""

    async def script(pilot: Pilot[Any], game: GameScreen) -> None:
        await pilot.press(key)
        assert isinstance(top_screen(pilot), Questions)
        assert top_screen(pilot).query_one(OptionList).option_count == 1
        assert "Is the One allowed?" in screen_text(pilot)
        await pilot.press("escape")
        assert top_screen(pilot) is game
        assert game.index == MISTAKE
        await pilot.press(key, "enter")
        await pilot.pause()
        assert top_screen(pilot) is game
        assert game.index == MISTAKE - 1

    drive(view, script)


def test_a_game_without_questions_says_so(higher: Game) -> None:
    """In place of an empty list stands a sentence."""
    quiet = view_of(higher, ONE_MISTAKE.read_text(encoding="utf-8").splitlines()[:8])

    async def script(pilot: Pilot[Any], _game: GameScreen) -> None:
        await pilot.press("a")
        assert "Nobody asked anything" in screen_text(pilot)

    drive(quiet, script)


@pytest.mark.parametrize("size", [NARROW, WIDE])
def test_h_shows_every_key(view: View, size: tuple[int, int]) -> None:
    """The help fits a small terminal and names every key; any of its closing keys goes back to the game."""

    async def script(pilot: Pilot[Any], game: GameScreen) -> None:
        for key in ("h", "H", "question_mark"):
            await pilot.press(key)
            assert isinstance(top_screen(pilot), Help)
            text = screen_text(pilot)
            for words in ("← →", "shift+← shift+→", "home end", "n p", "1 2 3 4", "cannot be decided", "leave"):
                assert words in text
            await pilot.press("escape")
            assert top_screen(pilot) is game

    drive(view, script, size=size)


@pytest.mark.parametrize("key", ["q", "escape", "ctrl+q"])
def test_q_escape_and_control_q_leave(view: View, key: str) -> None:
    """Leaving ends with exit code 0."""

    async def run() -> ReplayApp:
        app = ReplayApp(view, None, EVERYTHING)
        async with app.run_test() as pilot:
            await pilot.press(key)
        return app

    app = asyncio.run(run())
    assert app.return_code == 0
    assert app._exit


def test_a_small_terminal_shows_everything(view: View) -> None:
    """At 80 by 24 the title, the timeline, three events, the table, finding, change and keys are visible."""

    async def script(pilot: Pilot[Any], _game: GameScreen) -> None:
        lines = screen_text(pilot).splitlines()
        assert len(lines) == 24
        assert "g  ▌Ann ▌Ben  Ann won (tricks); 1 finding  Higher first" in lines[0]
        assert "◆" in lines[1]
        assert lines[1].rstrip().endswith("10/12")
        assert lines[3].startswith("●  10 Ann: card played - Five")
        assert "round 1, turn 2, Ann, seen by: Everything" in lines[5]
        text = "\n".join(lines)
        for words in (
            "Ben's hand: ░ ░ 2 cards",
            "▌Five 5",
            "◆ Ann",
            "✗ illegal",
            "1 What changed",
            "• Five: Ann's deck",
        ):
            assert words in text
        for words in ("q Leave", "← Back", "→ On", "n Finding", "v View", "a Asked", "h Help"):
            assert words in lines[-1]

    drive(view, script)


def test_a_large_terminal_has_the_events_beside_the_table(view: View) -> None:
    """At 160 by 50 the whole list with its turns stands on the left, framed areas and the finding on the right."""

    async def script(pilot: Pilot[Any], _game: GameScreen) -> None:
        lines = screen_text(pilot).splitlines()
        assert len(lines) == 50
        text = "\n".join(lines)
        for words in (
            "── round 1, turn 1, Ann ─",
            "── round 1, turn 2, Ann ─",
            "╭─ Ben's hand ─",
            "╭─ Trick ─",
            "╭─ Ann's hand ─",
        ):
            assert words in text
        beside = next(line for line in lines if "Trick" in line)
        assert "plays a deck" in beside or "draws" in beside or "card played" in beside

    drive(view, script, size=WIDE)


def test_the_terminal_may_change_its_size(view: View) -> None:
    """A smaller or larger window is drawn anew; the step stays."""

    async def script(pilot: Pilot[Any], game: GameScreen) -> None:
        await pilot.resize_terminal(*WIDE)
        await pilot.pause()
        assert "╭─ Ben's hand ─" in screen_text(pilot)
        await pilot.resize_terminal(*NARROW)
        await pilot.pause()
        assert "Ben's hand: ░ ░ 2 cards" in screen_text(pilot)
        assert game.index == MISTAKE

    drive(view, script)


def test_the_mouse_chooses_an_event(view: View) -> None:
    """A click on a line of the list goes to its event, one on the timeline to that place or to the mark there."""

    async def script(pilot: Pilot[Any], game: GameScreen) -> None:
        await pilot.click("#events", offset=(10, 0))
        assert game.index == MISTAKE - 1
        await pilot.click("#timeline", offset=(1, 0))
        assert game.index == 0
        column = screen_text(pilot).splitlines()[1].index("●")
        await pilot.click("#timeline", offset=(column, 0))
        assert game.index == MISTAKE

    drive(view, script)


def test_a_replay_that_stopped_says_why_at_its_last_event(higher: Game) -> None:
    """The events that could be folded are shown, and after the last of them the reason why the replay stops."""
    lines = ONE_MISTAKE.read_text(encoding="utf-8").splitlines()
    stopped = view_of(higher, [*lines, json.dumps({"type": "play.taken-back", "to": 99})])

    async def script(pilot: Pilot[Any], _game: GameScreen) -> None:
        assert "The replay stops before event 13" not in screen_text(pilot)
        await pilot.press("end")
        await pilot.pause()
        assert "The replay stops before event 13" in " ".join(screen_text(pilot).split())

    drive(stopped, script)


def test_a_log_cannot_draw_on_the_screen(higher: Game) -> None:
    """Markup and control characters in a log are shown as text, without their effect."""
    lines = ONE_MISTAKE.read_text(encoding="utf-8").splitlines()
    hostile = view_of(higher, [*lines[:3], json.dumps({"type": "note.added", "text": "[red]a[/red]\x1b[2J"})])

    async def script(pilot: Pilot[Any], _game: GameScreen) -> None:
        await pilot.press("end")
        await pilot.pause()
        text = screen_text(pilot)
        assert "[red]a[/red]" in text
        assert "\x1b" not in text

    drive(hostile, script)
