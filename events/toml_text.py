"""The TOML of files that people write: whatever is wrong with it has a line."""

import re
import tomllib
from typing import Any, Final

from tabletape.events.errors import TabletapeError

MOST_DOTS: Final = 1_000
"""A line with more dots is no list of names: the reader takes a time that grows with their square."""

DEEPEST: Final = 50
"""What is nested deeper than this, nobody wrote."""

_PLACE: Final = re.compile(r" \(at line (\d+), column (\d+)\)$| \(at end of document\)$")
_OPENING: Final = "[{"
_NESTING: Final = re.compile(r"[\[\]{}\n]")


class TomlError(TabletapeError, ValueError):
    """A text that is no TOML, or more than any file needs: why, and the `line` and `column` (0: unknown) where."""

    def __init__(self, reason: str, line: int, column: int = 0) -> None:
        super().__init__(reason)
        self.line = line
        self.column = column


def toml_of(text: str) -> dict[str, Any]:
    """Return the tables of a TOML text. Raises `TomlError` where it cannot be read, and never anything else."""
    for number, line in enumerate(text.split("\n"), 1):
        if line.count(".") > MOST_DOTS:
            raise TomlError(f"a line with more than {MOST_DOTS:,} dots", number)
    try:
        found = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _placed(str(error), text) from None
    except RecursionError:
        raise TomlError("lists or tables are nested too deeply", _line_of_depth(text)) from None
    except ValueError:
        # The only other thing that is refused on the way is a number of more digits than Python reads.
        raise TomlError("a number has too many digits", _line_of_digits(text)) from None
    if _is_deep(found):
        raise TomlError("lists or tables are nested too deeply", _line_of_depth(text))
    return found


def _placed(message: str, text: str) -> TomlError:
    place = _PLACE.search(message)
    reason = _PLACE.sub("", message)
    if place is None or place[1] is None:
        return TomlError(reason, len(text.splitlines()) or 1)
    return TomlError(reason, int(place[1]), int(place[2]))


def _is_deep(found: Any) -> bool:
    """Return whether a value is nested deeper than any file is; level by level, for a depth that no recursion takes."""
    level = [found]
    for _ in range(DEEPEST):
        inside = [each.values() if isinstance(each, dict) else each for each in level]
        level = [each for values in inside for each in values if isinstance(each, dict | list)]
    return bool(level)


def _line_of_depth(text: str) -> int:
    """Return the line in which brackets are nested too deeply; where they are not, the one with the most dots."""
    line, depth = 1, 0
    for found in _NESTING.finditer(text):
        if found[0] == "\n":
            line += 1
            continue
        depth += 1 if found[0] in _OPENING else -1
        if depth > DEEPEST:
            return line
    dots = [each.count(".") for each in text.split("\n")]
    return dots.index(max(dots)) + 1


def _line_of_digits(text: str) -> int:
    found = re.search(r"\d[\d_]{1000,}", text)
    return text.count("\n", 0, found.start()) + 1 if found else 1
