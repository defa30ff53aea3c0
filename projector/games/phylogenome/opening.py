"""The table as it is laid out: the players with their zones and progress cards."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from tabletape.events.games import phylogenome as ev
from tabletape.events.vocabulary.shared import Seat
from tabletape.projector.games.phylogenome.grid import EIGHT, FOUR
from tabletape.projector.games.phylogenome.state import BENEATH, TABLEAU, Phylo, PhyloPlayer
from tabletape.projector.kit.seating import add_zones, seat_players
from tabletape.projector.model.rulebook import Ruleset

HAND_LIMITS: Final = {"none": 0, "seven": 7, "ten": 10}


def opening(seats: Sequence[Seat], ruleset: Ruleset, library: Mapping[str, Any]) -> Phylo:
    """Lay the table out: the players with their zones and their progress cards side by side."""
    options = ruleset.options
    table = Phylo(
        options=options,
        library=library,
        diagonal=options["geometry"] == "grid8",
        own_only=options["compat_scope"] == "own_only",
        both_blamed=options["incompatible_blame"] == "both",
        own_anchor=options["connect_to"] == "own_progress",
        beside_any=options["play_spot"] == "adjacent_any",
        joined_only=options["generation_counts"] == "connected_only",
        hand_limit=HAND_LIMITS[options["hand_limit"]],
        ends_at_once=options["end_check_time"] == "immediate",
        runs_on=options["repair_undone"] == "runs_on",
    )
    table.add_zone(TABLEAU)
    table.add_zone(BENEATH)
    for player in seat_players(table, seats, PhyloPlayer):
        player.opponent = player.opponent or player.id
        player.cell = (player.seat, 0)
        table.decks[player.id], table.hands[player.id], *_ = add_zones(
            table, player.id, "deck", "hand", "discard", "table"
        )
    table.anchors = frozenset(player.cell for player in table.players.values())
    table.cells = dict.fromkeys(table.anchors)
    around = EIGHT if table.diagonal else FOUR
    table.outskirts = frozenset(cell for anchor in table.anchors for cell in around[anchor])
    for player in table.players.values():
        placed = ev.ProgressPlaced(player=player.id, generation=1, cell=player.cell)
        table.derive(placed, "phylogenome.setup.progress-side-by-side")
        table.applied.append("phylogenome.generation.starts-at-one")
    return table
