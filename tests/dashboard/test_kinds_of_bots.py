"""Pages about games of bots: every number is of one kind of them."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tabletape.dashboard.markdown_escape import JOINER
from tabletape.dashboard.workspace import VARIABLE
from tabletape.events.log import Log
from tabletape.projector.datasets.build import build
from tests.dashboard.test_pages import open_page, page_text, without_errors
from tests.written_games import ANN_WINS, BEN_WINS

Store = Callable[..., Path]


@pytest.fixture
def two_kinds(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Six games of random bots, won by whoever began, six of greedy ones, won by the other, one of people."""
    for number in range(6):
        for kind, moves in (("Random", ANN_WINS), ("Greedy", BEN_WINS)):
            seats = [{"id": each, "name": f"{kind} bot {each}", "deck": each} for each in "AB"]
            store(f"bot-{kind}-{number}", *moves, players=seats)
    place = store("g1", *ANN_WINS)
    with Log.open(place) as log:
        build(log)
    monkeypatch.setenv(VARIABLE, str(place))


@pytest.mark.parametrize("page", ["balance", "pace", "cards", "rules", "overview", "games"])
@pytest.mark.usefixtures("two_kinds")
def test_no_page_pools_kinds_of_bots(page: str) -> None:
    """Where random and greedy bots have played, every number is of one kind, and beside it stands what both say."""
    text = page_text(without_errors(open_page(page, source="bots"))).replace("\\", "").replace(JOINER, "")
    assert "Each counted for itself: random bots, greedy bots." in text
    assert "random bots: " in text
    assert "greedy bots: " in text
    if page == "balance":
        assert "What kinds of bots say: depends on play: of 2 (-100 points a rung" in text
        both = page_text(without_errors(open_page(page, source="both")))
        assert "Each counted for itself: people, random bots, greedy bots." in both
