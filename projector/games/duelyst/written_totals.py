"""Totals that a log writes otherwise than the rules make them: the table goes on with what was written."""

from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec

from tabletape.events.games import duelyst as ev
from tabletape.events.vocabulary import Consequence
from tabletape.projector.games.duelyst.board import remove_dead
from tabletape.projector.games.duelyst.owed import first
from tabletape.projector.games.duelyst.state import Duelyst
from tabletape.projector.games.duelyst.tiles import unit_called
from tabletape.projector.model.changes import Derived

MANA: Final = (ev.ManaPaid, ev.ManaRefilled, ev.GlobeCollected)
HEALTH: Final = (ev.DamageDealt, ev.UnitHealed, ev.UnitChanged)


def take_over(table: Duelyst, event: Any, expected: Any) -> None:
    """Make the table's total what a line says in place of what the rules made of it; other lines change nothing."""
    adopt = TOTALS.get(type(event))
    if adopt is not None:
        adopt(table, event, expected)


def _mana(table: Duelyst, event: Any, expected: Any) -> None:
    player, more = table.players[event.player], event.mana - expected.mana
    table.count(player, "mana", more)
    if isinstance(event, ev.ManaRefilled):
        table.set(player, "capacity", event.capacity)
    _go_on_with(table, MANA, ("player", event.player), "mana", more)


def _health(table: Duelyst, event: Any, expected: Any) -> None:
    """Change the health of a unit; one that has none left dies."""
    unit, more = unit_called(table, event.unit), event.health - expected.health
    if unit is None:
        return
    if isinstance(event, ev.UnitChanged):
        table.count(unit, "attack_change", event.attack - expected.attack)
        table.count(unit, "health_change", more)
    else:
        table.count(unit, "damage", -more)
    _go_on_with(table, HEALTH, ("unit", expected.unit), "health", more)
    first(table, remove_dead(table, (unit,)))


def _durability(table: Duelyst, event: ev.ArtifactWorn, _expected: ev.ArtifactWorn) -> None:
    card = table.find(event.card)
    if card is not None and card.zone.name.startswith("artifacts:") and event.durability:
        table.set(card, "durability", event.durability)


def _progress(table: Duelyst, event: ev.BuildProgressed, _expected: ev.BuildProgressed) -> None:
    table.set(table.players[event.player], "progress", event.progress)


def _go_on_with(
    table: Duelyst, kinds: tuple[type[Consequence], ...], about: tuple[str, str], field: str, more: int
) -> None:
    """Add to a total in what the log has still to write of the last line about the same player or unit."""
    name, value = about
    if not more:
        return
    for index, each in enumerate(table.derived):
        line: Any = each.event
        if isinstance(line, kinds) and getattr(line, name) == value:
            changed = msgspec.structs.replace(line, **{field: getattr(line, field) + more})
            table.derived[index] = Derived(changed, each.rule, each.mark)


TOTALS: Final[Mapping[type[Consequence], Callable[[Duelyst, Any, Any], None]]] = {
    **dict.fromkeys(MANA, _mana),
    **dict.fromkeys(HEALTH, _health),
    ev.ArtifactWorn: _durability,
    ev.BuildProgressed: _progress,
}
"""The lines that say a total."""
