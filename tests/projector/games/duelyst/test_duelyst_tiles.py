"""Movement, range and attack on the board of the Duelyst-style game."""

from collections.abc import Callable

import pytest

from tabletape.projector.games.duelyst.state import Duelyst, Tile
from tabletape.projector.games.duelyst.tiles import attack_of, behind, is_surrounded, provokers, reach

TableWith = Callable[..., Duelyst]
SQUIRE = "A:silverguard-squire#1"
ENEMY = "B:komodo-charger#"


def tiles(words: str) -> set[Tile]:
    """Return the tiles of a text such as `35 36`: row and column."""
    return {(int(word[0]), int(word[1])) for word in words.split()}


@pytest.mark.parametrize(
    ("units", "reached"),
    [
        ({SQUIRE: (3, 5)}, "15 24 25 26 33 34 36 37 44 45 46 55"),
        ({SQUIRE: (1, 1)}, "12 13 21 22"),
        ({SQUIRE: (3, 5), ENEMY + "9": (3, 6)}, "15 24 25 26 33 34 44 45 46 55"),
    ],
)
def test_a_unit_walks_two_tiles_straight_or_one_diagonally(
    table_with: TableWith, units: dict[str, Tile], reached: str
) -> None:
    """A unit reaches the free tiles up to two away in a line or one diagonally, and passes no unit."""
    table = table_with(units)
    assert set(reach(table, table.cards[SQUIRE])) == tiles(reached)


def test_a_flyer_reaches_every_free_tile(table_with: TableWith) -> None:
    """A flyer reaches all 45 tiles but those with a unit on them."""
    table = table_with({"A:dragonlark#9": (3, 5)})
    found = reach(table, table.cards["A:dragonlark#9"])
    assert len(found) == 45 - 3
    assert (3, 1) not in found


def wall(player: str) -> dict[str, Tile]:
    """Return units of a player on all tiles around [5, 5]."""
    places = [(4, 4), (4, 5), (4, 6), (5, 4), (5, 6)]
    return {f"{player}:rock-pulverizer#{number}": place for number, place in enumerate(places, start=1)}


@pytest.mark.parametrize(
    ("ruling", "player", "surrounded"),
    [
        ("all_eight_on_board", "A", True),
        ("all_eight_on_board", "B", True),
        ("enemies_all_eight", "A", False),
        ("enemies_all_eight", "B", True),
        ("orthogonal_four", "A", True),
    ],
)
def test_surrounded_follows_its_ruling(table_with: TableWith, ruling: str, player: str, surrounded: bool) -> None:
    """The edge of the board counts as closed; whose units close the other tiles is a ruling."""
    table = table_with({SQUIRE: (5, 5), **wall(player)}, surrounded=ruling)
    assert is_surrounded(table, table.cards[SQUIRE]) is surrounded


def test_four_units_may_be_enough_to_surround(table_with: TableWith) -> None:
    """With `orthogonal_four` a unit is surrounded even if diagonal tiles are free."""
    around = {ENEMY + str(n): place for n, place in enumerate([(2, 5), (4, 5), (3, 4), (3, 6)], start=3)}
    units = {SQUIRE: (3, 5), **around}
    for ruling, expected in (("orthogonal_four", True), ("all_eight_on_board", False)):
        table = table_with(units, surrounded=ruling)
        assert is_surrounded(table, table.cards[SQUIRE]) is expected


@pytest.mark.parametrize(
    ("ruling", "over_own", "over_enemy"),
    [("straight_and_free", False, False), ("pass_friendly", True, False), ("jump", True, True)],
)
def test_a_path_follows_its_ruling(table_with: TableWith, ruling: str, over_own: bool, over_enemy: bool) -> None:
    """A unit passes no units, friendly units or all units."""
    table = table_with({SQUIRE: (3, 5), "A:silverguard-squire#2": (3, 4), ENEMY + "9": (2, 5)}, path=ruling)
    found = reach(table, table.cards[SQUIRE])
    assert ((3, 3) in found) is over_own
    assert ((1, 5) in found) is over_enemy


def test_a_pet_that_cannot_move_reaches_nothing(table_with: TableWith) -> None:
    """Rok cannot move, so it reaches no tile."""
    table = table_with({"A:rok#1": (3, 5)})
    assert reach(table, table.cards["A:rok#1"]) == []


def test_provoke_counts_beside_an_enemy_only(table_with: TableWith) -> None:
    """Own units and those two tiles away do not provoke; golems do while their player has a Golem Vanquisher."""
    table = table_with(
        {
            SQUIRE: (3, 5),
            "A:rock-pulverizer#1": (3, 4),
            "B:rock-pulverizer#1": (3, 7),
            "B:skyrock-golem#1": (2, 5),
        }
    )
    unit = table.cards[SQUIRE]
    assert provokers(table, unit, unit.place) == []
    table = table_with({SQUIRE: (3, 5), "B:skyrock-golem#1": (2, 5), "B:golem-vanquisher#1": (1, 9)})
    unit = table.cards[SQUIRE]
    assert [each.name for each in provokers(table, unit, unit.place)] == ["B:skyrock-golem#1"]


def test_attack_is_the_printed_attack_with_all_changes(table_with: TableWith) -> None:
    """Zeal beside the general, infiltrate on the far side, auras and artifacts count; a Structure always has 0."""
    table = table_with(
        {
            "A:windblade-adept#1": (3, 2),
            "A:windblade-adept#2": (5, 5),
            "A:wolfraven#1": (1, 6),
            "A:wolfraven#2": (1, 5),
            "B:wolfraven#1": (1, 4),
            "A:fireblaze-obelysk#1": (5, 1),
            "A:iron-dervish#1": (5, 2),
            "B:iron-dervish#1": (5, 9),
            "A:ethereal-obelysk#1": (2, 1),
        }
    )
    for name in ("skywind-glaives", "snowpiercer"):
        table.make(f"A:{name}", table.zones["artifacts:A"])
    attacks = {name: attack_of(table, table.cards[name]) for name in table.cards if table.cards[name].place}
    assert attacks == {
        "A:argeon-highmayne": 5,
        "B:zirix-starstrider": 2,
        "A:windblade-adept#1": 5,
        "A:windblade-adept#2": 2,
        "A:wolfraven#1": 4,
        "A:wolfraven#2": 1,
        "B:wolfraven#1": 4,
        "A:fireblaze-obelysk#1": 0,
        "A:iron-dervish#1": 3,
        "B:iron-dervish#1": 2,
        "A:ethereal-obelysk#1": 0,
    }


@pytest.mark.parametrize(("ruling", "tile"), [("toward_opponent", (3, 4)), ("as_written", (3, 6))])
def test_behind_follows_its_ruling(table_with: TableWith, ruling: str, tile: Tile) -> None:
    """Units of the first seat face column 9, or the other way as the rulebook is worded."""
    table = table_with({SQUIRE: (3, 5)}, facing=ruling)
    assert behind(table, table.cards[SQUIRE]) == tile
