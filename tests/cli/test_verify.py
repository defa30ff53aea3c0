"""`tabletape verify` and the heads that imports print."""

from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from tabletape.cli.main import app
from tests.events.conftest import game, write_lines
from tests.events.tampering import TAMPERING, cut_off, tamper


def call(*words: str | Path) -> Result:
    """Run the command."""
    return CliRunner().invoke(app, [str(word) for word in words])


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """Return a log of two imports; their heads are kept in `tabletape.heads` beside it."""
    path = tmp_path / "tabletape.db"
    for name in "ab":
        file = write_lines(tmp_path / f"{name}.jsonl", game(name))
        assert call("import", file, "--db", path, "--heads", tmp_path / "tabletape.heads").exit_code == 0
    return path


def test_import_and_verify_print_the_same_head(database: Path) -> None:
    """`verify` prints the head of the last import, which is also the last line of the file of heads."""
    (newest,) = [each for each in call("verify", "--db", database).output.splitlines() if each.startswith("Head: ")]
    lines = (database.parent / "tabletape.heads").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 2
    assert lines[-1].startswith(newest.removeprefix("Head: "))


def test_an_import_of_nothing_new_keeps_the_file_of_heads(database: Path) -> None:
    """The same head is not put into the file twice."""
    heads = database.parent / "tabletape.heads"
    before = heads.read_text(encoding="utf-8")
    assert call("import", database.parent / "a.jsonl", "--db", database, "--heads", heads).exit_code == 0
    assert heads.read_text(encoding="utf-8") == before


def test_kept_heads_prove_the_log(database: Path) -> None:
    """All kept heads are checked; if one is missing from the log the exit code is 1 and a message explains it."""
    heads = database.parent / "tabletape.heads"
    assert call("verify", "--db", database, "--heads", heads).exit_code == 0
    cut_off(database)
    assert call("verify", "--db", database).exit_code == 0
    checked = call("verify", "--db", database, "--heads", heads)
    assert checked.exit_code == 1
    assert "changed or taken away" in checked.output
    first = heads.read_text(encoding="utf-8").split()[0]
    assert call("verify", "--db", database, "--head", first).exit_code == 0


def test_games_since_a_head_are_listed(database: Path) -> None:
    """`--since` names the games that were recorded after a head; an unknown head is refused."""
    first = (database.parent / "tabletape.heads").read_text(encoding="utf-8").split()[0]
    listed = call("verify", "--db", database, "--since", first)
    assert listed.exit_code == 0
    assert [each.split()[0] for each in listed.stdout.splitlines()[1:2]] == ["b"]
    assert call("verify", "--db", database, "--since", "00").exit_code == 1


@pytest.mark.parametrize("cut_off", ["3fe0a1", "\0\0\0"])
def test_a_head_that_a_power_cut_has_cut_off_is_passed_over(cut_off: str, database: Path, tmp_path: Path) -> None:
    """The unfinished last line was never acknowledged: the others are checked, and the next head takes its place."""
    heads = database.parent / "tabletape.heads"
    before = heads.read_text(encoding="utf-8")
    heads.write_text(before + cut_off, encoding="utf-8")
    assert call("verify", "--db", database, "--heads", heads).exit_code == 0
    third = write_lines(tmp_path / "third.jsonl", game("third"))
    assert call("import", third, "--db", database, "--heads", heads).exit_code == 0
    after = heads.read_text(encoding="utf-8")
    assert after.startswith(before)
    assert cut_off not in after.removeprefix(before)[: len(cut_off)]
    assert call("verify", "--db", database, "--heads", heads).exit_code == 0


def test_a_head_without_an_end_of_its_line_is_a_head(database: Path, tmp_path: Path) -> None:
    """Somebody who wrote a head down by hand need not end the line; the next head begins a line of its own."""
    heads = database.parent / "tabletape.heads"
    heads.write_text(heads.read_text(encoding="utf-8").rstrip("\n"), encoding="utf-8")
    third = write_lines(tmp_path / "third.jsonl", game("third"))
    assert call("import", third, "--db", database, "--heads", heads).exit_code == 0
    assert len(heads.read_text(encoding="utf-8").splitlines()) == 3
    assert call("verify", "--db", database, "--heads", heads).exit_code == 0


def test_a_file_that_holds_no_heads_is_refused(database: Path, tmp_path: Path) -> None:
    """A line that is no head is named with its place."""
    refused = call("verify", "--db", database, "--heads", write_lines(tmp_path / "x", ["# mine", "oops"]))
    assert refused.exit_code == 1
    assert "x:2: a head is expected" in refused.output


@pytest.mark.parametrize("name", ["version-emptied", "game-player-without-name", "quarantine-dropped", "heads-dropped"])
def test_damage_ends_in_no_traceback(database: Path, name: str) -> None:
    """Any damage is reported, and the exit code is 1."""
    tamper(database, TAMPERING[name])
    checked = call("verify", "--db", database)
    assert checked.exit_code == 1
    assert "mistake of its own" not in checked.output
    assert checked.output.strip()


def test_without_a_kept_head_verify_says_what_it_cannot_notice(database: Path) -> None:
    """The word goes away where a head is given, or kept now."""
    heads = database.parent / "mine.heads"
    assert "cannot be noticed" in " ".join(call("verify", "--db", database).output.split())
    assert "cannot be noticed" not in call("verify", "--db", database, "--keep", heads).output
    assert "cannot be noticed" not in call("verify", "--db", database, "--heads", heads).output


def test_a_head_is_kept_once_and_only_where_all_is_well(database: Path) -> None:
    """`--keep` writes the newest head at the end of the file, but not of a log that is damaged."""
    heads = database.parent / "mine.heads"
    for _ in range(2):
        assert call("verify", "--db", database, "--keep", heads).exit_code == 0
    kept = heads.read_text(encoding="utf-8")
    assert (
        kept.split()[0] == (database.parent / "tabletape.heads").read_text(encoding="utf-8").splitlines()[-1].split()[0]
    )
    assert len(kept.splitlines()) == 1
    tamper(database, TAMPERING["game-recorded-at"])
    assert call("verify", "--db", database, "--keep", database.parent / "other.heads").exit_code == 1
    assert not (database.parent / "other.heads").exists()


def test_what_is_new_is_checked_from_a_kept_head(database: Path) -> None:
    """The output says what was not read; a log whose end was cut off is noticed, and a head is needed."""
    heads = database.parent / "tabletape.heads"
    checked = call("verify", "--db", database, "--heads", heads, "--new")
    assert checked.exit_code == 0
    assert "goes on from 2 kept heads" in checked.output
    assert "was not read" in checked.output
    refused = call("verify", "--db", database, "--new")
    assert refused.exit_code == 1
    assert "--new needs a head" in refused.output
    cut_off(database)
    assert call("verify", "--db", database, "--heads", heads, "--new").exit_code == 1
