"""A line as a person writes it right: `type = cards.drawn | player = A | count = 2`, or JSON, or only what changes."""

import json
import re
from collections.abc import Mapping
from typing import Any, Final

from tabletape.events.errors import TabletapeError

_PARTING_SIGN: Final = re.compile(r"\s*\|\s*(?=[\w -]+=)")
_NAMED_VALUE: Final = re.compile(r"(?P<name>[\w -]+?)\s*=\s*(?P<value>.*)", re.DOTALL)

WHAT_CHANGES: Final = "write what changes as `card = A:reed-heron`, several parted by |, or the whole line"
"""What is said of a text that does not say what a line means."""

Fields = Mapping[str, Any]

MendsOfFile = Mapping[tuple[int, str], Fields | None]
"""The mends of a file (or a sheet) by the number and text of their lines; without fields a line is passed over."""


class LineTextError(TabletapeError):
    """A text that says no line; the message says what is expected."""


def written(fields: Fields) -> str:
    """Return fields as a text that can be changed and read back by `changed`; lists and objects stand as JSON."""
    cells = [
        f"{name} = {value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)}"
        for name, value in fields.items()
    ]
    return " | ".join(cells)


def changed(fields: Fields, text: str, place: str = "") -> dict[str, Any]:
    """Return the fields of a line as a person has written it right.

    The text is a whole line, as JSON or as `written` writes it (it begins with `type =`), or only what changes:
    `card = A:x` puts it in, `card =` takes it out, `X = Y` says that Y is meant by X, and a bare `A:x` is what belongs
    at `place`. What is written right behind the whole line as it stood in the box says what changes, too. Raises
    `LineTextError` for others.
    """
    text, box = text.strip(), written(fields)
    if fields and text.startswith(box):
        text = _behind(box, text[len(box) :], place, [*fields][-1])
    if text.startswith("{"):
        try:
            document = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise LineTextError(f"the line begins as JSON and is none: {error}") from None
        if not isinstance(document, dict):
            raise LineTextError("a line in JSON is an object of keys and values: {…}")
        return document
    parts = _PARTING_SIGN.split(text)
    named = [_NAMED_VALUE.fullmatch(part) for part in parts]
    if not all(named):
        if len(parts) == 1 and text and place:
            return {**fields, place: text}
        raise LineTextError(WHAT_CHANGES)
    called = {value: name for name, value in fields.items() if isinstance(value, str) and value not in fields}
    pairs = [(match["name"].strip(), match["value"].strip()) for match in named if match]
    given = {called.get(name, name): value for name, value in pairs}
    whole = len(given) > 1 and next(iter(given)) == "type"
    return {name: value for name, value in (given if whole else {**fields, **given}).items() if value != ""}


def _behind(box: str, typed: str, place: str, last: str) -> str:
    """Return the line in a box as somebody has written on it, or what changes of it where that stands behind it.

    The value of the `last` field may go on. Raises `LineTextError` where nobody knows whether it does.
    """
    change = typed.lstrip(" |;,\t")
    if _NAMED_VALUE.fullmatch(change):
        return change
    if change.startswith("=") and last == place:
        return f"{place} {change}"
    is_another = (typed[:1] == " " and last != (place or last)) or (typed[:1].isupper() and box[-1].islower())
    if change and "|" not in typed and (is_another or change.startswith("=")):
        raise LineTextError(WHAT_CHANGES)
    return f"{box}{typed}"
