"""A table drawn in a terminal: areas, cards and grids as Rich renderables, for the screen and for plain text."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, zip_longest
from typing import Final

import msgspec
from rich.box import ROUNDED, SQUARE
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from cli.output import clean
from projector.game import Area, Cell, Shown

COLOURS: Final = ("#4aa3e8", "#e8963a", "#a884e0", "#3db384", "#d96c9d", "#a8a03c")
"""One for each seat; told apart by people who do not see red and green as two, on dark and on light ground."""

UP, DOWN, ASIDE = "▌", "░", "↷"
"""What stands before a card: face up, face down, turned sideways because it is exhausted."""

NARROWEST: Final = 18
"""Columns below which an area does not go: the next one begins a new line."""

MANY: Final = 5
"""Backs that are drawn one by one; more are a number."""


ROOMS: Final = ("roomy", "trim", "tight")


class Look(msgspec.Struct, frozen=True):
    """How a board is drawn: the players (id to name) in the order of their seats, and how much room there is.

    `roomy`: a frame around every area; `trim`: hands and piles in one line; `tight`: grids without lines as well.
    """

    players: dict[str, str]
    room: str = "roomy"

    @property
    def padding(self) -> int:
        """Columns between a frame and what is in it."""
        return 0 if self.room == "tight" else 1

    def colour(self, player: str) -> str:
        """Give the colour of a player, or the ordinary one where it is nobody's."""
        seats = list(self.players)
        return COLOURS[seats.index(player) % len(COLOURS)] if player in self.players else "default"

    def name(self, player: str) -> str:
        """Give what people call a player."""
        return plain(self.players.get(player, player))


def plain(text: str) -> str:
    """Give text from a log as one line that cannot steer the terminal."""
    return clean(" ".join(text.split()))


def short(name: str, width: int) -> str:
    """Give a name that fits a width: its last word tells cards apart best, the words before it become initials."""
    if len(name) <= width:
        return name
    *first, last = name.split()
    initials = "".join(f"{word[0]}." for word in first)
    name = f"{initials}{last}" if first else name
    return name if len(name) <= width else f"{name[: max(width - 1, 0)]}…"


def card_text(card: Shown, look: Look) -> Text:
    """Draw a card as one line: its marks, what it is, the number that counts, small words on it."""
    drawn = Text(no_wrap=True, overflow="ellipsis")
    drawn.append(_sign(card), look.colour(card.owner))
    drawn.append(plain(card.title), "dim" if card.exhausted or not card.face_up else "bold")
    if card.value:
        drawn.append(f" {plain(card.value)}", f"bold {look.colour(card.owner)}")
    if card.marks:
        drawn.append(f" ({', '.join(map(plain, card.marks))})", "italic")
    return drawn


def _sign(card: Shown) -> str:
    return (ASIDE if card.exhausted else "") + (UP if card.face_up else f"{DOWN} ")


def _stack(card: Shown, look: Look, width: int, depth: int = 0) -> Iterator[Text]:
    """Draw a card and, a line each, those that lie beneath it; words on it go below where they do not fit."""
    indent = "  " * depth + "└ " if depth else ""
    drawn = card_text(card, look)
    if card.marks and len(indent) + drawn.cell_len > width:
        drawn = card_text(msgspec.structs.replace(card, marks=()), look)
        below = [Text(f"{' ' * len(indent)}  {plain(mark)}", "italic", no_wrap=True) for mark in card.marks]
    else:
        below = []
    yield Text.assemble(indent, drawn, no_wrap=True, overflow="ellipsis")
    yield from below
    for under in card.under:
        yield from _stack(under, look, width, depth + 1)


def _side_by_side(cards: Sequence[Shown], look: Look, width: int) -> Iterator[Text]:
    """Draw cards side by side as far as the width goes, then below."""
    return _flow([list(_stack(card, look, width)) for card in cards], width)


def _flow(stacks: Iterable[Sequence[Text]], width: int) -> Iterator[Text]:
    """Put stacks of lines side by side as far as the width goes, then below."""
    row: list[Sequence[Text]] = []
    used = 0
    for stack in stacks:
        wide = max(text.cell_len for text in stack) + 2
        if row and used + wide - 2 > width:
            yield from _zipped(row)
            row, used = [], 0
        row.append(stack)
        used += wide
    yield from _zipped(row)


def _zipped(row: Sequence[Sequence[Text]]) -> Iterator[Text]:
    """Put stacks of lines beside each other, two columns apart."""
    widths = [max(text.cell_len for text in stack) for stack in row]
    for lines in zip_longest(*row):
        joined = Text(no_wrap=True, overflow="ellipsis")
        for width, line in zip(widths, lines, strict=True):
            if joined.cell_len:
                joined.append("  ")
            joined.append_text(line or Text())
            joined.append(" " * (width - (line.cell_len if line else 0)))
        joined.rstrip()
        yield joined


def _by_owner(area: Area, look: Look, width: int) -> Iterator[Text]:
    """Draw the cards of an area that belongs to nobody: each player's in lines of their own, far player first."""
    seats = list(look.players)
    rank = {player: -seats.index(player) for player in seats}
    cards = sorted(area.cards, key=lambda card: rank.get(card.owner, 1))
    for owner, mine in groupby(cards, key=lambda card: card.owner):
        label = f"{look.name(owner)} " if owner in look.players else ""
        stacks = list(mine)
        beside = list(_side_by_side(stacks, look, width - len(label)))
        if max(line.cell_len for line in beside) > width - len(label):
            yield Text(label, look.colour(owner))
            yield from _side_by_side(stacks, look, width)
            continue
        for number, line in enumerate(beside):
            yield Text.assemble((label if number == 0 else " " * len(label), look.colour(owner)), line, no_wrap=True)


def _backs(area: Area, look: Look) -> Text:
    """Draw the cards of an area that nobody may look at, those that `cards` does not show."""
    unseen = max(area.count - len(area.cards), 0)
    if not unseen:
        return Text()
    backs = f"{DOWN} " * unseen if unseen <= MANY else f"{DOWN} "
    what = "card" if unseen == 1 else "cards"
    return Text.assemble((backs, look.colour(area.owner)), (f"{unseen} {what}", "dim"), no_wrap=True)


def area_lines(area: Area, look: Look, width: int) -> list[Text]:
    """Draw the inside of an area that is no grid."""
    lines = [Text(plain(area.caption), style="bold", overflow="fold")] if area.caption else []
    if area.shape == "pile":
        lines.append(_pile(area, look))
    elif area.owner or len({card.owner for card in area.cards}) < 2:
        lines += _side_by_side(area.cards, look, width)
        lines.append(_backs(area, look))
    else:
        lines += _by_owner(area, look, width)
        lines.append(_backs(area, look))
    return [line for line in lines if line.plain] or [Text("empty", style="dim")]


def _pile(area: Area, look: Look) -> Text:
    what = "1 card" if area.count == 1 else f"{area.count} cards"
    if not area.count or not area.cards or not area.cards[-1].face_up:
        return Text(what if area.count else "empty", style="dim")
    return Text.assemble((f"{what}, top: ", "dim"), card_text(area.cards[-1], look), no_wrap=True, overflow="ellipsis")


# -- grids -------------------------------------------------------------------------------------------------------------


def _grid(area: Area, look: Look, width: int) -> Table:
    """Draw a grid from its first to its last row and column."""
    cells = {(cell.row, cell.column): cell for cell in area.cells}
    rows = range(min((row for row, _ in cells), default=0), max((row for row, _ in cells), default=-1) + 1)
    columns = range(min((column for _, column in cells), default=0), max((c for _, c in cells), default=-1) + 1)
    wide = min(18, max(4, (width - 1) // max(len(columns), 1) - 1))
    roomy = look.room != "tight"
    grid = Table(box=SQUARE, show_header=False, show_edge=roomy, show_lines=roomy, padding=0, border_style="dim")
    for _ in columns:
        grid.add_column(width=wide, no_wrap=True, overflow="ellipsis")
    for row in rows:
        grid.add_row(*(_cell(cells.get((row, column)), look, wide) for column in columns))
    return grid


def _cell(cell: Cell | None, look: Look, width: int) -> Text:
    """Draw a cell of a grid: the card's name above, what counts on it below."""
    mark = plain(cell.mark) if cell else ""
    card = cell.card if cell else None
    if card is None:
        point = "·" if look.room == "tight" else " "
        return Text(f"{point}\n{mark or ' '}", style="dim", no_wrap=True, overflow="ellipsis")
    colour = look.colour(card.owner)
    sign = _sign(card).strip(UP)
    name = (sign + short(plain(card.title), width - len(sign)), f"{'dim' if card.exhausted else 'bold'} {colour}")
    below = " ".join(part for part in (plain(card.value), *map(plain, card.marks), mark) if part)
    return Text.assemble(name, "\n", (below, colour), no_wrap=True, overflow="ellipsis")


# -- the board ---------------------------------------------------------------------------------------------------------


class Board:
    """All areas of a table, line by line; fits itself to the width that it is drawn in."""

    def __init__(self, areas: Sequence[Area], look: Look) -> None:
        self.lines = [
            sorted(line, key=lambda area: area.column)
            for _, line in groupby(sorted(areas, key=lambda area: area.line), key=lambda area: area.line)
        ]
        self.look = look

    def __rich_console__(self, _console: Console, options: ConsoleOptions) -> RenderResult:
        width = options.max_width
        for line in self.lines:
            if self.look.room != "roomy" and _is_simple(line):
                yield from _flow(([piece] for area in line for piece in _pieces(area, self.look)), width)
            elif self.look.room == "tight" and len(line) == 1 and line[0].shape == "grid":
                yield _title(line[0], self.look)
                yield _grid(line[0], self.look, width)
            else:
                for part in _parts(line, width):
                    yield _framed(part, self.look, width)

    def height(self, width: int) -> int:
        """Give how many lines the board takes at a width."""
        return len(_MEASURE.render_lines(self, _MEASURE.options.update(width=width), pad=False))


def fitting_board(areas: Sequence[Area], players: dict[str, str], width: int, height: int) -> Board:
    """Give the board with the most room in it that fits a size, or the tightest where none does."""
    boards = [Board(areas, Look(players, room)) for room in ROOMS]
    return next((board for board in boards if board.height(width) <= height), boards[-1])


def _is_simple(line: Sequence[Area]) -> bool:
    """Tell whether nothing on a line needs a frame to be read: hands, piles, a player's one row."""
    alone = len(line) == 1 and bool(line[0].owner) and not any(card.under for card in line[0].cards)
    return all(area.shape in {"pile", "hand"} or (area.shape == "row" and alone) for area in line)


def _parts(line: Sequence[Area], width: int) -> Iterator[Sequence[Area]]:
    """Break a line of areas where they would become too narrow."""
    most = max(width // NARROWEST, 1)
    parts = -(-len(line) // most)
    size = -(-len(line) // parts)
    for start in range(0, len(line), size):
        yield line[start : start + size]


def _framed(areas: Sequence[Area], look: Look, width: int) -> RenderableType:
    """Draw areas side by side, each in its frame, all of the same height."""
    widths = _widths(areas, look, width)
    frame = 2 + 2 * look.padding
    insides: list[RenderableType] = []
    heights = []
    for area, wide in zip(areas, widths, strict=True):
        if area.shape == "grid":
            lines = area_lines(msgspec.structs.replace(area, shape="row"), look, wide - frame) if area.caption else []
            insides.append(Group(*lines, _grid(area, look, wide - frame)))
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


def _frame(area: Area, inside: RenderableType, look: Look, size: tuple[int, int | None]) -> Panel:
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


def _widths(areas: Sequence[Area], look: Look, width: int) -> list[int]:
    """Share a width out: piles get what they need, the others an equal part of the rest."""
    needed = [
        max(len(area.title) + 4, *(line.cell_len for line in area_lines(area, look, width))) + 4
        if area.shape == "pile"
        else 0
        for area in areas
    ]
    needed = [min(need, width // len(areas)) for need in needed]
    others = needed.count(0)
    rest = (width - sum(needed)) // others if others else 0
    return [need or rest for need in needed]


def _title(area: Area, look: Look) -> Text:
    caption = f"{plain(area.caption)}  " if area.caption else ""
    return Text.assemble((f"{plain(area.title)}: ", f"bold {look.colour(area.owner)}"), (caption, "bold"))


def _pieces(area: Area, look: Look) -> Iterator[Text]:
    """Draw a hand, a pile or a player's one row as pieces of a line; the title stays with the first card."""
    if area.shape == "pile":
        cards = [_pile(area, look)]
    else:
        cards = [*(card_text(card, look) for card in area.cards), _backs(area, look)]
    cards = [card for card in cards if card.plain] or [Text("" if area.caption else "empty", style="dim")]
    yield Text.assemble(_title(area, look), cards[0], no_wrap=True, overflow="ellipsis")
    yield from cards[1:]
