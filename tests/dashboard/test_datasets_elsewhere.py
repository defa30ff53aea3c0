"""Datasets at an address are queried like those of a folder, and nothing else there can be read.

The addresses here are on this computer; `test_datasets_on_s3.py` uses a server.
"""

import shutil
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import msgspec
import pytest
from streamlit.testing.v1 import AppTest

from tabletape.dashboard.questions import ask, database, questions
from tabletape.dashboard.questions.database import QuestionError
from tabletape.dashboard.questions.query_process import ask_sql
from tabletape.dashboard.sections.choice import GameChoice
from tabletape.dashboard.site import Site
from tabletape.dashboard.workspace import DATASETS, VARIABLE
from tabletape.projector.datasets.game_packs import PackError, PackWriter
from tabletape.projector.datasets.manifest import (
    FILE,
    DatasetError,
    Manifest,
    named_folder,
    read_manifest,
    stamp_of,
    write_manifest,
)
from tabletape.projector.datasets.places import RemoteFolder
from tests.dashboard.test_pages import open_page, page_text

OF_THE_LOG = ("replay", "import", "keep")


@pytest.fixture
def copy(evening: Path, tmp_path: Path) -> Path:
    """Return a copy of the datasets of an evening, in a folder without anything else."""
    return Path(shutil.copytree(evening, tmp_path / "elsewhere" / "study"))


def at_address(folder: Path) -> RemoteFolder:
    """Return a folder of this computer as a remote folder."""
    return RemoteFolder(folder.as_uri())


def test_every_question_has_the_answer_of_the_folder(evening: Path, copy: Path) -> None:
    """All questions are answered the same from an address."""
    total = 0
    for each in questions():
        here, there = (ask(each.name, folder, game="higher", source="all") for folder in (evening, at_address(copy)))
        assert there.schema == here.schema
        assert sorted(map(repr, there.to_pylist())) == sorted(map(repr, here.to_pylist())), each.name
        total += here.num_rows
    assert total > 100


def test_the_games_that_count_are_named_for_an_address_too(evening: Path, copy: Path) -> None:
    """The sentence below a chart that says which games were counted is the same as for the folder."""
    choice = GameChoice(slug="higher", source="all")
    of_folder, of_address = (
        Site(folder=folder, workspace=copy, stamp=stamp_of(folder), choice=choice).exclusions("first-player")
        for folder in (evening, at_address(copy))
    )
    assert " games" in of_folder
    assert of_address == of_folder


def test_the_users_own_sql_is_answered(copy: Path) -> None:
    """SQL of the user runs in a process of its own, on an address as on a folder."""
    assert ask_sql("SELECT count(*) AS n FROM games", at_address(copy)).table.to_pylist() == [{"n": 5}]


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT * FROM read_text('/etc/passwd')",
        "SELECT * FROM read_text('{file}')",
        "SELECT * FROM read_parquet('{beside}')",
        "SELECT * FROM read_text('{folder}/manifest.json')",
        "SELECT * FROM read_text('datasets://manifest.json')",
        "SELECT * FROM read_text('datasets://../beside.parquet')",
        "SELECT * FROM read_parquet('datasets://games/*.parquet')",
        "SELECT * FROM glob('datasets://*')",
        "SELECT * FROM 's3://another-bucket/games.parquet'",
        "COPY (SELECT 1) TO 'datasets://games/mine.parquet'",
        "SET enable_external_access = true",
        "LOAD httpfs",
    ],
)
def test_the_users_own_sql_reads_nothing_beside_them(sql: str, copy: Path) -> None:
    """Other files of the address, of this computer and of other addresses cannot be read; nothing is written."""
    beside = copy.parent / "beside.parquet"
    (file,) = (copy / "games").iterdir()
    shutil.copy(file, beside)
    before = sorted(copy.rglob("*"))
    with pytest.raises(QuestionError) as refused:
        database.run(sql.format(file=file, beside=beside, folder=copy.as_uri()), at_address(copy), seconds=60, rows=9)
    assert "root:" not in str(refused.value)
    assert sorted(copy.rglob("*")) == before


def test_incomplete_datasets_are_reported_with_the_missing_file(copy: Path) -> None:
    """If a file of the manifest is missing, one sentence names it, for questions and for SQL of the user."""
    (lost,) = (copy / "games").iterdir()
    lost.unlink()
    for question in (
        lambda: ask("overview", at_address(copy)),
        lambda: ask_sql("SELECT * FROM games", at_address(copy)),
    ):
        with pytest.raises(QuestionError) as error:
            question()
        assert str(error.value).startswith(f"the datasets at {copy.as_uri()} are not whole: games/{lost.name}")
        assert "\n" not in str(error.value)


def test_a_new_manifest_is_seen_and_the_old_files_are_not_missed(copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A question that began with a replaced manifest, whose files are gone, is answered from the new one."""
    folder = at_address(copy)
    before = ask("overview", folder)
    old = read_manifest(folder)
    (pack,) = old.packs
    for each in copy.glob(f"*/{pack.name}.parquet"):
        each.rename(each.with_name(f"new-{pack.name}.parquet"))
    renamed = msgspec.structs.replace(pack, name=f"new-{pack.name}")
    write_manifest(copy, msgspec.structs.replace(old, packs=(renamed,)))
    database.close()
    stale = [old]
    monkeypatch.setattr(database, "read_manifest", lambda asked: stale.pop() if stale else read_manifest(asked))
    assert ask("overview", folder) == before
    assert not stale


def test_an_address_without_datasets_is_an_error(copy: Path, tmp_path: Path) -> None:
    """Missing datasets, another version, an unreadable manifest and an unknown kind of address have messages."""
    for nothing in (str(tmp_path / "nowhere"), (tmp_path / "nowhere").as_uri()):
        with pytest.raises(DatasetError, match=r"there are no datasets .*nowhere: `tabletape build --datasets`"):
            named_folder(nothing)
    with pytest.raises(DatasetError, match="nowhere://at/all leads nowhere"):
        named_folder("nowhere://at/all")
    write_manifest(copy, Manifest(schema="of another version"))
    with pytest.raises(QuestionError, match="another version of Tabletape"):
        ask("overview", at_address(copy))
    (copy / FILE).write_text("{")
    with pytest.raises(DatasetError, match=r"manifest.json cannot be read"):
        named_folder(copy.as_uri())


def test_without_fsspec_the_error_says_how_to_install_it(copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The library that reads addresses is an extra; the error names the command that installs it."""
    monkeypatch.delitem(sys.modules, "tabletape.dashboard.questions.remote_files", raising=False)
    monkeypatch.setitem(sys.modules, "fsspec", None)
    database.close()
    with pytest.raises(QuestionError, match=r"fsspec: pip install 'tabletape\[remote\]'"):
        ask("overview", at_address(copy))


def test_hdfs_without_hadoop_is_an_error(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """If Java or Hadoop's client is not installed, the errors of datasets and packs say that they are needed."""
    for name in ("JAVA_HOME", "HADOOP_HOME", "ARROW_LIBHDFS_DIR"):
        monkeypatch.setenv(name, str(tmp_path))
    with pytest.raises(DatasetError, match=r"^hdfs://node:8020/study leads nowhere: hdfs:// needs .*Hadoop"):
        named_folder("hdfs://node:8020/study")
    with pytest.raises(PackError, match=r"^hdfs://node:8020/packs leads nowhere: hdfs:// needs .*Hadoop"):
        PackWriter("hdfs://node:8020/packs")


def numbers(app: AppTest) -> list[object]:
    """Return the figures and tables of a page."""
    return [*(each.value for each in app.metric), *(each.value.to_dict() for each in app.dataframe)]


class _Refusing(BaseHTTPRequestHandler):
    def do_HEAD(self) -> None:
        self.send_response(403)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def refusing_server() -> Iterator[str]:
    """Yield the host and port of a server that refuses every request."""
    with ThreadingHTTPServer(("127.0.0.1", 0), _Refusing) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"127.0.0.1:{server.server_port}"
        server.shutdown()


def test_an_error_of_rights_or_network_names_the_address_without_secrets(refusing_server: str, free_port: int) -> None:
    """A refusal and a missing server are reported quickly, in one sentence, without the password in the address."""
    query = "scheme=http&endpoint_override="
    with pytest.raises(DatasetError, match=r"^s3://bucket/study\S+ cannot be read: there is no right to it") as refused:
        named_folder(f"s3://ann:secret@bucket/study?{query}{refusing_server}")
    with pytest.raises(DatasetError, match=r"^s3://bucket/study\S+ cannot be read: nobody answers there") as unheard:
        named_folder(f"s3://ann:secret@bucket/study?{query}127.0.0.1:{free_port}")
    for message in map(str, (refused.value, unheard.value)):
        assert "secret" not in message
        assert "\n" not in message


def test_pages_show_datasets_without_a_log(
    evening: Path, copy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page of statistics shows the same as with the log; pages about the log say that there are only datasets."""
    pages = ("overview", "cards", "rules")
    monkeypatch.setenv(VARIABLE, str(evening.parent.parent / "tabletape.db"))
    of_the_log = {page: open_page(page, source="both") for page in pages}
    monkeypatch.setenv(VARIABLE, str(tmp_path / "empty" / "tabletape.db"))
    monkeypatch.setenv(DATASETS, copy.as_uri())
    for page in pages:
        app = open_page(page, source="both")
        assert not app.exception
        assert not app.error
        assert numbers(app)
        assert numbers(app) == numbers(of_the_log[page])
    assert not open_page("rulebook").exception
    for page in OF_THE_LOG:
        text = page_text(open_page(page))
        assert "Only datasets are shown here" in text
        assert copy.as_uri() in text
    assert not (tmp_path / "empty").exists()


def test_pages_say_what_is_wrong_with_an_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page of missing datasets says so and offers nothing that needs a log."""
    monkeypatch.setenv(VARIABLE, str(tmp_path / "tabletape.db"))
    monkeypatch.setenv(DATASETS, (tmp_path / "nowhere").as_uri())
    app = open_page("overview")
    assert not app.exception
    assert "there are no datasets at" in page_text(app)
    assert not app.button
