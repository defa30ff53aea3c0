"""Everything that a player might do, to be put to the rules; only the player's own hand is looked at."""

from collections.abc import Iterator
from itertools import permutations
from typing import Final

from msgspec import UNSET, UnsetType

from events.games import evolve as ev
from events.names import unseen_cards
from events.vocabulary import Event
from projector.games.evolve.abilities import Action, Effect, chosen
from projector.games.evolve.rules.turn import due_triggers, surplus
from projector.games.evolve.selecting import can_pay, fits, lying_in_play, printed_action
from projector.games.evolve.state import Evolve, EvolveCard, is_food, organisms

PLAIN: Final = {"duplicate": ev.OrganismDuplicated, "photosynthesize": ev.OrganismPhotosynthesized}


def _hand(table: Evolve, player: str, kind: str) -> list[EvolveCard]:
    """Return the cards of a kind in a hand that are known."""
    cards = table.zones[table.players[player].hand].cards
    return [card for card in cards if card.text is not None and card.text.kind == kind]


def _targets(table: Evolve, effect: Effect | None, player: str) -> list[EvolveCard]:
    """Return the cards in play that may be chosen for an effect."""
    cards = None if effect is None else effect.cards
    return [] if cards is None else [card for card in lying_in_play(table) if fits(cards, card, player)]


def _choices(table: Evolve, effect: Effect | None, player: str) -> list[str | UnsetType]:
    """Return what may be written as the choice for an effect: a card, or nothing where nothing is chosen."""
    return [UNSET] if effect is None else [card.name for card in _targets(table, effect, player)]


def mulligans(table: Evolve, player: str) -> list[Event]:
    """Return the mulligans a player might take, and keeping the hand; the cards drawn are left to luck."""
    mine = table.players[player]
    if mine.kept or not mine.opened:
        return []
    held = table.zones[mine.hand]
    hand = (*(card.name for card in held.cards), *unseen_cards(player, held.unseen))
    shuffled = table.options["free_mulligan_shuffle"] == "shuffle"
    count = len(hand)
    return [
        ev.MulliganTaken(player=player, free=False, returned=(), drawn=(), shuffled=False),
        ev.MulliganTaken(player=player, free=True, returned=hand, count=count, shuffled=shuffled),
        ev.MulliganTaken(player=player, free=False, returned=hand, count=count, shuffled=True),
    ]


def unstressings(table: Evolve, player: str) -> list[Event]:
    """Return the organisms a player might unstress in the begin step."""
    stressed = [card.name for card in organisms(table) if card.stressed and card.controller == player]
    return [ev.OrganismUnstressed(player=player, card=card, paid=paid) for card in stressed for paid in (False, True)]


def orders(table: Evolve, player: str) -> list[Event]:
    """Return the orders in which the abilities of the start of the turn might happen; of many, only the reverse one."""
    due = due_triggers(table)
    if len(due) < 2:
        return []
    found = permutations(due) if len(due) <= 3 else [due[::-1]]
    return [ev.TriggersOrdered(player=player, cards=cards) for cards in found]


def events_of(table: Evolve, player: str, *, are_responses: bool = False) -> Iterator[Event]:
    """Return the events a player might play, or the responses to one."""
    line = ev.ResponsePlayed if are_responses else ev.EventPlayed
    for card in _hand(table, player, "event"):
        if card.text.response == are_responses and can_pay(table, player, card.text):
            for target in _choices(table, chosen(card.text.says.effects), player):
                yield line(player=player, card=card.name, target=target)


def answers(table: Evolve, player: str) -> Iterator[Event]:
    """Return the attacks by which a player might answer the consuming that is open."""
    if table.pending is not None and table.pending.kind == "consume":
        for card in _own(table, player):
            if printed_action(card, "attack") is not None:
                yield ev.AttackDeclared(player=player, card=card.name, target=table.pending.card)


def main_decisions(table: Evolve, player: str) -> list[Event]:
    """Return the plays and actions of the main step, the surplus cards and the end of the turn."""
    found = _plays(table, player)
    foods = [card.name for card in organisms(table) if is_food(card)]
    held = _hand(table, player, "organism")
    for card in _own(table, player):
        says = card.text.says
        if card.actions < says.limit:
            found += [ev.FoodConsumed(player=player, card=card.name, food=food) for food in foods]
            for action in says.actions.values():
                found += _printed(table, player, card, action)
            if card.text.evolve is not None:
                found += _evolutions(player, card, held)
    found += discards(table, player)
    found.append(ev.TurnEnded(player=player))
    return found


def discards(table: Evolve, player: str) -> Iterator[Event]:
    """Yield the surplus cards that a player might discard."""
    if surplus(table, player):
        for card in table.zones[table.players[player].hand].cards:
            yield ev.SurplusDiscarded(player=player, card=card.name)


def endings_of(table: Evolve, player: str) -> Iterator[ev.StatusEnded]:
    """Yield the statuses of the hand that a player might give up, each for one in play."""
    for card in _hand(table, player, "status"):
        yield from _endings_by(table, player, card)


def _endings_by(table: Evolve, player: str, card: EvolveCard) -> Iterator[ev.StatusEnded]:
    for target in table.zones["status"].cards:
        yield ev.StatusEnded(player=player, card=card.name, target=target.name)


def _plays(table: Evolve, player: str) -> list[Event]:
    """Return the plays of hand cards, of which those that cannot be paid are left out."""
    held = _hand(table, player, "organism")
    found: list[Event] = [
        ev.OrganismPlayed(player=player, card=each.name) for each in held if can_pay(table, player, each.text)
    ]
    for card in _hand(table, player, "mutation"):
        if can_pay(table, player, card.text):
            found += [ev.MutationPlayed(player=player, card=card.name, host=host.name) for host in organisms(table)]
    for card in _hand(table, player, "status"):
        if can_pay(table, player, card.text):
            found.append(ev.StatusPlayed(player=player, card=card.name))
        found += _endings_by(table, player, card)
    return found


def _own(table: Evolve, player: str) -> list[EvolveCard]:
    cards = table.zones[table.players[player].play].cards
    return [card for card in cards if not card.stressed and card.text is not None]


def _evolutions(player: str, card: EvolveCard, held: list[EvolveCard]) -> Iterator[Event]:
    """Yield what an organism might evolve into: those of the hand that are a tier higher, beyond the third nothing."""
    tier = card.text.tier
    if tier == 3:
        yield ev.OrganismEvolved(player=player, card=card.name)
    for into in held:
        if into.text.tier == tier + 1:
            yield ev.OrganismEvolved(player=player, card=card.name, into=into.name)


def _printed(table: Evolve, player: str, card: EvolveCard, action: Action) -> list[Event]:
    """Return what an organism might do by an action that it prints; to consume is proposed for each food."""
    name = action.name
    if name in PLAIN:
        return [PLAIN[name](player=player, card=card.name)]
    if name == "attack":
        targets = organisms(table) if action.chosen is None else _targets(table, action.chosen, player)
        return [ev.OrganismAttacked(player=player, card=card.name, target=target.name) for target in targets]
    if name == "consume":
        return []
    choices = _choices(table, action.chosen, player)
    return [ev.ActionTaken(player=player, card=card.name, action=name, target=choice) for choice in choices]
