"""The rule about what somebody reads off the table: `state.observed` against the fold."""

from collections.abc import Callable, Iterator
from typing import Any, Final

import msgspec
from msgspec import UNSET

from events.games import crystal as ev
from projector.games.crystal import board
from projector.games.crystal.abilities import LANES
from projector.games.crystal.enforcing import shift
from projector.games.crystal.naming import label
from projector.games.crystal.rules.doubt import unchecked_card
from projector.games.crystal.state import BASIC, FACTION, LANE, Crystal, CrystalPlayer, deployed, zone_of
from projector.model.game import Drift
from projector.model.rules import Rule, Undecidable
from projector.model.things import Zone

OBSERVED: Final = Rule(
    id="crystal.state.observed",
    section="Outside the rulebook",
    lines="",
    text="A total read off the table equals the derived one.",
)
ZONES: Final = {"hand": "hand", "faction_deck": f"{FACTION}:deck", "basic_deck": f"{BASIC}:deck", "discard": "discard"}
FILLED_BY_DRAWING: Final = {"hand": 1, "faction_deck": -1, "basic_deck": -1}
TOTALS: Final = ("hitpoints", "crystals", "tech_limit")
THIS_TURN: Final = "crystal.ability.this-turn-ends"
BASE_CARDS: Final = "crystal.setup.three-base-cards"


def observe(table: Crystal, event: Any) -> Iterator[Drift]:
    """Yield what was read off the table beside what the fold has there, also where they agree."""
    doubt = unchecked_card(table)
    for each in _totals(table, event):
        yield each if doubt is None else msgspec.structs.replace(each, doubt=doubt)


def _totals(table: Crystal, event: Any) -> Iterator[Drift]:
    if event.round is not UNSET:
        yield Drift(OBSERVED, "round", table.round, event.round, _setting(table, table, "round", event.round))
    player = table.players.get(event.player) if event.player is not UNSET else None
    if player is None:
        return
    for field, kind in ZONES.items():
        seen = getattr(event, field)
        if seen is not UNSET:
            zone, what = zone_of(table, kind, player.id), label(field, player.name)
            doubt = _missed_draws(player, field, seen - zone.size)
            adopt = _resizing(table, zone, seen) if doubt is None else None
            yield Drift(OBSERVED, what, zone.size, seen, adopt, doubt=doubt)
    for field in TOTALS:
        seen = getattr(event, field)
        if seen is not UNSET:
            adopt = _shifting_total(table, player, field, seen)
            yield Drift(OBSERVED, label(field, player.name), getattr(player, field), seen, adopt)
    yield from _lanes(table, event, player)


def _missed_draws(player: CrystalPlayer, field: str, more: int) -> Undecidable | None:
    """Return the doubt that a hand or a deck may differ by draws that no line tells of."""
    if not 0 < more * FILLED_BY_DRAWING.get(field, 0) <= player.missed:
        return None
    name = player.name
    return Undecidable(f"{label(field, name)} may be as it was read if {name} has drawn what no line says to be drawn")


def _lanes(table: Crystal, event: ev.StateObserved, player: CrystalPlayer) -> Iterator[Drift]:
    for lane in LANES:
        seen = getattr(event, lane)
        if seen is not UNSET:
            because, adopt = _because(table, player, lane, seen), _shifting(table, player, lane, seen)
            yield Drift(
                OBSERVED, f"the power of {player.name}'s {lane} lane", getattr(player, lane), seen, adopt, because
            )


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


def _setting(table: Crystal, thing: Any, field: str, value: Any) -> Callable[[], None]:
    return lambda: table.set(thing, field, value)


def _resizing(table: Crystal, zone: Zone, seen: int) -> Callable[[], None]:
    by = seen - zone.size
    return lambda: table.count(zone, "unseen", by)


def _shifting_total(table: Crystal, player: CrystalPlayer, field: str, seen: int) -> Callable[[], None]:
    """Change a total by as much as was seen, now and in the lines that are still to come."""
    by = seen - getattr(player, field)
    return lambda: shift(table, player.id, field, by)


def _shifting(table: Crystal, player: CrystalPlayer, lane: str, seen: int) -> Callable[[], None]:
    """Change a lane's power for good by as much as was seen."""
    by = seen - getattr(player, lane)

    def adopt() -> None:
        table.set(player, "sums", board.added(player.sums, LANE[lane], by))
        board.update_totals(table, player, LANE[lane])

    return adopt
