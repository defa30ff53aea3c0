"""A log that is told in paragraphs, several things in a line: each of its sentences is a line of its own."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

_END: Final = re.compile(
    r"(?:(?P<word>[^\s.!?]*)[.!?]+[\"')\]\u201d\u2019\u00bb]*|;)\s+"
    r"(?=[\"'(\[\u201c\u201e\u00ab]*(?P<next>\S))"
)
"""Where a sentence may end: behind its last word, before the first letter of the next one."""

_HEADING: Final = re.compile(r"\W*[^\W\d_]+ \d+\s*(?:[:.]|[-\u2013\u2014])\s+(?=[^\W\d_])")
"""`Round 1: `, before the first sentence of a line."""

_SHORT: Final = frozenset(["vs", "dr", "mr", "mrs", "ms", "st", "ca", "bzw", "incl"])
"""Words that are written short, with a full stop behind them that ends nothing."""

TOLD: Final = 0.2
"""The share of the lines that tell of players of which several sentences begin with one, in a log that is prose."""


def numbered_lines(lines: Iterable[str], *, prose: bool) -> dict[int, str]:
    """Return the lines of a text by their numbers from 1; of one that is told in paragraphs its sentences."""
    return dict(enumerate((text for _, text in _told(lines)) if prose else lines, 1))


def places_of(lines: Iterable[str]) -> dict[int, str]:
    """Return where each sentence stands, by its number in the text: `line 4, sentence 2`."""
    return {number: place for number, (place, _) in enumerate(_told(lines), 1)}


def is_prose(lines: Sequence[str], names: Sequence[str]) -> bool:
    """Return whether lines tell of what several players do, one after the other: each of them has sentences.

    `names` are those of the players. Who says a line (`Ann: I draw. Ben laughs`) tells what he likes in it.
    """
    begin = re.compile(rf"(?:[^:]{{1,60}}: )?(?:{'|'.join(map(re.escape, names))}) ")
    told = [sum(begin.match(each) is not None for each in _sentences(line.strip())) for line in lines if names]
    return sum(many > 1 for many in told) >= max(2, TOLD * sum(many > 0 for many in told))


def _told(lines: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield the place and the text of each sentence; a line without any is one."""
    for number, line in enumerate(lines, 1):
        sentences = _sentences(line)
        for at, text in enumerate(sentences, 1):
            yield f"line {number}" + f", sentence {at}" * (len(sentences) > 1), text


def _sentences(line: str) -> list[str]:
    """Return the sentences of a line; `J. Smith` and `No. 3` are not parted, nor is what goes on in small letters."""
    heading = _HEADING.match(line)
    cuts = [0, *([heading.end()] if heading else [])]
    cuts += [match.end() for match in _END.finditer(line, cuts[-1]) if _parts(match)]
    pieces = (line[start:end].rstrip(" ;") for start, end in zip(cuts, [*cuts[1:], len(line)], strict=True))
    return [each for each in pieces if each.strip()] or [line]


def _parts(match: re.Match[str]) -> bool:
    """Return whether a sentence ends here."""
    word = (match["word"] or "").strip("\"'([").casefold()
    is_number = word.isdigit() and not match.string[: match.start("word")].strip()
    is_short = is_number or word in _SHORT or (len(word) == 1 and word.isalpha())
    return match["next"].isupper() and not is_short
