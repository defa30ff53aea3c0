"""Cards, areas and grids drawn in a terminal as Rich texts, for the screen and for plain text."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby, zip_longest
from typing import Final

import msgspec
from rich.box import SQUARE
from rich.console import Group
from rich.table import Table
from rich.text import Text

from tabletape.events.printable import in_one_line
from tabletape.projector.model.areas import Area, Cell, Shown

COLOURS: Final = ("#4aa3e8", "#e8963a", "#a884e0", "#3db384", "#d96c9d", "#a8a03c")
"""One for each seat; told apart by people who do not see red and green as two, on dark and on light ground."""

UP, DOWN, ASIDE = "▌", "░", "↷"
"""What stands before a card: face up, face down, turned sideways because it is exhausted."""

MAX_BACKS: Final = 5
"""Backs that are drawn one by one; more are a number."""


MIN_NAME_WIDTH: Final = 6
"""Columns that a cell of a grid needs for the names of cards; in a narrower one they are numbers, with names below."""

ROOMS: Final = ("roomy", "trim", "tight")


class BoardLook(msgspec.Struct, frozen=True):
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
        """Return the colour of a player, or the ordinary one where it is nobody's."""
        seats = list(self.players)
        return COLOURS[seats.index(player) % len(COLOURS)] if player in self.players else "default"

    def name(self, player: str) -> str:
        """Return what people call a player."""
        return plain(self.players.get(player, player))


def plain(text: str) -> str:
    """Return text from a log as one line that cannot steer the terminal."""
    return in_one_line(" ".join(text.split()))


def short(name: str, width: int) -> str:
    """Return a name that fits a width: its last word tells cards apart best, the words before it become initials."""
    if len(name) <= width:
        return name
    *first, last = name.split()
    initials = "".join(f"{word[0]}." for word in first)
    name = f"{initials}{last}" if first else name
    return name if len(name) <= width else f"{name[: max(width - 1, 0)]}…"


def card_text(card: Shown, look: BoardLook) -> Text:
    """Draw a card as one line: its marks, what it is, the number that counts, small words on it."""
    drawn = Text(no_wrap=True, overflow="ellipsis")
    drawn.append(_sign(card), look.colour(card.owner))
    drawn.append(plain(card.title), "dim" if card.exhausted or not card.face_up else "bold")
    if card.value:
        drawn.append(f" {plain(card.value)}", f"bold {look.colour(card.owner)}")
    if marks := _marks(card):
        drawn.append(f" ({', '.join(marks)})", "italic")
    return drawn


def _marks(card: Shown) -> list[str]:
    """Return the words on a card that its sign does not say already."""
    return [plain(mark) for mark in card.marks if not (card.exhausted and mark == "exhausted")]


def _sign(card: Shown) -> str:
    return (ASIDE if card.exhausted else "") + (UP if card.face_up else f"{DOWN} ")


def _stack(card: Shown, look: BoardLook, width: int, depth: int = 0) -> Iterator[Text]:
    """Draw a card and, a line each, those that lie beneath it; words on it go below where they do not fit."""
    indent = "  " * depth + "└ " if depth else ""
    drawn = card_text(card, look)
    if (marks := _marks(card)) and len(indent) + drawn.cell_len > width:
        drawn = card_text(msgspec.structs.replace(card, marks=()), look)
        below = [Text(f"{' ' * len(indent)}  {mark}", "italic", no_wrap=True, overflow="ellipsis") for mark in marks]
    else:
        below = []
    yield Text.assemble(indent, drawn, no_wrap=True, overflow="ellipsis")
    yield from below
    for under in card.under:
        yield from _stack(under, look, width, depth + 1)


def _side_by_side(cards: Sequence[Shown], look: BoardLook, width: int) -> Iterator[Text]:
    """Draw cards side by side as far as the width goes, then below."""
    return flow([list(_stack(card, look, width)) for card in cards], width)


def flow(stacks: Iterable[Sequence[Text]], width: int) -> Iterator[Text]:
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


def _by_owner(area: Area, look: BoardLook, width: int) -> Iterator[Text]:
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


def backs(area: Area, look: BoardLook) -> Text:
    """Draw the cards of an area that nobody may look at, those that `cards` does not show."""
    unseen = max(area.count - len(area.cards), 0)
    if not unseen:
        return Text()
    backs = f"{DOWN} " * unseen if unseen <= MAX_BACKS else f"{DOWN} "
    what = "card" if unseen == 1 else "cards"
    return Text.assemble((backs, look.colour(area.owner)), (f"{unseen} {what}", "dim"), no_wrap=True)


def area_lines(area: Area, look: BoardLook, width: int) -> list[Text]:
    """Draw the inside of an area that is no grid."""
    lines = [Text(plain(area.caption), style="bold", overflow="fold")] if area.caption else []
    if area.shape == "pile":
        lines.append(pile(area, look))
    elif area.owner or not any(card.owner in look.players for card in area.cards):
        lines += _side_by_side(area.cards, look, width)
        lines.append(backs(area, look))
    else:
        lines += _by_owner(area, look, width)
        lines.append(backs(area, look))
    return [line for line in lines if line.plain] or [Text("empty", style="dim")]


def pile(area: Area, look: BoardLook) -> Text:
    """Draw a pile: how many cards, and the top one where it lies face up."""
    what = "1 card" if area.count == 1 else f"{area.count} cards"
    if not area.count or not area.cards or not area.cards[-1].face_up:
        return Text(what if area.count else "empty", style="dim")
    return Text.assemble((f"{what}, top: ", "dim"), card_text(area.cards[-1], look), no_wrap=True, overflow="ellipsis")


# -- grids -------------------------------------------------------------------------------------------------------------


def grid(area: Area, look: BoardLook, width: int) -> Group:
    """Draw a grid from its first to its last row and column.

    Where a cell is too narrow for the names of cards it holds their numbers, and the names stand below.
    """
    cells = {(cell.row, cell.column): cell for cell in area.cells}
    rows = range(min((row for row, _ in cells), default=0), max((row for row, _ in cells), default=-1) + 1)
    columns = range(min((column for _, column in cells), default=0), max((c for _, c in cells), default=-1) + 1)
    wide = min(18, max(4, (width - 1) // max(len(columns), 1) - 1))
    roomy = look.room != "tight"
    numbers = _numbers(area, wide)
    grid = Table(box=SQUARE, show_header=False, show_edge=roomy, show_lines=roomy, padding=0, border_style="dim")
    for _ in columns:
        grid.add_column(width=wide, no_wrap=True, overflow="ellipsis")
    for row in rows:
        grid.add_row(*(_cell(cells.get((row, column)), look, wide, numbers) for column in columns))
    named = [_numbered(cells[place].card, number, look) for place, number in numbers.items()]
    return Group(grid, *flow(([each] for each in named), width))


def _numbers(area: Area, wide: int) -> dict[tuple[int, int], int]:
    """Number the places of a grid that hold a card, row by row, where a name does not fit a narrow cell."""
    held = sorted((cell.row, cell.column) for cell in area.cells if cell.card)
    longest = max((len(plain(cell.card.title)) for cell in area.cells if cell.card), default=0)
    return (
        {place: number for number, place in enumerate(held, start=1)}
        if wide < MIN_NAME_WIDTH and longest > wide
        else {}
    )


def _numbered(card: Shown | None, number: int, look: BoardLook) -> Text:
    return Text.assemble(
        (f"{number} ", "dim"), card_text(card, look) if card else "", no_wrap=True, overflow="ellipsis"
    )


def _cell(cell: Cell | None, look: BoardLook, width: int, numbers: Mapping[tuple[int, int], int]) -> Text:
    """Draw a cell of a grid: the card's name or number above, what counts on it below."""
    mark = plain(cell.mark) if cell else ""
    card = cell.card if cell else None
    if card is None:
        point = "·" if look.room == "tight" else " "
        return Text(f"{point}\n{mark or ' '}", style="dim", no_wrap=True, overflow="ellipsis")
    colour = look.colour(card.owner)
    sign = _sign(card).strip(UP)
    number = numbers.get((cell.row, cell.column)) if cell else None
    title = str(number) if number else short(plain(card.title), width - len(sign))
    name = (sign + title, f"{'dim' if card.exhausted else 'bold'} {colour}")
    words = () if number else _marks(card)
    below = " ".join(part for part in (plain(card.value), *words, mark) if part)
    return Text.assemble(name, "\n", (below, colour), no_wrap=True, overflow="ellipsis")
