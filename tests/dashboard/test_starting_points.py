"""Ways to begin without a log: sheets, the scribe and samples, each without a terminal."""

from collections.abc import Callable
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest
from python_calamine import CalamineWorkbook

from tabletape.dashboard.questions import ask
from tabletape.dashboard.sections import freshness
from tabletape.dashboard.sections.starting_points import SAMPLES_WARNING
from tabletape.dashboard.service.lock import new_code
from tabletape.dashboard.workspace import VARIABLE
from tabletape.events.log import Log
from tabletape.projector.archive.sheets import write_results_sheet, write_sheet
from tabletape.projector.datasets.freshness import folder_of
from tabletape.projector.games import game, games
from tests.dashboard.test_pages import (
    COUNTING,
    PAGES,
    click,
    empty_workspace,
    links,
    one_game,
    open_page,
    page_text,
    without_errors,
)
from tests.waiting import PATIENCE
from tests.written_games import ANN_WINS

Store = Callable[..., Path]

__all__ = ["empty_workspace", "one_game"]


@pytest.mark.usefixtures("empty_workspace")
def test_the_import_page_offers_ways_to_begin_without_a_command() -> None:
    """Beside the upload are sheets to download, the scribe and the samples; no command is named."""
    app = without_errors(open_page("import"))
    assert not app.code
    assert "`tabletape" not in page_text(app)
    assert not app.get("download_button"), "no game is taken for that of the reader"
    assert [each.page for each in links(app)] == ["keep"]
    assert app.selectbox(key="sheet of").options == [game(slug).title for slug in games()]
    app.selectbox(key="sheet of").set_value("splicers").run()
    labels = [each.proto.label for each in app.get("download_button")]
    assert labels == ["Sheet for every move", "Sheet for results"]
    assert SAMPLES_WARNING in page_text(app).replace("\\", "")


def test_samples_fill_an_empty_log_and_open_the_overview(empty_workspace: Path) -> None:
    """One button imports the sample games of all games, counts them and opens the overview."""
    app = open_page("import")
    app = click(app, "Try samples")
    assert not app.exception
    with Log.open(empty_workspace / "tabletape.db") as log:
        played = {each.game for each in log.games()}
    assert {"crystal", "duelyst", "evolve", "phylogenome", "splicers"} <= played
    assert app.title[0].value.startswith("Overview: ")


@pytest.mark.usefixtures("one_game")
def test_samples_are_not_added_to_games_of_the_user() -> None:
    """Nothing can be deleted from a log, so samples are offered for an empty one only."""
    app = without_errors(open_page("import"))
    assert "Try samples" not in [each.label for each in app.button]
    assert app.selectbox(key="sheet of").value == "higher"


def test_the_sheets_are_those_of_the_template_command(tmp_path: Path) -> None:
    """The workbook of a game has a log and an example sheet; the one for results has a results sheet."""
    write_sheet(game("splicers"), tmp_path, tmp_path / "log.xlsx")
    assert CalamineWorkbook.from_path(tmp_path / "log.xlsx").sheet_names[:2] == ["log", "example"]
    write_results_sheet(game("splicers"), tmp_path / "results.xlsx")
    assert CalamineWorkbook.from_path(tmp_path / "results.xlsx").sheet_names[0] == "results"


@pytest.mark.usefixtures("empty_workspace")
@pytest.mark.parametrize("page", PAGES)
def test_an_empty_workspace_says_how_to_begin(page: str) -> None:
    """If nothing is recorded every page opens, and those with statistics say what to do."""
    app = open_page(page)
    assert not app.exception
    if page in COUNTING:
        assert "Nothing has been recorded yet" in page_text(app)
        ways = ["**Import logs**: drop files into the page", "**Keep a log now**, while you play"]
        assert [link.label for link in links(app)] == ways
        assert not app.code
        assert "Try samples" in [each.label for each in app.button]


def test_games_that_are_not_counted_yet_are_counted_on_demand(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """A log without datasets is not an empty workspace: a button counts its games, where they are many."""
    monkeypatch.setattr("tabletape.dashboard.sections.freshness.QUICK", 0)
    monkeypatch.setenv(VARIABLE, str(store("evening", *ANN_WINS)))
    app = without_errors(open_page("pace"))
    assert page_text(app) == "1 game in the log, not counted yet."
    app = click(app, "Bring up to date")
    assert without_errors(app).title[0].value == "Pace: Higher"


def test_phones_are_let_in_from_the_page(one_game: Path) -> None:
    """A button opens the scribe to the network behind a code, and shows its address; another code opens nothing."""
    assert one_game.exists()
    app = without_errors(open_page("keep"))
    assert not app.code
    (address,) = [each.value for each in without_errors(click(app, "Let phones in")).code]
    with urlopen(address, timeout=PATIENCE) as answer:  # noqa: S310 - our own server
        assert b"scribe.js" in answer.read()
    wrong = f"{address.rstrip('/').rpartition('/')[0]}/{new_code()}/"
    with pytest.raises(HTTPError, match="404"):
        urlopen(wrong, timeout=PATIENCE)  # noqa: S310 - the same
    assert [each.value for each in click(open_page("keep"), "Let phones in").code] == [address]


def test_a_few_games_are_counted_without_a_click(one_game: Path, store: Store) -> None:
    """A page counts them before it shows anything."""
    store("another", *ANN_WINS)
    app = without_errors(open_page("games"))
    assert "2 games, version first." in page_text(app)
    assert not app.warning
    with Log.open(one_game) as log:
        assert ask("overview", folder_of(log))["games"].to_pylist() == [2]


def test_a_click_is_not_lost_where_a_few_games_are_counted_first(one_game: Path, store: Store) -> None:
    """What was written since is counted before the page is made, which then does what it was asked for."""
    app = click(open_page("my-game"), "Begin with an example, Millpond")
    store("another", *ANN_WINS)
    vars(freshness)["_outdated"].clear()
    without_errors(click(app, "Read the chat"))
    assert (one_game.parent / "games" / "millpond.toml").is_file()
    with Log.open(one_game) as log:
        assert ask("overview", folder_of(log), game="higher")["games"].to_pylist() == [2]


def test_datasets_that_are_behind_the_log_are_brought_up_to_date(
    one_game: Path, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the log has many new games a page says that its numbers are outdated; a button updates them."""
    monkeypatch.setattr("tabletape.dashboard.sections.freshness.QUICK", 0)
    store("another", *ANN_WINS)
    app = without_errors(open_page("games"))
    assert "Not up to date: 1 game not counted yet." in page_text(app)
    without_errors(click(app, "Bring up to date"))
    assert "2 games, version first." in page_text(app)
    assert not app.warning
    with Log.open(one_game) as log:
        assert ask("overview", folder_of(log))["games"].to_pylist() == [2]
