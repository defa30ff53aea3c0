"""The files of datasets under an address, as DuckDB opens them: through pyarrow, and nothing is installed for it.

DuckDB asks for the end of a file, which says where its columns lie, and then for the columns and row groups that a
question needs; it opens a file several times a question. As no file of a manifest ever changes, each is looked up once,
and what was read last is kept. It is read in whole blocks, each of which has to be what the manifest says.
"""

from collections import OrderedDict
from datetime import UTC, datetime
from threading import Lock
from typing import Any, Final

import pyarrow as pa
from fsspec import AbstractFileSystem

from tabletape.projector.datasets.manifest import Manifest, not_whole
from tabletape.projector.datasets.places import PlaceError, RemoteFolder
from tabletape.projector.datasets.proofs import BLOCK, MISSING_FILE, NO_PROOF, FileProof, UnsoundError

SCHEME: Final = "datasets"
"""How the names of the files begin for DuckDB: it sees neither the address nor who may read it."""

KEPT_BYTES: Final = 128_000_000
"""Bytes of what was read last that are kept, for each state of the datasets."""

UNCHANGED_SINCE: Final = datetime(1970, 1, 1, tzinfo=UTC)
"""When every file changed last: other content has another name."""


class RemoteFiles(AbstractFileSystem):  # type: ignore[misc] # fsspec has no types
    """The files of a folder of datasets under an address, for reading."""

    protocol = SCHEME
    cachable = False

    def __init__(self, folder: RemoteFolder, manifest: Manifest) -> None:
        super().__init__()
        self._folder = folder
        self._manifest = manifest
        self._proofs = manifest.proofs()
        self._opened: dict[str, pa.NativeFile] = {}
        self._blocks: OrderedDict[tuple[str, int], bytes] = OrderedDict()
        self._size = 0
        self._lock = Lock()

    def glob(self, path: str, **_more: Any) -> list[str]:
        """Return the one file of a name: the manifest has the names of all, and none is a pattern."""
        return [self._strip_protocol(path)]

    def exists(self, _path: str, **_more: Any) -> bool:
        """Return True: a file of the manifest is there; opening one that is not raises an error."""
        return True

    def modified(self, _path: str) -> datetime:
        """Return when a file was changed last."""
        return UNCHANGED_SINCE

    def info(self, path: str, **_more: Any) -> dict[str, Any]:
        """Return the name and size of a file. Raises `PlaceError` where it cannot be opened."""
        name = self._strip_protocol(path)
        return {"name": name, "size": self._file(name)[1].size, "type": "file"}

    def open(self, path: str, _mode: str = "rb", **_more: Any) -> "RemoteFile":
        """Open a file for reading. Raises `PlaceError` where it is not there, or cannot be read."""
        name = self._strip_protocol(path)
        self._file(name)
        return RemoteFile(self, name)

    def read(self, name: str, begin: int, length: int) -> bytes:
        """Return some bytes of a file, kept or fetched now.

        Raises `PlaceError` where they cannot be read, or are not what was written.
        """
        file, proof = self._file(name)
        upto = min(begin + length, proof.size)
        blocks = range(begin // BLOCK, -(-upto // BLOCK))
        with self._lock:
            held = {each: self._blocks[name, each] for each in blocks if (name, each) in self._blocks}
            for each in held:
                self._blocks.move_to_end((name, each))
        lost = [each for each in blocks if each not in held]
        if lost:
            held |= self._fetched(name, file, proof, range(lost[0], lost[-1] + 1))
        first = blocks.start * BLOCK
        return b"".join(held[each] for each in blocks)[begin - first : upto - first]

    def _fetched(self, name: str, file: pa.NativeFile, proof: FileProof, blocks: range) -> dict[int, bytes]:
        """Fetch and keep some blocks of a file."""
        try:
            content: bytes = file.read_at(len(blocks) * BLOCK, blocks.start * BLOCK)
            proven = proof.proven(content, blocks)
        except OSError as error:
            raise PlaceError(self._folder.problem(error)) from None
        except UnsoundError as error:
            raise self._not_whole(name, str(error)) from None
        with self._lock:
            for each, block in proven.items():
                self._size += len(block) - len(self._blocks.pop((name, each), b""))
                self._blocks[name, each] = block
            while self._size > KEPT_BYTES:
                self._size -= len(self._blocks.popitem(last=False)[1])
        return proven

    def _file(self, name: str) -> tuple[pa.NativeFile, FileProof]:
        """Return a file, opened, and what proves it."""
        proof = self._proofs.get(name)
        if proof is None:
            raise self._not_whole(name, NO_PROOF)
        if name not in self._opened:
            try:
                opened = self._folder.open(name)
                proof.require_size(opened.size())
            except FileNotFoundError:
                raise self._not_whole(name, MISSING_FILE) from None
            except UnsoundError as error:
                raise self._not_whole(name, str(error)) from None
            self._opened[name] = opened
        return self._opened[name], proof

    def _not_whole(self, name: str, problem: str) -> PlaceError:
        return PlaceError(not_whole(self._folder, self._manifest, {name: problem}))


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
        content = self._files.read(self._name, self._at, length)
        self._at += len(content)
        return content

    def close(self) -> None:
        """Do nothing: the file stays open for the next question."""
