"""What a greedy bot sees of a decision before it tries it: after which ones a table looks alike (see `view.value`)."""

from collections.abc import Hashable, Iterable
from typing import Any, Final

from tabletape.events.games import evolve as ev
from tabletape.events.vocabulary import Event
from tabletape.projector.games.evolve.abilities import ACTIONS
from tabletape.projector.games.evolve.selecting import limit_of
from tabletape.projector.games.evolve.state import Evolve

LATER: Final = frozenset({"begin.self", "begin.each", "end.self", "self.stressed", "self.died", "enemy.died"}) | {
    *("host.consume", "self.consume", "event.played")
}
"""Moments that are known not to come because a mutation enters."""
HOLDING_AS_MUCH: Final = frozenset(ACTIONS) - {"evolve"}
"""Actions whose costs are known not to change how much energy an organism can hold."""


def alike(table: Evolve, events: Iterable[Event]) -> list[Hashable]:
    """Return what the value of a table hangs on after legal decisions, None where that takes more than a look."""
    return [_look(table, event) for event in events]


def _look(table: Evolve, event: Event) -> Hashable:
    """Return what tells decisions apart: of a hand its size alone, of a mutation not on whom it is."""
    if isinstance(event, ev.SurplusDiscarded):
        return "discarded", event.player
    if isinstance(event, ev.MutationPlayed):
        says = table.cards[event.card].text.says
        return ("mutated", event.card) if _waits(says) and not _may_overflow(table, event.host) else None
    return None


def _waits(says: Any) -> bool:
    """Return whether it is known that a mutation does nothing when it enters, and lets its host hold as much energy."""
    return (
        all(trigger.when in LATER for trigger in says.triggers)
        and not says.caps
        and all(each.what == "immune" or each.name in HOLDING_AS_MUCH for each in says.host_changes)
    )


def _may_overflow(table: Evolve, host: str) -> bool:
    """Return whether an organism may hold more than it can: what is too much is lost as soon as a mutation enters.

    A limit that hangs on a condition may have fallen since, or fall until then.
    """
    organism = table.cards[host]
    limit = limit_of(table, organism) if organism.energy else None
    limiting = [table.cards[name].text for name in (*table.reaching, *organism.mutations)] if organism.energy else ()
    is_open = any(each.condition for text in limiting if text for each in (*text.says.caps, *text.says.host_changes))
    return is_open or (limit is not None and organism.energy > limit)
