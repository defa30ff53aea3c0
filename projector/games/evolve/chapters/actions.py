"""Photosynthesis and what a card calls otherwise; and what all organisms might do (L234 to L248)."""

from collections.abc import Iterator, Mapping
from typing import Final

from tabletape.events.games import evolve as ev
from tabletape.events.vocabulary import Event
from tabletape.projector.games.evolve.abilities import Action
from tabletape.projector.games.evolve.chapters import acting, evolving
from tabletape.projector.games.evolve.selecting import choices, held_cards, targets
from tabletape.projector.games.evolve.state import Evolve, EvolveCard, is_food, organisms
from tabletape.projector.model.rules import Broken, Verdict, case


@case(acting.listed_actions)
def other_action(table: Evolve, event: ev.ActionTaken) -> Verdict:
    """An action that has a line of its own in a log is not written as another one."""
    if event.action in acting.NAMES.values():
        return Broken(f"{event.action} has a line of its own", f"the line for {event.action}")
    return acting.listed_actions(table, event)


PLAIN: Final = {"duplicate": ev.OrganismDuplicated, "photosynthesize": ev.OrganismPhotosynthesized}


def _printed(table: Evolve, player: str, card: EvolveCard, action: Action) -> list[Event]:
    """Return what an organism might do by an action that it prints; to consume is proposed for each food."""
    name = action.name
    if name in PLAIN:
        return [PLAIN[name](player=player, card=card.name)]
    if name == "attack":
        reached = organisms(table) if action.chosen is None else targets(table, action.chosen, player)
        return [ev.OrganismAttacked(player=player, card=card.name, target=target.name) for target in reached]
    if name == "consume":
        return []
    chosen = choices(table, action.chosen, player)
    return [ev.ActionTaken(player=player, card=card.name, action=name, target=choice) for choice in chosen]


def possible_actions(table: Evolve, player: str) -> Iterator[Event]:
    """Yield what a player might do with the own organisms, one after the other: consume, act as printed, evolve."""
    foods = [card.name for card in organisms(table) if is_food(card)]
    held = held_cards(table, player, "organism")
    for card in acting.able_organisms(table, player):
        says = card.text.says
        if card.actions < says.limit:
            for food in foods:
                yield ev.FoodConsumed(player=player, card=card.name, food=food)
            for action in says.actions.values():
                yield from _printed(table, player, card, action)
            if card.text.evolve is not None:
                yield from evolving.evolutions(player, card, held)


LINES: Final[Mapping[str, type[Event]]] = {**PLAIN, "attack": ev.OrganismAttacked}


def out_of_reach(table: Evolve, player: str) -> set[tuple[type[Event], str]]:
    """Return lines, each with its card, that break a rule whatever they are aimed at: nobody can pay them.

    To play an organism of a higher tier from the hand is one of them.
    """
    able = acting.able_organisms(table, player)
    printed = ((card, action) for card in able for action in card.text.says.actions.values() if action.name in LINES)
    unpaid = {(LINES[each.name], card.name) for card, each in printed if not acting.can_pay(table, player, card, each)}
    unpaid.update((ev.OrganismEvolved, card.name) for card in able if not evolving.can_pay(table, player, card))
    held = held_cards(table, player, "organism")
    unpaid.update((ev.OrganismPlayed, card.name) for card in held if card.text.tier > 1)
    return unpaid


PRINTED: Final = (acting.listed_actions, acting.action_cost)
MOVES: Final = (
    acting.action_move(ev.OrganismPhotosynthesized, *PRINTED, keeps=PRINTED, is_usual=acting.acts_as_printed),
    acting.action_move(ev.ActionTaken, other_action, acting.action_cost, offers=possible_actions),
)
