"""Games of bots: every number is of one kind of them, and what all kinds say follows from their intervals."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tabletape.dashboard.markdown_escape import JOINER
from tabletape.dashboard.questions import question
from tabletape.dashboard.questions.bots_apart import said_of_kinds
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


@pytest.mark.parametrize(
    ("counts", "baseline", "said"),
    [
        (((70, 100), (73, 100), (89, 100)), 0.5, "agree"),
        (((58, 200), (142, 200)), 0.5, "depends on play"),
        (((77, 100), (43, 100)), 0.5, "depends on play"),
        (((12, 20), (8, 20)), 0.5, "open"),
        (((500, 1000), (510, 1000)), None, "agree"),
        (((50, 100), (51, 100)), None, "open"),
        (((20, 100), (60, 100)), None, "depends on play"),
        (((3, 4),), 0.5, None),
    ],
)
def test_what_kinds_of_bots_say_follows_from_their_intervals(
    counts: tuple[tuple[int, int], ...], baseline: float | None, said: str | None
) -> None:
    """Same side of the baseline: agree; clearly apart: it depends; of shares without one, surely near: agree."""
    name = "seats" if baseline else "together"
    kinds = [
        {"played_by": who, "wins": wins, "games": n, "win_rate": wins / n, "win_rate_effective": n}
        | {"baseline": baseline}
        for who, (wins, n) in zip(("random", "greedy", "search"), counts, strict=False)
    ]
    assert {row.get("bots_say") for row in said_of_kinds(question(name), kinds)} == {said}
