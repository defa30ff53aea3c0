"""The rule about what somebody reads off the table: `state.observed` against the fold."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec
from msgspec import UNSET

from tabletape.projector.games.crystal import board
from tabletape.projector.games.crystal.abilities import LANES
from tabletape.projector.games.crystal.schema import FACTION
from tabletape.projector.games.crystal.state import BASIC, LANE, Crystal, CrystalPlayer, deployed
from tabletape.projector.kit.totals import Total, counter, read_totals, size
from tabletape.projector.model.game import Drift
from tabletape.projector.model.rules import Undecidable, declare

OBSERVED: Final = declare(
    "crystal.state.observed", "Outside the rulebook", "", "A total read off the table equals the derived one."
)
FILLED_BY_DRAWING: Final = {"hand": 1, "faction_deck": -1, "basic_deck": -1}
THIS_TURN: Final = "crystal.ability.this-turn-ends"
BASE_CARDS: Final = "crystal.setup.three-base-cards"


def observe(table: Crystal, event: Any) -> Iterator[Drift]:
    """Yield what was read off the table beside what the fold has there, also where they agree."""
    if event.round is not UNSET:
        yield Drift(OBSERVED, "round", table.round, event.round, lambda: table.set(table, "round", event.round))
    player = table.players.get(event.player) if event.player is not UNSET else None
    if player is None:
        return
    for field, each in read_totals(OBSERVED, TOTALS, table, event, player):
        doubt = _missed_draws(player, field, each)
        because = _because(table, player, field, each.seen) if field in LANE else ""
        adopt = each.adopt if doubt is None else None
        yield msgspec.structs.replace(each, adopt=adopt, because=because, doubt=doubt)


def _missed_draws(player: CrystalPlayer, field: str, read: Drift) -> Undecidable | None:
    """Return the doubt that a hand or a deck may differ by draws that no line tells of."""
    sign = FILLED_BY_DRAWING.get(field, 0)
    if not sign or not 0 < (read.seen - read.folded) * sign <= player.missed:
        return None
    return Undecidable(f"{read.field} may be as it was read if {player.name} has drawn what no line says to be drawn")


def _because(table: Crystal, player: CrystalPlayer, lane: str, seen: int) -> str:
    """Return the derived rule that a wrong power contradicts: a raise was kept, the base card was misread."""
    if not deployed(table, player.id):
        return BASE_CARDS
    lapsed = 0
    for card in deployed(table, player.id):
        if card.text is not None and card.since == table.round - 1:
            effects = (*card.text.says.attack_phase, *card.text.says.mining_phase)
            lapsed += sum(effect.n for effect in effects if effect.verb == "power" and effect.lane == lane)
    return THIS_TURN if lapsed and seen - getattr(player, lane) == lapsed else ""


def _power(lane: str) -> Total:
    """Return the power of a lane, which is changed for good."""

    def change(table: Crystal, player: CrystalPlayer, by: int) -> None:
        table.set(player, "sums", board.added(player.sums, LANE[lane], by))
        board.update_totals(table, player, LANE[lane])

    return Total(f"the power of {{}}'s {lane} lane", lambda _table, player: getattr(player, lane), change)


def _total(noun: str, field: str) -> Total:
    """Return a total that is changed in the lines that are still to come, too."""
    return counter(noun, field, lambda table, player, by: board.shift(table, player.id, field, by))


TOTALS: Final[Mapping[str, Total]] = {
    "crystals": _total("{}'s crystals", "crystals"),
    "hitpoints": _total("{}'s hit points", "hitpoints"),
    **{lane: _power(lane) for lane in LANES},
    "tech_limit": _total("{}'s tech limit", "tech_limit"),
    "hand": size("hand"),
    "faction_deck": size(f"{FACTION}:deck", "faction deck"),
    "basic_deck": size(f"{BASIC}:deck", "basic deck"),
    "discard": size("discard", "discard pile"),
}
"""What can be read off the table for a player."""
