"""Texts of a log are printed as text and data: no control codes, no forged lines, no formulas."""

import csv
import io
import json
from pathlib import Path

import pyarrow as pa
import pytest
from typer.testing import CliRunner

from tabletape.cli.main import app
from tabletape.dashboard.spreadsheet import csv_of
from tabletape.events.importing import import_paths
from tabletape.events.log import Log
from tests.events.conftest import game, head

NAME = "Ann\x1b[31m\x07\x9b2J\u202e\n✓ all good"
STEERING = "\x1b\x07\x9b\u202e\u2028"


@pytest.fixture
def database(tmp_path: Path) -> str:
    """Return a log in which the names of the players are hostile."""
    players = [{"id": "A", "name": NAME}, {"id": "B", "name": "=1+1"}]
    (tmp_path / "g.jsonl").write_text("\n".join([head("g__1", players=players), *game()[1:]]), encoding="utf-8")
    with Log.open(tmp_path / "tabletape.db", create=True) as log:
        import_paths(log, [tmp_path / "g.jsonl"])
    return str(tmp_path / "tabletape.db")


@pytest.mark.parametrize(
    "command",
    [
        ["games"],
        ["games", "--json"],
        ["log", "g__1"],
        ["log", "g__1", "--json"],
        ["log", "g__1", "--jsonl"],
        ["replay", "g__1"],
        ["audit"],
        ["audit", "--json"],
        ["sql", "SELECT * FROM seats", "--csv"],
        ["sql", "SELECT * FROM seats"],
        ["sql", "SELECT * FROM seats", "--json"],
        ["sql", "SELECT 'a' AS \"\x1b[31m\"", "--csv"],
        ["stats", "players", "--csv"],
        ["stats", "players"],
    ],
    ids=" ".join,
)
def test_no_command_lets_a_name_steer_the_terminal(database: str, command: list[str]) -> None:
    """No table, JSON or CSV has a control character, and no line begins with a part of a name."""
    assert CliRunner().invoke(app, ["build", "--db", database]).exit_code == 0
    out = CliRunner().invoke(app, [*command, "--db", database]).output
    assert not set(STEERING) & set(out), command
    if "--csv" not in command:
        assert not any(each.startswith("✓") for each in out.splitlines()), command


def test_a_printed_log_can_be_imported_unchanged(database: str, tmp_path: Path) -> None:
    """The escapes of `log --jsonl` are read back to the same game with the same hashes."""
    printed = CliRunner().invoke(app, ["log", "g__1", "--jsonl", "--db", database]).output
    assert json.loads(printed.splitlines()[0])["players"][0]["name"] == NAME
    (tmp_path / "again.jsonl").write_text(printed, encoding="utf-8")
    with Log.open(database) as log:
        assert import_paths(log, [tmp_path / "again.jsonl"]).games[0].status == "unchanged"


@pytest.mark.parametrize(
    "text", ["=1+1", "+1", "-1", "@x", "\t=1", "\r=1", "\n=1", " =1+1", " \n =1", "\xa0=1", "\uff1d1"]
)
def test_no_cell_is_a_formula(text: str) -> None:
    """A text that a spreadsheet would evaluate gets an apostrophe before it, even with blanks before its sign."""
    (_, (cell,)) = csv.reader(io.StringIO(csv_of(pa.table({"name": [text]}))))
    assert cell.startswith("'")
