"""Totals that somebody read off the table, beside what the log makes them."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec
from msgspec import UNSET

from tabletape.projector.games.duelyst.moves import BY_ID
from tabletape.projector.games.duelyst.state import SPELLS, Duelyst, DuelystPlayer, general_of
from tabletape.projector.games.duelyst.tiles import attack_of, own_units
from tabletape.projector.kit.totals import Total, counter, read_totals, size
from tabletape.projector.model.game import Drift


def _health(table: Duelyst, player: DuelystPlayer) -> int:
    general = general_of(table, player.id)
    return 0 if general is None else general.health


def _attack(table: Duelyst, player: DuelystPlayer) -> int:
    general = general_of(table, player.id)
    return 0 if general is None else attack_of(table, general)


def _hurt(table: Duelyst, player: DuelystPlayer, by: int) -> None:
    """Change the health of a general by what it has suffered."""
    general = general_of(table, player.id)
    if general is not None:
        table.count(general, "damage", -by)


TOTALS: Final[Mapping[str, Total]] = {
    "turn": counter("the number of own turns of {}", "turns"),
    "mana": counter("the mana of {}", "mana"),
    "capacity": counter("the mana capacity of {}", "capacity"),
    "hand": size("hand"),
    "deck": size("deck"),
    "graveyard": size("graveyard"),
    "health": Total("the health of the general of {}", _health, _hurt),
    "attack": Total("the attack of the general of {}", _attack),
    "artifacts": Total("the number of artifacts of {}", lambda table, player: table.worn[player.id].size),
    "units": Total("the number of units of {}", lambda table, player: len(own_units(table, player.id))),
    "progress": counter("the MECHAZ0R! build of {}", "progress"),
}
"""What can be read off the table for a player."""


def observe(table: Duelyst, event: Any) -> Iterator[Drift]:
    """Return the totals that were read off beside what the log makes them."""
    rule = BY_ID["duelyst.state.observed"]
    if event.player is UNSET:
        units = len(table.units)
        if event.units is not UNSET:
            yield Drift(rule, "the number of units on the board", units, event.units)
        return
    player = table.players.get(event.player)
    if player is None:
        return
    for field, each in read_totals(rule, TOTALS, table, event, player):
        because = _forgotten(table, player, field, each.folded - each.seen) if each.seen < each.folded else ""
        yield msgspec.structs.replace(each, because=because)


def _forgotten(table: Duelyst, player: DuelystPlayer, field: str, missing: int) -> str:
    """Return the rule that the table seems to have left out where a total was read as less than it is, or nothing."""
    if field == "graveyard":
        last = [card.text for card in table.graveyards[player.id].cards[-missing:]]
        are_spells = all(text is not None and text.kind in SPELLS for text in last)
        return "duelyst.spell.to-graveyard" if are_spells else ""
    if field in {"artifacts", "attack"}:
        worn = [card.text for card in table.worn[player.id].cards]
        return "duelyst.general.same-artifact-twice" if len(set(worn)) < len(worn) else ""
    return ""
