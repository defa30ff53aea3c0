"""Datasets under an address are asked as those of a folder are, and nothing else there can be read.

The addresses here are of this computer; `test_datasets_on_s3.py` asks a server.
"""

import shutil
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from streamlit.testing.v1 import AppTest

from dashboard import database
from dashboard.choice import Choice
from dashboard.database import QuestionError
from dashboard.questions import ask, ask_sql, questions
from dashboard.site import Site
from dashboard.workspace import DATASETS, VARIABLE
from projector.datasets.game_packs import PackError, PackWriter
from projector.datasets.manifest import (
    FILE,
    DatasetError,
    Manifest,
    named_folder,
    read_manifest,
    stamp_of,
    write_manifest,
)
from projector.datasets.places import RemoteFolder
from tests.dashboard.test_pages import opened, said

OF_THE_LOG = ("replay", "import", "keep")


@pytest.fixture
def copy(evening: Path, tmp_path: Path) -> Path:
    """Return a copy of the datasets of an evening, which nothing else lies beside."""
    return Path(shutil.copytree(evening, tmp_path / "elsewhere" / "study"))


def at(folder: Path) -> RemoteFolder:
    """Return datasets of this computer as an address has them."""
    return RemoteFolder(folder.as_uri())


def test_every_question_has_the_answer_of_the_folder(evening: Path, copy: Path) -> None:
    """All questions are answered the same from an address."""
    told = 0
    for each in questions():
        here, there = (ask(each.name, folder, game="higher", source="all") for folder in (evening, at(copy)))
        assert there.schema == here.schema
        assert sorted(map(repr, there.to_pylist())) == sorted(map(repr, here.to_pylist())), each.name
        told += here.num_rows
    assert told > 100


def test_which_games_count_is_said_of_an_address_too(evening: Path, copy: Path) -> None:
    """The sentence below a chart, which games were counted, is the one of the folder."""
    choice = Choice(slug="higher", source="all")
    of_folder, of_address = (
        Site(folder=folder, workspace=copy, stamp=stamp_of(folder), choice=choice).exclusions("first-player")
        for folder in (evening, at(copy))
    )
    assert " games" in of_folder
    assert of_address == of_folder


def test_the_users_own_sql_is_answered(copy: Path) -> None:
    """A question in SQL asks an address from a process of its own, as it asks a folder."""
    assert ask_sql("SELECT count(*) AS n FROM games", at(copy)).table.to_pylist() == [{"n": 5}]


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
    """Other files of the address, of this computer and of other addresses stay out of reach; nothing is written."""
    beside = copy.parent / "beside.parquet"
    (file,) = (copy / "games").iterdir()
    shutil.copy(file, beside)
    before = sorted(copy.rglob("*"))
    with pytest.raises(QuestionError) as refused:
        database.run(sql.format(file=file, beside=beside, folder=copy.as_uri()), at(copy), seconds=60, rows=9)
    assert "root:" not in str(refused.value)
    assert sorted(copy.rglob("*")) == before


def test_a_part_of_the_datasets_is_told_by_the_file_that_it_lacks(copy: Path) -> None:
    """Where a file that the manifest names is not there, one sentence names it, whoever asks."""
    (lost,) = (copy / "games").iterdir()
    lost.unlink()
    for question in (lambda: ask("overview", at(copy)), lambda: ask_sql("SELECT * FROM games", at(copy))):
        with pytest.raises(QuestionError) as told:
            question()
        assert str(told.value).startswith(f"the datasets at {copy.as_uri()} are not whole: games/{lost.name}")
        assert "\n" not in str(told.value)


def test_a_new_manifest_is_seen_and_the_old_files_are_not_missed(copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who began with a manifest that was replaced, and whose files are gone, is answered from the new one."""
    folder = at(copy)
    before = ask("overview", folder)
    old = read_manifest(folder)
    (pack,) = old.packs
    for each in copy.glob(f"*/{pack.name}.parquet"):
        each.rename(each.with_name(f"new-{pack.name}.parquet"))
    new = Manifest(
        packs=(type(pack)(name=f"new-{pack.name}", game=pack.game, rows=pack.rows),), catalogue=old.catalogue
    )
    write_manifest(copy, new)
    database.close()
    stale = [old]
    monkeypatch.setattr(database, "read_manifest", lambda asked: stale.pop() if stale else read_manifest(asked))
    assert ask("overview", folder) == before
    assert not stale


def test_what_is_no_dataset_is_told_in_a_sentence(copy: Path, tmp_path: Path) -> None:
    """Nothing there, another version, a manifest that cannot be read, a kind of address that nobody knows."""
    for nothing in (str(tmp_path / "nowhere"), (tmp_path / "nowhere").as_uri()):
        with pytest.raises(DatasetError, match=r"there are no datasets .*nowhere: `tabletape build --datasets`"):
            named_folder(nothing)
    with pytest.raises(DatasetError, match="nowhere://at/all leads nowhere"):
        named_folder("nowhere://at/all")
    write_manifest(copy, Manifest(schema="of another version"))
    with pytest.raises(QuestionError, match="another version of Tabletape"):
        ask("overview", at(copy))
    (copy / FILE).write_text("{")
    with pytest.raises(DatasetError, match=r"manifest.json cannot be read"):
        named_folder(copy.as_uri())


def test_without_fsspec_its_name_is_told(copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who has not installed what reads addresses is told how."""
    monkeypatch.delitem(sys.modules, "dashboard.remote_files", raising=False)
    monkeypatch.setitem(sys.modules, "fsspec", None)
    database.close()
    with pytest.raises(QuestionError, match=r"fsspec: pip install 'tabletape\[remote\]'"):
        ask("overview", at(copy))


def test_hdfs_without_hadoop_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Where Java or Hadoop's client is not installed, datasets and packs say that they need it."""
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
def refusing() -> Iterator[str]:
    """Return the host and port of a server that lets nobody read anything."""
    with ThreadingHTTPServer(("127.0.0.1", 0), _Refusing) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"127.0.0.1:{server.server_port}"
        server.shutdown()


def test_without_rights_or_network_the_address_is_told_and_no_secret(refusing: str, free_port: int) -> None:
    """Who may not read, or gets no answer, is reported soon and in a sentence; a password in the address is not."""
    query = "scheme=http&endpoint_override="
    with pytest.raises(DatasetError, match=r"^s3://bucket/study\S+ cannot be read: there is no right to it") as refused:
        named_folder(f"s3://ann:secret@bucket/study?{query}{refusing}")
    with pytest.raises(DatasetError, match=r"^s3://bucket/study\S+ cannot be read: nobody answers there") as unheard:
        named_folder(f"s3://ann:secret@bucket/study?{query}127.0.0.1:{free_port}")
    for told in map(str, (refused.value, unheard.value)):
        assert "secret" not in told
        assert "\n" not in told


def test_pages_show_datasets_without_a_log(
    evening: Path, copy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page that counts says the same as with the log; pages of the log say that only datasets are here."""
    pages = ("overview", "cards", "rules")
    monkeypatch.setenv(VARIABLE, str(evening.parent.parent / "tabletape.db"))
    of_the_log = {page: opened(page, source="both") for page in pages}
    monkeypatch.setenv(VARIABLE, str(tmp_path / "empty" / "tabletape.db"))
    monkeypatch.setenv(DATASETS, copy.as_uri())
    for page in pages:
        app = opened(page, source="both")
        assert not app.exception
        assert not app.error
        assert numbers(app)
        assert numbers(app) == numbers(of_the_log[page])
    assert not opened("rulebook").exception
    for page in OF_THE_LOG:
        told = said(opened(page))
        assert "Only datasets are shown here" in told
        assert copy.as_uri() in told
    assert not (tmp_path / "empty").exists()


def test_pages_say_what_is_wrong_with_an_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page of datasets that are not there says so and offers nothing that needs a log."""
    monkeypatch.setenv(VARIABLE, str(tmp_path / "tabletape.db"))
    monkeypatch.setenv(DATASETS, (tmp_path / "nowhere").as_uri())
    app = opened("overview")
    assert not app.exception
    assert "there are no datasets at" in said(app)
    assert not app.button
