"""A designer's own sentences beside a rule: the cited one, with a line before and after it."""

from collections.abc import Iterable, Iterator
from typing import Final

from cli.drawing import plain
from projector.rulebooks.kept import Passage

AROUND: Final = 100
"""So much is shown of the sentences around the cited one."""

MOST: Final = 3
"""So many passages are shown of a rule that cites many."""

Line = tuple[str, str]
"""A line of text and its style."""


def passage_lines(passages: Iterable[Passage]) -> Iterator[Line]:
    """Return passages of a rulebook as lines, each with its style."""
    every = list(passages)
    for each in every[:MOST]:
        yield f"rulebook, {each.place}" + (f" ({each.doubt})" if each.doubt else ""), "dim"
        if each.before:
            yield f"│ {_short(each.before, end=True)}", "dim"
        yield f"│ {plain(each.text)}", "italic"
        if each.after:
            yield f"│ {_short(each.after)}", "dim"
    if len(every) > MOST:
        yield f"and {len(every) - MOST} more: `tabletape rulebook show` has the whole text", "dim"


def _short(text: str, *, end: bool = False) -> str:
    """Return a sentence, of a long one its beginning or its `end`."""
    line = plain(text)
    if len(line) <= AROUND:
        return line
    return f"… {line[-AROUND:].partition(' ')[2]}" if end else f"{line[:AROUND].rpartition(' ')[0]} …"
