"""What is easily done and not written down: an organism is unstressed in the begin step (L217.1, L220.1)."""

from events.games import evolve as ev
from events.vocabulary import Event
from projector.games.evolve.rules.turn import paid_unstress, unstress_one
from projector.games.evolve.selecting import is_nonfood
from projector.games.evolve.state import BEGIN, MAIN, Evolve, EvolveCard
from projector.model.rules import Rule


def unsaid_unstress(table: Evolve, event: Event) -> tuple[Rule, ev.OrganismUnstressed] | None:
    """Return that the organism of a line was unstressed in the begin step of this turn, where it may have been.

    For nothing if no other one was, else for 1 DNA if there is one. None where it was stressed later in the turn.
    """
    card, player = table.find(getattr(event, "card", "") or ""), table.active
    if card is None or not (card.stressed and is_nonfood(card) and card.controller == player):
        return None
    if getattr(event, "player", "") != player or table.phase not in {BEGIN, MAIN} or _is_stressed_since(table, card):
        return None
    if not table.unstressed:
        return unstress_one, ev.OrganismUnstressed(player=player, card=card.name, paid=False)
    is_second = table.paid_unstress and table.options["paid_unstress_count"] == "one_per_turn"
    if table.players[player].dna < 1 or is_second:
        return None
    return paid_unstress, ev.OrganismUnstressed(player=player, card=card.name, paid=True)


def _is_stressed_since(table: Evolve, card: EvolveCard) -> bool:
    """Return whether an organism was stressed since the turn began."""
    for thing, field, *_ in reversed(table.journal):
        if thing is table and field == "active":
            return False
        if thing is card and field in {"stressed", "made"}:
            return True
    return False
