"""Files that are there whole, or not at all."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


@contextmanager
def whole(file: Path) -> Iterator[Path]:
    """Yield the name under which a file is to be written: it takes its place when it is whole, and else it is gone.

    Raises `OSError`, which names the file, where it cannot be written (no such folder, a full disk).
    """
    part = file.with_name(f"{file.name}.part")
    try:
        yield part
        part.replace(file)
    except OSError as error:
        if error.filename not in (None, str(part)):
            raise
        raise OSError(error.errno, f"cannot be written ({error.strerror})", str(file)) from error
    finally:
        with suppress(OSError):
            part.unlink()


def write_whole(file: Path, content: str | bytes) -> None:
    """Write a file, text as UTF-8 with the ends of lines that it has. Raises `OSError` as `whole` does."""
    with whole(file) as part:
        part.write_bytes(content if isinstance(content, bytes) else content.encode())
