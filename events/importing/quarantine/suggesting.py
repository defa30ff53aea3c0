"""From what the quarantine says of a line to the line that was probably meant."""

import contextlib
import json
import re
from collections.abc import Mapping
from typing import Any, Final

from rapidfuzz import fuzz, process

from tabletape.events.importing.lines.places import Places
from tabletape.events.importing.lines.text import Fields, LineTextError, changed
from tabletape.events.log.rows import QuarantinedLine
from tabletape.events.vocabulary.names import slug_of

_MEANT_WORD: Final = re.compile(r"did you mean `([^`]+)`\?")
_MEANT_FOR: Final = re.compile(r"`([^`]+)` for `([^`]+)`")
_LACKING_FIELD: Final = re.compile(r"(?:needs the field|:) `(\w+)`(?: is missing)?$")
_QUOTED_WORD: Final = re.compile(r"`([^`]+)`")
_SEPARATOR: Final = re.compile(r"(\s*[,;]\s*)")
_CURLY_QUOTES: Final = str.maketrans("\u2018\u2019\u201c\u201d\u201e\u00ab\u00bb", '\'\'"""""')
_WORDS: Final = {"True": "true", "False": "false", "None": "null"}


def fields_of_json(raw: str) -> dict[str, Any]:
    """Return the fields of a line of JSON, none where it is no object."""
    try:
        document = json.loads(raw)
    except (ValueError, RecursionError):
        return {}
    return document if isinstance(document, dict) else {}


def suggested(entry: QuarantinedLine, fields: Fields, column: str | None) -> tuple[str, Fields | None]:
    """Return the field of a line that is wrong (empty: none that is known), and the fields that were probably meant.

    `column` is the name of the column of a sheet that the entry points to, None in a line of JSON. The fields are None
    where nothing is suggested.
    """
    path = _path(entry.raw, entry.column) if column is None else (column,) * bool(column)
    if not entry.column:
        path = _path_of_word(entry.message, fields)
    place = str(path[0]) if path and entry.code != "unknown-field" else ""
    if entry.code == "missing-field" and (lacking := _LACKING_FIELD.search(entry.message)):
        place = lacking[1]
    meant = _MEANT_WORD.fullmatch(entry.suggestion)
    words = {written: word for word, written in _MEANT_FOR.findall(entry.suggestion)}
    if words:
        return place, _reworded(fields, words)
    if not fields:
        return "", _mended_json(entry.raw)
    if meant is not None and " =" in meant[1]:
        with contextlib.suppress(LineTextError):
            return place, changed(fields, meant[1])
    if meant is None or not path:
        return place, None
    if entry.code == "unknown-field" or (entry.code == "unknown-ruling" and "has no ruling" in entry.message):
        return place, _renamed(fields, path, meant[1])
    return place, _replaced(fields, path, meant[1])


def _path(raw: str, column: int) -> tuple[str | int, ...]:
    """Return the path of the key or value that stands in a column of a JSON text."""
    try:
        return Places(raw).path_at(column)
    except (ValueError, IndexError, RecursionError):
        return ()


def _path_of_word(message: str, fields: Fields) -> tuple[str | int, ...]:
    """Return the name of the field that has a word which a message quotes."""
    quoted = [word.strip('"') for word in _QUOTED_WORD.findall(message)]
    texts = {name: {part.rpartition(":")[2] for part in _SEPARATOR.split(str(value))} for name, value in fields.items()}
    return next(((name,) for word in quoted for name, words in texts.items() if word in {fields[name], *words}), ())


def _renamed(fields: Fields, path: tuple[str | int, ...], name: str) -> Fields | None:
    """Return fields with another name for the key at a path."""
    *parents, last = path
    if parents:
        inner = fields.get(str(parents[0]))
        if len(parents) > 1 or not isinstance(inner, Mapping):
            return None
        return {**fields, str(parents[0]): _renamed(inner, (last,), name)}
    return {name if key == last else key: value for key, value in fields.items()} if name not in fields else None


def _replaced(value: Any, path: tuple[str | int, ...], meant: str) -> Any:
    """Return a value with what is meant at a path in it; in a text that is a list, in place of what is nearest."""
    if not path:
        return _in_list(value, meant) if isinstance(value, str) else meant
    first, rest = path[0], path[1:]
    if isinstance(value, Mapping):
        return {**value, first: _replaced(value.get(first, ""), rest, meant)}
    if isinstance(value, list) and isinstance(first, int):
        return [_replaced(each, rest, meant) if place == first else each for place, each in enumerate(value)]
    return meant


def _reworded(value: Any, words: Mapping[str, str]) -> Any:
    """Return a value with other words in place of some, also in its lists; `Reed Hron` is the word `reed-hron`."""
    if isinstance(value, Mapping):
        return {key: _reworded(each, words) for key, each in value.items()}
    if isinstance(value, list):
        return [_reworded(each, words) for each in value]
    if not isinstance(value, str) or value.startswith(("[", "{")):
        return value
    return "".join(words.get(part, words.get(slug_of(part), part)) for part in _SEPARATOR.split(value))


def _in_list(text: str, meant: str) -> str:
    parts = _SEPARATOR.split(text)
    nearest = process.extractOne(meant, parts[::2], scorer=fuzz.ratio)
    if len(parts) == 1 or nearest is None:
        return meant
    return "".join(meant if place == 2 * nearest[2] else part for place, part in enumerate(parts))


def _mended_json(raw: str) -> Fields | None:
    """Return the fields of a line that is almost JSON: curly or single quotes, a comma or a bracket too many or few."""
    plain = re.sub(r"\b(True|False|None)\b", lambda match: _WORDS[match[1]], raw.translate(_CURLY_QUOTES).strip())
    without_comma = re.sub(r",\s*([}\]])", r"\1", plain)
    tries = [without_comma, without_comma.rstrip(", ") + "}", without_comma + '"}', without_comma.replace("'", '"')]
    return next(filter(None, map(fields_of_json, tries)), None)
