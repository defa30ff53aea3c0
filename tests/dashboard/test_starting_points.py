"""Ways to begin without a log: sheets, the scribe and samples, each without a terminal."""

from pathlib import Path

import pytest
from python_calamine import CalamineWorkbook

from tabletape.dashboard.sections.starting_points import IN_AN_EMPTY_LOG
from tabletape.events.log import Log
from tabletape.projector.archive.sheets import write_results_sheet, write_sheet
from tabletape.projector.games import game, games
from tests.dashboard.test_pages import empty_workspace, links, one_game, open_page, page_text, without_errors

__all__ = ["empty_workspace", "one_game"]


@pytest.mark.usefixtures("empty_workspace")
def test_the_import_page_offers_ways_to_begin_without_a_command() -> None:
    """Beside the upload are sheets to download, the scribe and the samples; no command is named."""
    app = without_errors(open_page("import"))
    assert not app.code
    assert "`tabletape" not in page_text(app)
    labels = [each.proto.label for each in app.get("download_button")]
    assert labels == ["Download a sheet", "Download a sheet for results"]
    assert [each.page for each in links(app)] == ["keep"]
    assert app.selectbox(key="sheet of").options == [game(slug).title for slug in games()]
    assert IN_AN_EMPTY_LOG in page_text(app).replace("\\", "")


def test_samples_fill_an_empty_log_and_open_the_overview(empty_workspace: Path) -> None:
    """One button imports the sample games of all games, counts them and opens the overview."""
    app = open_page("import")
    button = next(each for each in app.button if each.label == "Try samples")
    app = button.click().run()
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
    assert app.selectbox(key="sheet of").value == "Higher"


def test_the_sheets_are_those_of_the_template_command(tmp_path: Path) -> None:
    """The workbook of a game has a log and an example sheet; the one for results has a results sheet."""
    write_sheet(game("splicers"), tmp_path, tmp_path / "log.xlsx")
    assert CalamineWorkbook.from_path(tmp_path / "log.xlsx").sheet_names[:2] == ["log", "example"]
    write_results_sheet(game("splicers"), tmp_path / "results.xlsx")
    assert CalamineWorkbook.from_path(tmp_path / "results.xlsx").sheet_names[0] == "results"
