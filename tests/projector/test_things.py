"""Parts of a table that all games share: internal fields, seats and zones, and looking ahead."""

import pytest

from tabletape.events.vocabulary.shared import Seat
from tabletape.projector.kit.seating import add_zones, seat_players, zone_of
from tabletape.projector.model.areas import players_around
from tabletape.projector.model.deciding import as_it_was
from tabletape.projector.model.phrases import change_in_words
from tabletape.projector.model.slots import Internal
from tabletape.projector.model.table import Table
from tabletape.projector.model.things import Card, Player

SEATS = tuple(Seat(id=each, name=name) for each, name in (("A", "Ann"), ("B", "Ben"), ("C", "Cyd"), ("B", "Ben")))


class Lamp(Player, eq=False, kw_only=True):
    """A player with a lamp."""

    oil: Internal[int] = 3
    light: int = 0


class Lantern(Lamp, eq=False, kw_only=True):
    """A player with a lamp, and more."""

    wick: int = 1


def table_of_three() -> Table[Card, Lantern]:
    """Return a table of three players with a deck and a hand each."""
    table: Table[Card, Lantern] = Table(options={}, library={})
    for player in seat_players(table, SEATS, Lantern):
        add_zones(table, player.id, "deck", "hand")
    return table


def test_an_internal_field_is_never_shown() -> None:
    """A field that is declared internal is so in all subclasses too, and a change of it is not written in words."""
    assert Player.INTERNAL_FIELDS | {"oil"} == Lantern.INTERNAL_FIELDS
    table = table_of_three()
    table.set(table.players["A"], "oil", 2)
    table.set(table.players["A"], "light", 2)
    assert [change_in_words(table, change) for change in table.journal] == ["", "Ann: light 0 to 2"]


def test_what_a_deck_owes_to_another_place_is_no_change_to_a_person() -> None:
    """A card of the list that lies elsewhere without a name makes the unseen cards of a deck fewer than none."""
    table = table_of_three()
    table.count(zone_of(table, "deck", "B"), "unseen", -1)
    table.count(zone_of(table, "hand", "B"), "unseen", 1)
    assert [change_in_words(table, change) for change in table.journal] == ["", "Ben's hand: unseen 0 to 1"]


def test_each_player_has_one_seat_and_zones() -> None:
    """A seat that is listed twice counts once; each player has a seat number, an opponent and zones."""
    table = table_of_three()
    assert [(each.id, each.seat, each.opponent) for each in table.players.values()] == [
        ("A", 0, "B"),
        ("B", 1, "A"),
        ("C", 2, "A"),
    ]
    assert (zone_of(table, "deck", "B").seen_by, zone_of(table, "hand", "B").role) == ("nobody", "hand")
    assert zone_of(table, "hand", "nobody").role == "nowhere"


def test_players_sit_around_the_viewer() -> None:
    """The viewer comes first, then each to the left; for the public the first player of the seating does."""
    table = table_of_three()
    assert players_around(table, "B") == ("B", "C", "A")
    assert players_around(table, "") == ("A", "B", "C")


def test_looking_ahead_leaves_the_table_unchanged() -> None:
    """What the steps change, derive and apply is visible in the block and undone after it, also if a step fails."""
    table = table_of_three()
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
