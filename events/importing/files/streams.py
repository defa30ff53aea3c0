"""Files as streams: opened, unpacked within limits, hashed and compressed on the way."""

import gzip
import io
import os
import select
import stat
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack
from hashlib import sha256
from pathlib import Path
from typing import IO, Any, Final

import zstandard

from tabletape.events.importing.files.sources import BLOCK, MAX_FOREIGN, SNIFFED_BYTES, NotALogError, looks_like
from tabletape.events.importing.report import STANDARD_INPUT
from tabletape.events.log.background import BackgroundCalls

GZIP: Final = b"\x1f\x8b"
ZSTANDARD: Final = b"\x28\xb5\x2f\xfd"

MAX_UNPACKED: Final = 1 << 30
"""Bytes to which a packed file may unpack, and which may come through a pipe."""

MAX_RATIO: Final = 200
"""How many times its size a packed file may become; the logs of a thousand games come to a tenth of that."""

PIPE: Final = 1 << 16
"""Bytes that a pipe holds at most, as systems usually have it."""

MAX_WITHOUT_RATIO: Final = 16 * BLOCK
"""Up to here the ratio does not matter."""

_LIFT: Final = "if it is meant so, `tabletape import --any-size` takes it"


class _Limited(io.RawIOBase):
    """A stream that goes no further than a limit that is asked for at each step."""

    def __init__(self, read: Callable[[int], bytes], limit: Callable[[], int], what: str) -> None:
        super().__init__()
        self._read = read
        self._limit = limit
        self._what = what
        self._size = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]  # typeshed asks for WriteableBuffer
        piece = self._read(len(buffer))
        buffer[: len(piece)] = piece
        self._size += len(piece)
        limit = self._limit()
        if self._size > limit:
            raise NotALogError("too-large", f"{self._what} more than {limit >> 20:,} MB", _LIFT)
        return len(piece)


class _Kept(io.RawIOBase):
    """A stream that hashes and compresses what passes through it, beside what is made of it where it is much."""

    def __init__(self, stream: Any, progress: Callable[[int], object] | None) -> None:
        super().__init__()
        self._stream = stream
        self._progress = progress
        self._packed = zstandard.ZstdCompressor().compressobj()
        # On disk from 8 MB on, so that memory does not grow with the file.
        self.spool = tempfile.SpooledTemporaryFile(max_size=8 * BLOCK)  # noqa: SIM115 - `Source` closes it
        self.hash = sha256()
        self._beside = BackgroundCalls("tabletape-file")
        self._ended = False
        self.size = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]  # typeshed asks for WriteableBuffer
        count: int = self._stream.readinto(buffer)
        piece = memoryview(buffer)[:count]
        if count == BLOCK:
            self._beside.make(self._keep, bytes(piece))
        else:
            self._beside.wait()
            self._keep(piece)
        self.size += count
        if self._progress:
            self._progress(count)
        return count

    def _keep(self, piece: bytes | memoryview) -> None:
        self.hash.update(piece)
        self.spool.write(self._packed.compress(piece))

    def forget(self) -> None:
        """Forget what was kept; `close` would be called by who has read the stream to its end."""
        self._beside.close()
        self.spool.close()

    def finish(self) -> None:
        """Read what is left, and end the compression; once more changes nothing."""
        if self._ended:
            return
        self._ended = True
        leftover = bytearray(BLOCK)
        while self.readinto(leftover):
            pass
        self._beside.wait()
        self.spool.write(self._packed.flush())
        self.spool.seek(0)


def is_pipe(name: str) -> bool:
    """Return whether what is read from a path may take as long as somebody else likes."""
    return name == STANDARD_INPUT or stat.S_ISFIFO(Path(name).stat().st_mode)


class Source(AbstractContextManager["Source"]):
    """An open file: `content` is its unpacked bytes, read once; afterwards it has a hash and compressed parts.

    A pipe is read to its end at once, before anything else is done: nobody has to wait for who writes to it.
    """

    def __init__(
        self, name: str, progress: Callable[[int], object] | None, *, any_size: bool = False, wait: float = 60
    ) -> None:
        """Open a file. Raises `NotALogError` for a device, a pipe that nobody writes to and one without an end."""
        self._open = ExitStack()
        self._most = sys.maxsize if any_size else MAX_UNPACKED
        self._ratio = sys.maxsize if any_size else MAX_RATIO
        try:
            self._kept = _Kept(self._stream(name, wait), progress)
        except BaseException:
            self._open.close()
            raise
        self._open.callback(self._kept.forget)
        self.content: io.BufferedReader[Any] = io.BufferedReader(self._kept, BLOCK)
        start = self.content.peek(SNIFFED_BYTES)
        if start.startswith(GZIP):
            self._unpack(gzip.GzipFile(fileobj=self.content))
        elif start.startswith(ZSTANDARD):
            self._unpack(zstandard.ZstdDecompressor().stream_reader(self.content, read_across_frames=True))

    def _unpack(self, unpacked: Any) -> None:
        def limit() -> int:
            return min(self._most, max(MAX_WITHOUT_RATIO, self._ratio * self._kept.size))

        self.content = io.BufferedReader(_Limited(unpacked.read, limit, "the file unpacks to"), BLOCK)

    def _stream(self, name: str, wait: float) -> IO[bytes]:
        """Open a file, or read a pipe to its end."""
        if name == STANDARD_INPUT:
            return self._all_of(sys.stdin.buffer)
        mode = Path(name).stat().st_mode
        if sys.platform != "win32" and stat.S_ISFIFO(mode):
            return self._all_of(self._open.enter_context(_written_to(name, wait)))
        if not stat.S_ISREG(mode):
            raise NotALogError("no-file", f"{name} is a device and no file")
        return self._open.enter_context(Path(name).open("rb"))

    def _all_of(self, pipe: Any) -> IO[bytes]:
        """Return what comes through a pipe, when all of it has come."""
        spool = tempfile.SpooledTemporaryFile(max_size=8 * BLOCK)  # noqa: SIM115 - `close` closes it
        self._open.callback(spool.close)
        # As it comes: between two pieces Ctrl-C is heard, and not before as much has come as was asked for.
        limited = _Limited(pipe.read1, lambda: self._most, "through the pipe came")
        while piece := limited.read(PIPE):
            spool.write(piece)
        spool.seek(0)
        return spool

    def __exit__(self, *_error: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file and forget what was kept of it."""
        self._open.close()

    def read_all(self) -> bytes:
        """Return the whole content; it can be read once more from its beginning."""
        return self._again(self.content.read())

    def read_foreign(self) -> bytes:
        """Return the whole content of a file of another program; it can be read once more from its beginning.

        Raises `NotALogError` where it is more than a map reads, unless any size is meant.
        """
        if self._most == sys.maxsize:
            return self.read_all()
        start, whole = self.start(), self.content.read(MAX_FOREIGN + 1)
        if len(whole) > MAX_FOREIGN:
            message = (
                f"this looks like {looks_like(start)}, and has more than the {MAX_FOREIGN >> 20} MB that a map reads"
            )
            raise NotALogError("too-large", message, f"part it between two games; {_LIFT}")
        return self._again(whole)

    def _again(self, whole: bytes) -> bytes:
        self.content = io.BufferedReader(io.BytesIO(whole), BLOCK)
        return whole

    def start(self) -> bytes:
        """Return the first bytes of the content without taking them."""
        return self.content.peek(SNIFFED_BYTES)[:SNIFFED_BYTES]

    def finish(self) -> tuple[str, int]:
        """Read to the end; return the SHA-256 (hexadecimal) and the size of the file as it stands on the disk."""
        self._kept.finish()
        return self._kept.hash.hexdigest(), self._kept.size

    def parts(self) -> Iterator[bytes]:
        """Return the compressed file in parts, after `finish`."""
        while part := self._kept.spool.read(BLOCK):
            yield part


if sys.platform != "win32":

    def _written_to(name: str, wait: float) -> IO[bytes]:
        """Open a named pipe as soon as somebody writes to it; raise `NotALogError` where nobody does for a while."""
        pipe = os.open(name, os.O_RDONLY | os.O_NONBLOCK)
        readable, _, _ = select.select([pipe], [], [], wait)
        if not readable:
            os.close(pipe)
            message = f"{name} is a pipe, and for {wait:g} seconds nobody wrote to it"
            raise NotALogError("no-data", message, "start what writes to it, then import again")
        os.set_blocking(pipe, True)
        return os.fdopen(pipe, "rb")
