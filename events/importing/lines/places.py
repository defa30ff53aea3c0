"""Where the keys and values of a JSON text stand, for saying in which column something is wrong."""

import json
import re
from typing import Any, Final

Path = tuple[str | int, ...]

_BLANK: Final = re.compile(r"[ \t\r\n]*")
_read_value: Final = json.JSONDecoder(parse_int=len).raw_decode
"""Reads a value for its end only: a number of 5,000 digits is not reckoned with."""


class Places:
    """The offsets (characters from 0) of every key and every value of a JSON text, by path.

    Raises `json.JSONDecodeError` or `IndexError` where the text is no JSON, `RecursionError` where it is nested too
    deeply.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._keys: dict[Path, int] = {}
        self._values: dict[Path, int] = {}
        self._walk(0, ())

    def column(self, path: Path, *, at_key: bool = False) -> int:
        """Return the column (from 1) of the value at a path, or of its key; of what encloses it where it is absent."""
        while path:
            for table in (self._keys, self._values) if at_key else (self._values, self._keys):
                if path in table:
                    return table[path] + 1
            path = path[:-1]
        return self._values[()] + 1

    def path_at(self, column: int) -> Path:
        """Return the path of the value, or else of the key, that begins in a column (from 1); empty where none does."""
        paths = [
            path for table in (self._values, self._keys) for path, at in table.items() if at == column - 1 and path
        ]
        return paths[0] if paths else ()

    def _walk(self, at: int, path: Path) -> int:
        """Note the value that begins at or after `at`; return the offset behind it."""
        at = self._skip(at)
        self._values[path] = at
        if self._text[at] == "{":
            return self._members(at + 1, path)
        if self._text[at] == "[":
            return self._elements(at + 1, path)
        return _read_value(self._text, at)[1]

    def _members(self, at: int, path: Path) -> int:
        at = self._skip(at)
        while self._text[at] != "}":
            key, behind = _read_value(self._text, at)
            self._keys[*path, key] = at
            at = self._next(self._walk(self._skip(behind) + 1, (*path, key)))
        return at + 1

    def _elements(self, at: int, path: Path) -> int:
        at = self._skip(at)
        place = 0
        while self._text[at] != "]":
            at = self._next(self._walk(at, (*path, place)))
            place += 1
        return at + 1

    def _next(self, at: int) -> int:
        """Step over a comma."""
        at = self._skip(at)
        return self._skip(at + 1) if self._text[at] == "," else at

    def _skip(self, at: int) -> int:
        match = _BLANK.match(self._text, at)
        return match.end() if match else at


def half_letter(value: Any) -> str:
    """Return the escape of the first half of a letter (a lone surrogate) in a value that was read from JSON, or ''."""
    try:
        json.dumps(value, ensure_ascii=False, default=str).encode()
    except UnicodeEncodeError as error:
        return f"\\u{ord(error.object[error.start]):04x}"
    return ""
