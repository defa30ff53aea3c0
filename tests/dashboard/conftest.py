"""The evening that the tests of questions ask about."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.dashboard.asking import ANN_WINS, BEN_WINS, datasets
from tests.written_games import played

Store = Callable[..., Path]


@pytest.fixture
def evening(store: Store) -> Path:
    """Four games of people (three clean, Ann wins two, Ben one, one unfinished with a mistake) and one of bots."""
    store("g1", *ANN_WINS)
    store("g2", *ANN_WINS)
    store("g3", *BEN_WINS)
    store("g4", played("B", "two"))
    return datasets(store("bot-1", *ANN_WINS), decision_load=True)
