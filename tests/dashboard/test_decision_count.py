"""A page counts why cards die: in the background, with its progress, and it can be stopped."""

import os
import shlex
import signal
import sys
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from tabletape.dashboard.decision_process import Count, last, place_of, start, stop, under_way
from tabletape.dashboard.questions import ask
from tabletape.dashboard.workspace import VARIABLE
from tabletape.events.log import Log
from tabletape.projector.datasets.build import build
from tabletape.projector.datasets.freshness import folder_of
from tabletape.projector.games import game
from tabletape.projector.selfplay.simulate import Plan, simulate
from tests.dashboard.test_pages import open_page, page_text, without_errors
from tests.waiting import until

GAMES = 3


@pytest.fixture
def datasets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the datasets of some games of Splicers, built without counting legal decisions."""
    place = tmp_path / "tabletape.db"
    one = game("splicers")
    with Log.open(place, create=True) as log:
        for match in simulate(one, one.cards, Plan(seed=7), GAMES):
            log.append(match.game_id, match.events, expected_last_seq=0)
        build(log)
        folder = folder_of(log)
    monkeypatch.setenv(VARIABLE, str(place))
    return folder


@pytest.fixture
def paused_programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have each Python process that is started stop itself (SIGSTOP) before it does anything."""
    still = tmp_path / "still"
    still.write_text(f'#!/bin/sh\nkill -STOP $$\nexec {shlex.quote(sys.executable)} "$@"\n', encoding="utf-8")
    still.chmod(0o700)
    monkeypatch.setattr(sys, "executable", str(still))


def page(name: str = "cards") -> AppTest:
    """Open a page about the games of bots, without errors."""
    return without_errors(open_page(name, source="bots"))


def test_a_button_finds_out_why_cards_die(datasets: Path) -> None:
    """The page of cards has a button and names no command; after a click the games are counted and it says why."""
    app = page()
    assert not any("tabletape" in each.value for each in (*app.caption, *app.info))
    assert "never chosen" not in app.get("html")[-1].proto.body
    button = next(each for each in app.button if each.label == "Find out why cards die")
    without_errors(button.click().run())
    until(lambda: under_way(place_of(datasets)) is None)
    assert last(place_of(datasets)) == Count(last(place_of(datasets)).pid, "splicers", GAMES, GAMES)  # type: ignore[union-attr] # there is one
    app = page()
    assert "Find out why cards die" not in [each.label for each in app.button]
    assert any("never chosen" in each.proto.body for each in app.get("html"))
    assert ask("decision-load", datasets, source="bots").num_rows


@pytest.mark.usefixtures("paused_programs")
def test_a_count_goes_on_by_itself_and_there_is_one_at_a_time(datasets: Path) -> None:
    """Another page shows that a count is running, a second count does not begin, and it can be stopped."""
    place = place_of(datasets)
    assert start(place, "splicers")
    assert not start(place, "splicers")
    running = under_way(place)
    assert running is not None
    labels = [each.label for each in page("pace").button]
    assert "Stop counting" in labels
    assert "Count legal decisions" not in labels
    stop(place)
    os.kill(running.pid, signal.SIGCONT)
    until(lambda: under_way(place) is None)
    without_errors(page())


def test_an_error_in_a_count_is_shown_on_the_page(datasets: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A log that cannot be opened ends the count with the reason, which the page shows beside the button."""
    with monkeypatch.context() as elsewhere:
        elsewhere.setenv(VARIABLE, str(datasets / "nowhere.db"))
        assert start(place_of(datasets), "splicers")
        until(lambda: under_way(place_of(datasets)) is None)
    found = last(place_of(datasets))
    assert found is not None
    assert "nowhere.db" in found.problem
    assert found.problem in page_text(page())
