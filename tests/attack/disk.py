"""A disk of which the power may be cut: what is on it for certain, and what may be there or not.

What is written into a file is on the disk when the file was synced; a name, new, changed or removed, when its folder
was. Until then each of it may be there or not, in any order: harsher than ext4 or XFS, which keep the order of names.
"""

import random
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

from tests.attack.tracing import Call

BLOCK: Final = 4096
"""Bytes of a write that arrive together, or not at all."""

SPOKEN_TO: Final = ("pipe:", "socket:", "TCP")
"""How strace names what leads to somebody outside."""

LUCK: Final = "some of it"
"""What is left where luck decides; the other cuts leave one extreme each."""

Files: TypeAlias = dict[Path, bytes]


class Write(NamedTuple):
    """Content at a place in a file; None: the file ends there."""

    place: int
    content: bytes | None


class File:
    """The content of a file: as it is on the disk, and what was written since, not yet for certain."""

    def __init__(self, content: bytes = b"") -> None:
        self.synced = content
        self.unsynced: list[Write] = []
        self.now = bytearray(content)

    def write(self, one: Write) -> None:
        """Write something, or cut the file off."""
        self.unsynced.append(one)
        _carry_out(self.now, one)

    def sync(self) -> None:
        """Have the content on the disk."""
        self.synced, self.unsynced = bytes(self.now), []

    def after_cut(self, arrives: Callable[[], bool]) -> bytes:
        """Return the content of which only what arrives has got to the disk."""
        found = bytearray(self.synced)
        for one in self.unsynced:
            for part in _blocks(one):
                if arrives():
                    _carry_out(found, part)
        return bytes(found)


def _blocks(one: Write) -> Iterator[Write]:
    if one.content is None:
        yield one
        return
    for begin in range(0, len(one.content), BLOCK):
        yield Write(one.place + begin, one.content[begin : begin + BLOCK])


def _carry_out(content: bytearray, one: Write) -> None:
    end = one.place + len(one.content or b"")
    if len(content) < end:
        content.extend(bytes(end - len(content)))
    if one.content is None:
        del content[one.place :]
    else:
        content[one.place : end] = one.content


Names: TypeAlias = dict[Path, File | None]
"""Files by their paths; None is a folder."""

Change: TypeAlias = dict[Path, "File | bool | None"]
"""Names that change together: to a file or a folder, or to nothing (False)."""


class Disk:
    """The files in a folder, as system calls change them, and what was said to the outside meanwhile.

    `known` are all paths that there have ever been.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self.synced: Names = {root: None}
        for each in sorted(root.rglob("*")):
            self.synced[each] = None if each.is_dir() else File(each.read_bytes())
        self.now: Names = dict(self.synced)
        self.unsynced: list[Change] = []
        self.said = ""
        self.known = {*self.synced}
        self._places: dict[tuple[int, int], int] = {}
        self._appending: set[tuple[int, int]] = set()

    # -- what may be left of it ----------------------------------------------------------------------------------------

    def after_cut(self, named: Callable[[], bool], arrives: Callable[[], bool]) -> tuple[set[Path], Files]:
        """Return the folders and files after a cut at which some changes of names, and some writes, have arrived."""
        names = dict(self.synced)
        for change in self.unsynced:
            if named():
                _rename(names, change)
        there = {path: file for path, file in names.items() if all(up in names for up in _between(self.root, path))}
        folders = {path for path, file in there.items() if file is None}
        return folders, {path: file.after_cut(arrives) for path, file in there.items() if file is not None}

    def cuts(self, dice: random.Random) -> Iterator[tuple[str, tuple[set[Path], Files]]]:
        """Yield what may be left after a cut at this moment: the four extremes, and one by luck."""
        yes, no = (lambda: True), (lambda: False)
        yield "neither names nor content", self.after_cut(no, no)
        yield "names without content", self.after_cut(yes, no)
        yield "content without names", self.after_cut(no, yes)
        yield "everything", self.after_cut(yes, yes)
        half = lambda: dice.random() < 0.5  # noqa: E731 - the third of its kind
        yield LUCK, self.after_cut(half, half)

    # -- what changes it -----------------------------------------------------------------------------------------------

    def take(self, call: Call) -> bool:
        """Carry a call out; return whether it concerns this disk, or has said something."""
        for names, carry_out in _MEANINGS.items():
            if call.name in names.split():
                return carry_out(self, call)
        raise AssertionError(f"the disk does not know what {call.name} does")

    def _open(self, call: Call) -> bool:
        flags, path = call.arguments[2] if call.name == "openat" else call.arguments[1], Path(call.opened)
        if not _is_within(self.root, path):
            return False
        if path not in self.now and "O_CREAT" in flags:
            self._change({path: File()})
        file = self.now.get(path)
        if file is None:
            return False
        key = (call.result, id(file))
        self._places[key] = 0
        (self._appending.add if "O_APPEND" in flags else self._appending.discard)(key)
        if "O_TRUNC" in flags and file.now:
            file.write(Write(0, None))
        return True

    def _write(self, call: Call) -> bool:
        number, name = call.file(0)
        if name.startswith(SPOKEN_TO):
            self.said += call.text(1)[: call.result].decode(errors="replace")
            return True
        file = self.now.get(Path(name))
        if file is None:
            return False
        key, content = (number, id(file)), call.text(1)[: call.result]
        if call.name.startswith("p"):
            file.write(Write(int(call.arguments[3]), content))
            return True
        place = len(file.now) if key in self._appending else self._places[key]
        file.write(Write(place, content))
        self._places[key] = place + len(content)
        return True

    def _seek(self, call: Call) -> bool:
        number, name = call.file(0)
        self._places[number, id(self.now.get(Path(name)))] = call.result
        return False

    def _cut_off(self, call: Call) -> bool:
        file = self.now.get(Path(call.file(0)[1]))
        if file is not None:
            file.write(Write(int(call.arguments[1]), None))
        return file is not None

    def _sync(self, call: Call) -> bool:
        path = Path(call.file(0)[1])
        if path not in self.now:
            return False
        file = self.now[path]
        if file is not None:
            file.sync()
            return True
        for change in [each for each in self.unsynced if any(name.parent == path for name in each)]:
            _rename(self.synced, change)
            self.unsynced.remove(change)
        return True

    def _remove(self, call: Call) -> bool:
        path = call.path(int(call.name.endswith("at")), self.root)
        return path in self.now and self._change({path: False})

    def _make_folder(self, call: Call) -> bool:
        path = call.path(int(call.name.endswith("at")), self.root)
        return _is_within(self.root, path) and self._change({path: None})

    def _move(self, call: Call) -> bool:
        at = "at" in call.name
        old, new = (call.path(place, self.root) for place in ((1, 3) if at else (0, 1)))
        return old in self.now and self._change({old: False, new: self.now[old]})

    def _change(self, change: Change) -> bool:
        _rename(self.now, change)
        self.known.update(change)
        self.unsynced.append(change)
        return True


_MEANINGS: Final[dict[str, Callable[[Disk, Call], bool]]] = {
    "openat open creat": Disk._open,
    "write pwrite64 writev sendto sendmsg": Disk._write,
    "lseek": Disk._seek,
    "ftruncate": Disk._cut_off,
    "fsync fdatasync": Disk._sync,
    "unlink unlinkat rmdir": Disk._remove,
    "mkdir mkdirat": Disk._make_folder,
    "rename renameat renameat2": Disk._move,
}


def _rename(names: Names, change: Change) -> None:
    for path, file in change.items():
        if isinstance(file, bool):
            names.pop(path, None)
        else:
            names[path] = file


def _is_within(root: Path, path: Path) -> bool:
    return root in path.parents


@cache
def _between(root: Path, path: Path) -> list[Path]:
    return [each for each in path.parents if root in each.parents]
