"""The rule about what somebody reads off the table: `state.observed` against the fold."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec
from msgspec import UNSET

from tabletape.projector.games.phylogenome.state import TABLEAU, Phylo, PhyloPlayer
from tabletape.projector.kit.seating import zone_of
from tabletape.projector.kit.totals import Total, read_totals, size
from tabletape.projector.model.game import Drift
from tabletape.projector.model.rules import Rule

OBSERVED: Final = Rule(
    id="phylogenome.state.observed",
    section="Outside the rulebook",
    lines="",
    text="A total read off the table equals the derived one.",
)
FACES_PLAYER: Final = "phylogenome.play.faces-player"
GENERATIONS: Final = ("first_generation", "second_generation", "third_generation")


def _facing(what: str, field: str) -> Total:
    """Return a number of Species that face a player: they are where they are, whatever was read."""
    return Total(f"the number of {what} facing {{}}", lambda _table, player: getattr(player, field))


TOTALS: Final[Mapping[str, Total]] = {
    "hand": size("hand"),
    "deck": size("deck"),
    "discard": size("discard", "discard pile"),
    "generation": Total("the generation of {}", lambda _table, player: player.generation),
    "species": _facing("Species", "species"),
    **{field: _facing(f"{field.replace('_', '-')} Species", field) for field in GENERATIONS},
    "table_events": Total(
        "the number of Events of {} on the table", lambda table, player: zone_of(table, "table", player.id).size
    ),
}
"""What can be read off the table for a player."""


def observe(table: Phylo, event: Any) -> Iterator[Drift]:
    """Return what was read off the table beside what the fold has there, also where they agree."""
    player = table.players.get("" if event.player is UNSET else event.player)
    if event.turn is not UNSET:
        yield Drift(OBSERVED, "the number of the turn", table.turn, event.turn)
    yield from _of_the_table(table, event) if event.player is UNSET else _of_a_player(table, event, player)


def _of_a_player(table: Phylo, event: Any, player: PhyloPlayer | None) -> Iterator[Drift]:
    """Return the totals of a player; a wrong count may contradict that a Species that was just played faces its own."""
    if player is None:
        return
    because = FACES_PLAYER if FACES_PLAYER in table.newly_applied else ""
    for field, read in read_totals(OBSERVED, TOTALS, table, event, player):
        yield msgspec.structs.replace(read, because=because) if field in {"species", *GENERATIONS} else read


def _of_the_table(table: Phylo, event: Any) -> Iterator[Drift]:
    """Return the totals of the whole table."""
    if event.species is not UNSET:
        yield Drift(OBSERVED, "the number of Species in play", table.zones[TABLEAU].size, event.species)
    for field in GENERATIONS:
        seen = getattr(event, field)
        if seen is not UNSET:
            folded = sum(getattr(player, field) for player in table.players.values())
            yield Drift(OBSERVED, f"the number of {field.replace('_', '-')} Species in play", folded, seen)
