"""Game packs in an S3 bucket: `s3://` is written and read as a folder is.

Needs an S3 server of its own, whose host and port stand in TABLETAPE_TEST_S3; skipped without.
"""

import os
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest

from tabletape.events.log import Log
from tabletape.projector.datasets.build import build
from tabletape.projector.datasets.game_packs import GamePacks, PackError, PackWriter
from tests.projector.test_game_packs import fail_to_pack, log, parquet, write_packs

__all__ = ["log"]

pytestmark = pytest.mark.skipif("TABLETAPE_TEST_S3" not in os.environ, reason="TABLETAPE_TEST_S3 names no server")


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Return the name of an empty bucket; the credentials are where Amazon's own programs look."""
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "tests")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "tests")
    name = f"packs-{uuid4().hex}"
    request = urllib.request.Request(f"http://{os.environ['TABLETAPE_TEST_S3']}/{name}", method="PUT")
    with urllib.request.urlopen(request):  # noqa: S310 - our own server
        yield name


def address(bucket: str, folder: str) -> str:
    """Return the address of a folder in a bucket of the tests' server, as the documentation writes it."""
    return f"s3://{bucket}/{folder}?endpoint_override={os.environ['TABLETAPE_TEST_S3']}&scheme=http"


def test_packs_in_a_bucket_make_the_datasets_of_packs_in_a_folder(log: Log, tmp_path: Path, bucket: str) -> None:
    """Byte for byte, and the games are the same under the same head."""
    places = address(bucket, "friends/evenings"), str(tmp_path / "packs")
    folders = [tmp_path / name for name in ("bucket", "folder")]
    for place in places:
        write_packs(log, place)
    sources = [GamePacks(place, str(into)) for place, into in zip(places, folders, strict=True)]
    assert sources[0].contents == sources[1].contents
    assert [build(each).projected for each in sources] == [len(log.games())] * 2
    first, second = (parquet(each) for each in folders)
    assert len(first) > 20
    assert first == second


def test_packs_in_a_bucket_are_there_whole_or_not_at_all(log: Log, tmp_path: Path, bucket: str) -> None:
    """Half-written packs are not read, packs are not written over, and a bucket that does not exist is reported."""
    where = address(bucket, "packs")
    with pytest.raises(RuntimeError):
        fail_to_pack(log, where)
    with pytest.raises(PackError, match=r"no game packs at .*tabletape pack"):
        GamePacks(where, str(tmp_path))
    write_packs(log, where)
    with pytest.raises(PackError, match="already: name another folder"):
        PackWriter(where)
    nowhere = address("no-such-bucket", "packs")
    with pytest.raises(PackError, match="no game packs at"):
        GamePacks(nowhere, str(tmp_path))
    with pytest.raises(PackError, match=r"cannot be written to: .*no-such-bucket"):
        PackWriter(nowhere)
