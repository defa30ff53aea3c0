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
_QUOTED_TEXT: Final = re.compile(r"\"[^\"]*\"|'[^']*'")
_CURLED_QUOTES: Final = re.compile("[\u2018-\u201f\u00ab\u00bb]")
_WORDS: Final = re.compile(r"\b(?:True|TRUE|False|FALSE)\b")
_TWICE: Final = re.compile(r"Cannot declare \((.*?)\) twice")
_PLAIN_REASONS: Final = {
    "Illegal character '\\n'": "the quote at the end of a text is missing",
    "Unterminated string": "the quote at the end of a text is missing",
    "Unclosed inline table": "between { and } a comma is missing between two parts, or } at the end of the line is",
    "Unclosed array": "] at the end of the list is missing, or a comma between two parts of it",
    "Invalid initial character for a key part": (
        "here the name of a key is expected: what is between { and } stands in one line, without a comma at its end"
    ),
    "Expected ']' at the end of a table declaration": "] is missing at the end of the header",
    "Expected '=' after a key": "= is missing behind the name of the key: `name = 1`, `name = 'a text'`",
    "Expected newline or end of document": "behind the value stands something more: a text is one pair of quotes",
    "Cannot overwrite a value": "the same key stands twice",
}
"""What the reader says, and what that is in plain words."""

_OPENING: Final = "[{"
_BRACKETS: Final = re.compile(r"[\[\]{}\n]")


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
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _placed(str(error), text) from None
    except RecursionError:
        raise TomlError("lists or tables are nested too deeply", _line_of_depth(text)) from None
    except ValueError:
        # The only other thing that is refused on the way is a number of more digits than Python reads.
        raise TomlError("a number has too many digits", _line_of_digits(text)) from None
    if _is_deep(document):
        raise TomlError("lists or tables are nested too deeply", _line_of_depth(text))
    return document


def _placed(message: str, text: str) -> TomlError:
    place = _PLACE.search(message)
    reason = _PLACE.sub("", message)
    lines = text.splitlines() or [""]
    line, column = (int(place[1]), int(place[2])) if place and place[1] else (len(lines), 0)
    if reason == "Unclosed array":
        opened = (number for number in range(line, 0, -1) if _opens_list(lines[number - 1]))
        line, column = next(opened, line), 0
    return TomlError(_in_words(reason, lines[min(line, len(lines)) - 1]), line, column)


def _opens_list(line: str) -> bool:
    return "=" in line and line.count("[") > line.count("]")


def _in_words(reason: str, line: str) -> str:
    """Return what is wrong with a line, and what to write, for somebody who has never heard of TOML."""
    bare = _QUOTED_TEXT.sub("", line)
    if _CURLED_QUOTES.search(bare):
        return "quotes have to be straight: write it between '...'"
    if reason == "Invalid value":
        value = line.partition("=")[2].strip() or line.strip()
        small = _WORDS.search(bare.partition("=")[2])
        if small:
            return f"`{small[0]}` is written small: `{small[0].lower()}`"
        return f"`{value[:60]}` cannot be read: a text or an expression is written between '...'"
    if match := _TWICE.search(reason):
        name = ".".join(re.findall(r"'([^']*)'", match[1]))
        return f"[{name}] stands twice: write all of it below the first one"
    return next((words for part, words in _PLAIN_REASONS.items() if part in reason), reason)


def _is_deep(value: Any) -> bool:
    """Return whether a value is nested deeper than any file is; level by level, for a depth that no recursion takes."""
    level = [value]
    for _ in range(DEEPEST):
        inside = [each.values() if isinstance(each, dict) else each for each in level]
        level = [each for values in inside for each in values if isinstance(each, dict | list)]
    return bool(level)


def _line_of_depth(text: str) -> int:
    """Return the line in which brackets are nested too deeply; where they are not, the one with the most dots."""
    line, depth = 1, 0
    for match in _BRACKETS.finditer(text):
        if match[0] == "\n":
            line += 1
            continue
        depth += 1 if match[0] in _OPENING else -1
        if depth > DEEPEST:
            return line
    dots = [each.count(".") for each in text.split("\n")]
    return dots.index(max(dots)) + 1


def _line_of_digits(text: str) -> int:
    match = re.search(r"\d[\d_]{1000,}", text)
    return text.count("\n", 0, match.start()) + 1 if match else 1
