"""How the table of PhyloGenome is drawn, and for whom."""

from collections.abc import Callable
from typing import Any

import pytest

from projector.games import game
from projector.model.game import Area, Shown

GAME = game("phylogenome")


def drawn(table: Any, viewer: str) -> dict[str, Area]:
    """Return the areas by their names."""
    return {area.name: area for area in GAME.areas(table, viewer)}


def on_grid(area: Area) -> dict[str, tuple[int, int]]:
    """Return row and column of each card of a grid."""
    return {cell.card.name: (cell.row, cell.column) for cell in area.cells if cell.card is not None}


def card_in(area: Area, name: str) -> Shown:
    """Return a card of a grid."""
    return next(cell.card for cell in area.cells if cell.card is not None and cell.card.name == name)


@pytest.fixture
def table(begin: Callable[..., Any]) -> Any:
    """A table on which Ben has cut off Ann's Fruit fly, beneath which a Polyploid Surprise lies."""
    ann = ("roundworm", "fruit-fly", "polyploid-surprise", "core-facility", "human")
    ben = ("lab-contamination", "grapevine", "malaria-mosquito", "honey-bee", "house-mouse")
    written = begin(ann, ben).play("A:roundworm", 0, 1).play("A:fruit-fly", 0, 2)
    written.add("event.played", player="A", card="A:polyploid-surprise", target="A:fruit-fly")
    written.end("A").play("B:malaria-mosquito", 1, -1)
    written.add("event.played", player="B", card="B:lab-contamination", target="A:roundworm", paid=["B:grapevine"])
    return written.replay().table


def test_the_tableau_is_a_grid_seen_from_the_own_side(table: Any) -> None:
    """Y grows toward the first seat; Ben sees the same from the other side."""
    assert on_grid(drawn(table, "A")["tableau"]) == {
        "B:malaria-mosquito": (0, 1),
        "progress:A": (1, 0),
        "progress:B": (1, 1),
        "A:fruit-fly": (3, 0),
    }
    assert on_grid(drawn(table, "B")["tableau"]) == {
        "B:malaria-mosquito": (3, 0),
        "progress:A": (2, 1),
        "progress:B": (2, 0),
        "A:fruit-fly": (0, 1),
    }


def test_a_broken_species_is_marked(table: Any) -> None:
    """What is cut off says so, with its scale as the Events beneath make it, and they lie under it."""
    shown = card_in(drawn(table, "")["tableau"], "A:fruit-fly")
    assert shown.marks == ("cut off", "scale 9", "g1", "2000")
    assert [each.title for each in shown.under] == ["Polyploid Surprise"]
    assert card_in(drawn(table, "")["tableau"], "progress:A").value == "g1"


@pytest.mark.parametrize(("viewer", "titles"), [("A", ["Core Facility", "Human"]), ("", ["card of Ann"] * 2)])
def test_a_hand_is_shown_to_its_player_only(table: Any, viewer: str, titles: list[str]) -> None:
    """Others see backs."""
    assert [card.title for card in drawn(table, viewer)["hand:A"].cards] == titles


def test_the_caption_tells_the_points_and_who_leads(table: Any) -> None:
    """The tableau says what would be counted now."""
    area = drawn(table, "*")["tableau"]
    ann, ben = (GAME.totals(table, player)["points"] for player in "AB")
    assert area.caption == f"Ann {ann} : Ben {ben} points"
    assert area.highlight == ("A" if ann > ben else "B" if ben > ann else "")


def test_a_ban_is_told(begin: Callable[..., Any]) -> None:
    """Who may play no Species in the next turn, and then in this one, is told so."""
    ann = ("sequencing-moratorium", "fruit-fly", "rice", "dog", "human")
    written = begin(ann).add("event.played", player="A", card="A:sequencing-moratorium")
    assert "may play no Species in the next turn" in drawn(written.replay().table, "")["table:B"].caption
    written.end("A")
    assert drawn(written.replay().table, "")["table:B"].caption == "3 actions, may play no Species"
    written.end("B")
    assert drawn(written.replay().table, "")["table:B"].caption == ""


def test_the_kingdom_of_a_deck_is_a_column_of_the_seat(table: Any) -> None:
    """Most Species of both decks are animals."""
    assert GAME.dimensions(table, "A") == {"kingdom": "Animalia"}


def test_totals_are_those_that_are_declared(table: Any) -> None:
    """Every number of a turn has its column."""
    found = GAME.totals(table, "A")
    assert tuple(found) == GAME.total_names
    assert (found["broken"], found["species"], found["hand"], found["generation"]) == (1, 1, 2, 1)
