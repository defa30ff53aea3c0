"""A text made of parts that knows nothing of how it is written: headings, sentences, lists, tables, tables of cards."""

import msgspec

from tabletape.projector.model.areas import Area


class Heading(msgspec.Struct, frozen=True):
    """A heading; `level` 1 stands over everything."""

    text: str
    level: int = 2


class Paragraph(msgspec.Struct, frozen=True):
    """A paragraph; `quiet` where it says less than the others."""

    text: str
    quiet: bool = False


class Bullets(msgspec.Struct, frozen=True):
    """A list of sentences."""

    lines: tuple[str, ...]


class Rows(msgspec.Struct, frozen=True):
    """A table with a line of headings; `links` are addresses of pages to which the first cells lead."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    links: tuple[str, ...] = ()


class Board(msgspec.Struct, frozen=True):
    """The table of a game as it lay, area by area; `caption` names the step, `replay` is its address on a page.

    The cards that the step is about are `marked`, by their names. `seats` are the players in the order of their seats,
    and with `tiles` a cell of a grid is called like one of a board, `c7`.
    """

    caption: str
    areas: tuple[Area, ...]
    replay: str = ""
    marked: frozenset[str] = frozenset()
    seats: tuple[str, ...] = ()
    tiles: bool = False


Block = Heading | Paragraph | Bullets | Rows | Board
"""A part of a document."""


class Document(msgspec.Struct, frozen=True):
    """A whole text."""

    title: str
    blocks: tuple[Block, ...]
