"""Where packs and datasets may lie: in a folder, or wherever pyarrow reaches (`s3://…`, `gs://…`, `hdfs://…`).

What stands in an address is pyarrow's: `s3://bucket/study?region=eu-central-1`, and for an S3-compatible server
`s3://bucket/study?endpoint_override=127.0.0.1:5077&scheme=http`. Credentials are looked up where the programs of the
service look for that, for Amazon's in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.
"""

import re
from functools import lru_cache
from pathlib import Path
from textwrap import shorten
from typing import TYPE_CHECKING, Final

import msgspec
import pyarrow as pa

from tabletape.events.errors import TabletapeError

if TYPE_CHECKING:
    import pyarrow.fs as pf

TRIES: Final = 3
"""How often a server that does not answer is tried; pyarrow would ask for a minute and a half."""

PATIENCE: Final = 10
"""Seconds after which Google's storage is given up; pyarrow would ask for a quarter of an hour."""

MAX_MESSAGE: Final = 240
"""The most characters of a library's message that are passed on: Google's repeats itself several times."""

REASONS: Final = {
    "NETWORK_CONNECTION": "nobody answers there",
    "CURL error": "nobody answers there",
    "NO_SUCH_BUCKET": "there is no such bucket",
    "ACCESS_DENIED": "there is no right to it, or no such bucket",
    "Permission denied": "there is no right to it",
    "libjvm": "hdfs:// needs Java and Hadoop's client library (JAVA_HOME, HADOOP_HOME and CLASSPATH say where)",
    "libhdfs": "hdfs:// needs Hadoop's client library (HADOOP_HOME and CLASSPATH say where)",
}
"""What is wrong, by words in the messages of the libraries."""


class PlaceError(TabletapeError):
    """A place cannot be reached, or lacks a file; the message says which and why."""


def is_address(where: str) -> bool:
    """Return whether something is the address of a place on another computer, and no path."""
    return "://" in where


def place_of(where: str) -> "tuple[pf.FileSystem, str]":
    """Return the filesystem and the folder that a path or an address leads to. Raises `PlaceError` for neither."""
    import pyarrow.fs as pf  # noqa: PLC0415 - who asks datasets of this computer does not wait for it

    address = where if is_address(where) else Path(where).absolute().as_uri()
    if address.startswith(("gs://", "gcs://")) and "retry_limit_seconds=" not in address:
        address += f"{'&' if '?' in address else '?'}retry_limit_seconds={PATIENCE}"
    try:
        files, folder = pf.FileSystem.from_uri(address)
    except (pa.ArrowException, OSError, ValueError) as error:
        raise PlaceError(f"{shown(where)} leads nowhere: {reason(error)}") from None
    if files.type_name == "s3":
        # Only the constructor takes the number of tries, and only `from_uri` reads addresses.
        rebuild, (settings,) = files.__reduce__()
        files = rebuild({**settings, "retry_strategy": pf.AwsStandardS3RetryStrategy(max_attempts=TRIES)})
    return files, folder


def shown(where: str) -> str:
    """Return an address as people may see it: without the user and the password that may stand in it."""
    return re.sub(r"(?<=://)[^/?@]*@", "", where)


def reason(error: Exception) -> str:
    """Return in one line why a place cannot be reached."""
    said = f"{error.filename}: {error.strerror}" if isinstance(error, OSError) and error.filename else str(error)
    first = next(iter(said.splitlines()), "")
    words = next((words for mark, words in REASONS.items() if mark in first), "")
    text = shorten(first, MAX_MESSAGE, placeholder=" …")
    return f"{words} ({text})" if words else text


class RemoteFolder(msgspec.Struct, frozen=True):
    """A folder under an address, whose files are read whole or by ranges; nothing in it changes but by its manifest."""

    address: str

    def __str__(self) -> str:
        """Return the address as people may see it."""
        return shown(self.address)

    def stamp(self, file: str) -> str:
        """Return what changes with a file: its mark on the server, or else its time and size. One request.

        Raises `PlaceError` where it cannot be read, `FileNotFoundError` where it is not there.
        """
        opened = self.open(file)
        mark = (opened.metadata() or {}).get("ETag")
        if mark:
            return f"{mark!r}"
        files, folder = _opened(self.address)
        info = files.get_file_info(f"{folder}/{file}")
        return f"{info.mtime_ns} {info.size}"

    def read(self, file: str) -> bytes:
        """Return the content of a file. Raises as `stamp` does."""
        try:
            content: bytes = self.open(file).read()
        except OSError as error:
            raise PlaceError(self.problem(error)) from None
        return content

    def open(self, file: str) -> pa.NativeFile:
        """Open a file for reading by ranges. Raises as `stamp` does."""
        files, folder = _opened(self.address)
        try:
            return files.open_input_file(f"{folder}/{file}")
        except FileNotFoundError:
            raise
        except OSError as error:
            raise PlaceError(self.problem(error)) from None

    def problem(self, error: OSError) -> str:
        """Return in one sentence why a file cannot be read."""
        return f"{self} cannot be read: {reason(error)}"


@lru_cache(maxsize=4)
def _opened(address: str) -> "tuple[pf.FileSystem, str]":
    return place_of(address)
