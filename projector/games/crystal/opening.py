"""The set-up: the empty table, factions and decks, shuffle and cut, the token, the starting hands."""

from collections.abc import Mapping, Sequence
from typing import Any

from events.shared import Seat
from projector.games.crystal.abilities import LANES
from projector.games.crystal.schema import FACTION
from projector.games.crystal.state import BASIC, Crystal, CrystalPlayer
from projector.kit.seating import add_zones, seat_players
from projector.model.rulebook import Ruleset


def opening(seats: Sequence[Seat], ruleset: Ruleset, library: Mapping[str, Any]) -> Crystal:
    """Lay the table out: the players with their zones."""
    table = Crystal(options=ruleset.options, library=library)
    for player in seat_players(table, seats, CrystalPlayer):
        table.add_zone(f"{FACTION}:deck:{player.id}", owner=player.id, role="deck", seen_by="nobody")
        table.add_zone(f"{BASIC}:deck:{player.id}", owner=player.id, role="deck")
        add_zones(table, player.id, "hand", "base", *LANES)
        table.add_zone(f"discard:{player.id}", owner=player.id)
        table.add_zone(f"out:{player.id}", owner=player.id, seen_by="owner")
    table.everyone = frozenset(table.players)
    return table
