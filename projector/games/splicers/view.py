"""What a table is worth to look at: totals, progress, and how it is drawn."""

from collections.abc import Sequence

from projector.game import Area
from projector.games.splicers.rounds import NEEDED
from projector.games.splicers.selecting import dominated_by
from projector.games.splicers.state import Splicers, zone_of

TOTALS = ("dominated", "dominance", "hand", "deck", "actions")


def totals(table: Splicers, player: str) -> dict[str, int]:
    """Give the numbers of a player that are kept for every turn."""
    mine = table.players[player]
    bioms = [table.cards[table.bioms[place]] for place in table.row]
    return {
        "dominated": len(dominated_by(table, player)),
        "dominance": sum(biom.totals[mine.seat] for biom in bioms),
        "hand": zone_of(table, "hand", player).size,
        "deck": zone_of(table, "deck", player).size,
        "actions": mine.actions,
    }


def progress(table: Splicers, player: str) -> float:
    """Give how near a player is to three bioms: those dominated, and what is reached of the nearest other one."""
    dominated = dominated_by(table, player)
    seat = table.players[player].seat
    nearest = 0.0
    for place in table.row:
        biom = table.cards[table.bioms[place]]
        if place not in dominated and biom.text is not None:
            needed = max(biom.text.dominance or 1, *(each + 1 for i, each in enumerate(biom.totals) if i != seat), 1)
            nearest = max(nearest, min(max(biom.totals[seat], 0) / needed, 1.0))
    return min((len(dominated) + nearest) / NEEDED, 1.0)


def areas(table: Splicers, viewer: str) -> Sequence[Area]:
    return ()
