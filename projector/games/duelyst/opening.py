"""How the table is laid out: the board with its globes, the two players with their zones."""

from collections.abc import Mapping, Sequence
from typing import Any

from events.games import duelyst as ev
from events.shared import Seat
from projector.games.duelyst.state import BOARD, REMOVED, Duelyst, DuelystPlayer, Tile
from projector.model.rulebook import Ruleset


def opening(seats: Sequence[Seat], ruleset: Ruleset, library: Mapping[str, Any]) -> Duelyst:
    """Lay the table out: the board with its globes, the two players with their zones."""
    table = Duelyst(options=ruleset.options, library=library)
    table.add_zone(BOARD)
    table.add_zone(REMOVED)
    ids = list(dict.fromkeys(seat.id for seat in seats))[:2]
    for seat in seats:
        if seat.id not in ids or seat.id in table.players:
            continue
        opponent = next((each for each in ids if each != seat.id), "")
        deck = seat.deck if isinstance(seat.deck, str) else ""
        number = len(table.players)
        capacity = _first_capacity(ruleset.options, number)
        player = DuelystPlayer(id=seat.id, name=seat.name, deck=deck, seat=number, opponent=opponent, capacity=capacity)
        table.seat(player)
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
