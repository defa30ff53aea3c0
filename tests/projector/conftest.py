"""Recorded games: `x.jsonl` with `x.expected.json`, and `x.cards.toml` where the game uses cards of its own.

Whole evenings of playtests and the rulebooks lie beside the project in some places only; tests of them are no part of
the suite elsewhere, and are skipped where they are named on the command line.
"""

from collections.abc import Callable
from functools import cache
from pathlib import Path

import msgspec
import pytest

from events.shared import GameStarted
from events.vocabulary import Event, vocabulary
from projector.reading.recordings import Recorded, read_recording

RECORDINGS = Path(__file__).parents[1] / "recordings"
BESIDE = Path(__file__).parents[2].parent / "shared"
EVENINGS = BESIDE / "playtests"
EXTRA = {"test_playtests.py": EVENINGS, "test_rulebooks.py": BESIDE / "rulebooks"}


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave out tests of what does not lie beside the project, unless they are named."""
    place = EXTRA.get(collection_path.name)
    named = any(collection_path.name in word for word in config.args)
    return True if place is not None and not place.is_dir() and not named else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip tests of what does not lie beside the project."""
    for item in items:
        place = EXTRA.get(item.path.name)
        if place is not None and not place.is_dir():
            item.add_marker(pytest.mark.skip(reason=f"{place.name} of the designers do not lie beside the project"))


@cache
def read(name: str) -> Recorded:
    """Fold a recording (`splicers/worked-game`) under the ruleset that it is recorded for."""
    return read_recording((RECORDINGS / name).with_name(f"{Path(name).name}.jsonl"), name.partition("/")[0])


@pytest.fixture(scope="session")
def recorded() -> Callable[[str], Recorded]:
    """Return a recorded game by its name."""
    return read


@pytest.fixture(scope="session")
def evening() -> Callable[[str, str], list[list[Event]]]:
    """Return the games of an evening of playtests (`splicers`, `evening-1.jsonl`)."""
    return games_of


@cache
def games_of(slug: str, name: str) -> list[list[Event]]:
    """Return the games of an evening; lines that cannot be read are left out."""
    path = EVENINGS / slug / name
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
