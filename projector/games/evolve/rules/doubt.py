"""What is undecidable: what only people can check of a card, and the unwritten order of abilities (L222.2)."""

from typing import Any

from events.games import evolve as ev
from events.vocabulary import Consequence
from projector.games.evolve.rules import manual
from projector.games.evolve.rules.rows import ROWS
from projector.games.evolve.state import Evolve, in_play
from projector.games.evolve.trigger_order import order_undecidable, right_in_another_order
from projector.kit.legality import failing_rules
from projector.model.game import RuleVerdict
from projector.model.rules import Rule


def doubt(table: Evolve, rule: Rule, event: Any) -> RuleVerdict | None:
    """Return that it is open whether a rule is broken, because of a card's text or of an order; or None."""
    found = manual.doubt(table, rule, event)
    if found is not None or not table.unordered or rule.id in manual.FIXED:
        return found
    if isinstance(event, Consequence):
        cards = right_in_another_order(table, lambda: _is_so(table, event))
    else:
        row = ROWS.get(type(event), ())
        if rule.id not in list(failing_rules(row, table, event)):
            return None
        cards = right_in_another_order(table, lambda: rule.id not in list(failing_rules(row, table, event)))
    return RuleVerdict(rule, order_undecidable(table, cards)) if cards else None


def _is_so(table: Evolve, event: Consequence) -> bool:
    """Return whether the table is as a written consequence leaves it."""
    if isinstance(event, ev.MpChanged | ev.DnaChanged):
        player = table.players.get(event.player)
        return player is not None and event.to == (player.mp if isinstance(event, ev.MpChanged) else player.dna)
    card = table.find(getattr(event, "card", ""))
    if card is None:
        return False
    if isinstance(event, ev.EnergyChanged):
        return in_play(card) and card.energy == event.to
    if isinstance(event, ev.OrganismStressed | ev.FoodUnstressed):
        return in_play(card) and card.stressed is isinstance(event, ev.OrganismStressed)
    if isinstance(event, ev.OrganismDied | ev.CardLeft):
        return card.zone.role == "discard"
    return isinstance(event, ev.CardEntered) and in_play(card)
