"""What a greedy bot sees of a decision before it tries it: after which ones a table looks alike (see `luck`)."""

from collections.abc import Hashable, Iterable
from typing import Any

from tabletape.events.games import evolve as ev
from tabletape.events.vocabulary import Event
from tabletape.projector.games.evolve.state import Evolve


def alike(table: Evolve, events: Iterable[Event]) -> list[Hashable]:
    """Return what the value of a table hangs on after legal decisions, None where that takes more than a look."""
    return [_look(table, event) for event in events]


def _look(table: Evolve, event: Any) -> Hashable:
    """Return that of a hand only its size is looked at, and of a mutation not on whom it is."""
    if isinstance(event, ev.SurplusDiscarded):
        return "discarded", event.player
    if isinstance(event, ev.MutationPlayed):
        return None if _acts_at_once(table.cards[event.card].text.says) else ("mutated", event.card)
    return None


def _acts_at_once(says: Any) -> bool:
    """Return whether a mutation does something when it enters, or changes how much energy an organism can hold."""
    enters = any(trigger.when == "enters" for trigger in says.triggers)
    return enters or bool(says.caps) or any(each.name == "evolve" for each in says.host_changes)
