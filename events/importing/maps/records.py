"""The records of a foreign file: lines of a text, rows of a sheet, elements of a JSON or XML document."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from events.importing.maps.effort import Effort, EffortError
from events.importing.maps.map import Map
from events.importing.maps.paths import Document
from events.importing.maps.sentence import Hole, Matcher, Sentence

LONGEST_LINE: Final = 4000
"""A line is looked at up to so many characters."""

_TAG: Final = re.compile(r"<[^<>]*>")
_BLANKS: Final = re.compile(r"(?<=\S)[ \t\u00a0]+")
_QUOTES: Final = str.maketrans("\u2018\u2019\u201a\u201b\u02bc\u00b4\u201c\u201d\u201e\u201f", "''''''\"\"\"\"")


class Record(NamedTuple):
    """What a map understands or leaves over: a line, or one text of a row.

    `line` is where it stands: the line of a text, the row of a sheet or document, from 1; `place` the same for people.
    `player` and `at` are what the row says beside its text.
    """

    line: int
    place: str
    text: str
    player: str = ""
    at: Any = None
    row: Mapping[str, Any] = {}

    @property
    def key(self) -> tuple[int, str]:
        """The line and what stands there, by which people mend it."""
        return self.line, self.text.strip()


def text_records(lines: Iterable[tuple[int, str]], used: Map, effort: Effort) -> Iterator[Record]:
    """Return the lines of a text, cleaned and without what the map says stands before each."""
    written = used.written
    prefixes = [Matcher(prefix_sentence(each), None, written.words, effort) for each in used.prefix]
    for number, line in lines:
        effort.begin_line()
        text, at = _without_prefix(cleaned(line[:LONGEST_LINE], written.clean), prefixes, effort)
        if text.strip():
            yield Record(number, f"line {number}", text, at=at)


def prefix_sentence(sentence: Sentence) -> Sentence:
    """Return the sentence of a prefix with a hole for the rest of the line."""
    return sentence._replace(parts=(*sentence.parts, Hole("text", "_rest")))


def _without_prefix(text: str, prefixes: Sequence[Matcher], effort: Effort) -> tuple[str, str | None]:
    for prefix in prefixes:
        try:
            effort.take(len(text) >> 7)
            found = prefix.match(text)
        except EffortError:
            break
        if found is not None:
            return found["_rest"], found.get("at")
    return text, None


def cleaned(text: str, cleaning: Sequence[str]) -> str:
    """Return a line with its tags taken out, its quotes straight and its blanks single; the indentation stays."""
    if "tags" in cleaning:
        text = _TAG.sub("", text)
    if "quotes" in cleaning:
        text = text.translate(_QUOTES)
    if "blanks" in cleaning:
        text = _BLANKS.sub(" ", text)
    return text.rstrip()


def row_records(document: Document, used: Map) -> Iterator[Record]:
    """Return the texts of the rows of a document or sheet; `unfold` names the key that may hold a list of them."""
    written = used.written
    texts = [written.text] if isinstance(written.text, str) else written.text
    for number, place, row in document.rows(written.rows):
        for suffix, part in unfolded(row, written.unfold):
            text = next((str(found) for path in texts if (found := document.get(part, path))), "")
            text = cleaned(text[:LONGEST_LINE], written.clean).strip()
            player = document.get(part, written.player) if written.player else None
            at = document.get(part, written.at) if written.at else None
            yield Record(number, place + suffix, text, "" if player is None else str(player), at, part)


def unfolded(row: Any, key: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Return a row once for each element of the list at `key`, each with that element in the place of the list."""
    if not isinstance(row, Mapping):
        return
    inner = row.get(key) if key else None
    if not isinstance(inner, list):
        yield f".{key}" if inner is not None else "", row
        return
    for index, element in enumerate(inner):
        yield f".{key}[{index}]", {**row, key: element}
