"""A spreadsheet for results: a row a game, read by the map `results-sheet` that comes with Tabletape."""

import io
from pathlib import Path
from typing import Final

import xlsxwriter

from tabletape.events.importing.maps.finding import shipped_maps
from tabletape.events.importing.maps.map import filled
from tabletape.events.importing.sheets.headings import results_languages
from tabletape.events.whole_files import write_whole

MAP: Final = "results-sheet.map.toml"
"""The map that reads the sheet."""

COLUMNS: Final = (
    ("game", "the game's short name"),
    ("version", "which edition or draft was played, as you call it"),
    ("date", "2026-05-01 or 2026-05-01 19:30; nothing is guessed"),
    ("players", "names, separated by semicolons"),
    ("decks", "in the order of the players, separated by semicolons"),
    ("first player", "who began; empty where nobody remembers"),
    ("winner", "a name, several separated by semicolons, or draw"),
    ("teams", "the team of each player, in the order of the players, where teams play: Red; Blue; Red; Blue"),
    ("together", "yes where all won or lost together; then winner names all of them, or nobody"),
    ("ended by", "how it ended: points, concession ..."),
    ("rounds", "how many"),
    ("turns", "how many, of all players together"),
    ("minutes", "how long it took"),
    ("score", "in the order of the players, separated by semicolons; of a game played together one number"),
    ("places", "1 for the best, in the order of the players, separated by semicolons"),
    ("notes", "whatever you want to remember"),
)
"""The columns, in the order of the sheet, and what stands in them."""

ADVICE: Final = """\
Write one game a row on the sheet `results`. The grey example does not count as long as nothing in it is changed.
Leave empty what nobody wrote down: it counts as not known, never as 0.
Save the file and import it: tabletape import <file> --zone Europe/Berlin
"""


def write_results_template(path: str | Path, game: str, edition: str, language: str = "") -> None:
    """Write the results sheet of a game (.xlsx); a `language` (`de`) is that of the names of the columns.

    Raises `OSError` where the file cannot be written.
    """
    headings = {name: results_languages().get(language, {}).get(name, name) for name, _ in COLUMNS}
    example = _example({"game": game, "version": edition})
    content = io.BytesIO()
    with xlsxwriter.Workbook(content, {"strings_to_formulas": False, "strings_to_urls": False}) as book:
        sheet, how_to = book.add_worksheet("results"), book.add_worksheet("how to")
        bold = book.add_format({"bold": True, "bottom": 1})
        grey = book.add_format({"font_color": "#808080"})
        sheet.write_row(0, 0, [*headings.values()], bold)
        sheet.write_row(1, 0, [example.get(name, "") for name, _ in COLUMNS], grey)
        sheet.freeze_panes(1, 0)
        sheet.set_column(0, len(COLUMNS) - 1, 15)
        # What is typed there stays as it is typed: the version 1.10 is not 1.1.
        sheet.set_column(1, 1, 15, book.add_format({"num_format": "@"}))
        how_to.set_column(0, 0, 16)
        how_to.set_column(1, 1, 80)
        for line, text in enumerate(ADVICE.splitlines()):
            how_to.write_string(line, 0, text)
        for line, (name, meaning) in enumerate(COLUMNS, 4):
            how_to.write_row(line, 0, (headings[name], meaning))
    write_whole(Path(path), content.getvalue())


def _example(known: dict[str, str]) -> dict[str, str]:
    """Return the row of which the map says that it is only an example, for a game and its version."""
    columns = next(each.written.columns for each in shipped_maps() if each.name == MAP)
    return {**known, **filled(columns.example if columns is not None else {}, known)}
