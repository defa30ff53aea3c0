"""Pieces of Markdown pages."""

import re
from collections.abc import Iterable, Sequence

GENERATED = "<!-- Written by `make docs` from the code; change the code, not this page. -->"


def page(title: str, *blocks: str) -> str:
    """Return a page: its title, the remark that nobody should edit it, and blocks with blank lines between them."""
    return "\n\n".join([GENERATED, f"# {title}", *(block for block in blocks if block)]) + "\n"


def table(headings: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a table, without the columns that are empty in every row; nothing where there are no rows."""
    cells = [[cell("" if value is None else str(value)) for value in row] for row in rows]
    kept = [number for number in range(len(headings)) if any(row[number] for row in cells)]
    if not cells:
        return ""
    lines = [[headings[number] for number in kept], ["---"] * len(kept)]
    lines += [[row[number] for number in kept] for row in cells]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def cell(text: str) -> str:
    """Return text that keeps to its cell."""
    return re.sub(r"\s+", " ", text).replace("|", "\\|").strip()


def code(text: str) -> str:
    """Return text as it is typed; nothing for nothing."""
    return f"`{text}`" if text else ""


def codes(texts: Iterable[str]) -> str:
    """Return several such texts, with commas."""
    return ", ".join(map(code, texts))


def literal(text: str) -> str:
    """Return text in which a placeholder, `<owner>:?<n>`, is not taken for a tag."""
    return re.sub(r"((?:[^\s`<>]*<[^\s`<>]+>)+)(?!`)", r"`\1`", text)


def fenced(lines: Iterable[str], language: str = "sh") -> str:
    """Return lines as a block of code."""
    return "\n".join([f"```{language}", *lines, "```"])
