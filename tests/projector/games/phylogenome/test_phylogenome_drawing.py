"""How the table of PhyloGenome is drawn, and for whom."""

from collections.abc import Callable
from typing import Any

import pytest

from tabletape.projector.games import game
from tabletape.projector.model.areas import Area, Shown

GAME = game("phylogenome")


def areas_by_name(table: Any, viewer: str) -> dict[str, Area]:
    """Return the areas that a viewer sees, by their names."""
    return {area.name: area for area in GAME.areas(table, viewer)}


def grid_places(area: Area) -> dict[str, tuple[int, int]]:
    """Return row and column of each card of a grid."""
    return {cell.card.name: (cell.row, cell.column) for cell in area.cells if cell.card is not None}


def card_in(area: Area, name: str) -> Shown:
    """Return a card of a grid."""
    return next(cell.card for cell in area.cells if cell.card is not None and cell.card.name == name)


@pytest.fixture
def table(begin: Callable[..., Any]) -> Any:
    """Return a table on which Ben has cut off Ann's Fruit fly, with a Polyploid Surprise beneath it."""
    ann = ("roundworm", "fruit-fly", "polyploid-surprise", "core-facility", "human")
    ben = ("lab-contamination", "grapevine", "malaria-mosquito", "honey-bee", "house-mouse")
    log = begin(ann, ben).play("A:roundworm", 0, 1).play("A:fruit-fly", 0, 2)
    log.add("event.played", player="A", card="A:polyploid-surprise", target="A:fruit-fly")
    log.end("A").play("B:malaria-mosquito", 1, -1)
    log.add("event.played", player="B", card="B:lab-contamination", target="A:roundworm", paid=["B:grapevine"])
    return log.replay().table


def test_the_tableau_is_a_grid_from_the_side_of_the_viewer(table: Any) -> None:
    """For Ann rows run with y; Ben sees the same grid turned around."""
    assert grid_places(areas_by_name(table, "A")["tableau"]) == {
        "B:malaria-mosquito": (0, 1),
        "progress:A": (1, 0),
        "progress:B": (1, 1),
        "A:fruit-fly": (3, 0),
    }
    assert grid_places(areas_by_name(table, "B")["tableau"]) == {
        "B:malaria-mosquito": (3, 0),
        "progress:A": (2, 1),
        "progress:B": (2, 0),
        "A:fruit-fly": (0, 1),
    }


def test_a_species_that_is_cut_off_is_marked(table: Any) -> None:
    """Its marks are `cut off`, its scale with the Events beneath, generation and year; these Events lie under it."""
    shown = card_in(areas_by_name(table, "")["tableau"], "A:fruit-fly")
    assert shown.marks == ("cut off", "scale 9", "g1", "2000")
    assert [each.title for each in shown.under] == ["Polyploid Surprise"]
    assert card_in(areas_by_name(table, "")["tableau"], "progress:A").value == "g1"


@pytest.mark.parametrize(("viewer", "titles"), [("A", ["Core Facility", "Human"]), ("", ["card of Ann"] * 2)])
def test_a_hand_is_shown_to_its_player_only(table: Any, viewer: str, titles: list[str]) -> None:
    """Other viewers see backs."""
    assert [card.title for card in areas_by_name(table, viewer)["hand:A"].cards] == titles


def test_the_caption_has_the_points_and_the_leader(table: Any) -> None:
    """The tableau shows the points that both players would have now."""
    area = areas_by_name(table, "*")["tableau"]
    ann, ben = (GAME.scoreboard.totals(table, player)["points"] for player in "AB")
    assert area.caption == f"Ann {ann} : Ben {ben} points"
    assert area.highlight == ("A" if ann > ben else "B" if ben > ann else "")


def test_a_ban_on_species_is_shown(begin: Callable[..., Any]) -> None:
    """The caption of a player says that no Species may be played in the next turn, and then in the current one."""
    ann = ("sequencing-moratorium", "fruit-fly", "rice", "dog", "human")
    log = begin(ann).add("event.played", player="A", card="A:sequencing-moratorium")
    assert "may play no Species in the next turn" in areas_by_name(log.replay().table, "")["table:B"].caption
    log.end("A")
    assert areas_by_name(log.replay().table, "")["table:B"].caption == "3 actions, may play no Species"
    log.end("B")
    assert areas_by_name(log.replay().table, "")["table:B"].caption == ""


def test_the_dimension_of_a_seat_is_the_kingdom_of_its_deck(table: Any) -> None:
    """Most Species of Ann's deck are animals."""
    assert GAME.scoreboard.dimensions(table, "A") == {"kingdom": "Animalia"}


def test_totals_are_the_declared_ones(table: Any) -> None:
    """The totals of a player have the declared names, in their order."""
    totals = GAME.scoreboard.totals(table, "A")
    assert tuple(totals) == GAME.scoreboard.total_names
    assert (totals["broken"], totals["species"], totals["hand"], totals["generation"]) == (1, 1, 2, 1)
