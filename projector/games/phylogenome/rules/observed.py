"""The rule about what somebody reads off the table: `state.observed` against the fold."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

import msgspec
from msgspec import UNSET

from projector.games.phylogenome.rules.doubt import doubt_of_totals
from projector.games.phylogenome.state import TABLEAU, Phylo, PhyloPlayer
from projector.kit.seating import zone_of
from projector.model.game import Drift
from projector.model.rules import Rule

OBSERVED: Final = Rule(
    id="phylogenome.state.observed",
    section="Outside the rulebook",
    lines="",
    text="A total read off the table equals the derived one.",
)
FACES_PLAYER: Final = "phylogenome.play.faces-player"
SIZES: Final = {"hand": "hand", "deck": "deck", "discard": "discard pile"}
"""Zones whose size can be read, and what they are called."""
LABELS: Final = {
    "generation": "the generation of {}",
    "species": "the number of Species facing {}",
    "first_generation": "the number of first-generation Species facing {}",
    "second_generation": "the number of second-generation Species facing {}",
    "third_generation": "the number of third-generation Species facing {}",
}
"""What the counts of a player are called."""
COUNTS: Final[Mapping[str, Callable[[PhyloPlayer], int]]] = {
    "generation": lambda player: player.generation,
    "species": lambda player: player.species,
    "first_generation": lambda player: player.first_generation,
    "second_generation": lambda player: player.second_generation,
    "third_generation": lambda player: player.third_generation,
}


def observe(table: Phylo, event: Any) -> Iterator[Drift]:
    """Return what was read off the table beside what the fold has there, also where they agree."""
    player = table.players.get("" if event.player is UNSET else event.player)
    doubt = doubt_of_totals(table, player.id if player else "")
    if event.turn is not UNSET:
        yield Drift(OBSERVED, "the number of the turn", table.turn, event.turn, doubt=doubt)
    read = _of_the_table(table, event) if event.player is UNSET else _of_a_player(table, event, player)
    for each in read:
        yield each if doubt is None else msgspec.structs.replace(each, doubt=doubt)


def _of_a_player(table: Phylo, event: Any, player: PhyloPlayer | None) -> Iterator[Drift]:
    """Return the totals of a player."""
    if player is None:
        return
    for field in SIZES:
        seen = getattr(event, field)
        if seen is not UNSET:
            zone = zone_of(table, field, player.id)
            yield Drift(
                OBSERVED,
                f"the size of the {SIZES[field]} of {player.name}",
                zone.size,
                seen,
                _resizing(table, zone, seen),
            )
    for field, count in COUNTS.items():
        seen = getattr(event, field)
        if seen is not UNSET:
            because = _because(table) if field != "generation" else ""
            yield Drift(OBSERVED, LABELS[field].format(player.name), count(player), seen, None, because)
    if event.table_events is not UNSET:
        lying = zone_of(table, "table", player.id).size
        yield Drift(OBSERVED, f"the number of Events of {player.name} on the table", lying, event.table_events)


def _of_the_table(table: Phylo, event: Any) -> Iterator[Drift]:
    """Return the totals of the whole table."""
    if event.species is not UNSET:
        yield Drift(OBSERVED, "the number of Species in play", table.zones[TABLEAU].size, event.species)
    for field in ("first_generation", "second_generation", "third_generation"):
        seen = getattr(event, field)
        if seen is not UNSET:
            folded = sum(COUNTS[field](player) for player in table.players.values())
            yield Drift(OBSERVED, f"the number of {field.replace('_', '-')} Species in play", folded, seen)


def _because(table: Phylo) -> str:
    """Return the derived rule that a wrong count contradicts: the Species that was just played faces its player."""
    return FACES_PLAYER if FACES_PLAYER in table.newly_applied else ""


def _resizing(table: Phylo, zone: Any, seen: int) -> Callable[[], None]:
    return lambda: table.count(zone, "unseen", seen - zone.size)
