"""What the table does when a written consequence differs from the rules, where luck or a text may have made it so."""

from collections.abc import Callable
from typing import Any, Final

from events.games import duelyst as ev
from events.vocabulary import Consequence, vocabulary
from projector.games.duelyst.board import AS_DECLARED, UNKNOWN_HEALTH, remove_dead, resolve_deaths
from projector.games.duelyst.chapters.doubt import unchecked
from projector.games.duelyst.damage import hurt
from projector.games.duelyst.overdue import take_as_derived
from projector.games.duelyst.owed import first, owed_now
from projector.games.duelyst.state import Duelyst
from projector.games.duelyst.tiles import unit_called
from projector.kit.adopting import adopt_total, as_written


def _enforce(table: Duelyst, event: Any, expected: Any) -> None:
    """Take it that luck has not written a line before this one, or that a text which nobody can check has made it.

    `expected` is what the rules made of it, or None. What the log has just said is not expected again.
    """
    if expected is None and owed_now(table) is not None:
        take_as_derived(table, event)
        return
    names = [name for field in ("unit", "source") if isinstance(name := getattr(event, field, None), str)]
    accept = ACCEPTED.get(type(event))
    if accept is None or unchecked(table, names) is None:
        return
    with as_written(table, event):
        accept(table, event, expected)


def _damage(table: Duelyst, event: ev.DamageDealt, expected: ev.DamageDealt | None) -> None:
    """Deal the damage; of a unit of unknown health the log says what is left."""
    unit = unit_called(table, event.unit)
    if unit is None:
        return
    if unit.text.health == UNKNOWN_HEALTH:
        table.count(unit, "damage", unit.health - event.health)
    elif expected is None:
        hurt(table, unit, event.amount, event.source, AS_DECLARED)
    first(table, remove_dead(table, (unit,)))


def _died(table: Duelyst, event: ev.UnitDied, _expected: Any) -> None:
    unit = unit_called(table, event.unit)
    if unit is not None:
        first(table, resolve_deaths(table, [unit]))


ACCEPTED: Final[dict[type[Any], Callable[[Duelyst, Any, Any], None]]] = {
    ev.DamageDealt: _damage,
    ev.UnitDied: _died,
    ev.ManaPaid: adopt_total("mana", "mana"),
}
"""The consequences that the table goes on from where nobody can check them."""
ENFORCE: Final = {line: _enforce for line in vocabulary("duelyst").types.values() if issubclass(line, Consequence)}
