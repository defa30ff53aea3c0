"""Fixtures of all tests: the sixth game, which is found by scanning and named nowhere, a free port, a browser."""

import gc
import json
import os
import signal
import sys
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

# As the command does before numpy is loaded: on small matrices threads wait for each other, ten times as long.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers

import tabletape.events.games
import tabletape.events.vocabulary
import tabletape.projector.games
import tabletape.projector.model.game
from tabletape.events.log import Log
from tabletape.events.log.rows import Chain
from tabletape.events.startup import collect_less_often, kept_for_good
from tests import waiting
from tests.chromium import chromium

SIXTH = Path(__file__).parent / "sixth_game"


# A slow machine is no failure, and a function-scoped fixture may serve all examples of a property.
patient = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
settings.register_profile("search", patient)
settings.register_profile("fixed", patient, derandomize=True, database=None)
settings.load_profile("fixed")


@pytest.hookimpl(trylast=True)
def pytest_configure() -> None:
    """Test properties on the same examples whichever tests run, unless `--hypothesis-profile search` is given."""
    if settings().derandomize:
        # Hypothesis mixes in the constants of all modules that are loaded by then, also those that other tests load.
        hypothesis: Any = providers
        hypothesis._get_local_constants = hypothesis.Constants


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Keep modules and collected tests out of the search for garbage, as the command keeps what it loads.

    Each process of a run holds all of the suite: a tenth of its time went into looking through that, again and again.
    """
    gc.disable()
    with kept_for_good():
        result = yield
    gc.enable()
    collect_less_often()
    return result


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the games that are counted again: at the end all processes would wait for their workspaces."""
    items.sort(key=lambda item: "recounted" not in item.path.parts)


@pytest.fixture(scope="session", autouse=True)
def clean_environment() -> Iterator[None]:
    """Keep the settings of the terminal and the shell away from the tests: width, colours, the user's own log."""
    mine = [name for name in os.environ if name.startswith("TABLETAPE_") and not name.startswith("TABLETAPE_TEST_")]
    with pytest.MonkeyPatch.context() as patched:
        for name in (*mine, "LINES", "NO_COLOR", "FORCE_COLOR", "PY_COLORS", "PYTHONIOENCODING"):
            patched.delenv(name, raising=False)
        patched.setenv("COLUMNS", "80")
        yield


@pytest.fixture(autouse=True)
def restore_main() -> Iterator[None]:
    """Restore `__main__`: a page under test replaces it, and new processes would load the page."""
    running = sys.modules["__main__"]
    yield
    sys.modules["__main__"] = running


@contextmanager
def sixth_game() -> Iterator[tabletape.projector.model.game.Game]:
    """Add the sixth game's two folders to the places where games are looked for, and yield the game."""
    added = (
        (tabletape.events.games.__path__, SIXTH / "events"),
        (tabletape.projector.games.__path__, SIXTH / "projector"),
    )
    caches = (
        tabletape.events.vocabulary.built_in_games,
        tabletape.events.vocabulary.built_vocabulary,
        tabletape.projector.games.built_in_games,
        tabletape.projector.games.built_game,
    )
    for path, folder in added:
        path.append(str(folder))
    for cached in caches:
        cached.cache_clear()
    yield tabletape.projector.games.game("higher")
    for path, folder in added:
        path.remove(str(folder))
    for cached in caches:
        cached.cache_clear()


@pytest.fixture
def higher() -> Iterator[tabletape.projector.model.game.Game]:
    """Yield the sixth game, which is among the games meanwhile."""
    with sixth_game() as found:
        yield found


@pytest.fixture
def store(higher: tabletape.projector.model.game.Game, tmp_path: Path) -> Callable[..., Path]:
    """Return a function that stores a game of Higher: both decks declared, three named cards drawn, then some lines.

    That function returns the file of the log. `head` are fields of `game.started`, `drawn` replaces the named draws.
    """
    place = tmp_path / "tabletape.db"
    cards = ["one", "two", "three", "four", "five", "six"]

    def store_game(
        game_id: str, *lines: dict[str, Any], drawn: list[dict[str, Any]] | None = None, **head: Any
    ) -> Path:
        players = [{"id": "A", "name": "Ann", "deck": "low"}, {"id": "B", "name": "Ben", "deck": "high"}]
        started = {"type": "game.started", "game": "higher", "edition": "first", "id": game_id, "players": players}
        hands = [
            {"type": "cards.drawn", "player": "A", "cards": ["A:one", "A:four", "A:six"]},
            {"type": "cards.drawn", "player": "B", "cards": ["B:two", "B:three", "B:six"]},
        ]
        decks = [{"type": "deck.declared", "player": player, "cards": cards} for player in "AB"]
        all_lines = [started | {"rulings": {}} | head, *decks, *(hands if drawn is None else drawn), *lines]
        with Log.open(place, create=True) as log:
            events_read = [higher.vocabulary.decode(json.dumps(line)) for line in all_lines]
            known = {each.game_id: each.last_seq for each in log.games()}
            last = known.get(game_id, 0)
            log.append(game_id, events_read[last:], expected_last_seq=last)
        return place

    return store_game


@pytest.fixture
def free_port() -> int:
    """Return a free port."""
    return waiting.free_port()


@pytest.fixture
def browser() -> Iterator[Any]:
    """Open a browser."""
    with chromium() as opened:
        yield opened


@pytest.fixture
def ctrl_c_is_heard() -> Iterator[None]:
    """Have started programs receive SIGINT, even if these tests run in the background, where it is ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def as_older_logs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take back what is not there, as lines of older versions do, at which a replay stops."""
    monkeypatch.setattr(Chain, "_has", lambda _chain, _seq: True)
