"""The set-up: the empty table, factions and decks, shuffle and cut, the token, the starting hands."""

from collections.abc import Mapping, Sequence
from typing import Any

from tabletape.events.vocabulary.shared import Seat
from tabletape.projector.games.crystal.abilities import LANES
from tabletape.projector.games.crystal.schema import FACTION
from tabletape.projector.games.crystal.state import BASIC, Crystal, CrystalPlayer
from tabletape.projector.kit.seating import add_zones, seat_players
from tabletape.projector.model.rulebook import Ruleset


def opening(seats: Sequence[Seat], ruleset: Ruleset, library: Mapping[str, Any]) -> Crystal:
    """Lay the table out: the players with their zones."""
    table = Crystal(options=ruleset.options, library=library)
    faction, basic = table.decks.setdefault(FACTION, {}), table.decks.setdefault(BASIC, {})
    for player in seat_players(table, seats, CrystalPlayer):
        name = player.id
        faction[name] = table.add_zone(f"{FACTION}:deck:{name}", owner=name, role="deck", seen_by="nobody")
        basic[name] = table.add_zone(f"{BASIC}:deck:{name}", owner=name, role="deck")
        table.hands[name], _, *lanes = add_zones(table, name, "hand", "base", *LANES)
        for lane, zone in zip(LANES, lanes, strict=True):
            table.lanes.setdefault(lane, {})[name] = zone
        table.add_zone(f"discard:{name}", owner=name)
        table.add_zone(f"out:{name}", owner=name, seen_by="owner")
    table.everyone = frozenset(table.players)
    return table
