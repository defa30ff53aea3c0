"""Datasets in an S3 bucket: asked as those of a folder are, by ranges of their files, and only what a question needs.

Needs an S3 server of its own, whose host and port stand in TABLETAPE_TEST_S3; skipped without.
"""

import hashlib
import os
import urllib.request
from collections.abc import Iterator
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from uuid import uuid4

import pyarrow as pa
import pyarrow.fs as pf
import pyarrow.parquet as pq
import pytest

from dashboard import database
from dashboard.questions import ask, ask_sql, questions
from dashboard.workspace import DATASETS, VARIABLE
from projector.datasets.manifest import FILE, DatasetError, folder_at, named_folder, read_manifest
from projector.datasets.places import place_of
from tests.dashboard.test_pages import opened, said

SERVER = os.environ.get("TABLETAPE_TEST_S3", "")

pytestmark = pytest.mark.skipif(not SERVER, reason="TABLETAPE_TEST_S3 names no server")

Requests = list[tuple[str, str, int]]
"""What was asked of a server: the method, the path and how many bytes came back."""


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the name of an empty bucket; who may write into it is said where Amazon's own programs look."""
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "tests")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "tests")
    name = f"datasets-{uuid4().hex}"
    with urllib.request.urlopen(urllib.request.Request(f"http://{SERVER}/{name}", method="PUT")):
        return name


@pytest.fixture
def study(evening: Path) -> Path:
    """Return datasets whose events fill much more than the end of their file, with another game in each row."""
    (file,) = (evening / "events").iterdir()
    table = pq.read_table(file)
    many = pa.concat_tables([table] * 1000)
    ids = pa.array([hashlib.sha256(str(row).encode()).hexdigest() for row in range(many.num_rows)])
    place = many.column_names.index("game_id")
    pq.write_table(many.set_column(place, many.schema.field("game_id"), ids), file, compression="zstd")
    return evening


@pytest.fixture
def counted(bucket: str) -> Iterator[tuple[str, Requests]]:
    """Return the address of a server that passes everything on to that of the bucket, and what was asked of it."""
    asked: Requests = []

    class Passing(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            onward = HTTPConnection(SERVER)
            onward.request(self.command, self.path, headers=dict(self.headers))
            answer = onward.getresponse()
            content = answer.read()
            asked.append((self.command, self.path, len(content)))
            self.send_response(answer.status)
            for name, value in answer.getheaders():
                if name.lower() not in {"connection", "transfer-encoding", "date", "server"}:
                    self.send_header(name, value)
            self.end_headers()
            self.wfile.write(content)

        do_HEAD = do_GET  # noqa: N815 - as http.server calls it

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Passing) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield address(bucket, f"127.0.0.1:{server.server_port}"), asked
        server.shutdown()


def address(bucket: str, server: str = SERVER) -> str:
    """Return the address of a study in a bucket, as the documentation writes it."""
    return f"s3://{bucket}/friends/study?endpoint_override={server}&scheme=http"


def copied(datasets: Path, where: str) -> str:
    """Copy a folder of datasets to an address; return the address."""
    files, folder = place_of(where)
    pf.copy_files(str(datasets), folder, source_filesystem=pf.LocalFileSystem(), destination_filesystem=files)
    return where


def test_every_question_has_the_answer_of_the_folder(evening: Path, bucket: str) -> None:
    """All questions about a game are answered the same from a bucket; the user's own SQL as well."""
    there = named_folder(copied(evening, address(bucket)))
    for each in questions():
        mine, theirs = (ask(each.name, folder, game="higher", source="all").to_pylist() for folder in (evening, there))
        assert sorted(map(repr, mine)) == sorted(map(repr, theirs)), each.name
    own = "SELECT type, count(*) AS n FROM events GROUP BY type ORDER BY ALL"
    assert ask_sql(own, there).table == ask_sql(own, evening).table


def test_a_question_reads_what_it_needs_and_no_file_whole(
    study: Path, bucket: str, counted: tuple[str, Requests]
) -> None:
    """A question looks whether the manifest changed, reads the columns that it names, and keeps them for the next."""
    copied(study, address(bucket))
    where, asked = counted
    there = folder_at(where)
    (events,) = read_manifest(there).files("events")
    size = (study / events).stat().st_size
    question = "SELECT count(DISTINCT player) AS n FROM events"
    here = database.run(question, study, seconds=60, rows=9).table
    asked.clear()
    assert database.run(question, there, seconds=60, rows=9).table == here
    assert [method for method, path, _ in asked if FILE in path] == ["HEAD"]
    read = [length for method, path, length in asked if method == "GET" and events in path]
    assert 0 < sum(read) < size / 3
    asked.clear()
    assert database.run(question, there, seconds=60, rows=9).table == here
    assert [(method, FILE in path) for method, path, _ in asked] == [("HEAD", True)]


def test_a_bucket_that_is_not_there_is_told(bucket: str) -> None:
    """No bucket, or a bucket without datasets, is reported in a sentence."""
    with pytest.raises(DatasetError, match=r"^there are no datasets at s3://no-such-bucket/friends/study"):
        named_folder(address("no-such-bucket"))
    with pytest.raises(DatasetError, match=rf"^there are no datasets at s3://{bucket}/friends/study"):
        named_folder(address(bucket))


def test_a_page_shows_what_the_bucket_has(
    evening: Path, bucket: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The overview of a bucket says what that of the log says."""
    monkeypatch.setenv(VARIABLE, str(evening.parent.parent / "tabletape.db"))
    here = opened("overview", source="both")
    monkeypatch.setenv(VARIABLE, str(tmp_path / "elsewhere" / "tabletape.db"))
    monkeypatch.setenv(DATASETS, copied(evening, address(bucket)))
    there = opened("overview", source="both")
    assert not there.exception
    assert not there.error
    assert [each.value for each in there.metric] == [each.value for each in here.metric]
    assert here.metric or here.dataframe
    assert [each.value.to_dict() for each in there.dataframe] == [each.value.to_dict() for each in here.dataframe]
    assert "Only datasets are shown here" in said(opened("replay"))
