"""How the table of Crystal Factions is drawn, its progress and its totals."""

from collections.abc import Callable
from typing import Any

from tabletape.projector.games import game
from tabletape.projector.model.areas import Area

GAME = game("crystal")
Begin = Callable[..., Any]


def areas_by_name(table: Any, viewer: str) -> dict[str, Area]:
    """Return the areas that a viewer sees, by their names."""
    return {area.name: area for area in GAME.areas(table, viewer)}


def test_a_lane_shows_its_power_and_tokens(begin: Begin) -> None:
    """The caption of a lane has its power and tokens; a card there shows the value that counts in that lane."""
    log = begin(A=["boost-canister", "scrap-runner"], B=[])
    log.deploy("A:scrap-runner", "attack").deploy("A:boost-canister", "mining")
    areas = areas_by_name(log.table(), "")
    assert (areas["attack:A"].caption, areas["mining:A"].caption) == ("power 4, 1 boost", "power 3")
    assert [(card.title, card.value, card.marks) for card in areas["attack:A"].cards] == [
        ("Scrap Runner", "2", ("new",))
    ]
    assert areas["attack:A"].highlight == "A"
    assert areas["attack:B"].highlight == ""
    assert areas["base:A"].caption == "20 hit points, 3 crystals, tech limit 1, 1 used"


def test_a_hand_is_shown_to_its_player_only(begin: Begin) -> None:
    """The other players see backs without a name; the viewer of everything sees all cards."""
    table = begin(A=["scrap-runner", "furnace-titan"], B=[]).table()
    for viewer in ("", "B"):
        hand = areas_by_name(table, viewer)["hand:A"]
        assert hand.count == 2
        assert {(card.name, card.title, card.face_up) for card in hand.cards} == {("", "card of Ann", False)}
    for viewer in ("A", "*"):
        assert [card.title for card in areas_by_name(table, viewer)["hand:A"].cards] == [
            "Scrap Runner",
            "Furnace Titan",
        ]


def test_a_card_from_the_open_basic_deck_is_known_to_all(begin: Begin) -> None:
    """The basic deck lies face up, so a card drawn from it is known in the hand too, while the others are not."""
    table = begin(A=["scrap-runner", "trooper"], B=[]).table()
    assert {card.title for card in areas_by_name(table, "B")["hand:A"].cards} == {"Trooper", "card of Ann"}


def test_the_areas_of_four_players_do_not_overlap(begin: Begin) -> None:
    """No two areas have the same place, and those of the viewer are the nearest."""
    table = begin(A=[], B=[], C=[], D=[]).table()
    areas = GAME.areas(table, "C")
    assert len({(area.line, area.column) for area in areas}) == len(areas)
    assert max(areas, key=lambda area: area.line).owner == "C"
    assert {area.owner for area in areas} == {"", "A", "B", "C", "D"}


def test_progress_is_the_larger_share_of_crystals_or_damage(begin: Begin) -> None:
    """Progress is the share of 50 crystals or of 20 damage to each opponent, whichever is larger, and 1 at most."""
    table = begin(A=[], B=[], C=[]).table()
    ann = table.players["A"]
    assert GAME.scoreboard.progress(table, "A") == 5 / 50
    table.set(ann, "dealt", 10)
    assert GAME.scoreboard.progress(table, "A") == 10 / 40
    table.set(ann, "crystals", 40)
    assert GAME.scoreboard.progress(table, "A") == 40 / 50
    table.set(ann, "crystals", 80)
    assert GAME.scoreboard.progress(table, "A") == 1


def test_totals_places_and_dimensions(begin: Begin) -> None:
    """The totals of a player are the numbers of the game, and places have the power of each player in each lane."""
    table = begin(A=["trooper", "scrap-runner"], B=[]).deploy("A:scrap-runner", "attack").table()
    assert GAME.scoreboard.totals(table, "A") == {
        "crystals": 4,
        "hitpoints": 20,
        "mining": 2,
        "attack": 3,
        "tech": 1,
        "tech_limit": 1,
        "hand": 1,
        "faction_deck": 0,
        "basic_deck": 0,
    }
    assert GAME.scoreboard.places(table)["attack"] == {"A": 3, "B": 1}
    assert GAME.scoreboard.dimensions(table, "A") == {"faction": "emberforge-syndicate"}
