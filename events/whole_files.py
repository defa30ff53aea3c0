"""Files that are there whole, or not at all, and still there after a power cut.

What a program has written is on the disk only when the file was synced, and a file's name, its new name or its end only
when the folder was. Whatever a command says it has written goes through here.
"""

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

if sys.platform == "darwin":
    from fcntl import F_FULLFSYNC, fcntl

    def _sync(number: int) -> None:
        """Sync a file past the drive's own memory, in which `fsync` leaves it there."""
        fcntl(number, F_FULLFSYNC)
else:
    _sync = os.fsync


SYNC_REFUSALS: Final = {errno.EINVAL, errno.ENOTSUP, errno.EACCES}
"""What is answered where a folder cannot be synced, or not by whom may not list it; nothing more can be done there."""


@contextmanager
def whole(file: Path) -> Iterator[Path]:
    """Yield the name under which a file is to be written: it takes its place when it is whole, and else it is gone.

    Afterwards it is on the disk. Raises `OSError`, which names the file, where it cannot be written (no such folder, a
    full disk).
    """
    part = file.with_name(f"{file.name}.part")
    try:
        yield part
        sync_file(part)
        part.replace(file)
        sync_folder(file.parent)
    except OSError as error:
        if error.filename not in (None, str(part)):
            raise
        raise _about(file, error) from error
    finally:
        with suppress(OSError):
            part.unlink()


def write_whole(file: Path, content: str | bytes, mode: int | None = None) -> None:
    """Write a file, text as UTF-8 with the ends of lines that it has. Raises `OSError` as `whole` does.

    With a `mode` nobody else can read it at any time: it has it before anything stands in it.
    """
    with whole(file) as part:
        if mode is not None:
            part.unlink(missing_ok=True)
            part.touch(mode)
        part.write_bytes(content if isinstance(content, bytes) else content.encode())


def add_line(file: Path, line: str) -> None:
    """Put a line at the end of a file, on the disk; others may do so at the same time.

    Raises `OSError`, which names the file, where it cannot be written; then nothing of the line is there, unless
    somebody else has put one behind it, which stays.
    """
    content, written = f"{line}\n".encode(), 0
    try:
        if not file.exists() and _begun(file, content):
            return
        with file.open("ab", buffering=0) as stream:
            try:
                while written < len(content):  # A disk that is nearly full takes a part of it, and refuses the rest.
                    written += stream.write(content[written:])
                _sync(stream.fileno())
            except OSError:
                end = stream.tell()
                if os.fstat(stream.fileno()).st_size == end:
                    stream.truncate(end - written)
                raise
        sync_folder(file.parent)
    except OSError as error:
        raise _about(file, error) from error


def _begun(file: Path, content: bytes) -> bool:
    """Begin a file, whole; return whether it was done: then a full disk leaves no empty one."""
    part = file.with_name(f"{file.name}.{os.getpid()}.part")
    try:
        part.write_bytes(content)
        sync_file(part)
        try:
            os.link(part, file)  # Unlike a new name it replaces nothing.
        except OSError:  # Somebody else has begun it, or this disk has no links: the line comes behind what is there.
            return False
        sync_folder(file.parent)
        return True
    finally:
        part.unlink(missing_ok=True)


def make_folder(folder: Path) -> None:
    """Make a folder, and those around it, on the disk; nothing happens where it is there. Raises `OSError`."""
    if not folder.is_dir():
        make_folder(folder.parent)
        folder.mkdir(exist_ok=True)
        sync_folder(folder.parent)


@contextmanager
def made_folder(folder: Path) -> Iterator[None]:
    """Make a folder, and those around it; after an exception those that were made are taken away again, if empty."""
    made = [each for each in (folder, *folder.parents) if not each.exists()]
    try:
        make_folder(folder)
        yield
    except BaseException:
        with suppress(OSError):
            for each in made:
                each.rmdir()
        raise


@contextmanager
def put_back(file: Path) -> Iterator[None]:
    """Put a file back as it was after an exception, or take it away again, with the folders that were made for it."""
    before = file.read_bytes() if file.exists() else None
    with made_folder(file.parent):
        try:
            yield
        except BaseException:
            if before is None:
                file.unlink(missing_ok=True)
            else:
                write_whole(file, before)
            raise


def sync_file(file: Path) -> None:
    """Return when what was written into a file is on the disk. Raises `OSError`."""
    number = os.open(file, os.O_RDWR)  # Windows syncs only what is open for writing.
    try:
        _sync(number)
    finally:
        os.close(number)


def sync_folder(folder: Path) -> None:
    """Return when the names in a folder are on the disk, where that can be asked for. Raises `OSError`."""
    if os.name == "nt":
        return
    try:
        number = os.open(folder, os.O_RDONLY)
        try:
            _sync(number)
        finally:
            os.close(number)
    except OSError as error:
        if error.errno not in SYNC_REFUSALS:
            raise


def _about(file: Path, error: OSError) -> OSError:
    return OSError(error.errno, f"cannot be written ({error.strerror})", str(file))
