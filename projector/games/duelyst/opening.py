"""The set-up: the board with its globes, the players with their zones."""

from collections.abc import Mapping, Sequence
from typing import Any

from tabletape.events.games import duelyst as ev
from tabletape.events.vocabulary.shared import Seat
from tabletape.projector.games.duelyst.state import BOARD, REMOVED_ZONE, Duelyst, DuelystPlayer, Tile
from tabletape.projector.kit.seating import add_zones, seat_players
from tabletape.projector.model.rulebook import Ruleset


def opening(seats: Sequence[Seat], ruleset: Ruleset, library: Mapping[str, Any]) -> Duelyst:
    """Lay the table out: the board with its globes, the two players with their zones."""
    table = Duelyst(options=ruleset.options, library=library)
    table.units = table.add_zone(BOARD).cards
    table.add_zone(REMOVED_ZONE)
    ids = list(dict.fromkeys(seat.id for seat in seats))[:2]
    for player in seat_players(table, [seat for seat in seats if seat.id in ids], DuelystPlayer):
        name = player.id
        player.capacity = _first_capacity(ruleset.options, player.seat)
        table.decks[name], table.hands[name] = add_zones(table, name, "deck", "hand")
        table.graveyards[name] = table.add_zone(f"graveyard:{name}", owner=name, role="discard")
        table.worn[name] = table.add_zone(f"artifacts:{name}", owner=name)
    table.first = ids[0] if ids else ""
    table.globes = globe_tiles(table)
    for tile in table.globes:
        table.derive(ev.GlobePlaced(tile=tile), "duelyst.setup.three-globes")
    return table


def _first_capacity(options: Mapping[str, str], seat: int) -> int:
    bonus = 1 if seat == 1 and options["second_player_bonus"] == "one_capacity" else 0
    return bonus + (seat + 1 if options["start_capacity"] == "digital" else 0)


def globe_tiles(table: Duelyst) -> tuple[Tile, ...]:
    """Return the tiles on which mana globes are placed, in the order of the rulebook."""
    listed = table.options["globe_tiles"] == "listed"
    return ((1, 5), (3, 6)) if listed else ((1, 5), (5, 5), (3, 6))
