"""The user's own SQL: it can read the datasets and nothing else; it is stopped when it takes too long."""

from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tabletape.dashboard.questions.database import QuestionError
from tabletape.dashboard.questions.query_process import ask_sql
from tabletape.projector.datasets.columns import DATASETS
from tabletape.projector.datasets.manifest import FOLDER
from tests.dashboard.asking import rows

FORBIDDEN = (
    "SELECT * FROM read_text('/etc/passwd')",
    "SELECT * FROM read_csv('/etc/passwd')",
    "SELECT * FROM read_blob('{db}')",
    "SELECT * FROM '/etc/passwd'",
    "SELECT * FROM glob('/etc/*')",
    "SELECT * FROM sniff_csv('/etc/passwd')",
    "ATTACH '{db}' AS log",
    "COPY events TO '{out}'",
    "COPY (SELECT 1) TO '{file}' (USE_TMP_FILE false)",
    "EXPLAIN ANALYZE COPY events TO '{out}'",
    "EXPORT DATABASE '{out}'",
    "INSTALL httpfs",
    "LOAD httpfs",
    "SET enable_external_access = true",
    "SET lock_configuration = false",
    "CREATE TABLE mine AS SELECT 1",
    "DROP VIEW games",
    "DELETE FROM games",
    "INSERT INTO games SELECT * FROM games",
    "WITH gone AS (DELETE FROM games RETURNING *) SELECT * FROM gone",
    "SELECT 1; COPY events TO '{out}'",
    "PRAGMA database_list",
    "CALL pragma_version()",
    "",
)
"""What the user's own SQL may not do, each refused."""


def test_the_users_own_sql_reads_the_datasets(evening: Path) -> None:
    """SELECT, DESCRIBE and SHOW TABLES are answered; rows over the limit are cut off, and the answer says so."""
    answer = ask_sql("SELECT type, count(*) AS n FROM events GROUP BY type ORDER BY n DESC", evening)
    assert (answer.table.column_names, answer.cut) == (["type", "n"], False)
    assert ask_sql("SELECT * FROM events", evening, rows=5).cut
    assert ask_sql("SELECT * FROM events", evening, rows=5).table.num_rows == 5
    assert set(ask_sql("SHOW TABLES", evening).table["name"].to_pylist()) == set(DATASETS)
    assert ask_sql("DESCRIBE games", evening).table.num_rows == len(DATASETS["games"])


def test_a_day_is_the_same_in_every_time_zone(evening: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Times are UTC, as documented, also on a computer in another time zone."""
    monkeypatch.setenv("TZ", "Pacific/Auckland")
    answer = ask_sql("SELECT day(TIMESTAMPTZ '2026-05-08 19:00:00Z') AS day, TIMESTAMPTZ '2026-05-08' AS at", evening)
    assert answer.table.to_pylist() == [{"day": 8, "at": datetime(2026, 5, 8, tzinfo=UTC)}]


def test_the_users_own_sql_reads_nothing_else_and_writes_nothing(evening: Path, tmp_path: Path) -> None:
    """Files, other databases, extensions and settings cannot be reached, and the datasets do not change."""
    (file,) = (evening / "games").glob("*.parquet")
    before = file.read_bytes()
    out = tmp_path / "out"
    for sql in FORBIDDEN:
        with pytest.raises(QuestionError) as refused:
            ask_sql(sql.format(db=tmp_path / "tabletape.db", out=out, file=file), evening)
        assert "root:" not in str(refused.value), sql
        assert not out.exists(), sql
        assert file.read_bytes() == before, sql
        assert rows("overview", evening)[0]["games"] == 4, sql


def test_sql_that_does_not_work_is_explained(evening: Path) -> None:
    """A wrong word, column or table is named in one line, for an unknown table with the list of datasets."""
    with pytest.raises(QuestionError, match="syntax error"):
        ask_sql("SELEC 1", evening)
    with pytest.raises(QuestionError, match=r"The datasets are: games, seats"):
        ask_sql("SELECT * FROM gmaes", evening)
    with pytest.raises(QuestionError, match='"type"') as refused:
        ask_sql("SELECT typ FROM events", evening)
    assert "\n" not in str(refused.value)


def test_sql_that_takes_too_long_is_stopped(evening: Path) -> None:
    """An endless query is stopped, and the next one is answered."""
    with pytest.raises(QuestionError, match=r"longer than 0\.2 seconds"):
        ask_sql("SELECT count(*) FROM range(100000000000) AS a, range(1000) AS b", evening, seconds=0.2)
    assert ask_sql("SELECT 1 AS one", evening).table.to_pylist() == [{"one": 1}]


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT levenshtein(repeat('a', 2000000), repeat('b', 2000000))",
        "SELECT length(lpad('x', 2000000000, 'y'))",
        " UNION ALL ".join(["SELECT 1"] * 20_000),
        f"SELECT {', '.join(f'1 AS c{number}' for number in range(50_000))}",
    ],
    ids=["levenshtein", "lpad", "unions", "columns"],
)
def test_sql_that_cannot_be_interrupted_is_ended(evening: Path, sql: str) -> None:
    """A query that DuckDB does not interrupt ends with its process; an answer within the time is fine, too."""
    with suppress(QuestionError):
        assert ask_sql(sql, evening, seconds=0.5).table.num_rows
    assert ask_sql("SELECT 1 AS one", evening).table.to_pylist() == [{"one": 1}]


def test_files_that_no_manifest_names_cannot_be_read(evening: Path) -> None:
    """A file in the folder that is not part of the datasets is neither counted nor readable."""
    stranger = evening / "games" / "stranger.parquet"
    (file,) = (evening / "games").glob("*.parquet")
    stranger.write_bytes(file.read_bytes())
    assert rows("overview", evening)[0]["games"] == 4
    with pytest.raises(QuestionError, match="only the datasets"):
        ask_sql(f"SELECT * FROM read_parquet('{stranger}')", evening)  # noqa: S608 - the point of the test
    assert evening.parts[-2:] == FOLDER.parts
