"""A backup is the log as it was, with its head, and becomes a log again; nothing is written over or half-written."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from tabletape.cli.main import app
from tabletape.events.importing.import_files import import_paths
from tabletape.events.log import Log
from tests.events.conftest import game, write_lines


def run(*words: object) -> tuple[int, str]:
    """Run Tabletape; return its exit code and what it says."""
    ended = CliRunner().invoke(app, [*map(str, words)])
    return ended.exit_code, ended.output


def stored(place: Path, name: str) -> str:
    """Import a game into a log; return its head."""
    write_lines(place.with_name(f"{name}.jsonl"), game(name))
    with Log.open(place, create=True) as log:
        import_paths(log, [place.with_name(f"{name}.jsonl")])
        return log.head()


def test_a_restored_log_has_the_same_heads(tmp_path: Path) -> None:
    """What came after the backup is not in it; what came before is, and can be gone on with."""
    head = stored(tmp_path / "t.db", "one")
    assert run("backup", tmp_path / "monday", "--db", tmp_path / "t.db")[0] == 0
    stored(tmp_path / "t.db", "two")
    code, said = run("restore", tmp_path / "monday", "--db", tmp_path / "again.db")
    assert (code, head in said) == (0, True)
    with Log.open(tmp_path / "again.db") as log, Log.open(tmp_path / "t.db") as first:
        assert log.heads() == first.heads()[: len(log.heads())]
        assert [each.game_id for each in log.games()] == ["one"]
    stored(tmp_path / "again.db", "three")


def test_a_backup_is_made_beside_an_open_transaction(tmp_path: Path) -> None:
    """Somebody who writes meanwhile is not in the copy, and is not hindered."""
    head = stored(tmp_path / "t.db", "one")
    with Log.open(tmp_path / "t.db") as log, log.writing():
        assert run("backup", tmp_path / "monday", "--db", tmp_path / "t.db") == (
            0, f"{tmp_path / 'monday'}: as it was written down. Head: {head}\n"
        )  # fmt: skip


@pytest.mark.parametrize("verb", ["backup", "restore"])
def test_nothing_is_written_over(verb: str, tmp_path: Path) -> None:
    """A file that is there is refused, and stays as it was."""
    stored(tmp_path / "t.db", "one")
    other = tmp_path / "other"
    other.write_text("mine")
    words = (other, "--db", tmp_path / "t.db") if verb == "backup" else (tmp_path / "t.db", "--db", other)
    code, said = run(verb, *words)
    assert (code, "is there already" in said, other.read_text()) == (1, True, "mine")


def test_a_damaged_log_makes_no_backup(tmp_path: Path) -> None:
    """What is wrong is said, and no copy is left; a file that is no log cannot be restored."""
    place = tmp_path / "t.db"
    stored(place, "one")
    content = bytearray(place.read_bytes())
    at = content.index(b'"note.added"') if b'"note.added"' in content else content.index(b'"game.started"')
    content[at + 2] ^= 1
    place.write_bytes(content)
    code, said = run("backup", tmp_path / "monday", "--db", place)
    assert (code, "is damaged" in said) == (1, True)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["one.jsonl", "t.db"]
    assert run("restore", tmp_path / "one.jsonl", "--db", tmp_path / "again.db")[0] == 1
    assert not (tmp_path / "again.db").exists()
