"""The spreadsheets in which games of a workspace are written down by hand."""

from pathlib import Path

from tabletape.events.templates.log_sheet import write_template
from tabletape.events.templates.results_sheet import write_results_template
from tabletape.projector.archive.samples import sample_games
from tabletape.projector.archive.stored import cards_of
from tabletape.projector.model.game import Game


def write_sheet(one: Game, folder: Path, out: Path, language: str = "") -> None:
    """Write the spreadsheet of a game's log (.xlsx): an event a row, with the cards of the workspace in a folder.

    A `language` (`de`) is that of the names of the columns. Raises `OSError` where the file cannot be written,
    `CardError` where the cards of the workspace cannot be read.
    """
    cards = cards_of(folder, one.slug).library
    edition = one.rulebook.editions[0].label
    write_template(one.vocabulary, out, sorted(cards), edition=edition, games=sample_games(one.slug), language=language)


def write_results_sheet(one: Game, out: Path, language: str = "") -> None:
    """Write the spreadsheet of a game's results (.xlsx): a game a row. Raises `OSError` as `write_sheet` does."""
    write_results_template(out, one.slug, one.rulebook.editions[0].label, language)
