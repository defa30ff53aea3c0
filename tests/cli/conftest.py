"""Fixtures of the tests of the command line: an empty workspace, and the command as it is called in a pipe."""

from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from tabletape.cli.main import app
from tabletape.projector.model.game import Game

Tabletape = Callable[..., Result]


@pytest.fixture
def tabletape(higher: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Tabletape:
    """Return a function that calls the command in an empty working folder, with the sixth game among the games."""
    assert higher.slug == "higher"
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("TABLETAPE_DB", raising=False)

    def call(*arguments: str, stdin: bytes = b"") -> Result:
        result = CliRunner().invoke(app, list(arguments), input=stdin)
        assert "Traceback" not in result.output
        assert result.exception is None or isinstance(result.exception, SystemExit)
        return result

    return call


ONE_MISTAKE = Path(__file__).parents[1] / "sixth_game" / "one-mistake.jsonl"


@pytest.fixture
def evening(tabletape: Tabletape, tmp_path: Path) -> Path:
    """Import the recorded game `g` into the working folder's log; return the file that it came from."""
    file = tmp_path / "evening.jsonl"
    file.write_bytes(ONE_MISTAKE.read_bytes())
    assert tabletape("import", "evening.jsonl").exit_code == 0
    return file
