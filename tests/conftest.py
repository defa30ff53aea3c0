"""What all tests share: the sixth game, which is found by scanning and named nowhere."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import events.games
import events.vocabulary
import projector.game
import projector.games

SIXTH = Path(__file__).parent / "sixth_game"


@pytest.fixture
def higher() -> Iterator[projector.game.Game]:
    """Put the sixth game's two folders where games are looked for, and give the game."""
    places = ((events.games.__path__, SIXTH / "events"), (projector.games.__path__, SIXTH / "projector"))
    scanned = (events.vocabulary.games, events.vocabulary.vocabulary, projector.game.games, projector.game.game)
    for path, folder in places:
        path.append(str(folder))
    for cached in scanned:
        cached.cache_clear()
    yield projector.game.game("higher")
    for path, folder in places:
        path.remove(str(folder))
    for cached in scanned:
        cached.cache_clear()
