"""A document as HTML that prints well, and as Markdown. What comes from a log is always text, never markup."""

import re
from collections.abc import Mapping
from itertools import groupby
from operator import attrgetter
from string import ascii_lowercase
from typing import Final, NamedTuple

import msgspec
from markupsafe import Markup

from tabletape.dashboard.html import own_text, raw, rendered, style_alone
from tabletape.dashboard.report.document import Block, Board, Bullets, Document, Heading, Paragraph, Rows
from tabletape.projector.model.areas import Area, Cell

BACKS: Final = 12
"""How many cards of a hand are drawn; of more only the number is given."""

INK: Final = (
    "--ink: #22262e; --paper: #fff; --quiet: #5d6470; --line: #d7dbe2; --area: #f5f7fa; --frame: #c3c9d3; "
    "--down: #e3e8ef"
)
"""The colours of a report, dark on white as it is printed; a page that is dark has others (`pages.css`)."""

# -- HTML --------------------------------------------------------------------------------------------------------------


def as_html(document: Document, script: str = "") -> str:
    """Return a document as one HTML page that asks no network, and breaks well on paper; it may run one `script`."""
    style = f":root {{ {INK} }}\n{own_text('report', 'report.css')}"
    blocks = Markup("\n").join(_html(_without_replay(block), folded=True) for block in document.blocks)
    policy = style_alone(style, script)
    return rendered("report", title=document.title, style=raw(style), policy=policy, blocks=blocks, script=raw(script))


def as_fragment(*blocks: Block, folded: bool = False) -> str:
    """Return blocks as HTML that stands in a page of others, a notebook's, and leaves the looks of that page alone.

    With `folded` a table of cards opens on demand where there is little width, and leads to its replay.
    """
    body = "".join(_html(block, folded=folded) for block in blocks)
    return (
        f'<div class="tabletape" style="{INK}; color: var(--ink); background: var(--paper)">'
        f"<style>.tabletape {{ {own_text('report', 'report.css')} }}</style>{body}</div>"
    )


def _html(block: Block, *, folded: bool) -> Markup:
    lines = [list(line) for _, line in groupby(block.areas, attrgetter("line"))] if isinstance(block, Board) else []
    shown = [[area for area in line if area.cards or area.cells or area.count] for line in lines]
    kind = type(block).__name__
    drawn = list(filter(None, shown))
    how = {"rows_of": _rows_of, "columns_of": _columns_of, "edges_of": _edges_of, "backs": BACKS, "folded": folded}
    return rendered("block", kind=kind, block=block, lines=drawn, **how)


def _without_replay(block: Block) -> Block:
    """Return a block for a file of its own, from which no way leads to a page."""
    return msgspec.structs.replace(block, replay="") if isinstance(block, Board) else block


def _rows_of(area: Area) -> list[tuple[int, list[Cell | None]]]:
    """Return the cells of a grid row by row, with its number; empty ones keep their place."""
    places = {(cell.row, cell.column): cell for cell in area.cells}
    rows = range(min(row for row, _ in places), max(row for row, _ in places) + 1)
    return [(row, [places.get((row, column)) for column in _columns_of(area)]) for row in rows]


def _columns_of(area: Area) -> range:
    """Return the columns of a grid by their numbers."""
    columns = [cell.column for cell in area.cells]
    return range(min(columns), max(columns) + 1)


class EdgeNames(NamedTuple):
    """What people call the columns and the rows of a grid, by their numbers."""

    columns: Mapping[int, str]
    rows: Mapping[int, str]


def _edges_of(area: Area, *, tiles: bool) -> EdgeNames:
    """Return what stands at the edges of a grid: `7` and `c` of the tile `c7`, or the numbers of a place."""
    placed = [(cell, cell.place) for cell in area.cells if cell.place is not None]
    if tiles:
        letters = {cell.row: ascii_lowercase[cell.row - 1 : cell.row] for cell in area.cells}
        return EdgeNames({cell.column: str(cell.column) for cell in area.cells}, letters)
    return EdgeNames({cell.column: str(x) for cell, (x, _) in placed}, {cell.row: str(y) for cell, (_, y) in placed})


# -- Markdown ----------------------------------------------------------------------------------------------------------


_MARKUP: Final = re.compile(r"[\\`*_{}\[\]<>|#~&]")
"""What Markdown or HTML could take for more than a sign in the middle of a line."""


def escaped(text: str) -> str:
    """Return text in one line that Markdown shows as it is, and that still reads well as it stands."""
    return _MARKUP.sub(r"\\\g<0>", " ".join(text.split()))


def as_markdown(document: Document) -> str:
    """Return a document as Markdown; a table of cards is named by its step, which `tabletape replay` shows."""
    return "\n\n".join(_markdown(block) for block in document.blocks) + "\n"


def _markdown(block: Block) -> str:
    match block:
        case Heading(text, level):
            return f"{'#' * level} {escaped(text)}"
        case Paragraph(text, quiet):
            return f"*{escaped(text)}*" if quiet else escaped(text)
        case Bullets(lines):
            return "\n".join(f"* {escaped(line)}" for line in lines)
        case Rows(columns, rows):
            cells = [columns, ("---",) * len(columns), *(tuple(map(escaped, row)) for row in rows)]
            return "\n".join(f"| {' | '.join(line)} |" for line in cells)
        case Board(caption):
            return f"> {escaped(caption)}"
