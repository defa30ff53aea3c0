"""Recorded games: `x.jsonl` with `x.expected.json`, and `x.cards.toml` where the game uses cards of its own.

Recordings of playtests and the rulebooks are in `../shared`, which not every checkout has. Without it, the tests that
need them are not collected, and are skipped where they are named on the command line.
"""

import shutil
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import msgspec
import pytest

from tabletape.events.vocabulary import Event, vocabulary
from tabletape.events.vocabulary.open_games import game_file_problems, look_in
from tabletape.events.vocabulary.shared import GameStarted
from tabletape.projector.archive.recordings import RecordedGame, read_recording

RECORDINGS = Path(__file__).parents[1] / "recordings"
EXAMPLES = Path(__file__).parents[2] / "docs" / "own-games"
SHARED = Path(__file__).parents[2].parent / "shared"
PLAYTESTS = SHARED / "playtests"
NEEDED_FOLDERS = {"test_playtests.py": PLAYTESTS, "test_rulebooks.py": SHARED / "rulebooks"}


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Do not collect tests whose folder in `../shared` is missing, unless the command line names them."""
    folder = NEEDED_FOLDERS.get(collection_path.name)
    named = any(collection_path.name in word for word in config.args)
    return True if folder is not None and not folder.is_dir() and not named else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip tests whose folder in `../shared` is missing."""
    for item in items:
        folder = NEEDED_FOLDERS.get(item.path.name)
        if folder is not None and not folder.is_dir():
            item.add_marker(pytest.mark.skip(reason=f"the folder {folder.name} is not in ../shared"))


@cache
def read(name: str) -> RecordedGame:
    """Fold a recording (`splicers/worked-game`) under the ruleset that it is recorded for."""
    return read_recording((RECORDINGS / name).with_name(f"{Path(name).name}.jsonl"), name.partition("/")[0])


@pytest.fixture(scope="session")
def recorded() -> Callable[[str], RecordedGame]:
    """Return a recorded game by its name."""
    return read


@pytest.fixture(scope="session")
def evening() -> Callable[[str, str], list[list[Event]]]:
    """Return the games of an evening of playtests (`splicers`, `evening-1.jsonl`)."""
    return games_of


@cache
def games_of(slug: str, name: str) -> list[list[Event]]:
    """Return the games of an evening; lines that cannot be read are left out."""
    path = PLAYTESTS / slug / name
    found: list[list[Event]] = []
    for line in path.read_text(encoding="utf-8-sig").splitlines():
        try:
            event = vocabulary(slug).decode(line)
        except msgspec.DecodeError:
            continue
        if isinstance(event, GameStarted):
            found.append([])
        found[-1].append(event)
    return found


@pytest.fixture(scope="module")
def own_games(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Make a workspace with the examples of games that a file describes."""
    folder = tmp_path_factory.mktemp("own")
    shutil.copytree(EXAMPLES, folder / "games")
    look_in(folder)
    assert game_file_problems() == {}
    yield folder
    look_in(Path(__file__).parent)
