"""Any question can be asked about a selection of games only."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tabletape.dashboard.pages import games
from tabletape.dashboard.questions import ask, questions
from tabletape.dashboard.questions.filtering import CONDITIONS
from tabletape.events.log import Log
from tabletape.projector.datasets.build import build
from tabletape.projector.datasets.freshness import folder_of
from tests.dashboard.test_pages import one_game, open_page, page_text, without_errors
from tests.written_games import played

__all__ = ["one_game"]


@pytest.fixture
def datasets(store: Callable[..., Path]) -> Path:
    """Return the datasets of two games: Ann wins one of them, in the other one a card is played out of turn."""
    store("won", *(played("A", "four"), played("B", "two"), played("A", "six"), played("B", "three")))
    players = [{"id": "A", "name": "Cay", "deck": "low"}, {"id": "B", "name": "Dan", "deck": "low"}]
    place = store("broken", *(played("A", "one"), played("A", "four")), players=players)
    with Log.open(place) as log:
        build(log)
        return folder_of(log)


@pytest.mark.parametrize(
    ("chosen_by", "games"),
    [
        ({}, {"won", "broken"}),
        ({"games": ["won"]}, {"won"}),
        ({"decks": ["low"]}, {"won", "broken"}),
        ({"decks": ["high"]}, {"won"}),
        ({"deck": "high"}, {"won"}),
        ({"card": "one"}, {"won", "broken"}),
        ({"rule": "higher.turn.alternate"}, {"broken"}),
        ({"reason": "tricks"}, {"won"}),
        ({"player": "Cay"}, {"broken"}),
        ({"player": "Cay", "reason": "tricks"}, set()),
        ({"player": "", "decks": []}, {"won", "broken"}),
    ],
)
def test_only_games_that_meet_every_condition_are_left(
    datasets: Path, chosen_by: dict[str, Any], games: set[str]
) -> None:
    """A condition selects the games that match it, several conditions those that match all of them."""
    assert set(ask("games", datasets, **chosen_by)["game_id"].to_pylist()) == games
    assert sum(ask("overview", datasets, **chosen_by)["games"].to_pylist()) == len(games)


def test_every_question_can_be_filtered_by_every_condition(datasets: Path) -> None:
    """No question fails with all conditions at once, and one about no game has no rows."""
    everything: dict[str, Any] = {key: ["x"] if key in {"games", "decks"} else "x" for key in CONDITIONS}
    rows = {each.name: ask(each.name, datasets, **everything).num_rows for each in questions()}
    assert {name for name, number in rows.items() if number} == set()


def test_a_filter_does_not_affect_the_next_question(datasets: Path) -> None:
    """Games that were left out for one question are counted in the next."""
    assert ask("games", datasets, reason="tricks").num_rows == 1
    assert ask("games", datasets).num_rows == 2


def test_a_quotation_mark_in_a_name_is_no_sql(datasets: Path) -> None:
    """A name that looks like SQL finds no game and causes no error."""
    assert ask("games", datasets, player="x' OR '1'='1").num_rows == 0


@pytest.mark.usefixtures("one_game")
def test_the_newest_games_stand_first_and_all_on_demand(monkeypatch: pytest.MonkeyPatch) -> None:
    """Games says how many it leaves out, with the way to them beside it."""
    monkeypatch.setattr(games, "NEWEST", 0)
    app = without_errors(open_page("games"))
    assert "The newest 0 of 1 games." in page_text(app)
    assert not any("game=evening&amp;edition=first" in each.proto.body for each in app.get("html"))
    app = without_errors(app.toggle(key="all games").set_value(True).run())
    assert "The newest" not in page_text(app)
    assert any("game=evening&amp;edition=first" in each.proto.body for each in app.get("html"))
