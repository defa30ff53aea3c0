"""Text from a log, as it may be shown: nothing in it steers a terminal, turns a line around or forges another line."""

import re
from typing import Final

_STEERING_CHARACTERS: Final = "\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff"
"""Control characters but tab and line feed, marks that turn the direction of writing, and other ends of lines."""

_CONTROLS: Final = re.compile(f"[{_STEERING_CHARACTERS}\ud800-\udfff]")
_JSON_ESCAPED: Final = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]")
_LINE_END: Final = re.compile(r"\r\n|[\r\n\x0b\x0c\x85\u2028\u2029]")


def printable(text: str) -> str:
    """Return a text with a replacement character for each one that steers; its line feeds and tabs stay."""
    return _CONTROLS.sub("\N{REPLACEMENT CHARACTER}", text)


def in_one_line(text: str) -> str:
    """Return a text as `printable` does, and in one line: the ends of its lines are shown as signs."""
    return printable(_LINE_END.sub("\N{RETURN SYMBOL}", text)) if text.isprintable() is False else text


def escaped_json(text: str) -> str:
    """Return a JSON text with escapes for the characters that steer: the values are the same."""
    return _JSON_ESCAPED.sub(lambda match: f"\\u{ord(match[0]):04x}", text)
