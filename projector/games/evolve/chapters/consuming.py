"""Consuming food, which stresses it; attacking, also in answer to a consuming (L122 to L162, L237, L263)."""

from collections.abc import Iterator
from typing import Any, Final

import msgspec

from tabletape.events.games import evolve as ev
from tabletape.events.vocabulary import Consequence, Event
from tabletape.projector.games.evolve import changes, steps
from tabletape.projector.games.evolve.chapters import CONSUMING, NOTES, WRITTEN, acting
from tabletape.projector.games.evolve.chapters.cards import state_consequence
from tabletape.projector.games.evolve.naming import called, elsewhere, reaches, where
from tabletape.projector.games.evolve.shown import is_same_fate
from tabletape.projector.games.evolve.state import Evolve, EvolveCard, Pending, opponent_of
from tabletape.projector.kit.card_verdicts import known
from tabletape.projector.kit.consequence import consequence, follows
from tabletape.projector.kit.moves import move
from tabletape.projector.model.phrases import as_ruled, name_of
from tabletape.projector.model.rules import NOT_APPLICABLE, Broken, Verdict, case, stop


@CONSUMING.rule("evolve.consume.any-food", "L142.1 L237.1")
def any_food(table: Evolve, event: ev.FoodConsumed) -> Verdict:
    """Food of either player may be consumed."""
    food = changes.is_there(table, event.food)
    if food is None:
        return elsewhere(table, event, event.food, ", and only food in play can be consumed", "food in play")
    title = called(table, event.food, event.player)
    if food.text is not None and not food.text.food:
        return Broken(f"{title} is no food, and only food can be consumed", "food in play")
    if food.stressed and table.options["food_conflict"] == "illegal":
        return Broken(f"{title} is stressed{as_ruled(table, 'food_conflict')}", "unstressed food")
    return None


def eats(table: Evolve, event: ev.FoodConsumed) -> bool:
    """Return whether an organism may act, and goes for food in play without printing how."""
    card = acting.ready(table, event)
    food = table.cards.get(event.food)
    if card is None or food is None or not food.is_organism or not food.is_food:
        return False
    is_left = food.stressed and table.options["food_conflict"] == "illegal"
    return not is_left and "consume" not in card.text.says.actions


@steps.resolves("consume")
def _resolve_consume(table: Evolve, pending: Pending) -> None:
    """Carry out a consumption: gain the food's energy, stress the food, then what its mutations add (part 3.1)."""
    card, food = changes.is_there(table, pending.card), changes.is_there(table, pending.target)
    if card is None or (food is None and table.options["food_gone"] == "no_energy"):
        return
    gone = table.find(pending.target)
    if card.says.actions.get("consume") is not None:
        acting.resolve_action(table, pending)
    elif food is not None:
        _eat(table, pending, card, food)
    elif gone is not None and gone.text is not None:
        changes.gain_energy(table, card, "consume", gone.text.food_energy, "evolve.consume.gain")
    if card.mutations or card.name in table.watching:
        changes.fire(table, "self.consume", (card.name,))
        changes.fire(table, "host.consume", card.mutations)


def _eat(table: Evolve, pending: Pending, card: EvolveCard, food: EvolveCard) -> None:
    starves = food.stressed and table.options["food_conflict"] == "dies_without_gain"
    if food.text is not None and not starves:
        changes.gain_energy(table, card, "consume", food.text.food_energy, "evolve.consume.gain")
    rule = "evolve.consume.completes" if pending.answered else "evolve.consume.stresses-food"
    changes.stress(table, food, card.name, rule)
    table.applied.append("evolve.consume.food-stays" if food.is_organism else "evolve.main.implicit-consume")
    if table.options["consumer_stress"] == "becomes_stressed" and card.is_organism:
        changes.stress(table, card, card.name, "evolve.consume.stresses-food")


@NOTES.rule("evolve.attack.target", "L263.1")
def attack_target(table: Evolve, event: ev.OrganismAttacked | ev.AttackDeclared) -> Verdict:
    """The target satisfies the card text (default vocabulary: an organism in play)."""
    printed = acting.printed_by(table, event)
    forced = isinstance(event, ev.AttackDeclared) and table.options["reaction_target"] == "forced_fit"
    if printed is None or forced or table.options["attack_undefined"] == "table_rules":
        return NOT_APPLICABLE
    wanted = printed[1].chosen
    if wanted is None or wanted.cards is None:
        return None
    return reaches(table, wanted.cards, event, lambda: f"{called(table, event.card, event.player)} attacks")


attacker_unstressed: Final = CONSUMING.rule(
    "evolve.consume.attacker-unstressed", "L144.1", "The reacting organism is unstressed."
)(acting.is_unstressed)


@CONSUMING.rule(
    "evolve.consume.attack-option",
    "L144.1 L237.1",
    "If the food belongs to the other player, that player may answer with an attack of one own organism on the "
    "consumer.",
)
def attack_option(table: Evolve, event: ev.AttackDeclared) -> Verdict:
    """Own food is being consumed by the other player, and nobody has answered yet.

    Rulings: `consume_attack_scope`, `consume_order`, `answer_to_printed_consume`.
    """
    name, opponent = name_of(table, event.player), opponent_of(table, event.player)
    pending, answers = table.pending, f"{name} answers with an attack"
    if pending is None or pending.kind != "consume" or pending.player != opponent:
        return f"{answers}, and no food of {name} is being consumed by {name_of(table, opponent)}"
    food = table.find(pending.target)
    if food is None or food.controller != event.player:
        return f"{answers}, and {called(table, pending.target, event.player)} is not food of {name}"
    consumer = called(table, pending.card, event.player)
    for is_so, key, option, why in (
        (pending.action, "answer_to_printed_consume", "not_answered", NOT_PRINTED),
        (pending.answered, "consume_attack_scope", "one_attack", "only one attack may answer it"),
        (table.played, "consume_order", "attack_first", "the attack comes before any event"),
    ):
        if is_so and table.options[key] == option:
            return f"{name} answers the consuming of {consumer} with an attack, and by the ruling {key} {why}"
    if event.target == pending.card:
        return None
    target = called(table, event.target, event.player)
    return Broken(f"{name} answers by attacking {target}, not {consumer}, which consumes", consumer)


NOT_PRINTED: Final = "nobody may answer a consume action that the card prints itself"


@case(attack_option)
def attack_listed(table: Evolve, event: ev.AttackDeclared) -> Verdict:
    """The answering organism has an attack (ruling `attack_undefined`)."""
    if table.options["attack_undefined"] == "table_rules":
        return NOT_APPLICABLE
    none = "has no attack to answer with"
    return known(table, event.card, lambda text: None if "attack" in text.says.actions else f"{text.name} {none}")


attack_cost: Final = CONSUMING.rule("evolve.consume.attack-cost", "L148.1", "The cost of the attack is paid.")(
    acting.is_paid
)


def possible_answers(table: Evolve, player: str) -> Iterator[Event]:
    """Return the attacks by which a player might answer the consuming that is open."""
    if table.pending is not None and table.pending.kind == "consume":
        for card in acting.able_organisms(table, player):
            if card.says.actions.get("attack") is not None:
                yield ev.AttackDeclared(player=player, card=card.name, target=table.pending.card)


@move(
    ev.AttackDeclared,
    *(stop(attack_option), *acting.is_able(attacker_unstressed)),
    *(stop(attack_listed), attack_cost, attack_target),
    offers=possible_answers,
)
def declare_attack(table: Evolve, event: ev.AttackDeclared) -> None:
    """Answer a consuming with an attack and pay for it."""
    card = changes.found_in_play(table, event.card)
    action = card.says.actions.get("attack")
    if table.options["reaction_counts"] == "counts":
        table.count(card, "actions", 1)
    acting.pay_action(table, table.players[event.player], card, action)
    if table.pending is not None:
        table.set(table, "pending", msgspec.structs.replace(table.pending, answered=True))
    attack = Pending(
        kind="action", player=event.player, card=card.name, target=event.target, name="attack", action=action
    )
    table.update(table, answer=attack, played=(), declined=())


def _no_fate(table: Evolve, event: Any) -> str:
    """Return how a card lies on the table that nothing has happened to."""
    card = table.find(event.card)
    if card is None or not card.in_play:
        return f"it is {where(table, card)}"
    if isinstance(event, ev.OrganismDied):
        return "a second stress kills, and " + ("only the first has come" if card.stressed else "it is not stressed")
    how = ("stressed " if card.stressed else "unstressed ") if card.is_organism else ""
    return f"it is {how}in play, and nothing else since the last decision changes that"


def _kept(table: Evolve, event: ev.OrganismDied | ev.CardLeft, expected: object) -> str:
    """Return the id of the rule by which a card stays that is said to be gone."""
    card = table.find(event.card) if expected is None and not table.over else None
    if card is not None and card.is_food:
        return "evolve.consume.food-stays"
    return "evolve.status.persist" if card is not None and card.zone.name == "status" else ""


def _turned(table: Evolve, event: ev.OrganismStressed | ev.FoodUnstressed, _expected: object) -> None:
    """Stress the organism, nobody knows by what, or unstress the food."""
    card = table.find(event.card)
    if card is not None and card.is_organism:
        changes.set_stressed(table, card, stressed=type(event) is ev.OrganismStressed)


def _gone(table: Evolve, event: ev.OrganismDied | ev.CardLeft, _expected: object) -> None:
    card = table.find(event.card)
    if card is not None and (card.in_play or card.zone.name == "stack"):
        changes.put_away(table, card, event)


ONLY_THEN: Final = "food is unstressed at the start of its controller's turn only"
STRESSED_ORGANISM: Final = follows(ev.OrganismStressed, rule=state_consequence, why=_no_fate, adopt=_turned)
UNSTRESSED_FOOD: Final = follows(ev.FoodUnstressed, rule=WRITTEN["evolve.food.unstress"], why=ONLY_THEN, adopt=_turned)
DEAD_ORGANISM: Final = follows(
    ev.OrganismDied, rule=WRITTEN["evolve.stress.second-kills"], why=_no_fate, adopt=_gone, because=_kept
)
LEFT: Final = follows(ev.CardLeft, rule=state_consequence, why=_no_fate, adopt=_gone, because=_kept)

ZONES: Final = {"mutation": "attached", "status": "status"}


@consequence(ev.CardEntered, rule=state_consequence, why=_no_fate)
def entered(table: Evolve, event: ev.CardEntered, _expected: object) -> None:
    """Put the card into play for its owner."""
    card = table.find(event.card)
    if card is None or card.in_play or card.text is None or card.owner not in table.players:
        return
    zone = ZONES.get(card.text.kind, table.players[card.owner].play)
    changes.put_into_play(table, card, table.zones[zone], card.owner)


def same_fate(table: Evolve, event: Consequence, expected: object) -> str:
    """Return the id of the rule by which something else became of the card of a line; empty where nothing did."""
    if expected is not None or table.over:
        return ""
    return next((each.rule for each in table.derived if is_same_fate(event, each)), "")


MOVES: Final = (
    acting.action_move(ev.FoodConsumed, acting.action_cost, any_food, keeps=(any_food,), is_usual=eats),
    acting.action_move(ev.OrganismAttacked, acting.listed_actions, acting.action_cost, attack_target),
)
