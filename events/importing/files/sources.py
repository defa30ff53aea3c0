"""Files as they come in: found in folders, and known by name or content."""

import csv
import gzip
import json
import re
import shlex
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

import zstandard

from tabletape.events.errors import TabletapeError
from tabletape.events.importing.quarantine.bad_lines import did_you_mean
from tabletape.events.importing.report import STANDARD_INPUT, STANDARD_INPUT_TOLD, Format
from tabletape.events.importing.sheets.headings import fields_named
from tabletape.events.log.rows import QuarantinedLine

BLOCK: Final = 1 << 20
SNIFFED_BYTES: Final = 4096

MAX_FOREIGN: Final = 64 << 20
"""The most bytes of a file of another program, about a million lines: what a map makes of it is kept in memory."""

WORKBOOKS: Final = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")
BYTE_ORDER_MARKS: Final = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))
SUFFIXES: Final[dict[str, Format]] = {
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".csv": "csv",
    ".tsv": "csv",
    ".xlsx": "xlsx",
    ".xls": "xlsx",
    ".ods": "xlsx",
}


FOREIGN: Final = frozenset({".txt", ".log", ".json", ".xml", ".vlog"})
"""Endings of files of other programs, which a map may read."""


FILE_ERRORS: Final = (EOFError, zlib.error, gzip.BadGzipFile, zstandard.ZstdError, csv.Error)
"""What a broken file raises in the middle of it; everything before it counts."""


NOT_LOOKED_AT_CODE: Final = "not-looked-at"
"""The code of the refusal of a file that a map reads, where somebody can look at it before it is stored."""

NO_ZONE_CODE: Final = "no-zone"
"""The code of the refusal of a file whose times say no time zone, where somebody can be asked for it."""


class NotALogError(TabletapeError):
    """A file of which nothing can be taken: code, message, suggestion."""

    def __init__(self, code: str, message: str, suggestion: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.suggestion = suggestion


class FileKind(NamedTuple):
    """What a file is by its content: its format, none where that does not say, and its encoding."""

    format: Format | None
    encoding: str


def problem(name: str, error: NotALogError) -> QuarantinedLine:
    """Return the entry that stands for a whole file."""
    return QuarantinedLine(name, 0, 0, error.code, str(error), error.suggestion, "")


def unforeseen(what: str, error: Exception) -> NotALogError:
    """Return the refusal of a file or a line for a reason that nobody has foreseen."""
    message = f"Tabletape failed at this {what} ({type(error).__name__}: {error})"
    return NotALogError("defect", message, f"that is a mistake of Tabletape: please report it with the {what}")


def find(paths: Iterable[str | Path]) -> Iterator[tuple[str, NotALogError | None]]:
    """Return the files to import, each once: those named, and those in the named folders, sorted, at any depth.

    In a folder a file counts as a log if its name or its content says so. A path that leads nowhere has an error.
    """
    seen: set[Path] = set()
    for path in map(Path, paths):
        if str(path) == STANDARD_INPUT:
            yield STANDARD_INPUT, None
        elif path.is_dir():
            inside = sorted(each for each in path.rglob("*") if _is_log(each, path))
            if not inside:
                yield str(path), NotALogError("no-logs", f"there are no logs in the folder {path}", _SUFFIXES_TOLD)
            yield from ((str(each), None) for each in inside if _first_time(each, seen))
        elif not path.exists():
            yield str(path), _missing(path)
        elif _first_time(path, seen):
            yield str(path), None


MAX_FILES_NAMED: Final = 20
"""How many files of a folder that are no logs are named."""

SIGNATURES: Final = (
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"GIF8", "a picture"),
    (b"RIFF", "a picture or a sound"),
    (b"%PDF", "a PDF"),
    (b"PK\x03\x04", "a zip archive"),
    (b"7z\xbc\xaf", "a 7z archive"),
    (b"Rar!", "a RAR archive"),
    (b"SQLite format 3", "a database of SQLite"),
    (b"PAR1", "a Parquet file"),
)
"""What files begin with that are neither text nor a workbook."""

_BINARY: Final = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")


def passed_over(paths: Iterable[str | Path]) -> Iterator[str]:
    """Return which files in the named folders are no logs; hidden ones are not spoken of."""
    for folder in filter(Path.is_dir, map(Path, paths)):
        inside = (each for each in sorted(folder.rglob("*")) if each.is_file() and not _is_hidden(each, folder))
        others = [f"{each.relative_to(folder)} ({_looks(each)})" for each in inside if not _is_log(each, folder)]
        if others:
            named = ", ".join(others[:MAX_FILES_NAMED]) + (
                f" and {len(others) - MAX_FILES_NAMED} more" if len(others) > MAX_FILES_NAMED else ""
            )
            files = "1 file that is no log was" if len(others) == 1 else f"{len(others)} files that are no logs were"
            way_out = "; `tabletape map FILE` says what a text means" if "beginning)" in named else ""
            yield f"{folder}: {files} passed over: {named}{way_out}"


def _looks(path: Path) -> str:
    """Return what a file looks like that is no log by its name."""
    try:
        with path.open("rb") as file:
            start = file.read(SNIFFED_BYTES)
    except OSError as error:
        return f"cannot be read: {error.strerror}"
    try:
        return "empty" if not start.strip() else no_text(start) or looks_like(start)
    except NotALogError:
        return "binary data"


def no_text(start: bytes) -> str:
    """Return what a file is by its first bytes that is no text, `a picture`; empty for text."""
    known = next((what for sign, what in SIGNATURES if start.startswith(sign)), "")
    encoded = start.startswith(tuple(mark for mark, _ in BYTE_ORDER_MARKS)) or b"\0" in start
    return known or ("" if encoded or _BINARY.search(start) is None else "binary data")


_SUFFIXES_TOLD: Final = f"logs end in {', '.join(SUFFIXES)}, also packed (.gz, .zst)"


def _first_time(path: Path, seen: set[Path]) -> bool:
    real = path.resolve()
    if real in seen:
        return False
    seen.add(real)
    return True


def _missing(path: Path) -> NotALogError:
    if path.is_symlink():
        return NotALogError("no-file", f"{path} is a link that leads to no file")
    beside = [each.name for each in path.parent.iterdir()] if path.parent.is_dir() else []
    return NotALogError("no-file", f"there is no file {path}", did_you_mean(path.name, beside))


def _is_log(path: Path, folder: Path) -> bool:
    """Return whether a file in a folder is meant: no hidden one, a log by its name or else by its content."""
    if _is_hidden(path, folder) or not path.is_file():
        return False
    if format_of_name(path.name) or path.suffix.lower() in FOREIGN:
        return True
    try:
        with path.open("rb") as file:
            return sniff(file.read(SNIFFED_BYTES)).format in ("jsonl", "csv")
    except (OSError, NotALogError):
        return False


def _is_hidden(path: Path, folder: Path) -> bool:
    return any(part.startswith((".", "~$")) for part in path.relative_to(folder).parts)


def format_of_name(name: str) -> Format | None:
    """Return the format that a file's name promises."""
    plain = name.lower().removesuffix(".gz").removesuffix(".zst")
    return SUFFIXES.get(Path(plain).suffix)


def sniff(start: bytes) -> FileKind:
    """Return the format and encoding of a file from its first bytes.

    Raises `NotALogError` for an empty file, a JSON list and binary data.
    """
    if not start.strip():
        raise NotALogError("empty", "the file is empty", "save it once more in the program that wrote it")
    if start.startswith(WORKBOOKS):
        return FileKind("xlsx", "")
    encoding = _encoding(start)
    # The first bytes may end within a character: whatever that gives stands behind what is looked at.
    text = start.decode(encoding, errors="replace").lstrip("\ufeff \t\r\n")
    if text.startswith(RICH_TEXT):
        raise NotALogError("binary", "this is rich text of a word processor", "save it there as plain text (.txt)")
    if text.startswith("{"):
        return FileKind("jsonl", encoding)
    if JSON_LIST.match(text):
        suggestion = "write each event on a line of its own: `jq -c '.[]' the-file > log.jsonl`"
        raise NotALogError("json-list", "the file is one JSON list; a log has one event a line", suggestion)
    header = text.partition("\n")[0]
    if not header.lower().startswith("sep="):
        heads = ([cell.strip(' "\r') for cell in header.split(mark)] for mark in ",;\t")
        return FileKind("csv" if any("type" in fields_named(head) for head in heads) else None, encoding)
    return FileKind("csv", encoding)


RICH_TEXT: Final = "{\\rtf"
"""How rich text (RTF) begins, as which some programs keep what is pasted into them."""

JSON_LIST: Final = re.compile(r'\[\s*(?:[\[\]{"]|$)')
"""How a JSON list begins, which the clock before a message of a chat (`[19:02] Ann: ...`) is not."""


def looks_foreign(start: bytes) -> bool:
    """Return whether a file is text, a document or a zipped log of another program by its first bytes, and no log.

    A line that could be an event, however broken, makes it a log.
    """
    if start.startswith(WORKBOOKS):
        return is_zipped_log(start)
    try:
        kind = sniff(start)
    except NotALogError as error:
        return error.code == "json-list"
    if kind.format != "jsonl":
        return kind.format is None
    text = start.decode(kind.encoding, errors="replace").lstrip("\ufeff \t\r\n")
    first, newline, _ = text.partition("\n")
    if first.strip() == "{":
        return True
    return not _may_be_event(first, is_whole=bool(newline) or len(start) < SNIFFED_BYTES)


def _may_be_event(line: str, *, is_whole: bool) -> bool:
    """Return whether a line, or its beginning, may be an event: of a beginning, what stands within is of no account."""
    return _has_type(line) if is_whole else _TOP_LEVEL_TYPE.match(line) is not None or "game.started" in line


def _has_type(line: str) -> bool:
    """Return whether a line may say its type: as an object it does, or it is broken and the word stands in it."""
    try:
        document = json.loads(line)
    except (ValueError, RecursionError):
        return '"type"' in line
    return isinstance(document, dict) and "type" in document


_TOP_LEVEL_TYPE: Final = re.compile(r'\{(?:\s*"[^"]*"\s*:\s*(?:"[^"]*"|[-\d.]+|null|true|false)\s*,)*\s*"type"\s*:')


def is_zipped_log(start: bytes) -> bool:
    """Return whether a file is a zipped Vassal log or saved game by its first bytes."""
    return start.startswith(b"PK\x03\x04") and b"savedGame" in start


def is_document(start: bytes) -> bool:
    """Return whether a file is another program's by its first bytes: zipped, one object, a list, lines of no event."""
    if is_zipped_log(start):
        return True
    plain = start.lstrip(b"\xef\xbb\xbf \t\r\n")
    first, newline, more = plain.partition(b"\n")
    if first.startswith(b"["):
        return _TYPE_OF_EVENT.search(plain) is None
    is_whole = bool(newline) or len(start) < SNIFFED_BYTES
    has_list = first.startswith(b"{") and re.search(rb":\s*\[", first) is not None
    alone = has_list and not more.strip() and not _may_be_event(first.decode(errors="replace"), is_whole=is_whole)
    lines = more.lstrip().startswith(b"{") and first.startswith(b"{") and _NAMES_AN_EVENT.search(plain) is None
    return first.strip() == b"{" or alone or lines


_TYPE_OF_EVENT: Final = re.compile(rb'"type"\s*:\s*"[a-z]+[.-]')
_NAMES_AN_EVENT: Final = re.compile(rb'"typ|"[a-z]+\.[a-z]+(?:-[a-z]+)*"', re.IGNORECASE)


def unknown_format(start: bytes, name: str) -> NotALogError:
    """Return the refusal of a file that is no log, with what it looks like and the command that takes it."""
    if not is_zipped_log(start) and (what := no_text(start)):
        return _binary(what)
    try:
        what = "a zipped Vassal log" if is_zipped_log(start) else looks_like(start)
    except NotALogError as error:
        return error
    if what == _SHEET and is_of_results(start):
        message = "this looks like a sheet of results, a row for each game; nobody has said yet what its columns mean"
        shows = f"`{_map_command(name)}` shows as what each is read, and `tabletape import` takes it then"
        return NotALogError("unknown-format", message, f"{shows}; the page Import of `tabletape serve` does both")
    return without_a_map(what, name)


def is_of_results(start: bytes) -> bool:
    """Return whether a sheet has columns as results have them, by its first bytes; binary data has none."""
    from tabletape.events.importing.maps.proposing.column_names import named  # noqa: PLC0415 - it needs this module

    try:
        first = start.decode(_encoding(start), errors="replace").lstrip("\ufeff").partition("\n")[0]
    except NotALogError:
        return False
    return len(named([each.strip(' "') for each in re.split(r"[,;\t|]", first)])) > FEW_NAMED


def _map_command(name: str) -> str:
    return f"tabletape map {'FILE' if name == STANDARD_INPUT_TOLD else shlex.quote(name)}"


def without_a_map(what: str, name: str) -> NotALogError:
    """Return the refusal of a file that looks like something, of which nobody has said what it means."""
    message = f"this looks like {what}; no map fits it"
    means = f"`{_map_command(name)}` writes a map that says what its lines mean"
    own = "of a game of your own with `--game NAME` behind it, which `tabletape rules new NAME` begins"
    return NotALogError("unknown-format", message, f"{means}, {own}")


def _binary(what: str) -> NotALogError:
    return NotALogError("binary", f"this is {what}: neither text nor a spreadsheet", _SUFFIXES_TOLD)


def looks_like(start: bytes) -> str:
    """Return what a text looks like by its first bytes. Raises `NotALogError` for binary data."""
    text = start.decode(_encoding(start), errors="replace")
    lines = [line for line in text.splitlines() if line.strip()][:5]
    if text.lstrip()[:1] == "{" or JSON_LIST.match(text.lstrip()):
        return "a JSON document"
    if text.lstrip()[:1] == "<":
        return "an XML document"
    commas = [mark for mark in ",;\t|" for line in lines if line.count(mark) > 1]
    is_sheet = len(commas) >= min(3, len(lines)) and not all(_MESSAGE.match(line) for line in lines)
    return _SHEET if is_sheet else "a chat or a log in words"


def looks_like_sheet(start: bytes) -> bool:
    """Return whether a text looks like a sheet by its first bytes. Raises `NotALogError` for binary data."""
    return looks_like(start) == _SHEET


FEW_NAMED: Final = 2
"""Of more columns than these that are called as those of results are, a sheet is one of results."""

_SHEET: Final = "a sheet without a column `type`"

_MESSAGE: Final = re.compile(r"[^\w\n]{0,2}\d{1,4}[\d./: ,-]*\d\W[^:\n]{1,60}: ")
"""A time, a name and what is said, as `[14.11.2026, 20:02] Jana: ok, three cards, five lights`."""


def _encoding(start: bytes) -> str:
    for mark, encoding in BYTE_ORDER_MARKS:
        if start.startswith(mark):
            return encoding
    # In a text that begins as a log does, a NUL is the mistake of its line.
    if b"\0" not in start or start.lstrip().startswith(b'{"'):
        return "utf-8"
    # Latin letters in UTF-16 without a mark: every second byte is zero.
    for offset, encoding in ((1, "utf-16-le"), (0, "utf-16-be")):
        if start[offset::2].count(0) > len(start) // 4 and start[1 - offset :: 2].count(0) == 0:
            return encoding
    raise _binary(no_text(start) or "binary data")
