"""A table drawn in a terminal, read back as text."""

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console

from tabletape.cli.terminal.board import DrawnBoard, fitting_board
from tabletape.cli.terminal.drawing import ROOMS, BoardLook, short
from tabletape.projector.model.areas import Area, Cell, Shown

LOOK = BoardLook({"A": "Ann", "B": "Ben"})
TRIM = BoardLook(LOOK.players, "trim")
TIGHT = BoardLook(LOOK.players, "tight")


def card(title: str, owner: str = "A", value: str = "", *, face_up: bool = True, exhausted: bool = False) -> Shown:
    """Return a card as it is shown, without marks or cards under it."""
    return Shown(name=title, title=title, owner=owner, value=value, face_up=face_up, exhausted=exhausted)


def drawn(areas: Sequence[Area], look: BoardLook = LOOK, width: int = 80) -> list[str]:
    """Return the lines of drawn areas, without colours."""
    console = Console(width=width, color_system=None, force_terminal=False)
    with console.capture() as capture:
        console.print(DrawnBoard(areas, look))
    return [line.rstrip() for line in capture.get().splitlines()]


def test_areas_on_one_line_stand_side_by_side_and_lines_below_each_other() -> None:
    """The far player's side is above, the near player's below, columns from left to right."""
    areas = [
        Area(name="c", title="Near", line=2),
        Area(name="b", title="Right", line=1, column=1),
        Area(name="a", title="Left", line=1),
        Area(name="d", title="Far", line=0),
    ]
    lines = drawn(areas)
    titles = [line for line in lines if "╭─" in line]
    assert [[word for word in line.replace("╭─", " ").split() if word.isalpha()] for line in titles] == [
        ["Far"],
        ["Left", "Right"],
        ["Near"],
    ]
    assert len({len(line) for line in lines}) == 1


def test_a_card_says_whether_it_lies_up_down_or_aside_and_what_is_on_it() -> None:
    """Face up, face down and exhausted cards have different marks; the number and the words on a card follow it."""
    marked = Shown(name="x", title="Reed Heron", owner="A", value="2", marks=("+1", "2 tokens"))
    cards = (card("Kelp Choir", value="3"), card("seed", face_up=False), card("Eel", exhausted=True), marked)
    text = "\n".join(drawn([Area(name="a", title="Biom", cards=cards)]))
    for words in ("▌Kelp Choir 3", "░ seed", "↷▌Eel", "▌Reed Heron 2 (+1, 2 tokens)"):
        assert words in text


def test_cards_beneath_a_card_stand_below_it() -> None:
    """A mutation hangs under its host."""
    host = Shown(name="h", title="Glass Moth", owner="A", under=(card("Gill Graft"),))
    lines = drawn([Area(name="a", title="Biom", cards=(host, card("Eel")))])
    row = next(number for number, line in enumerate(lines) if "Glass Moth" in line)
    assert "▌Eel" in lines[row]
    assert lines[row + 1].index("└ ▌Gill Graft") == lines[row].index("▌Glass Moth") + 2


def test_a_place_of_both_players_tells_their_cards_apart() -> None:
    """Where cards of two players lie, each player's stand in lines of their own, the far player's first."""
    lines = drawn([Area(name="a", title="Biom", cards=(card("Heron", "A"), card("Calf", "B"), card("Moth", "A")))])
    inside = [line.strip("│ ") for line in lines[1:-1]]
    assert inside == ["Ben ▌Calf", "Ann ▌Heron  ▌Moth"]


def test_who_is_ahead_is_named_on_the_frame() -> None:
    """The name of who dominates is written out, because colours alone are not enough."""
    assert "◆ Ben" in drawn([Area(name="a", title="Biom", highlight="B", caption="Ann 1 : 4 Ben")])[-1]
    assert not any("◆" in line for line in drawn([Area(name="a", title="Biom")]))


def test_piles_and_hands_count_what_nobody_may_see() -> None:
    """A pile shows its size and top card; unseen hand cards are backs, and many of them are one back and a number."""
    areas = [
        Area(name="a", title="Deck", shape="pile", count=11),
        Area(name="b", title="Discard", shape="pile", count=2, cards=(card("Kite"),), column=1),
        Area(name="c", title="Gone", shape="pile", column=2),
        Area(name="d", title="Few", shape="hand", owner="B", count=3, line=1),
        Area(name="e", title="Many", shape="hand", owner="B", count=9, cards=(card("Frost", "B"),), line=2),
    ]
    text = "\n".join(drawn(areas, width=100))
    for words in ("11 cards", "2 cards, top: ▌Kite", "empty", "░ ░ ░ 3 cards", "▌Frost", "░ 8 cards"):
        assert words in text


def test_a_grid_keeps_every_card_in_its_row_and_column() -> None:
    """A grid may begin at negative rows and columns; cells not given are empty; a mark stands in the line below."""
    cells = (
        Cell(row=-1, column=-2, card=card("North")),
        Cell(row=1, column=1, card=card("South", value="2/3", exhausted=True)),
        Cell(row=0, column=0, mark="mana"),
    )
    lines = drawn([Area(name="g", title="Board", shape="grid", cells=cells)])
    rows = [line.split("│")[2:-2] for line in lines if line.count("│") > 3]
    found = {
        (number // 2, column): cell.strip()
        for number, row in enumerate(rows)
        for column, cell in enumerate(row)
        if number % 2 == 0 and cell.strip()
    }
    below = {number // 2: "".join(row).strip() for number, row in enumerate(rows) if number % 2}
    assert found == {(0, 0): "North", (2, 3): "↷South"}
    assert below == {0: "", 1: "mana", 2: "2/3"}


def test_a_small_terminal_gets_hands_and_piles_without_frames() -> None:
    """With less room, hands, piles and a player's only row take one line each and lose no content."""
    areas = [
        Area(name="a", title="Ben's hand", owner="B", shape="hand", count=2),
        Area(name="b", title="Deck", shape="pile", count=7, column=1),
    ]
    row = Area(name="c", title="Artifacts", owner="B", line=1, cards=(card("Bracers", "B"), card("Boots", "B")))
    for look in (TRIM, TIGHT):
        assert drawn([*areas, row], look) == ["Ben's hand: ░ ░ 2 cards  Deck: 7 cards", "Artifacts: ▌Bracers  ▌Boots"]


def block() -> list[Area]:
    """Return two places with a side of each player, and a season that lies beside them."""
    return [
        Area(name="bx", title="Ben at Shore", owner="B", line=0, cards=(card("Calf", "B"),)),
        Area(name="by", title="Ben at Shelf", owner="B", line=0, column=1),
        Area(name="x", title="Shore", line=1, caption="0 : 2 of 3", highlight="B", cards=(card("Shore", "A"),)),
        Area(name="y", title="Shelf", line=1, column=1, caption="1 : 0 of 4"),
        Area(name="s", title="Season", line=1, column=2, cards=(card("Drought", "B"),)),
        Area(name="ax", title="Ann at Shore", owner="A", line=2, cards=(card("Moth", "A"),)),
        Area(name="ay", title="Ann at Shelf", owner="A", line=2, column=1, cards=(card("Eel", "A"),)),
    ]


def test_the_sides_of_a_place_stand_above_and_below_it() -> None:
    """An area beside the places gets a line of its own, so that each place keeps its column."""
    lines = drawn(block(), width=80)
    starts = [[at for at, sign in enumerate(line) if sign == "╭"] for line in lines if "╭" in line]
    assert starts == [[0, 40], [0, 40], [0, 40], [0]]
    assert "Season" in next(line for line in reversed(lines) if "╭" in line)


def test_where_it_is_tight_a_place_and_its_sides_are_one() -> None:
    """On a small terminal a place is one frame with its totals, who is ahead, and both players' cards."""
    lines = drawn(block(), TIGHT, width=80)
    assert sum("╭" in line for line in lines) == 1
    assert lines[0].startswith("╭─ Shore ─")
    text = "\n".join(lines)
    for words in ("0 : 2 of 3", "Ben ▌Calf", "Ann ▌Moth", "Ann ▌Eel", "◆ Ben"):
        assert words in text
    assert "▌Shore" not in text
    assert lines[-1] == "Season: ▌Drought"


def test_a_card_is_never_broken_at_the_end_of_a_line() -> None:
    """A hand without a frame is broken between two cards, never within one."""
    cards = tuple(card(f"Long Name {number}") for number in range(6))
    lines = drawn([Area(name="a", title="Hand", owner="A", shape="hand", cards=cards)], TRIM, width=50)
    assert lines == [
        "Hand: ▌Long Name 0  ▌Long Name 1  ▌Long Name 2",
        "▌Long Name 3  ▌Long Name 4  ▌Long Name 5",
    ]


@pytest.mark.parametrize(("height", "words"), [(40, "╭─ Hand"), (20, "Hand: empty"), (12, "Hand: empty")])
def test_the_roomiest_board_that_fits_is_chosen(height: int, words: str) -> None:
    """A board takes the room that there is: frames, then one line for a hand, then a grid without lines."""
    cells = tuple(Cell(row=row, column=0) for row in range(5))
    areas = [
        Area(name="h", title="Hand", shape="hand"),
        Area(name="g", title="Board", shape="grid", cells=cells, line=1),
    ]
    board = fitting_board(areas, LOOK.players, 80, height)
    text = "\n".join(drawn(areas, board.look))
    assert words in text
    assert board.height(80) <= height
    assert ("├" in text) == (height > 12)


def test_a_small_terminal_gets_a_grid_without_lines_between_its_rows() -> None:
    """Five rows of a board take ten lines, and every card stays where it is."""
    cells = [Cell(row=row, column=row, card=card(f"Unit{row}", value=str(row))) for row in range(5)]
    lines = drawn([Area(name="g", title="Board", shape="grid", cells=tuple(cells))], TIGHT)
    assert lines[0] == "Board:"
    assert len(lines) == 11
    assert [number for number, line in enumerate(lines) if "Unit" in line] == [1, 3, 5, 7, 9]


@pytest.mark.parametrize(
    ("name", "width", "fits"),
    [
        ("Yun", 7, "Yun"),
        ("Silverguard Knight", 9, "S.Knight"),
        ("Golem Vanquisher", 8, "G.Vanqu…"),
        ("Dragonlark", 6, "Drago…"),
    ],
)
def test_a_long_name_keeps_the_word_that_tells_it_apart(name: str, width: int, fits: str) -> None:
    """Two cards that begin alike are still two in a narrow cell."""
    assert short(name, width) == fits


def test_more_areas_than_fit_go_below() -> None:
    """Eight places on a narrow terminal stand in two rows, none of them lost."""
    areas = [Area(name=str(number), title=f"Place {number}", column=number) for number in range(8)]
    lines = drawn(areas, width=80)
    assert sum("Place" in line for line in lines) == 2
    assert all(any(f"Place {number}" in line for line in lines) for number in range(8))


def test_what_a_log_says_is_never_markup() -> None:
    """Square brackets and control characters in a name stay text."""
    text = "\n".join(drawn([Area(name="a", title="[bold]x[/]", cards=(card("\x1b[31mred\n"),))]))
    assert "[bold]x[/]" in text
    assert "\x1b" not in text


titles = st.text(st.characters(codec="utf-8", exclude_categories=("Cs", "Cn", "Co")), max_size=20)
shown = st.builds(
    Shown,
    name=titles,
    title=titles,
    owner=st.sampled_from(["A", "B", ""]),
    value=st.sampled_from(["", "3", "12/12"]),
    marks=st.lists(titles, max_size=2).map(tuple),
    face_up=st.booleans(),
    exhausted=st.booleans(),
)
boards = st.lists(
    st.builds(
        Area,
        name=titles,
        title=titles,
        shape=st.sampled_from(["row", "pile", "hand", "grid"]),
        line=st.integers(0, 2),
        column=st.integers(0, 4),
        caption=titles,
        highlight=st.sampled_from(["", "A", "B"]),
        count=st.integers(0, 9),
        cards=st.lists(shown, max_size=4).map(tuple),
        cells=st.lists(
            st.builds(Cell, row=st.integers(-2, 2), column=st.integers(-4, 4), card=st.none() | shown), max_size=5
        ).map(tuple),
    ),
    max_size=6,
)


@settings(deadline=None, max_examples=80)
@given(areas=boards, width=st.integers(40, 160), room=st.sampled_from(ROOMS))
def test_any_table_can_be_drawn_within_its_width(areas: list[Area], width: int, room: str) -> None:
    """For any names and any number of cards, drawing raises nothing and no line is too long."""
    console = Console(width=width, color_system=None)
    look = BoardLook(LOOK.players, room)
    for line in console.render_lines(DrawnBoard(areas, look), pad=False):
        assert sum(segment.cell_length for segment in line) <= width


def test_where_names_do_not_fit_a_cell_they_stand_below_the_grid() -> None:
    """At 60 columns a board of nine has numbers in its cells, and every unit's whole name with its words below them."""
    names = ("Songweaver Knight", "Kaleos Xaan", "Primus Shieldmaster")
    units = [
        Cell(row=0, column=column, card=Shown(name=name, title=name, owner="A", value="2/3", marks=("provoke",)))
        for column, name in enumerate(names)
    ]
    area = Area(name="board", title="Board", shape="grid", cells=(*units, Cell(row=1, column=8)))
    text = "\n".join(drawn([area], width=60))
    for number, name in enumerate(names, start=1):
        assert f"{number} ▌{name} 2/3 (provoke)" in text
    assert "…" not in text
    assert "K.Xaan" in "\n".join(drawn([area], width=80))
