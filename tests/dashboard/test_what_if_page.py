"""The page What if: a change is asked for, bots play, and what came of it is shown."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

from dashboard.pages.what_if import PLAYED
from dashboard.workspace import VARIABLE
from tests.waiting import PATIENCE

APP = Path(__file__).parents[2] / "dashboard" / "entry" / "app.py"


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in an empty workspace: the page needs no log."""
    monkeypatch.setenv(VARIABLE, str(tmp_path / "evening.db"))
    return tmp_path


def shown() -> AppTest:
    """Open the page about a card of Crystal."""
    app = AppTest.from_file(str(APP), default_timeout=PATIENCE)
    app._page_hash = calc_hash("what-if")
    app.query_params.update({"of": "Crystal Factions", "card": "sporeling"})
    return app.run()


def words(app: AppTest) -> str:
    """Return all text of the page."""
    return "\n".join(
        str(each.value).replace("\\", "") for each in (*app.text, *app.markdown, *app.subheader, *app.error)
    )


def test_a_card_is_changed_played_and_told() -> None:
    """The card of the address is asked about; played pairs are reported with interval, table and whom it speaks of."""
    app = shown()
    assert not app.exception
    assert app.multiselect(key="card").value == ["sporeling"]
    app.number_input[1].set_value(20)
    app.run()
    next(each for each in app.button if each.label == "Play").click()
    app.run()
    assert not app.exception
    assert "sporeling with cost=2" in words(app)
    assert "20 pairs, greedy bots" in words(app)
    assert "This speaks of bots" in words(app)
    assert "copies dead in a hand" in list(app.dataframe[0].value["measure"])


def test_what_was_played_by_then_stays() -> None:
    """Another run of the page, as a click on Stop makes it, shows the pairs that there are; another card shows none."""
    app = shown()
    app.number_input[1].set_value(10)
    app.run()
    next(each for each in app.button if each.label == "Play").click()
    app.run()
    kept = app.session_state[PLAYED]
    del next(iter(kept.pairs.values()))[6:]
    app.run()
    assert "6 pairs, greedy bots" in words(app)
    app.multiselect(key="card").set_value(["thorn-acolyte"])
    app.run()
    assert "6 pairs" not in words(app)


def test_several_cards_and_rulings_are_changed_at_once() -> None:
    """Each card that is picked has a number of its own, and all changes stand in what is reported."""
    app = shown()
    app.multiselect(key="card").set_value(["sporeling", "thorn-acolyte"])
    app.multiselect(key="rulings_asked").set_value(["draw_mandatory=optional"])
    app.run()
    app.number_input(key="cost of thorn-acolyte").set_value(7)
    next(each for each in app.number_input if each.label == "Pairs of games").set_value(10)
    app.run()
    next(each for each in app.button if each.label == "Play").click()
    app.run()
    assert not app.exception
    assert "sporeling with cost=2 and thorn-acolyte with cost=7 and draw_mandatory=optional" in words(app)
    assert "copies of thorn-acolyte dead in a hand" in list(app.dataframe[0].value["measure"])
