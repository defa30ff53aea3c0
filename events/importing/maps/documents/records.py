"""The records of a foreign file: lines of a text, rows of a sheet, elements of a JSON or XML document."""

import html
import re
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html.entities import html5
from itertools import chain, islice, repeat
from typing import Any, Final, NamedTuple

from tabletape.events.importing.maps.documents.paths import PathDocument, as_text
from tabletape.events.importing.maps.effort import Effort, EffortError
from tabletape.events.importing.maps.map import Map
from tabletape.events.importing.maps.sentence import Hole, Matcher

LONGEST_LINE: Final = 4000
"""How many characters of a line are looked at."""

MOST_FILLED: Final = 50
"""How many names of a text are filled in."""

FILLED_HOLE: Final = re.compile(r"\$\{([^{}$]{1,60})\}")
"""What is filled in within a text."""

_LETTER: Final = re.compile(r"[^\W\d_]")
_PICTURE: Final = re.compile(r":[\w+-]+:")
_MARKS: Final = dict.fromkeys((0xFEFF, 0x200B, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)))
"""Characters that nobody sees: they say in which direction a text runs."""

_ENTITY: Final = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
"""A character of HTML as programs write it, with its semicolon: those without one are guessed letter by letter."""

_TAG: Final = re.compile(r"<[^<>]*>")
_BLANKS: Final = re.compile(r"[ \t\u00a0\u2009\u202f]+")
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
    """Return the lines of a text, cleaned and without what the map says stands before and behind each.

    Who wrote a line stands before it (`Ann: …`) where a heading above it or its prefix says so.
    """
    written = used.written
    # A prefix goes on with the rest of the line.
    sentences = [each._replace(parts=(*each.parts, Hole("text", "_rest"))) for each in used.prefix]
    prefixes = [Matcher(each, None, written.words, effort) for each in sentences]
    above: Mapping[str, str] = {}
    for number, line, heading in _headed(_cleaned_lines(lines, used, effort), used, effort):
        if heading is not None:
            above = heading
            continue
        captured = _first(prefixes, line, effort)
        text = line if captured is None else captured["_rest"]
        if captured is not None and not used.headings:
            # Lines below it that have no prefix are of the same message.
            above = captured if "player" in captured else {}
        if text.strip() and not ("signs" in written.clean and _is_sign(text)):
            who = above.get("player")
            at = captured.get("at") if captured is not None else None
            yield Record(number, f"line {number}", f"{who}: {text.strip()}" if who else text, at=at or above.get("at"))


def _cleaned_lines(lines: Iterable[tuple[int, str]], used: Map, effort: Effort) -> Iterator[tuple[int, str]]:
    """Return the lines of a text cleaned, and without what the map says stands behind each."""
    written = used.written
    suffixes = [written.suffix] if isinstance(written.suffix, str) else written.suffix
    high = any("\n" in each.written for each in used.headings)
    for number, line in lines:
        effort.begin_line()
        text = line[:LONGEST_LINE]
        # Whatever may open a tag is looked at: a usual line has little of it.
        keeps_tags = "tags" in written.clean and not effort.allows(text.count("<") >> 4)
        text = cleaned(text, [each for each in written.clean if each != "tags"] if keeps_tags else written.clean)
        for suffix in suffixes if effort.allows(len(suffixes) >> 4) else ():
            text = text.removesuffix(suffix)
        if text.strip() or not high:
            yield number, text


def _headed(
    lines: Iterator[tuple[int, str]], used: Map, effort: Effort
) -> Iterator[tuple[int, str, dict[str, str] | None]]:
    """Return lines, each with what it says as a heading, None for one that is none; one of several lines comes once."""
    headings: dict[int, list[Matcher]] = {}
    for each in used.headings:
        headings.setdefault(each.written.count("\n"), []).append(Matcher(each, None, used.written.words, effort))
    further = max(headings, default=0)
    window: deque[tuple[int, str]] = deque(islice(lines, further))
    passed = 0
    for line in chain(lines, repeat((0, ""), further)):
        window.append(line)
        (number, text), behind = window.popleft(), [each.strip() for _, each in window]
        if passed:
            passed -= 1
        elif number:
            for high, sentences in sorted(headings.items(), reverse=True):
                heading = _first(sentences, "\n".join((text.strip(), *behind[:high])), effort)
                if heading is not None:
                    passed = high
                    break
            else:
                heading = None
            yield number, text, heading


def _first(sentences: Sequence[Matcher], text: str, effort: Effort) -> dict[str, str] | None:
    """Return what the first of some sentences captures that a text is; None where it is none of them."""
    for sentence in sentences:
        try:
            effort.take(len(text) >> 7)
            captured = sentence.match(text)
        except EffortError:
            return None
        if captured is not None:
            return captured
    return None


def _character(entity: str) -> str:
    """Return the character that an entity stands for; one that there is not stays as it is."""
    return html.unescape(entity) if entity[1] == "#" else html5.get(entity[1:], entity)


def _is_sign(text: str) -> bool:
    """Return whether a line is a reaction or a rule: pictures, dashes, a count, but no word."""
    return _LETTER.search(_PICTURE.sub("", text)) is None and not text.strip().isdigit()


def cleaned(text: str, cleaning: Sequence[str]) -> str:
    """Return a line without tags and entities, its quotes straight, its blanks single; the indentation stays."""
    if "tags" in cleaning:
        text = _TAG.sub("", text)
    if "entities" in cleaning and "&" in text:
        text = _ENTITY.sub(lambda match: _character(match[0]), text)
    if "quotes" in cleaning:
        text = text.translate(_QUOTES)
    if "blanks" in cleaning:
        text = text if text.isascii() else text.translate(_MARKS)
        inner = text.lstrip()
        text = text[: len(text) - len(inner)] + _BLANKS.sub(" ", inner)
    return text.rstrip()


def row_records(document: PathDocument, used: Map, effort: Effort) -> Iterator[Record]:
    """Return the texts of the rows of a document or sheet; `unfold` names the key that may hold a list of them."""
    written = used.written
    texts = [written.text] if isinstance(written.text, str) else written.text
    for index, (number, place, row) in enumerate(document.rows(written.rows)):
        for suffix, unfolded_row in unfolded(row, written.unfold):
            part = document.completed(unfolded_row, index)
            effort.begin_line()
            text = next((as_text(there, in_pieces=True) for path in texts if (there := document.get(part, path))), "")
            if written.fill and "${" in text:
                text = filled_in(text, document.get(part, written.fill), effort)
            text = cleaned(text[:LONGEST_LINE], written.clean).strip()
            player = document.get(part, written.player) if written.player else None
            at = document.get(part, written.at) if written.at else None
            yield Record(number, place + suffix, text, as_text(player), at, part)


def filled_in(text: str, values: Any, effort: Effort, depth: int = 3) -> str:
    """Return a text with what stands for `${name}` in it: a value, a list of values, or a text (`log`) with `args`."""

    def value(match: re.Match[str]) -> str:
        here = values.get(match[1]) if isinstance(values, Mapping) and effort.allows(1) else None
        if isinstance(here, Mapping):
            return filled_in(str(here.get("log") or ""), here.get("args"), effort, depth - 1) if depth else ""
        if isinstance(here, list):
            return ", ".join(str(each) for each in here if isinstance(each, str | int | float))[:LONGEST_LINE]
        return "" if here is None else str(here)[:LONGEST_LINE]

    return FILLED_HOLE.sub(value, text[:LONGEST_LINE], MOST_FILLED)[:LONGEST_LINE]


def unfolded(row: Any, key: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Return a row once for each element of the list at `key`, each with that element in place of the list."""
    if not isinstance(row, Mapping):
        return
    inner = row.get(key) if key else None
    if not isinstance(inner, list):
        yield f".{key}" if inner is not None else "", row
        return
    for index, element in enumerate(inner):
        yield f".{key}[{index}]", {**row, key: element}
