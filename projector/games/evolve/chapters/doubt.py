"""What is undecidable: what only people can check of a card, and the unwritten order of abilities (L222.2).

Card text goes before rules ("unless the card says otherwise": L21.1, L36.1, L49.1, L89.1, L234.1, L235.1). So while a
card is about whose text only people can check, what seems to break a rule that card text can change is reported once,
as a doubt: nobody is accused of it.
"""

from collections.abc import Iterator
from typing import Any, Final

from tabletape.events.games import evolve as ev
from tabletape.events.vocabulary import Consequence
from tabletape.projector.games.evolve.naming import called
from tabletape.projector.games.evolve.state import Evolve, EvolveCard, in_play
from tabletape.projector.games.evolve.trigger_order import order_undecidable, right_in_another_order
from tabletape.projector.model.game import RuleVerdict
from tabletape.projector.model.legality import failing_rules
from tabletape.projector.model.rules import Rows, Rule, Undecidable

FIXED: Final = frozenset(
    {
        "evolve.begin.draw",
        "evolve.card.main-types",
        "evolve.end.abandoned",
        "evolve.end.concession",
        "evolve.end.nothing-after-end",
        "evolve.players.two",
        "evolve.setup.first-player",
        "evolve.setup.first-turn-no-draw",
        "evolve.setup.hand-five",
        "evolve.turn.alternate",
        "evolve.turn.steps",
    }
)
"""Rules about the course of the game and the log, which no card text changes; nor does it change a mulligan."""
OF_ITSELF: Final = frozenset({"evolve.main.own-turn", "evolve.main.play-types"})
"""Rules that the text of a card may lift for that card only."""


def doubt(rows: Rows, table: Evolve, rule: Rule, event: Any) -> RuleVerdict | None:
    """Return the doubt whether a rule is broken, because of a card's text or of an order; or None.

    `rows` are the tests of each line, to be made again after another order.
    """
    found = _by_card(table, rule, event)
    if found is not None or not table.unordered or rule.id in FIXED:
        return found
    if isinstance(event, Consequence):
        cards = right_in_another_order(table, lambda: _is_so(table, event))
    else:
        row = rows.get(type(event), ())
        if rule.id not in list(failing_rules(row, table, event)):
            return None
        cards = right_in_another_order(table, lambda: rule.id not in list(failing_rules(row, table, event)))
    return RuleVerdict(rule, order_undecidable(table, cards)) if cards else None


def _by_card(table: Evolve, rule: Rule, event: Any) -> RuleVerdict | None:
    """Return the doubt whether a rule is broken, where the text of a card may allow it; otherwise None."""
    if rule.id in FIXED or rule.id.startswith("evolve.mulligan."):
        return None
    name: str = getattr(event, "card", "") or ""
    card = unchecked_card(table, name)
    if card is None or (rule.id in OF_ITSELF and card is not table.find(name)):
        return None
    return RuleVerdict(rule, only_people_can_tell(table, card.name))


def only_people_can_tell(table: Evolve, name: str) -> Undecidable:
    """Return, once a game, that a card may do what the log says of it or of other cards."""
    return Undecidable(f"only people can tell what {called(table, name)} allows and does", once=True)


def unchecked_card(table: Evolve, name: str = "") -> EvolveCard | None:
    """Return a card with a text that only people can check: the one of a line, or one that is or has been at work."""
    if not any(text.manual for text in table.library.values()):
        return None
    found = table.find(name) if name else None
    if found is not None and _is_manual(found):
        return found
    return next((card for card in _at_work(table) if _is_manual(card)), None)


def _is_manual(card: EvolveCard) -> bool:
    return card.text is not None and bool(card.text.manual)


def _at_work(table: Evolve) -> Iterator[EvolveCard]:
    for zone in table.zones.values():
        if zone.role == "discard" or zone.name in {"attached", "status", "stack"} or zone.name.startswith("play:"):
            yield from zone.cards


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
