"""A whole table drawn in a terminal: its areas line by line, with as many frames as there is room for."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

import msgspec
from rich.box import ROUNDED
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from tabletape.cli.terminal.drawing import ROOMS, BoardLook, area_lines, backs, card_text, flow, grid, pile, plain
from tabletape.projector.model.areas import Area

NARROWEST: Final = 18
"""Columns below which an area does not go: the next one begins a new line."""


class DrawnBoard:
    """All areas of a table, line by line; fits itself to the width that it is drawn in."""

    def __init__(self, areas: Sequence[Area], look: BoardLook) -> None:
        self.lines = list(_arranged(areas, look))
        self.look = look

    def __rich_console__(self, _console: Console, options: ConsoleOptions) -> RenderResult:
        width = options.max_width
        for line in self.lines:
            if self.look.room != "roomy" and _is_simple(line):
                yield from flow(([piece] for area in line for piece in _pieces(area, self.look)), width)
            elif self.look.room == "tight" and len(line) == 1 and line[0].shape == "grid":
                yield _title(line[0], self.look)
                yield grid(line[0], self.look, width)
            else:
                for part in _parts(line, width):
                    yield _framed(part, self.look, width)

    def height(self, width: int) -> int:
        """Return how many lines the board takes at a width."""
        return len(_MEASURE.render_lines(self, _MEASURE.options.update(width=width), pad=False))


def fitting_board(areas: Sequence[Area], players: dict[str, str], width: int, height: int) -> DrawnBoard:
    """Return the board with the most room in it that fits a size, or the tightest where none does."""
    boards = [DrawnBoard(areas, BoardLook(players, room)) for room in ROOMS]
    return next((board for board in boards if board.height(width) <= height), boards[-1])


Line = Sequence[Area]


def _arranged(areas: Sequence[Area], look: BoardLook) -> Iterator[Line]:
    """Put areas into lines, far side first, so that what belongs to one column stands below each other.

    Lines of rows that follow each other are one block. What stands alone in its column of a block would push the others
    out of theirs and gets a line of its own; where it is tight each column of a block becomes one area.
    """
    by_line = groupby(sorted(areas, key=lambda area: (area.line, area.column)), key=lambda area: area.line)
    for is_block, lines in groupby((list(line) for _, line in by_line), key=_is_of_a_block):
        block = list(lines)
        if not is_block or len(block) == 1:
            yield from block
            continue
        heights = Counter(area.column for line in block for area in line)
        alone = [area for line in block for area in line if heights[area.column] == 1 < max(heights.values())]
        together = [[area for area in line if area not in alone] for line in block]
        yield from [_merged(together)] if look.room == "tight" else together
        if alone:
            yield alone


def _is_of_a_block(line: Line) -> bool:
    return len(line) > 1 and all(area.shape == "row" for area in line)


def _merged(block: Sequence[Line]) -> Line:
    """Make one area of each column: called like the one with totals, with the cards of all of them."""
    columns = sorted({area.column for line in block for area in line})
    return [_one([area for line in block for area in line if area.column == column]) for column in columns]


def _one(areas: Line) -> Area:
    heart = next((area for area in areas if area.caption), areas[0])
    cards = tuple(card for area in areas for card in area.cards if area is not heart or card.title != heart.title)
    return msgspec.structs.replace(heart, cards=cards, owner="")


def _is_simple(line: Line) -> bool:
    """Return whether nothing on a line needs a frame to be read: hands, piles, a player's one row, a single card."""
    rows = [area for area in line if area.shape == "row"]
    if any(area.shape == "grid" for area in line) or any(card.under for area in rows for card in area.cards):
        return False
    alone = len(line) == 1 and bool(line[0].owner)
    return alone or all(len(area.cards) == 1 and (area.owner or not area.caption) for area in rows)


def _parts(line: Line, width: int) -> Iterator[Line]:
    """Break a line of areas where they would become too narrow."""
    most = max(width // NARROWEST, 1)
    parts = -(-len(line) // most)
    size = -(-len(line) // parts)
    for start in range(0, len(line), size):
        yield line[start : start + size]


def _framed(areas: Line, look: BoardLook, width: int) -> RenderableType:
    """Draw areas side by side, each in its frame, all of the same height."""
    widths = _widths(areas, look, width)
    frame = 2 + 2 * look.padding
    insides: list[RenderableType] = []
    heights = []
    for area, wide in zip(areas, widths, strict=True):
        if area.shape == "grid":
            lines = area_lines(msgspec.structs.replace(area, shape="row"), look, wide - frame) if area.caption else []
            insides.append(Group(*lines, grid(area, look, wide - frame)))
            heights.append(0)
        else:
            lines = area_lines(area, look, wide - frame)
            insides.append(Group(*lines))
            heights.append(sum(len(line.wrap(_MEASURE, wide - frame)) for line in lines) + 2)
    height = None if 0 in heights else max(heights)
    row = Table.grid(padding=0)
    for wide in widths:
        row.add_column(width=wide)
    framed = zip(areas, insides, widths, strict=True)
    row.add_row(*(_frame(area, inside, look, (wide, height)) for area, inside, wide in framed))
    return row


_MEASURE: Final = Console(width=200)
"""Rich measures text with a console; nothing is printed on this one."""


def _frame(area: Area, inside: RenderableType, look: BoardLook, size: tuple[int, int | None]) -> Panel:
    ahead = area.highlight in look.players
    colour = look.colour(area.highlight if ahead else area.owner)
    border = f"bold {colour}" if ahead else f"dim {colour}" if colour != "default" else "dim"
    return Panel(
        inside,
        title=Text(plain(area.title), style=f"bold {colour}" if colour != "default" else "bold"),
        title_align="left",
        subtitle=Text(f"◆ {look.name(area.highlight)}", style=f"bold {colour}") if ahead else None,
        subtitle_align="right",
        border_style=border,
        box=ROUNDED,
        padding=(0, look.padding),
        width=size[0],
        height=size[1],
    )


def _widths(areas: Line, look: BoardLook, width: int) -> list[int]:
    """Share a width out: piles get what they need, the others an equal part of the rest."""
    needed = [
        max(len(area.title) + 4, *(line.cell_len for line in area_lines(area, look, width))) + 4
        if area.shape == "pile"
        else 0
        for area in areas
    ]
    needed = [min(need, width // len(areas)) for need in needed]
    others = needed.count(0)
    rest, over = divmod(width - sum(needed), others) if others else (0, 0)
    wider = [0 if need else 1 for need in needed]
    return [need or rest + (sum(wider[: index + 1]) <= over) for index, need in enumerate(needed)]


def _title(area: Area, look: BoardLook) -> Text:
    ahead = area.highlight in look.players
    sign = "◆ " if ahead and area.highlight == area.owner else f"◆ {look.name(area.highlight)} " if ahead else ""
    return Text.assemble(
        (sign, f"bold {look.colour(area.highlight)}"),
        (f"{plain(area.title)}: ", f"bold {look.colour(area.owner)}"),
        (f"{plain(area.caption)}  " if area.caption else "", "bold"),
    )


def _pieces(area: Area, look: BoardLook) -> Iterator[Text]:
    """Draw a hand, a pile or a player's one row as pieces of a line; the title stays with the first card."""
    if area.shape == "pile":
        cards = [pile(area, look)]
    else:
        cards = [*(card_text(card, look) for card in area.cards), backs(area, look)]
    cards = [card for card in cards if card.plain] or [Text("" if area.caption else "empty", style="dim")]
    yield Text.assemble(_title(area, look), cards[0], no_wrap=True, overflow="ellipsis")
    yield from cards[1:]
