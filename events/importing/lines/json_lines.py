"""Logs as JSON Lines: one event a line."""

import codecs
import io
import json
import re
from collections.abc import Callable, Iterator
from typing import Any, Final

import msgspec
from rapidfuzz import fuzz

from tabletape.events.importing.files.sources import BLOCK, NotALogError
from tabletape.events.importing.games.heads import is_head
from tabletape.events.importing.games.notation import Notation
from tabletape.events.importing.lines.diagnosis import explain
from tabletape.events.importing.lines.keys import Spacing, each_key_once
from tabletape.events.importing.lines.places import Places, half_letter
from tabletape.events.importing.lines.runs import LONGEST, LineRun, LongLine, runs, shortened
from tabletape.events.importing.quarantine.bad_lines import BadLineError, Path, half_a_letter
from tabletape.events.plans import planned
from tabletape.events.vocabulary import Event, Vocabulary

NO_LINES: Final = 16 * BLOCK
"""A line of more bytes is none: the file has no line ends."""

OLD_ENCODING: Final = "read as Latin-1 (Windows-1252) where it is not UTF-8"

LIKE_A_HEAD: Final = 85
"""How similar a type has to be for a misspelt `game.started` (rapidfuzz ratio, 0-100); `phase.started` has 80."""

_TYPE: Final = re.compile(rb'"type"\s*:\s*"([^"]{0,40})')


@planned
class _Head(msgspec.Struct):
    """What a line has to say about itself before its game's vocabulary can read it."""

    type: str
    game: str = ""


_HEAD: Final = msgspec.json.Decoder(_Head)


def old_text(raw: bytes) -> str:
    """Read bytes that are not UTF-8: Windows-1252, where it has the letter, else Latin-1."""
    try:
        return raw.decode("cp1252")
    except UnicodeDecodeError:
        return raw.decode("latin-1")


def whole_lines(stream: "io.BufferedReader[Any]", encoding: str) -> Iterator[tuple[bytes, bool]]:
    """Return the lines of a stream as UTF-8, many together, and whether the last of them is ended by a line end.

    That line end is left out; a line that is too long stands alone. Raises `NotALogError` for a line that does not end,
    or where the encoding breaks.
    """
    rest = b""
    for block in _blocks(stream, encoding):
        text, end, rest = (rest + block).rpartition(b"\n")
        if len(rest) > NO_LINES:
            raise NotALogError("no-lines", "a line is longer than 16 MB: one event a line is expected")
        if b"\r" in text:
            # Line ends of Windows: lines are only read together where nothing else stands between them.
            text = text.replace(b"\r\n", b"\n").removesuffix(b"\r")
        # All lines but the first began and ended within one block.
        if end and text.find(b"\n", 0, LONGEST + 1) < 0 and len(text) > LONGEST:
            first, end, text = text.partition(b"\n")
            yield shortened(first), True
        if end:
            yield text, True
    if rest:
        yield shortened(rest), False


def _blocks(stream: "io.BufferedReader[Any]", encoding: str) -> Iterator[bytes]:
    """Return the content block by block, as UTF-8 without a byte order mark."""
    if encoding == "utf-8":
        # `read1` gives what can be unpacked before a damage, `read` would give nothing of that block.
        while block := stream.read1(BLOCK):
            yield block
    elif encoding == "utf-8-sig":
        stream.read(len(codecs.BOM_UTF8))
        yield from _blocks(stream, "utf-8")
    else:
        text = io.TextIOWrapper(stream, encoding, newline="")
        try:
            while piece := text.read(BLOCK):
                yield piece.lstrip("\ufeff").encode()
        except UnicodeError as error:
            raise NotALogError("encoding", f"the file is not the {encoding.upper()} it begins as: {error}") from error


class JsonLines(Notation):
    """The notation of a JSON Lines file: an item is a line's bytes."""

    def __init__(self, stream: "io.BufferedReader[Any]", encoding: str, remark: Callable[[str], None]) -> None:
        self._stream = stream
        self._encoding = encoding
        self._remark = remark
        self._ended = True
        self._spacing = Spacing()

    def batches(self) -> Iterator[LineRun]:
        """Return the numbered lines, many together."""
        first = 1
        for text, ended in whole_lines(self._stream, self._encoding):
            self._ended = ended
            self._spacing.look_at(text)
            for run in runs(first, text, self._spacing):
                yield run
                first += run.lines

    def decoder(self, vocabulary: Vocabulary) -> Callable[[bytes], Event]:
        """Return what turns a line into an event; it raises what msgspec and Unicode raise, and `BadLineError`."""
        return each_key_once(vocabulary, self._spacing)

    def repaired(self, line: bytes) -> bytes | None:
        """Return a line that is not UTF-8 as UTF-8; `None` where that is not what is wrong."""
        try:
            line.decode()
        except UnicodeDecodeError:
            self._remark(OLD_ENCODING)
            return old_text(line).encode()
        return None

    @staticmethod
    def plain(line: bytes, _vocabulary: Vocabulary) -> dict[str, Any] | None:
        """Return a line's fields, None where it is no object."""
        try:
            document = json.loads(line)
        except (ValueError, RecursionError):
            return None
        return document if isinstance(document, dict) else None

    @staticmethod
    def is_blank(line: bytes) -> bool:
        """Return whether nothing stands in a line."""
        return not line.strip()

    @staticmethod
    def slug(line: bytes) -> str | None:
        """Return the game that a `game.started` line begins; `None` for another line, empty where it does not say."""
        try:
            head = _HEAD.decode(line)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            return None
        return head.game if is_head(head.type) else None

    @staticmethod
    def may_be_head(line: bytes) -> bool:
        """Return whether an unreadable line was probably meant to begin a game."""
        match = _TYPE.search(line)
        word = match[1].decode(errors="replace") if match else ""
        return (
            word.startswith("game.st")
            or fuzz.ratio(word.casefold(), "game.started") >= LIKE_A_HEAD
            or (b'"edition"' in line and b'"players"' in line)
        )

    @staticmethod
    def raw(line: bytes) -> str:
        """Return a line as text, for the quarantine."""
        return line.decode(errors="replace").strip("\r\n\ufeff")

    def _place(self, line: bytes, path: Path, *, at_key: bool) -> int:
        """Return the column (from 1) of a key or a value."""
        try:
            return Places(self.raw(line)).column(path, at_key=at_key)
        except (ValueError, IndexError, RecursionError):
            return 1

    def diagnose(self, line: bytes, error: Exception, vocabulary: Vocabulary) -> tuple[BadLineError, int]:
        """Return why a line cannot be read, and in which column."""
        text = self.raw(line)
        if isinstance(line, LongLine):
            message = f"the line is longer than {LONGEST:,} bytes, the longest that an event may be"
            return BadLineError("too-long", (), message, "write one event a line"), 1
        try:
            fields: Any = json.loads(text, parse_int=_whole_number)
        except (ValueError, RecursionError) as broken:
            return self._broken(text, broken)
        if half := half_letter(fields):
            return half_a_letter((), half), text.lower().index(half) + 1
        if isinstance(error, BadLineError):
            return error, self._place(line, error.path, at_key=error.at_key)
        if not isinstance(error, msgspec.ValidationError):
            return BadLineError("not-json", (), f"the line is no JSON: {error}"), 1
        bad = explain(error, fields, vocabulary)
        return bad, self._place(line, bad.path, at_key=bad.at_key)

    def _broken(self, text: str, error: Exception) -> tuple[BadLineError, int]:
        """Return where a line stops being JSON."""
        at = error.pos if isinstance(error, json.JSONDecodeError) else 0
        if self._breaks_off(text, at):
            if self._ended:
                bad = BadLineError("not-json", (), f"the line breaks off after {_end(text)}", "write the whole event")
            else:
                message = f"the file breaks off in the middle of an event, after {_end(text)}"
                bad = BadLineError("truncated", (), message, "fetch the rest of the file and import it again")
            return bad, len(text) + 1
        return BadLineError("not-json", (), f"the line is no JSON: {_reason(error)}", _slip(text, at)), at + 1

    @staticmethod
    def _breaks_off(text: str, at: int) -> bool:
        """Return whether the line is JSON as far as it goes."""
        try:
            msgspec.json.decode(text)
        except msgspec.DecodeError as error:
            return "truncated" in str(error)
        except (UnicodeDecodeError, RecursionError):
            return False
        return at >= len(text)


def _whole_number(digits: str) -> Any:
    """Return a whole number, as it is written where it has so many digits that nobody can reckon with it."""
    return int(digits) if len(digits) < 19 else msgspec.Raw(digits.encode())


def _end(text: str) -> str:
    return f"`{text[-20:]}`" if text else "nothing"


def _reason(error: Exception) -> str:
    """Return in plain words why the JSON reader failed."""
    if not isinstance(error, json.JSONDecodeError):
        return "it is nested too deeply"
    return {
        "Expecting ',' delimiter": "a comma or the closing bracket is missing",
        "Expecting ':' delimiter": "a colon is missing",
        "Expecting value": "a value is missing",
        "Expecting property name enclosed in double quotes": 'a key in "double quotes" is missing',
        "Extra data": "something stands behind the closing bracket",
        "Illegal trailing comma before end of object": "a comma stands before the closing bracket",
        "Illegal trailing comma before end of array": "a comma stands before the closing bracket",
        "Unterminated string starting at": "a text has no closing quote",
    }.get(error.msg, error.msg[:1].lower() + error.msg[1:])


def _slip(text: str, at: int) -> str:
    """Return the suggestion for a likely typing mistake at an offset."""
    near = text[at : at + 1]
    if near in tuple("'\u2018\u2019\u201c\u201d\u201e\u00ab\u00bb"):
        return f'write plain double quotes (") instead of {near}'
    if near in ("}", "]") and text[:at].rstrip().endswith(","):
        return f"take away the comma before {near}"
    if text[at:].startswith(("True", "False", "None")):
        return "write true, false and null in lower case"
    if not text.lstrip().startswith("{"):
        return 'an event looks like {"type": "turn.ended", "player": "A"}'
    return ""
