"""What a greedy bot sees of a decision before it tries it: after which ones a table looks alike (see `view.value`)."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, Final

from tabletape.events.games import evolve as ev
from tabletape.events.vocabulary import Event
from tabletape.projector.games.evolve.abilities import ACTIONS
from tabletape.projector.games.evolve.offers import past_all
from tabletape.projector.games.evolve.selecting import limit_of
from tabletape.projector.games.evolve.state import BEGIN, MAIN, Evolve
from tabletape.projector.games.evolve.turn import MAIN_STEP_LINES
from tabletape.projector.model.game import Glance, Steps

LATER: Final = frozenset({"begin.self", "begin.each", "end.self", "self.stressed", "self.died", "enemy.died"}) | {
    *("host.consume", "self.consume", "event.played")
}
"""Moments that are known not to come because a mutation enters."""
HOLDING_AS_MUCH: Final = frozenset(ACTIONS) - {"evolve"}
"""Actions whose costs are known not to change how much energy an organism can hold."""
PAST_ALL: Final[Steps] = (past_all,)


class EvolveGlance(Glance):
    """What is seen of the decisions of a player on a table."""

    def __init__(self, table: Evolve, player: str) -> None:
        super().__init__(table, player)
        is_own_turn = player == table.active and table.phase in {BEGIN, MAIN}
        self._behind = {*MAIN_STEP_LINES, ev.TurnEnded} if is_own_turn else set()

    def alike(self, events: Sequence[Event]) -> list[Hashable]:
        """Return what the value of a table hangs on after legal decisions, None where that takes more than a look."""
        table = self.table
        return [look(table, event) if (look := LOOKS.get(type(event))) is not None else None for event in events]

    def ahead(self, event: Event) -> Steps:
        """Return the steps to the main step, where a player on turn does something that belongs into it."""
        return PAST_ALL if type(event) in self._behind else ()


def _mutated(table: Evolve, event: ev.MutationPlayed) -> Hashable:
    """Return a key for a mutation, whosever host it comes to, where it is known to change nothing at once."""
    says = table.cards[event.card].text.says
    holds_as_much = all(each.what == "immune" or each.name in HOLDING_AS_MUCH for each in says.host_changes)
    waits = holds_as_much and not says.caps and all(trigger.when in LATER for trigger in says.triggers)
    return ("mutated", event.card) if waits and not _may_overflow(table, event.host) else None


LOOKS: Final[Mapping[type[Event], Callable[[Evolve, Any], Hashable]]] = {
    ev.SurplusDiscarded: lambda _table, event: ("discarded", event.player),  # of the hand its size alone counts
    ev.MutationPlayed: _mutated,
}
"""What tells decisions of a type apart."""


def _may_overflow(table: Evolve, host: str) -> bool:
    """Return whether an organism may hold more than it can: what is too much is lost as soon as a mutation enters.

    A limit that hangs on a condition may have fallen since, or fall until then.
    """
    organism = table.cards[host]
    limit = limit_of(table, organism) if organism.energy else None
    limiting = [table.cards[name].says for name in (*table.reaching, *organism.mutations)] if organism.energy else ()
    is_open = any(each.condition for says in limiting for each in (*says.caps, *says.host_changes))
    return is_open or (limit is not None and organism.energy > limit)
