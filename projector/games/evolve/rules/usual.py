"""What nearly all lines are like: nothing can be wrong with them, so that all their rules are kept at a glance.

A line that is not so is looked at rule by rule.
"""

from typing import Any

from events.games import evolve as ev
from projector.games.evolve.rules.actions import NAMES, lacks
from projector.games.evolve.rules.common import is_own_main_step
from projector.games.evolve.rules.turn import holding_surplus
from projector.games.evolve.selecting import can_pay
from projector.games.evolve.state import DRAW, END, MAIN, Evolve, EvolveCard, is_organism

# -- organisms ---------------------------------------------------------------------------------------------------------


def _ready(table: Evolve, event: Any) -> EvolveCard | None:
    """Return the organism that may act in any case: own, no food, unstressed, in the own main step, and the first time.

    None where one has to look closer.
    """
    card = table.find(event.card)
    if card is None or card.stressed or card.actions or card.controller != event.player or not is_organism(card):
        return None
    is_too_young = card.since == table.turn and table.options["play_sick"] == "may_not_act"
    if card.text is None or card.text.food or is_too_young:
        return None
    return card if is_own_main_step(table, event) else None


def acts_as_printed(table: Evolve, event: Any) -> bool:
    """Return whether an organism may act, and pays for an action that it prints."""
    card = _ready(table, event)
    if card is None:
        return False
    action = card.text.says.actions.get(NAMES[type(event)])
    return action is not None and lacks(table, event.player, card, action) is None


def eats(table: Evolve, event: ev.FoodConsumed) -> bool:
    """Return whether an organism may act, and goes for unstressed food in play without printing how."""
    card = _ready(table, event)
    food = table.find(event.food)
    if card is None or food is None or food.stressed or not is_organism(food):
        return False
    return food.text is not None and food.text.food and "consume" not in card.text.says.actions


# -- cards -------------------------------------------------------------------------------------------------------------


def plays_from_hand(table: Evolve, event: ev.OrganismPlayed) -> bool:
    """Return whether an organism of tier 0 or 1 is played from the hand in the own main step, and can be paid."""
    card = table.find(event.card)
    player = table.players[event.player]
    if card is None or card.text is None or card.zone.name != player.hand:
        return False
    text = card.text
    is_payable = text.kind == "organism" and text.tier < 2 and can_pay(table, event.player, text)
    return is_payable and is_own_main_step(table, event) and table.options["play_tier1_free"] == "any_number"


def draws_for_turn(table: Evolve, event: ev.CardsDrawn) -> bool:
    """Return whether the one card that a turn begins with comes from a deck of which nobody knows the bottom."""
    is_due = event.reason == "turn-start" and table.phase == DRAW and event.player == table.active and table.turn != 1
    if not is_due or not event.cards or len(event.cards) != 1:
        return False
    player = table.players[event.player]
    card = table.find(event.cards[0])
    return card is not None and card.zone.name == player.deck_zone and not player.bottom


def ends_with_few_cards(table: Evolve, event: ev.TurnEnded) -> bool:
    """Return whether the player on turn ends it in its last two steps, with no card in hand to be discarded."""
    is_late = event.player == table.active and table.phase in {MAIN, END}
    return is_late and not holding_surplus(table)
