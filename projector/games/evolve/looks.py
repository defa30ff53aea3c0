"""What a greedy bot sees of a decision before it tries it: after which ones a table looks alike (see `view.value`)."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from math import inf
from typing import Any, Final

from tabletape.events.games import evolve as ev
from tabletape.events.vocabulary import Event
from tabletape.projector.games.evolve.abilities import ACTIONS, Modifier, ParsedText
from tabletape.projector.games.evolve.chapters.acting import NAMES
from tabletape.projector.games.evolve.offers import past_all
from tabletape.projector.games.evolve.selecting import cost_of, limit_of
from tabletape.projector.games.evolve.state import BEGIN, MAIN, Evolve
from tabletape.projector.games.evolve.turn import MAIN_STEP_LINES
from tabletape.projector.games.evolve.view import ENERGY, HELD, MP, stock, value
from tabletape.projector.model.game import Glance, Steps

LATER: Final = frozenset({"begin.self", "begin.each", "end.self", "self.stressed", "self.died", "enemy.died"}) | {
    *("host.consume", "self.consume", "event.played")
}
"""Moments that are known not to come because a mutation enters."""
LIMITLESS: Final = frozenset(ACTIONS) - {"evolve"}
"""Actions whose costs limit no energy."""
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

    def at_most(self, events: Sequence[Event]) -> list[float]:
        """Return what the value of a table does not exceed after legal decisions: infinite where only a try tells."""
        table, now, bounds = self.table, value(self.table, self.player), MOST if self._behind else {}
        return [now + most(table, event) if (most := bounds.get(type(event))) is not None else inf for event in events]

    def ahead(self, event: Event) -> Steps:
        """Return the steps to the main step, where a player on turn does something that belongs into it."""
        return PAST_ALL if type(event) in self._behind else ()


def _waits(says: ParsedText) -> bool:
    """Return whether a card that enters is known to change nothing at once but how much organisms can hold."""
    return not says.caps and all(trigger.when in LATER for trigger in says.triggers)


def _holds_as_much(change: Modifier) -> bool:
    """Return whether an organism is known to hold no less energy for what a mutation changes: its limit is a cost."""
    return change.what == "immune" or change.name in LIMITLESS or change.resource == "dna" or change.n > 0


def _mutated(table: Evolve, event: ev.MutationPlayed) -> Hashable:
    """Return a key for a mutation, whosever host it comes to, where it is known to change nothing at once."""
    says = table.cards[event.card].text.says
    waits = all(map(_holds_as_much, says.host_changes)) and _waits(says) and not _may_overflow(table, event.host)
    return ("mutated", event.card) if waits else None


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


# -- how good it looks at most -----------------------------------------------------------------------------------------


def _most_of_status(table: Evolve, event: ev.StatusPlayed) -> float:
    return -HELD if _waits(table.cards[event.card].text.says) else inf


def _most_of_mutation(table: Evolve, event: ev.MutationPlayed) -> float:
    return -HELD if _mutated(table, event) else inf


def _most_of_action(table: Evolve, event: ev.OrganismDuplicated | ev.OrganismPhotosynthesized) -> float:
    """Return how much an action gains at most that brings energy to its organism, DNA or MP, or draws cards later."""
    card, mine = table.cards[event.card], table.players[event.player]
    action = card.text.says.actions[NAMES[type(event)]]
    cost, brings = cost_of(table, card, action), dict.fromkeys(("draw", "dna", "mp", "energy"), 0)
    for effect in action.effects:
        if effect.verb not in brings or (effect.cards is not None and effect.cards.noun != "self"):
            return inf
        brings[effect.verb] += max(effect.n, 0)
    if table.reaching or action.stress or table.options["duplicate_new_card"] == "second_organism":
        return inf
    dna: float = stock(mine.dna - cost.dna + brings["dna"]) - stock(mine.dna)
    return dna + float(MP * (brings["mp"] - action.mp) + ENERGY * (brings["energy"] - cost.energy))


MOST: Final[Mapping[type[Event], Callable[[Evolve, Any], float]]] = {
    ev.StatusPlayed: _most_of_status,
    ev.MutationPlayed: _most_of_mutation,
    ev.OrganismDuplicated: _most_of_action,
    ev.OrganismPhotosynthesized: _most_of_action,
}
