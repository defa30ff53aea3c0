"""What proves that a file is the one that was written: its size, and the SHA-256 of each of its blocks.

Blocks, because a file under an address is read by ranges: what is read of it is proven without reading all of it. Most
files have one block, whose digest is then that of the file.
"""

import os
import stat
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from io import RawIOBase
from pathlib import Path
from typing import BinaryIO, Final

import msgspec

from tabletape.events.errors import TabletapeError
from tabletape.events.plans import planned

BLOCK: Final = 1 << 20
"""Bytes of a block; the last one of a file may be shorter."""

FILES_AT_ONCE: Final = os.cpu_count() or 1
"""How many files are hashed at once; `hashlib` lets other threads run meanwhile."""

WORTH_THREADS: Final = 8 * BLOCK
"""Bytes from which hashing in threads takes less time than starting them."""

MISSING_FILE: Final = "is not there"
OTHER: Final = "is not what was written"
NO_PROOF: Final = "has no digest"


class UnsoundError(TabletapeError):
    """Content is not what was written; the message says how, and begins with a verb."""


class FileProof(msgspec.Struct, frozen=True, array_like=True):
    """A file as it was written: its size, and the SHA-256 (hexadecimal) of each block."""

    size: int
    blocks: tuple[str, ...]

    def require_size(self, size: int) -> None:
        """Raise `UnsoundError` where a file has another size."""
        if size != self.size:
            raise UnsoundError(f"has {size:,} bytes instead of {self.size:,}")

    def require(self, block: int, content: bytes) -> None:
        """Raise `UnsoundError` where a block is not what was written."""
        if block >= len(self.blocks) or sha256(content).hexdigest() != self.blocks[block]:
            raise UnsoundError(OTHER)

    def proven(self, content: bytes, blocks: range) -> dict[int, bytes]:
        """Return what was read of some blocks, by their numbers.

        Raises `UnsoundError` where it is not what was written.
        """
        proven = {
            each: content[begin : begin + BLOCK]
            for each, begin in zip(blocks, range(0, len(blocks) * BLOCK, BLOCK), strict=True)
        }
        for each, block in proven.items():
            self.require(each, block)
        return proven


def require_whole(content: bytes, proof: FileProof | None) -> None:
    """Raise `UnsoundError` where the content of a file is not what was written."""
    if proof is None:
        raise UnsoundError(NO_PROOF)
    proof.require_size(len(content))
    if written(content) != proof:
        raise UnsoundError(OTHER)


def written(content: bytes) -> FileProof:
    """Return what proves some content."""
    view = memoryview(content)
    digests = (sha256(view[begin : begin + BLOCK]).hexdigest() for begin in range(0, len(view), BLOCK))
    return FileProof(len(view), tuple(digests))


class Recorder(RawIOBase):
    """A stream into another one that records what proves the file (`written`)."""

    def __init__(self, stream: BinaryIO) -> None:
        super().__init__()
        self._stream = stream
        self._digests: list[str] = []
        self._block = sha256()
        self._left = BLOCK
        self._size = 0

    def writable(self) -> bool:
        """Return True: it can be written to."""
        return True

    def write(self, content: "bytes | memoryview") -> int:  # type: ignore[override] # bytes are all that is written
        """Write some bytes; return how many."""
        view = memoryview(content).cast("B")
        begin = 0
        while begin < len(view):
            part = view[begin : begin + self._left]
            self._block.update(part)
            self._left -= len(part)
            begin += len(part)
            if not self._left:
                self._end_block()
        self._size += len(view)
        self._stream.write(view)
        return len(view)

    def close(self) -> None:
        """End the file."""
        if not self.closed:
            self._stream.close()
        super().close()

    def _end_block(self) -> None:
        self._digests.append(self._block.hexdigest())
        self._block, self._left = sha256(), BLOCK

    @property
    def written(self) -> FileProof:
        """What proves the bytes that were written until now."""
        last = [self._block.hexdigest()] if self._left < BLOCK else []
        return FileProof(self._size, (*self._digests, *last))


class ProvenFile(RawIOBase):
    """A file that is read by ranges, and gives only what was written; the blocks of the last range are kept.

    `read_at` returns the bytes of the file from a place, so many at most.
    """

    def __init__(self, read_at: Callable[[int, int], bytes], proof: FileProof) -> None:
        super().__init__()
        self._read_at = read_at
        self._proof = proof
        self._at = 0
        self._kept = (0, b"")

    def readable(self) -> bool:
        """Return True: it can be read."""
        return True

    def seekable(self) -> bool:
        """Return True: it can be read from any place."""
        return True

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        """Go to a byte of the file; return its number."""
        self._at = offset + {os.SEEK_SET: 0, os.SEEK_CUR: self._at, os.SEEK_END: self._proof.size}[whence]
        return self._at

    def tell(self) -> int:
        """Return the number of the byte that is read next."""
        return self._at

    def read(self, length: int | None = -1) -> bytes:
        """Return the next bytes, so many where there are as many. Raises `UnsoundError` for what was not written."""
        left = max(self._proof.size - self._at, 0)
        wanted = left if length is None or length < 0 else min(length, left)
        begin, content = self._kept
        if wanted and not begin <= self._at <= self._at + wanted <= begin + len(content):
            blocks = range(self._at // BLOCK, -(-(self._at + wanted) // BLOCK))
            read = self._read_at(blocks.start * BLOCK, len(blocks) * BLOCK)
            begin, content = self._kept = blocks.start * BLOCK, b"".join(self._proof.proven(read, blocks).values())
        content_read = content[self._at - begin : self._at - begin + wanted]
        self._at += len(content_read)
        return content_read


def problem_of(file: Path, proof: FileProof | None) -> str:
    """Return what is wrong with a file of this computer, beginning with a verb; empty where it is what was written."""
    if proof is None:
        return NO_PROOF
    try:
        about = file.stat()
        if not stat.S_ISREG(about.st_mode):
            return "is no file"
        proof.require_size(about.st_size)
        with file.open("rb", buffering=0) as stream:
            for place in range(len(proof.blocks)):
                proof.require(place, stream.read(BLOCK))
    except FileNotFoundError:
        return MISSING_FILE
    except OSError as error:
        return f"cannot be read ({error.strerror})"
    except UnsoundError as error:
        return str(error)
    return ""


def problems_in(folder: Path, files: Mapping[str, FileProof | None]) -> dict[str, str]:
    """Return what is wrong with files of a folder, by their names; those that are what was written are left out."""

    def problem(name: str) -> str:
        return problem_of(folder / name, files[name])

    if sum(proof.size for proof in files.values() if proof) < WORTH_THREADS:
        problems = [*map(problem, files)]
    else:
        with ThreadPoolExecutor(FILES_AT_ONCE) as pool:
            problems = [*pool.map(problem, files)]
    return {name: wrong for name, wrong in zip(files, problems, strict=True) if wrong}


@planned
class _Sealed(msgspec.Struct):
    """JSON with its own SHA-256 (hexadecimal); `schema` tells versions that look for it that this is none of theirs."""

    schema: str = ""
    sha256: str = ""
    content: msgspec.Raw = msgspec.Raw(b"")


def sealed(content: bytes, schema: str = "") -> bytes:
    """Return JSON together with what proves it, as JSON."""
    return msgspec.json.encode(_Sealed(schema, sha256(content).hexdigest(), msgspec.Raw(content)))


def unsealed(content: bytes) -> tuple[bytes, bool]:
    """Return the JSON that was sealed, and whether it was: older versions of Tabletape wrote it plainly.

    Raises `UnsoundError` where it is not what was sealed, `msgspec.MsgspecError` where it is no JSON object.
    """
    outer = msgspec.json.decode(content, type=_Sealed)
    inner = bytes(outer.content)
    if not (inner or outer.sha256):
        return content, False
    if sha256(inner).hexdigest() != outer.sha256:
        raise UnsoundError(OTHER)
    return inner, True
