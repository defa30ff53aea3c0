"""The ways in for who has no log at hand: sheets, the scribe and samples, each without a terminal."""

from pathlib import Path

import pytest
from python_calamine import CalamineWorkbook

from dashboard.starting_points import IN_AN_EMPTY_LOG
from events.log import Log
from projector.games import game, games
from projector.reading.sheets import write_results_sheet, write_sheet
from tests.dashboard.test_pages import here, links, one_game, opened, said, sound

__all__ = ["here", "one_game"]


@pytest.mark.usefixtures("here")
def test_the_import_page_leads_on_without_a_command() -> None:
    """Beside the upload stand sheets to download, the scribe and the samples; no command is named."""
    app = sound(opened("import"))
    assert not app.code
    assert "`tabletape" not in said(app)
    labels = [each.proto.label for each in app.get("download_button")]
    assert labels == ["Download a sheet", "Download a sheet for results"]
    assert [each.page for each in links(app)] == ["keep"]
    assert app.selectbox(key="sheet of").options == [game(slug).title for slug in games()]
    assert IN_AN_EMPTY_LOG in said(app).replace("\\", "")


def test_samples_fill_an_empty_log_and_lead_to_what_they_tell(here: Path) -> None:
    """One button imports the sample games of all games, counts them and opens the overview."""
    app = opened("import")
    button = next(each for each in app.button if each.label == "Try samples")
    app = button.click().run()
    assert not app.exception
    with Log.open(here / "tabletape.db") as log:
        played = {each.game for each in log.games()}
    assert {"crystal", "duelyst", "evolve", "phylogenome", "splicers"} <= played
    assert app.title[0].value.startswith("Overview: ")


@pytest.mark.usefixtures("one_game")
def test_samples_are_not_put_beside_games_of_ones_own() -> None:
    """A log keeps what it was given, so samples are offered in an empty one only."""
    app = sound(opened("import"))
    assert "Try samples" not in [each.label for each in app.button]
    assert app.selectbox(key="sheet of").value == "Higher"


def test_a_sheet_is_what_the_terminal_writes(tmp_path: Path) -> None:
    """The sheet of a game has its log, its example and its explanations; that for results has one row a game."""
    write_sheet(game("splicers"), tmp_path, tmp_path / "log.xlsx")
    assert CalamineWorkbook.from_path(tmp_path / "log.xlsx").sheet_names[:2] == ["log", "example"]
    write_results_sheet(game("splicers"), tmp_path / "results.xlsx")
    assert CalamineWorkbook.from_path(tmp_path / "results.xlsx").sheet_names[0] == "results"
