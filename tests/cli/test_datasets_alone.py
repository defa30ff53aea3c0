"""`--datasets`: `stats`, `sql` and `serve` on datasets at a given place, without a log."""

import json
import shutil
from pathlib import Path

import pytest

from tabletape.projector.datasets.manifest import FOLDER
from tests.cli.conftest import Tabletape

OWN = "SELECT game_id, events FROM games"


@pytest.fixture
def alone(tabletape: Tabletape, evening: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Move the datasets of an evening elsewhere and delete the log; return the place of the datasets."""
    assert tabletape("build").exit_code == 0
    copy = tmp_path_factory.mktemp("alone") / "study"
    shutil.move(evening.parent / FOLDER, copy)
    (evening.parent / "tabletape.db").unlink()
    return copy


def test_questions_are_asked_without_a_log(tabletape: Tabletape, alone: Path) -> None:
    """Questions are answered by a path and by an address, and no log is made."""
    for where in (str(alone), alone.as_uri()):
        result = tabletape("stats", "games", "--json", "--datasets", where)
        assert (result.exit_code, [row["game_id"] for row in json.loads(result.stdout)]) == (0, ["g"])
        own_result = tabletape("sql", OWN, "--json", "--datasets", where)
        assert (own_result.exit_code, json.loads(own_result.stdout)[0]["game_id"]) == (0, "g")
    assert tabletape("sql", OWN).exit_code == 1
    assert not Path("tabletape.db").exists()


@pytest.mark.parametrize("verb", [("stats", "games"), ("sql", OWN), ("serve",)])
def test_missing_datasets_are_an_error(tabletape: Tabletape, verb: tuple[str, ...]) -> None:
    """A folder or address without datasets ends the command with a sentence, before a server starts."""
    for where in ("nowhere", Path("nowhere").absolute().as_uri()):
        result = tabletape(*verb, "--datasets", where)
        assert result.exit_code == 1
        assert "there are no datasets" in result.stderr
        assert "tabletape build --datasets" in result.stderr
    assert not Path("nowhere").exists()


def test_phones_cannot_keep_a_log_without_a_log(tabletape: Tabletape, alone: Path) -> None:
    """`serve --lan` lets phones write to the log, so it is refused where there are only datasets."""
    refused = tabletape("serve", "--lan", "--datasets", str(alone))
    assert refused.exit_code == 1
    assert "--lan" in refused.stderr


@pytest.mark.usefixtures("evening")
def test_built_datasets_are_copied(tabletape: Tabletape) -> None:
    """`build --datasets` copies the datasets, the same option of `sql` asks them; a second build copies nothing."""
    where = Path("elsewhere").absolute().as_uri()
    assert json.loads(tabletape("build", "--datasets", where, "--json").stdout)["copied"] > 10
    assert json.loads(tabletape("sql", OWN, "--json", "--datasets", where).stdout)[0]["game_id"] == "g"
    assert "0 files copied to file:" in "".join(tabletape("build", "--datasets", where).stderr.split("\n"))
    Path("file").write_text("")
    refused = tabletape("build", "--datasets", "file/study")
    assert refused.exit_code == 1
    assert "cannot be written to" in refused.stderr


def test_the_dashboard_gets_the_place_of_its_datasets(
    tabletape: Tabletape, alone: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A relative path becomes absolute, because the pages may run in another folder; an address stays as it is."""
    served: list[str] = []
    monkeypatch.setattr("tabletape.cli.serve.open_dashboard", lambda *_, datasets: served.append(datasets))
    monkeypatch.chdir(alone.parent)
    for where in ("study", alone.as_uri()):
        assert tabletape("serve", "--datasets", where).exit_code == 0
    assert served == [str(alone), alone.as_uri()]
