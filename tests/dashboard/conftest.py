"""The datasets of an evening, for the tests of questions."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.dashboard.asking import datasets
from tests.written_games import ANN_WINS, BEN_WINS, played

Store = Callable[..., Path]


@pytest.fixture
def evening(store: Store) -> Path:
    """Return the datasets of five games.

    Four are of people (three clean ones, of which Ann wins two and Ben one, and an unfinished one with a mistake),
    one is of bots.
    """
    store("g1", *ANN_WINS)
    store("g2", *ANN_WINS)
    store("g3", *BEN_WINS)
    store("g4", played("B", "two"))
    return datasets(store("bot-1", *ANN_WINS), decision_load=True)
