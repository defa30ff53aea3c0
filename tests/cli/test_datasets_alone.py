"""`--datasets`: `stats`, `sql` and `serve` about datasets that are named by themselves, without a log."""

import json
import shutil
from pathlib import Path

import pytest

from projector.datasets.manifest import FOLDER
from tests.cli.conftest import Tabletape

OWN = "SELECT game_id, events FROM games"


@pytest.fixture
def alone(tabletape: Tabletape, evening: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the datasets of an evening; in the working folder there is no log any more."""
    assert tabletape("build").exit_code == 0
    copy = tmp_path_factory.mktemp("alone") / "study"
    shutil.move(evening.parent / FOLDER, copy)
    (evening.parent / "tabletape.db").unlink()
    return copy


def test_questions_are_asked_without_a_log(tabletape: Tabletape, alone: Path) -> None:
    """By a path and by an address; no log is made."""
    for where in (str(alone), alone.as_uri()):
        asked = tabletape("stats", "games", "--json", "--datasets", where)
        assert (asked.exit_code, [row["game_id"] for row in json.loads(asked.stdout)]) == (0, ["g"])
        own = tabletape("sql", OWN, "--json", "--datasets", where)
        assert (own.exit_code, json.loads(own.stdout)[0]["game_id"]) == (0, "g")
    assert tabletape("sql", OWN).exit_code == 1
    assert not Path("tabletape.db").exists()


@pytest.mark.parametrize("verb", [("stats", "games"), ("sql", OWN), ("serve",)])
def test_datasets_that_are_not_there_are_told(tabletape: Tabletape, verb: tuple[str, ...]) -> None:
    """A folder or address without datasets ends the command with a sentence, before anything answers."""
    for where in ("nowhere", Path("nowhere").absolute().as_uri()):
        told = tabletape(*verb, "--datasets", where)
        assert told.exit_code == 1
        assert "there are no datasets" in told.stderr
        assert "tabletape build --datasets" in told.stderr
    assert not Path("nowhere").exists()


def test_phones_keep_no_log_of_datasets(tabletape: Tabletape, alone: Path) -> None:
    """`serve --lan` keeps logs, so that it is refused where there is none."""
    refused = tabletape("serve", "--lan", "--datasets", str(alone))
    assert refused.exit_code == 1
    assert "--lan" in refused.stderr


@pytest.mark.usefixtures("evening")
def test_what_is_built_is_copied(tabletape: Tabletape) -> None:
    """`build --datasets` puts the datasets elsewhere, and the same option asks them there; again nothing is copied."""
    where = Path("elsewhere").absolute().as_uri()
    assert json.loads(tabletape("build", "--datasets", where, "--json").stdout)["copied"] > 10
    assert json.loads(tabletape("sql", OWN, "--json", "--datasets", where).stdout)[0]["game_id"] == "g"
    assert "0 files copied to file:" in "".join(tabletape("build", "--datasets", where).stderr.split("\n"))
    Path("file").write_text("")
    refused = tabletape("build", "--datasets", "file/study")
    assert refused.exit_code == 1
    assert "cannot be written to" in refused.stderr


def test_the_pages_are_told_which_datasets_they_show(
    tabletape: Tabletape, alone: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A relative path is made whole, for the pages may work elsewhere; an address stays as it is."""
    served: list[str] = []
    monkeypatch.setattr("cli.serve.open_dashboard", lambda *_, datasets: served.append(datasets))
    monkeypatch.chdir(alone.parent)
    for where in ("study", alone.as_uri()):
        assert tabletape("serve", "--datasets", where).exit_code == 0
    assert served == [str(alone), alone.as_uri()]
