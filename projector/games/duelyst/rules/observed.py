"""Totals that somebody read off the table, beside what the log makes them."""

from collections.abc import Callable, Iterator
from typing import Any, Final

from msgspec import UNSET

from projector.games.duelyst.rulebook import BY_ID
from projector.games.duelyst.rules.doubt import unchecked_text
from projector.games.duelyst.state import BOARD, SPELLS, Duelyst, DuelystPlayer, general_of
from projector.games.duelyst.tiles import attack_of, own_units
from projector.model.game import Drift
from projector.model.things import Zone


def _health(table: Duelyst, player: DuelystPlayer) -> int:
    general = general_of(table, player.id)
    return 0 if general is None else general.health


def _attack(table: Duelyst, player: DuelystPlayer) -> int:
    general = general_of(table, player.id)
    return 0 if general is None else attack_of(table, general)


TOTALS: Final[dict[str, Callable[[Duelyst, DuelystPlayer], int]]] = {
    "turn": lambda _table, player: player.turns,
    "mana": lambda _table, player: player.mana,
    "capacity": lambda _table, player: player.capacity,
    "hand": lambda table, player: table.hands[player.id].size,
    "deck": lambda table, player: table.decks[player.id].size,
    "graveyard": lambda table, player: table.graveyards[player.id].size,
    "health": _health,
    "attack": _attack,
    "artifacts": lambda table, player: table.worn[player.id].size,
    "units": lambda table, player: len(own_units(table, player.id)),
    "progress": lambda _table, player: player.progress,
}
"""The totals that can be read off the table for a player."""

LABELS: Final = {
    "turn": "the number of own turns of {}",
    "mana": "the mana of {}",
    "capacity": "the mana capacity of {}",
    "hand": "the size of the hand of {}",
    "deck": "the size of the deck of {}",
    "graveyard": "the size of the graveyard of {}",
    "health": "the health of the general of {}",
    "attack": "the attack of the general of {}",
    "artifacts": "the number of artifacts of {}",
    "units": "the number of units of {}",
    "progress": "the MECHAZ0R! build of {}",
}
"""What the totals of a player are called."""

COUNTERS: Final = frozenset({"mana", "capacity", "progress"})
"""Totals that are counters of the player: the fold takes an observed value over."""
SIZES: Final[dict[str, Callable[[Duelyst, DuelystPlayer], Zone]]] = {
    "hand": lambda table, player: table.hands[player.id],
    "deck": lambda table, player: table.decks[player.id],
    "graveyard": lambda table, player: table.graveyards[player.id],
}
"""Totals that are sizes of zones: the fold takes them over as cards that nobody has seen."""


def observe(table: Duelyst, event: Any) -> Iterator[Drift]:
    """Return the totals that were read off beside what the log makes them."""
    rule = BY_ID["duelyst.state.observed"]
    if event.player is UNSET:
        units = len(table.zones[BOARD].cards)
        if event.units is not UNSET:
            doubt = unchecked_text(table, []) if event.units != units else None
            yield Drift(rule, "the number of units on the board", units, event.units, doubt=doubt)
        return
    player = table.players.get(event.player)
    if player is None:
        return
    for field, total in TOTALS.items():
        seen = getattr(event, field)
        if seen is not UNSET:
            folded = total(table, player)
            because = _forgotten(table, player, field, folded - seen) if seen < folded else ""
            doubt = unchecked_text(table, []) if seen != folded else None
            adopt = _adopt(table, player, field, seen)
            yield Drift(rule, LABELS[field].format(player.name), folded, seen, adopt, because, doubt)


def _forgotten(table: Duelyst, player: DuelystPlayer, field: str, missing: int) -> str:
    """Return the rule that the table seems to have left out where a total was read as less than it is, or nothing."""
    if field == "graveyard":
        last = table.graveyards[player.id].cards[-missing:]
        return "duelyst.spell.to-graveyard" if all(_is_spell(card) for card in last) else ""
    if field in {"artifacts", "attack"}:
        worn = [card.text for card in table.worn[player.id].cards]
        return "duelyst.general.same-artifact-twice" if len(set(worn)) < len(worn) else ""
    return ""


def _is_spell(card: Any) -> bool:
    return card.text is not None and card.text.kind in SPELLS


def _adopt(table: Duelyst, player: DuelystPlayer, field: str, seen: int) -> Callable[[], object] | None:
    """Return what makes an observed value the fold's, where that is possible."""
    if field == "turn":
        return lambda: table.set(player, "turns", seen)
    if field in COUNTERS:
        return lambda: table.set(player, field, seen)
    if field in SIZES:
        zone = SIZES[field](table, player)
        return lambda: table.count(zone, "unseen", seen - zone.size)
    general = general_of(table, player.id)
    if field == "health" and general is not None:
        return lambda: table.count(general, "damage", general.health - seen)
    return None
