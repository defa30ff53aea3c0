"""The files of datasets under an address, as DuckDB opens them: through pyarrow, and nothing is installed for it.

DuckDB asks for the end of a file, which says where its columns lie, and then for the columns and row groups that a
question needs; it opens a file several times a question. As no file of a manifest ever changes, each is looked up once,
and what was read last is kept.
"""

from collections import OrderedDict
from datetime import UTC, datetime
from threading import Lock
from typing import Any, Final

import pyarrow as pa
from fsspec import AbstractFileSystem

from tabletape.projector.datasets.places import PlaceError, RemoteFolder

SCHEME: Final = "datasets"
"""How the names of the files begin for DuckDB: it sees neither the address nor who may read it."""

KEPT: Final = 128_000_000
"""Bytes of what was read last that are kept, for each state of the datasets."""

UNCHANGED: Final = datetime(1970, 1, 1, tzinfo=UTC)
"""When every file changed last: other content has another name."""


class RemoteFiles(AbstractFileSystem):  # type: ignore[misc] # fsspec has no types
    """The files of a folder of datasets under an address, for reading."""

    protocol = SCHEME
    cachable = False

    def __init__(self, folder: RemoteFolder) -> None:
        super().__init__()
        self._folder = folder
        self._opened: dict[str, pa.NativeFile] = {}
        self._ranges: OrderedDict[tuple[str, int, int], bytes] = OrderedDict()
        self._size = 0
        self._lock = Lock()

    def glob(self, path: str, **_more: Any) -> list[str]:
        """Return the one file of a name: the manifest has the names of all, and none is a pattern."""
        return [self._strip_protocol(path)]

    def exists(self, _path: str, **_more: Any) -> bool:
        """Return that a file of the manifest is there; opening one that is not raises an error."""
        return True

    def modified(self, _path: str) -> datetime:
        """Return when a file was changed last."""
        return UNCHANGED

    def info(self, path: str, **_more: Any) -> dict[str, Any]:
        """Return the name and size of a file. Raises `PlaceError` where it cannot be opened."""
        name = self._strip_protocol(path)
        return {"name": name, "size": self._file(name).size(), "type": "file"}

    def open(self, path: str, _mode: str = "rb", **_more: Any) -> "RemoteFile":
        """Open a file for reading. Raises `PlaceError` where it is not there, or cannot be read."""
        name = self._strip_protocol(path)
        self._file(name)
        return RemoteFile(self, name)

    def read(self, name: str, begin: int, length: int) -> bytes:
        """Return some bytes of a file, kept or fetched now. Raises `PlaceError` where they cannot be read."""
        key = name, begin, length
        with self._lock:
            if key in self._ranges:
                self._ranges.move_to_end(key)
                return self._ranges[key]
        try:
            found: bytes = self._file(name).read_at(length, begin)
        except OSError as error:
            raise PlaceError(self._folder.problem(error)) from None
        with self._lock:
            self._size += len(found) - len(self._ranges.pop(key, b""))
            self._ranges[key] = found
            while self._size > KEPT:
                self._size -= len(self._ranges.popitem(last=False)[1])
        return found

    def _file(self, name: str) -> pa.NativeFile:
        if name not in self._opened:
            try:
                self._opened[name] = self._folder.open(name)
            except FileNotFoundError:
                raise PlaceError(
                    f"the datasets at {self._folder} are not whole: {name} is not there; was only a part copied?"
                ) from None
        return self._opened[name]


class RemoteFile:
    """A place in a file, from which DuckDB reads on."""

    def __init__(self, files: RemoteFiles, name: str) -> None:
        self._files = files
        self._name = name
        self._at = 0

    def seek(self, offset: int) -> int:
        """Go to a byte of the file; return its number."""
        self._at = offset
        return offset

    def tell(self) -> int:
        """Return the number of the byte that is read next."""
        return self._at

    def read(self, length: int) -> bytes:
        """Return the next bytes. Raises `PlaceError` where they cannot be read."""
        found = self._files.read(self._name, self._at, length)
        self._at += len(found)
        return found

    def close(self) -> None:
        """Do nothing: the file stays open for the next question."""
