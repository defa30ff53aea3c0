"""Datasets in an S3 bucket are queried like those of a folder; a question reads only the ranges that it needs.

Needs an S3 server of its own, whose host and port are in TABLETAPE_TEST_S3; skipped without it.
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

import msgspec
import pyarrow as pa
import pyarrow.fs as pf
import pyarrow.parquet as pq
import pytest

from tabletape.dashboard.questions import ask, database, questions
from tabletape.dashboard.questions.query_process import ask_sql
from tabletape.dashboard.workspace import DATASETS, VARIABLE
from tabletape.projector.datasets.manifest import (
    FILE,
    DatasetError,
    folder_at,
    named_folder,
    read_manifest,
    write_manifest,
)
from tabletape.projector.datasets.places import place_of
from tabletape.projector.datasets.proofs import written
from tests.dashboard.test_pages import open_page, page_text

SERVER = os.environ.get("TABLETAPE_TEST_S3", "")

pytestmark = pytest.mark.skipif(not SERVER, reason="TABLETAPE_TEST_S3 names no server")

Requests = list[tuple[str, str, int]]
"""The requests to a server: the method, the path and the length of the response in bytes."""


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the name of a new bucket; its credentials are in Amazon's usual environment variables."""
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "tests")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "tests")
    name = f"datasets-{uuid4().hex}"
    with urllib.request.urlopen(urllib.request.Request(f"http://{SERVER}/{name}", method="PUT")):
        return name


@pytest.fixture
def study(evening: Path) -> Path:
    """Return datasets whose file of events is much larger than its footer, with another game id in each row."""
    (file,) = (evening / "events").iterdir()
    table = pq.read_table(file)
    many = pa.concat_tables([table] * 1000)
    ids = pa.array([hashlib.sha256(str(row).encode()).hexdigest() for row in range(many.num_rows)])
    place = many.column_names.index("game_id")
    pq.write_table(many.set_column(place, many.schema.field("game_id"), ids), file, compression="zstd")
    manifest = read_manifest(evening)
    (pack,) = manifest.packs
    proven = msgspec.structs.replace(pack, written={**pack.written, "events": written(file.read_bytes())})
    write_manifest(evening, msgspec.structs.replace(manifest, packs=(proven,)))
    return evening


@pytest.fixture
def counting_server(bucket: str) -> Iterator[tuple[str, Requests]]:
    """Yield the address of a proxy for the bucket's server, and the list of requests to it."""
    requests: Requests = []

    class Passing(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            onward = HTTPConnection(SERVER)
            onward.request(self.command, self.path, headers=dict(self.headers))
            answer = onward.getresponse()
            content = answer.read()
            requests.append((self.command, self.path, len(content)))
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
        yield address(bucket, f"127.0.0.1:{server.server_port}"), requests
        server.shutdown()


def address(bucket: str, server: str = SERVER) -> str:
    """Return the address of a study in a bucket, as the documentation writes it."""
    return f"s3://{bucket}/friends/study?endpoint_override={server}&scheme=http"


def copy_to(datasets: Path, where: str) -> str:
    """Copy a folder of datasets to an address; return the address."""
    files, folder = place_of(where)
    pf.copy_files(str(datasets), folder, source_filesystem=pf.LocalFileSystem(), destination_filesystem=files)
    return where


def test_every_question_has_the_answer_of_the_folder(evening: Path, bucket: str) -> None:
    """All questions about a game have the same answer from a bucket; so has the user's own SQL."""
    there = named_folder(copy_to(evening, address(bucket)))
    for each in questions():
        mine, theirs = (ask(each.name, folder, game="higher", source="all").to_pylist() for folder in (evening, there))
        assert sorted(map(repr, mine)) == sorted(map(repr, theirs)), each.name
    own = "SELECT type, count(*) AS n FROM events GROUP BY type ORDER BY ALL"
    assert ask_sql(own, there).table == ask_sql(own, evening).table


def test_a_question_reads_what_it_needs_and_no_file_whole(
    study: Path, bucket: str, counting_server: tuple[str, Requests]
) -> None:
    """A question checks whether the manifest has changed, reads the columns that it names, and caches them."""
    copy_to(study, address(bucket))
    where, requests = counting_server
    there = folder_at(where)
    (events,) = read_manifest(there).files("events")
    size = (study / events).stat().st_size
    question = "SELECT count(DISTINCT player) AS n FROM events"
    here = database.run(question, study, seconds=60, rows=9).table
    requests.clear()
    assert database.run(question, there, seconds=60, rows=9).table == here
    assert [method for method, path, _ in requests if FILE in path] == ["HEAD"]
    read = [length for method, path, length in requests if method == "GET" and events in path]
    assert 0 < sum(read) < size / 3
    requests.clear()
    assert database.run(question, there, seconds=60, rows=9).table == here
    assert [(method, FILE in path) for method, path, _ in requests] == [("HEAD", True)]


def test_a_missing_bucket_is_an_error(bucket: str) -> None:
    """A missing bucket, and one without datasets, are reported in a sentence."""
    with pytest.raises(DatasetError, match=r"^there are no datasets at s3://no-such-bucket/friends/study"):
        named_folder(address("no-such-bucket"))
    with pytest.raises(DatasetError, match=rf"^there are no datasets at s3://{bucket}/friends/study"):
        named_folder(address(bucket))


def test_a_page_shows_what_the_bucket_has(
    evening: Path, bucket: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The overview of a bucket shows the same as that of the log."""
    monkeypatch.setenv(VARIABLE, str(evening.parent.parent / "tabletape.db"))
    here = open_page("overview", source="both")
    monkeypatch.setenv(VARIABLE, str(tmp_path / "elsewhere" / "tabletape.db"))
    monkeypatch.setenv(DATASETS, copy_to(evening, address(bucket)))
    there = open_page("overview", source="both")
    assert not there.exception
    assert not there.error
    assert [each.value for each in there.metric] == [each.value for each in here.metric]
    assert here.metric or here.dataframe
    assert [each.value.to_dict() for each in there.dataframe] == [each.value.to_dict() for each in here.dataframe]
    assert "Only datasets are shown here" in page_text(open_page("replay"))
