"""What a real command asks of the operating system: strace's record of it, read into calls on files."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

import pytest

ROOT: Final = Path(__file__).parents[2]

WRITING: Final = "write,pwrite64,writev,pwritev,ftruncate,truncate,fallocate"
NAMING: Final = "openat,open,creat,unlink,unlinkat,rename,renameat,renameat2,mkdir,mkdirat,rmdir,link,linkat,symlink"
SYNCING: Final = "fsync,fdatasync,sync_file_range,sync,syncfs,msync"
QUICK: Final = ("-f", "--seccomp-bpf")
"""Options of strace with which the calls that it is not asked for run at their full speed."""

SPEAKING: Final = "sendto,sendmsg"
CALLS: Final = f"{WRITING},{NAMING},{SYNCING},{SPEAKING},lseek"

_LINE: Final = re.compile(r"^\d+ +(?P<name>\w+)\((?P<arguments>.*)\) += (?P<result>-?\d+|\?)(?P<rest>.*)$")
_UNFINISHED: Final = re.compile(r"^(?P<process>\d+) +(?P<begin>.*) <unfinished \.\.\.>$")
_RESUMED: Final = re.compile(r"^(?P<process>\d+) +<\.\.\. \w+ resumed>(?P<end>.*)$")
_TEXT: Final = re.compile(r'"((?:\\x[0-9a-f]{2})*)"(\.\.\.)?')
_FILE: Final = re.compile(r"^(?:AT_FDCWD|(?P<number>-?\d+))(?:<(?P<path>.*?)>)?(?P<gone>\(deleted\))?$")


class Call(NamedTuple):
    """A system call that went well: its name, its arguments as strace writes them, and what it returned."""

    name: str
    arguments: tuple[str, ...]
    result: int
    opened: str = ""

    def text(self, place: int) -> bytes:
        """Return an argument that is a text or a buffer, or several buffers."""
        found = _TEXT.findall(self.arguments[place])
        if any(cut for _, cut in found):
            raise AssertionError(f"{self.name}: no whole text in {self.arguments[place][:80]}")
        return _plain("".join(text for text, _ in found))

    def path(self, place: int, start: Path) -> Path:
        """Return the path that an argument names, seen from a folder or from the one in the argument before it."""
        folder = Path(self.file(place - 1)[1] or start) if self.name.endswith(("at", "at2")) else start
        return Path(os.path.normpath(folder / os.fsdecode(self.text(place))))

    def file(self, place: int) -> tuple[int, str]:
        """Return the number of an open file that an argument names, and its path; empty where it was removed."""
        found = _FILE.match(self.arguments[place])
        if found is None:
            raise AssertionError(f"{self.name}: no file in {self.arguments[place][:80]}")
        return int(found["number"] or -1), "" if found["gone"] else _plain(found["path"] or "").decode()


def _plain(text: str) -> bytes:
    return bytes.fromhex(text.replace("\\x", ""))


@cache
def strace() -> str:
    """Return the path of strace; empty where it is not installed, or may not trace."""
    found = shutil.which("strace") or ""
    if not found:
        return ""
    tried = subprocess.run([found, "-o", os.devnull, sys.executable, "-c", ""], capture_output=True, check=False)  # noqa: S603 - our own
    return found if tried.returncode == 0 else ""


needs_strace = pytest.mark.skipif(not strace(), reason="strace is not installed, or may not trace here")


def traced(trace: Path, command: Sequence[str], *options: str) -> list[str]:
    """Return the command that runs another one under strace, whose record goes to a file."""
    calls = f"trace={CALLS}"
    form = [*QUICK, "-y", "-xx", "-s", "100000000", "-e", "signal=none"]
    return [strace(), *form, "-e", calls, "-o", str(trace), *options, *command]


def calls_in(trace: Path) -> Iterator[Call]:
    """Yield the calls of a record that went well, in the order of their ends."""
    begun: dict[str, str] = {}
    with trace.open(encoding="ascii") as lines:
        for line in lines:
            unfinished, resumed = _UNFINISHED.match(line), _RESUMED.match(line)
            if unfinished:
                begun[unfinished["process"]] = unfinished["begin"]
                continue
            whole = f"{resumed['process']} {begun.pop(resumed['process'])}{resumed['end']}" if resumed else line
            found = _LINE.match(whole.strip())
            if found is None or found["result"] == "?" or int(found["result"]) < 0:
                continue
            opened = _FILE.match(found["result"] + found["rest"].strip())
            path = _plain(opened["path"]).decode() if opened and opened["path"] else ""
            yield Call(found["name"], tuple(_parted(found["arguments"])), int(found["result"]), path)


def _parted(arguments: str) -> Iterator[str]:
    """Yield the arguments of a call: commas within brackets and quotes part nothing."""
    depth, quoted, begin = 0, False, 0
    for place, letter in enumerate(arguments):
        if letter == '"':
            quoted = not quoted  # With -xx no quotation mark stands in a text.
        elif quoted:
            continue
        elif letter in "[{(":
            depth += 1
        elif letter in "]})":
            depth -= 1
        elif letter == "," and not depth:
            yield arguments[begin:place].strip()
            begin = place + 1
    yield arguments[begin:].strip()
