"""Files of datasets that are not what was written: every reader says so, and a build mends them."""

import shutil
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest
from typer.testing import CliRunner

from tabletape.cli.main import app
from tabletape.dashboard.questions import ask, database
from tabletape.dashboard.questions.database import QuestionError
from tabletape.dashboard.questions.query_process import ask_sql
from tabletape.dashboard.sound_files import FILE_FUNCTIONS, datasets_of
from tabletape.projector.datasets import manifest
from tabletape.projector.datasets.columns import DATASETS, SCHEMA
from tabletape.projector.datasets.manifest import FILE, DatasetError, folder_at, read_manifest
from tabletape.projector.datasets.places import RemoteFolder
from tabletape.projector.datasets.proofs import BLOCK, ProvenFile, UnsoundError, unsealed, written
from tests.attack.datasets import built_datasets, flip, wrong_flips

HARMLESS = {
    "checkpoint",
    "force_checkpoint",
    "generate_series",
    "icu_calendar_names",
    "range",
    "repeat",
    "repeat_row",
    "unnest",
    "which_secret",
}
"""Table functions of DuckDB that read no dataset, whatever they are given."""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the datasets of games of bots, of two kinds."""
    return built_datasets(tmp_path_factory.mktemp("built"), ("crystal", "splicers"))


@pytest.fixture
def datasets(built: Path, tmp_path: Path) -> Path:
    """Return them with their log, in a folder of their own."""
    database.close()
    manifest._read.cache_clear()
    shutil.copytree(built.parent.parent, tmp_path / "work")
    return tmp_path / "work" / ".tabletape" / "datasets"


def first(folder: Path, dataset: str) -> Path:
    """Return a file of a dataset."""
    return folder / read_manifest(folder).files(dataset)[0]


def call(*words: str | Path) -> tuple[int, str]:
    """Run a command; return its exit code, and what it prints."""
    result = CliRunner().invoke(app, [str(word) for word in words])
    return result.exit_code, " ".join(result.output.split())


def cut(file: Path) -> None:
    """Cut the end of a file off."""
    file.write_bytes(file.read_bytes()[:-30])


def flipped(file: Path) -> None:
    """Flip a bit in the middle of a file."""
    flip(file, file.stat().st_size * 4)


def swapped(file: Path) -> None:
    """Put another file of the datasets in its place."""
    shutil.copy(next(file.parent.parent.glob("seats/*.parquet")), file)


HARM = (cut, flipped, swapped, Path.unlink)


def test_no_flipped_bit_changes_what_is_read(built: Path, tmp_path: Path) -> None:
    """After each of 60 flips all rows are as before, or an error names the file and the command that mends it."""
    assert wrong_flips(built, tmp_path / ".tabletape" / "datasets", range(60)) == []


@pytest.mark.parametrize("harm", HARM)
def test_a_file_that_is_not_what_was_written_is_named_and_mended(datasets: Path, harm: Callable[[Path], None]) -> None:
    """Questions, SQL and `verify` name it with the command, which mends it alone and says so."""
    log = datasets.parent.parent / "tabletape.db"
    before = call("sql", "select * from games order by all", "--db", log)
    file = first(datasets, "games")
    harm(file)
    database.close()
    for words in (("sql", "select * from games order by all"), ("stats", "overview"), ("verify",)):
        code, output = call(*words, "--db", log)
        assert code == 1, words
        assert f"games/{file.name}" in output
        assert "`tabletape build`" in output
    with pytest.raises(QuestionError, match=rf"not whole: games/{file.name} .*`tabletape build`"):
        ask("overview", datasets)
    code, output = call("build", "--db", log)
    assert code == 0
    assert f"built anew: games/{file.name}" in output
    assert "2 games projected" in output
    assert call("verify", "--db", log)[0] == 0
    assert call("sql", "select * from games order by all", "--db", log) == before
    assert "built anew" not in call("build", "--db", log)[1]


def test_what_was_harmed_after_it_was_checked_is_named(datasets: Path) -> None:
    """A file that is cut while the pages run is named, instead of what DuckDB says of it."""
    assert ask("overview", datasets, source="all").num_rows
    file = first(datasets, "games")
    cut(file)
    with pytest.raises(QuestionError, match=rf"not whole: games/{file.name} has .* bytes instead of"):
        ask("overview", datasets, source="all", game="splicers")


def test_only_files_that_are_asked_are_in_the_way(datasets: Path) -> None:
    """Where several files hold a dataset, a question about another dataset is answered."""
    file = datasets / read_manifest(datasets).files("actions")[-1]
    flipped(file)
    database.close()
    assert ask_sql("SELECT count(*) AS n FROM games", datasets).table.to_pylist() == [{"n": 4}]
    for sql in (
        "SELECT * FROM actions",
        "SELECT * FROM ACTIONS",
        "SELECT * FROM query('FROM act' || 'ions')",
        f"FROM '{file}'",
    ):
        with pytest.raises(QuestionError, match=rf"not whole: actions/{file.name} is not what was written"):
            database.run(sql, datasets, seconds=60, rows=9)


def test_every_function_that_may_read_a_dataset_is_known() -> None:
    """Table functions to which a name is given as a text have all files checked."""
    query = "SELECT DISTINCT function_name FROM duckdb_functions() WHERE function_type IN ('table', 'table_macro')"
    with duckdb.connect() as connection:
        names = {name for (name,) in connection.execute(query).fetchall()}
    about_duckdb = ("duckdb_", "pragma_", "pg_", "test_", "enable_", "disable_", "truncate_")
    resources = {name for name in names if "external_resource" in name}
    left = {name for name in names - HARMLESS - resources if not name.startswith(about_duckdb)}
    assert {name for name in left if not FILE_FUNCTIONS.search(name)} <= {"python_map_function"}
    assert datasets_of("FROM read_parquet('x')", summed_up=False) == DATASETS.keys()
    assert datasets_of("SELECT 1", summed_up=False) == frozenset()


def test_a_manifest_that_is_not_what_was_written_is_refused(datasets: Path) -> None:
    """It is named with the command that builds all anew, also by a build, which changes nothing."""
    log = datasets.parent.parent / "tabletape.db"
    file = datasets / FILE
    content = file.read_bytes()
    place = content.index(b'"games":') + 3
    flip(file, place * 8)
    for words in (("sql", "select 1"), ("build",), ("verify",)):
        code, output = call(*words, "--db", log)
        assert code == 1
        assert f"{FILE} is not what was written; `tabletape build --fresh` builds all datasets anew" in output
    assert call("build", "--fresh", "--db", log)[0] == 0
    assert call("verify", "--db", log)[0] == 0


def test_datasets_of_an_older_version_are_built_anew(datasets: Path) -> None:
    """A manifest without digests is of an older version: questions say so, `verify` lets it be, a build says a word."""
    log = datasets.parent.parent / "tabletape.db"
    inner, _ = unsealed((datasets / FILE).read_bytes())
    (datasets / FILE).write_bytes(inner.replace(SCHEMA.encode(), b"0123456789ab"))
    manifest._read.cache_clear()
    assert "another version of Tabletape" in call("sql", "select * from games", "--db", log)[1]
    assert call("verify", "--db", log)[0] == 0
    code, output = call("build", "--db", log)
    assert code == 0
    assert "older version" in output
    assert "4 games projected" in output
    assert "older version" not in call("build", "--db", log)[1]


def test_a_manifest_of_today_needs_its_digest(datasets: Path) -> None:
    """Content that was taken out of its seal is refused: nothing would prove it."""
    inner, _ = unsealed((datasets / FILE).read_bytes())
    (datasets / FILE).write_bytes(inner)
    manifest._read.cache_clear()
    with pytest.raises(DatasetError, match="has no digest; `tabletape build --fresh`"):
        read_manifest(datasets)


def test_a_copy_is_checked_and_copied_again(datasets: Path, tmp_path: Path) -> None:
    """A copy in another folder, and the same folder as an address, name what copies the file again."""
    log = datasets.parent.parent / "tabletape.db"
    there = tmp_path / "there"
    assert call("build", "--db", log, "--datasets", there)[0] == 0
    before = ask("overview", there, source="all")
    file = first(there, "games")
    flipped(file)
    database.close()
    for folder in (there, RemoteFolder(there.as_uri())):
        with pytest.raises(
            QuestionError, match=rf"games/{file.name} is not what .*`tabletape build --datasets \S+there`"
        ):
            ask("overview", folder, source="all")
    assert "1 file copied" in call("build", "--db", log, "--datasets", there)[1]
    assert ask("overview", folder_at(there.as_uri()), source="all") == before


def test_a_damaged_file_is_not_copied(datasets: Path) -> None:
    """Between the build and the copy each file is checked once more."""
    made = read_manifest(datasets)
    file = first(datasets, "games")
    flipped(file)
    with pytest.raises(DatasetError, match=rf"games/{file.name} is not what was written"):
        manifest.content_of(datasets, made, f"games/{file.name}")


def test_a_file_is_proven_by_the_blocks_that_are_read() -> None:
    """Of a file of several blocks a range is read and checked; a flip elsewhere is not in its way."""
    content = bytes(range(256)) * (3 * BLOCK // 256) + b"end"
    proof = written(content)
    assert len(proof.blocks) == 4
    harmed = bytearray(content)
    harmed[BLOCK + 7] ^= 1
    file = ProvenFile(lambda begin, length: bytes(harmed[begin : begin + length]), proof)
    file.seek(2 * BLOCK - 1)
    with pytest.raises(UnsoundError):
        file.read(2)
    file.seek(2 * BLOCK)
    assert file.read() == content[2 * BLOCK :]
    assert file.read(1) == b""
