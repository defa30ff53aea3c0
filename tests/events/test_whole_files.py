"""A file that is written is there whole, or as it was before."""

import errno
from pathlib import Path

import pytest

from events.whole_files import whole, write_whole


def test_what_is_written_takes_its_place(tmp_path: Path) -> None:
    """Text keeps the ends of its lines, and nothing else is left in the folder."""
    file = tmp_path / "evening.csv"
    write_whole(file, "old")
    write_whole(file, "a\r\nß\n")
    assert file.read_bytes() == "a\r\nß\n".encode()
    assert [*tmp_path.iterdir()] == [file]


@pytest.mark.parametrize("before", [b"old", None])
def test_a_full_disk_leaves_what_was_there(tmp_path: Path, before: bytes | None) -> None:
    """Nothing is half-written, and the error names the file."""
    file = tmp_path / "evening.csv"
    if before is not None:
        file.write_bytes(before)

    def fill_disk() -> None:
        with whole(file) as part:
            part.write_bytes(b"half of")
            raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(OSError, match=r"cannot be written \(No space.*evening\.csv'$"):
        fill_disk()
    assert {each.name: each.read_bytes() for each in tmp_path.iterdir()} == ({file.name: before} if before else {})


def test_a_folder_that_is_not_there_is_said_with_the_file(tmp_path: Path) -> None:
    """The name is the one that was asked for, not that of its unfinished form."""
    with pytest.raises(FileNotFoundError, match=r"cannot be written \(No such file or directory\): '.*/out/e\.csv'"):
        write_whole(tmp_path / "out" / "e.csv", "text")


def test_what_cannot_be_read_meanwhile_is_named_itself(tmp_path: Path) -> None:
    """Where another file is missing, that one is reported, and nothing is left of the one that was begun."""
    with pytest.raises(FileNotFoundError, match=r"missing\.csv"), whole(tmp_path / "out.csv") as part:
        part.write_bytes((tmp_path / "missing.csv").read_bytes())
    assert [*tmp_path.iterdir()] == []
