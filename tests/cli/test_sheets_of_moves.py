"""Sheets in which a designer writes what was done at the table: a row a move, or a column for each player."""

from pathlib import Path
from typing import Final

import pytest

from tests.cli.conftest import Tabletape

ROUNDS: Final = (
    ("plays Fox, takes 2 coins", "draws 2", "plays Heron, plays Owl"),
    ("draws 1", "plays Badger on Marta", "passes"),
    ("plays Owl, takes 1 coin", "draws 2", "plays Fox on Pim"),
    ("passes", "plays Heron for 3", "draws 1"),
)
NAMES: Final = ("Marta", "Pim", "Jo")


def cell(text: str) -> str:
    """Return a text as it stands in a sheet."""
    return f'"{text}"'


A_ROW_A_MOVE: Final = "\n".join(
    [
        "Round,Player,Action",
        *(
            f"{number},{who},{cell(text)}"
            for number, texts in enumerate(ROUNDS, 1)
            for who, text in zip(NAMES, texts, strict=True)
        ),
    ]
)
BESIDE: Final = "\n".join(
    [
        f"Round,{','.join(NAMES)},Notes",
        *(f"{n},{','.join(map(cell, texts))},long one" for n, texts in enumerate(ROUNDS, 1)),
    ]
)


@pytest.mark.parametrize(("sheet", "place"), [(A_ROW_A_MOVE, "row 4"), (BESIDE, "row 2, Jo")])
def test_what_a_sheet_says_of_each_player_is_read(tabletape: Tabletape, tmp_path: Path, sheet: str, place: str) -> None:
    """Moves, cards and on whom they are played are those of the row, or of the column called like the player."""
    (tmp_path / "evening.csv").write_text(sheet)
    said = tabletape("rules", "new", "woods", "evening.csv", stdin=b"\n\n\n\n")
    assert said.exit_code == 0, said.output
    assert "evening.csv: 12 lines of Marta, Pim, Jo\n" in said.output
    assert "Read: 15 moves in 12 lines; 0 lines left open; 0 of talk" in said.output
    log = tabletape("log", "evening").stdout
    (owl,) = (line for line in log.splitlines() if "owl" in line and " C " in line)
    assert owl.endswith(f"evening.csv: {place}")
    assert '"cards":["badger"],"player":"B"' in tabletape("log", "evening", "--jsonl").stdout


def test_a_rule_names_the_cell_that_breaks_it(tabletape: Tabletape, tmp_path: Path) -> None:
    """The finding says the row and the column."""
    (tmp_path / "evening.csv").write_text(BESIDE)
    (tmp_path / "rules.txt").write_text("You may play at most one card in your turn.\n")
    tabletape("rules", "new", "woods", "evening.csv", "rules.txt", stdin=b"\n\ny\n\n")
    findings = tabletape("audit").stdout
    assert "Jo: play Owl  (evening.csv: row 2, Jo)\n" in findings
    assert "1 illegal" in findings


def test_a_column_of_remarks_is_no_player(tabletape: Tabletape, tmp_path: Path) -> None:
    """Nor are columns with numbers in them, of which nobody says what was done."""
    (tmp_path / "evening.csv").write_text(BESIDE)
    tabletape("rules", "new", "woods", "evening.csv", stdin=b"\n\n\n\n")
    assert 'beside = ["Marta", "Pim", "Jo"]' in (tmp_path / "evening.map.toml").read_text()
    numbers = "Round,Marta,Pim\n1,4,5\n2,6,1\n3,2,2"
    (tmp_path / "points.csv").write_text(numbers)
    assert "beside" not in tabletape("map", "points.csv", "--propose").output
