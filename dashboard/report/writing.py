"""A document as HTML that prints well, and as Markdown. What comes from a log is always text, never markup."""

import base64
import hashlib
import html
import re
from collections.abc import Iterator
from importlib.resources import files
from itertools import groupby
from operator import attrgetter
from typing import Final

from tabletape.dashboard.report.document import Block, Board, Bullets, Document, Heading, Paragraph, Rows
from tabletape.projector.model.game import Area, Shown

BACKS: Final = 12
"""How many cards of a hand are drawn; of more only the number is given."""


INK: Final = (
    "--ink: #22262e; --paper: #fff; --quiet: #5d6470; --line: #d7dbe2; --area: #f5f7fa; --frame: #c3c9d3; "
    "--down: #e3e8ef"
)
"""The colours of a report, dark on white as it is printed; a page that is dark has others (`pages.css`)."""

# -- HTML --------------------------------------------------------------------------------------------------------------


def as_html(document: Document) -> str:
    """Return a document as one HTML page that asks no network, and breaks well on paper."""
    style = f":root {{ {INK} }}\n{_style()}"
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    body = "\n".join(_html(block) for block in document.blocks)
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        f"<title>{html.escape(document.title)}</title>\n<style>{style}</style>\n</head>\n<body>\n"
        f"{body}\n<footer>Written by Tabletape from the logs of these games.</footer>\n</body>\n</html>\n"
    )


def as_fragment(*blocks: Block) -> str:
    """Return blocks as HTML that stands in a page of others, a notebook's, and leaves the looks of that page alone."""
    body = "".join(map(_html, blocks))
    return (
        f'<div class="tabletape" style="{INK}; color: var(--ink); background: var(--paper)">'
        f"<style>.tabletape {{ {_style()} }}</style>{body}</div>"
    )


def _style() -> str:
    return files("tabletape.dashboard").joinpath("report", "report.css").read_text(encoding="utf-8")


def _html(block: Block) -> str:
    match block:
        case Heading(text, level):
            return f"<h{level}>{html.escape(text)}</h{level}>"
        case Paragraph(text, quiet):
            return f'<p class="quiet">{html.escape(text)}</p>' if quiet else f"<p>{html.escape(text)}</p>"
        case Bullets(lines):
            return "<ul>" + "".join(f"<li>{html.escape(line)}</li>" for line in lines) + "</ul>"
        case Rows(columns, rows):
            return _table(columns, rows)
        case Board(caption, areas):
            drawn = "".join(_line(list(line)) for _, line in groupby(areas, key=attrgetter("line")))
            return f"<figure>{drawn}<figcaption>{html.escape(caption)}</figcaption></figure>"


def _table(columns: tuple[str, ...], rows: tuple[tuple[str, ...], ...]) -> str:
    head = "".join(f"<th>{html.escape(name)}</th>" for name in columns)
    body = "".join("<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f'<div class="wide"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def _line(areas: list[Area]) -> str:
    shown = "".join(_area(area) for area in areas if area.cards or area.cells or area.count)
    return f'<div class="line">{shown}</div>' if shown else ""


def _area(area: Area) -> str:
    caption = f" <small>{html.escape(area.caption)}</small>" if area.caption else ""
    count = f" <small>{area.count}</small>" if area.shape in {"pile", "hand"} else ""
    cards = "".join(_cards(area))
    return f"<section><b>{html.escape(area.title)}</b>{count}{caption}<div>{cards}</div></section>"


def _cards(area: Area) -> Iterator[str]:
    if area.cells:
        yield _grid(area)
    yield from (_card(card) for card in area.cards[:BACKS])
    if len(area.cards) > BACKS:
        yield f"<span>and {len(area.cards) - BACKS} more</span>"


def _card(card: Shown) -> str:
    value = f" <b>{html.escape(card.value)}</b>" if card.value else ""
    marks = f" <small>{html.escape(', '.join(card.marks))}</small>" if card.marks else ""
    under = "".join(_card(each) for each in card.under)
    kind = "" if card.face_up else ' class="down"'
    return f"<span{kind}>{html.escape(card.title)}{value}{marks}{under}</span>"


def _grid(area: Area) -> str:
    """Return the cells of a grid as a table; empty ones keep their place."""
    places = {(cell.row, cell.column): cell for cell in area.cells}
    rows = range(min(row for row, _ in places), max(row for row, _ in places) + 1)
    columns = range(min(column for _, column in places), max(column for _, column in places) + 1)
    lines = []
    for row in rows:
        cells = [places.get((row, column)) for column in columns]
        texts = [
            "" if cell is None else (_card(cell.card) if cell.card is not None else html.escape(cell.mark))
            for cell in cells
        ]
        lines.append("<tr>" + "".join(f"<td>{each}</td>" for each in texts) + "</tr>")
    return f'<table class="grid">{"".join(lines)}</table>'


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
        case Board(caption, _):
            return f"> {escaped(caption)}"
