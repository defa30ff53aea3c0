"""What all games share of their tables: fields that only the fold needs, seats and zones, and a look ahead."""

import pytest

from events.shared import Seat
from projector.kit.areas import players_around
from projector.kit.seating import add_zones, seat_players, zone_of
from projector.model.deciding import as_it_was
from projector.model.phrases import change_in_words
from projector.model.table import Table
from projector.model.things import Card, Internal, Player

SEATS = tuple(Seat(id=each, name=name) for each, name in (("A", "Ann"), ("B", "Ben"), ("C", "Cyd"), ("B", "Ben")))


class Lamp(Player, eq=False, kw_only=True):
    """A player with a lamp."""

    oil: Internal[int] = 3
    light: int = 0


class Lantern(Lamp, eq=False, kw_only=True):
    """A player with a lamp, and more."""

    wick: int = 1


def laid_out() -> Table[Card, Lantern]:
    """Return a table of three players with a deck and a hand each."""
    table: Table[Card, Lantern] = Table(options={}, library={})
    for player in seat_players(table, SEATS, Lantern):
        add_zones(table, player.id, "deck", "hand")
    return table


def test_an_internal_field_is_never_shown() -> None:
    """A field is internal where it is declared so, for all classes that inherit it; a change of it has no words."""
    assert Player.INTERNAL_FIELDS | {"oil"} == Lantern.INTERNAL_FIELDS
    table = laid_out()
    table.set(table.players["A"], "oil", 2)
    table.set(table.players["A"], "light", 2)
    assert [change_in_words(table, change) for change in table.journal] == ["", "Ann: light 0 to 2"]


def test_everybody_sits_once_with_their_zones() -> None:
    """A seat that is written twice is one; each player has a number, an opponent and zones seen by whom they should."""
    table = laid_out()
    assert [(each.id, each.seat, each.opponent) for each in table.players.values()] == [
        ("A", 0, "B"),
        ("B", 1, "A"),
        ("C", 2, "A"),
    ]
    assert (zone_of(table, "deck", "B").seen_by, zone_of(table, "hand", "B").role) == ("nobody", "hand")
    assert zone_of(table, "hand", "nobody").role == "nowhere"


def test_players_sit_around_the_viewer() -> None:
    """The viewer comes first, then each to the left; for the public the first player of the seating does."""
    table = laid_out()
    assert players_around(table, "B") == ("B", "C", "A")
    assert players_around(table, "") == ("A", "B", "C")


def test_a_look_ahead_leaves_the_table_as_it_is() -> None:
    """What steps change, derive and apply is seen within the look and gone after it, also where a step fails."""
    table = laid_out()
    before = table.state()

    def step(table: Table[Card, Lantern]) -> None:
        table.count(table.players["A"], "light", 1)
        table.applied.append("lanterns.night")
        table.rests.append(len(table.journal))

    def failing(_table: Table[Card, Lantern]) -> None:
        raise ArithmeticError

    with as_it_was(table, step, step):
        assert (table.players["A"].light, table.applied) == (2, ["lanterns.night"] * 2)
    with pytest.raises(ArithmeticError), as_it_was(table, step, failing):
        pass
    assert (table.state(), table.journal, table.applied, table.rests) == (before, [], [], [])
