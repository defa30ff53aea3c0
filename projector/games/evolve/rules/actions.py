"""Actions of organisms: consume, duplicate, photosynthesize, attack, evolve (L122 to L204, L233 to L248, L263)."""

from typing import Any, Final

from events.games import evolve as ev
from events.vocabulary import Event
from projector.games.evolve.abilities import Action
from projector.games.evolve.changes import is_there
from projector.games.evolve.naming import called, misfit_in_words, short_of
from projector.games.evolve.rules.common import elsewhere, known, unless_unknown
from projector.games.evolve.schema import EvolveText
from projector.games.evolve.selecting import action_called, cards_in_words, dna_cost, energy_cost, fits, printed_action
from projector.games.evolve.state import Evolve, EvolveCard, Pending, opponent_of
from projector.model.amounts import how_many
from projector.model.phrases import as_ruled, name_of, title_of
from projector.model.rules import NOT_APPLICABLE, Broken, Verdict, case, rule

NAMES: Final[dict[type[Event], str]] = {
    ev.FoodConsumed: "consume",
    ev.OrganismDuplicated: "duplicate",
    ev.OrganismPhotosynthesized: "photosynthesize",
    ev.OrganismAttacked: "attack",
    ev.AttackDeclared: "attack",
    ev.OrganismEvolved: "evolve",
}


def action_name(table: Evolve, event: Any) -> str:
    """Return the name of the action that a line says."""
    return action_called(table, event.action) if isinstance(event, ev.ActionTaken) else NAMES[type(event)]


def _printed(table: Evolve, event: Any) -> tuple[EvolveCard, Action] | None:
    """Return the organism and its printed action, or None where one of them is missing."""
    card = table.find(event.card)
    action = None if card is None else printed_action(card, action_name(table, event))
    return None if card is None or action is None else (card, action)


# -- who may act -------------------------------------------------------------------------------------------------------


@rule("evolve.main.own-organisms", "Main Turn Step", "L233.1", "Actions are taken with own non-food organisms.")
def own_organisms(table: Evolve, event: Any) -> Verdict:
    """The organism is one's own."""
    card = table.find(event.card)
    if card is None or card.controller == event.player:
        return None
    return f"{title_of(card)} belongs to {name_of(table, card.controller)}, not to {name_of(table, event.player)}"


@rule(
    "evolve.food.no-actions",
    "The Cards: Organisms",
    "L21.1",
    "Food organisms take no actions, save for explicit card text.",
)
def food_no_actions(table: Evolve, event: Any) -> Verdict:
    """Food acts only where its card says so (ruling `food_actions`)."""
    card = table.find(event.card)
    if card is None or card.text is None or not card.text.food:
        return None
    printed = (
        printed_action(card, action_name(table, event)) is not None and table.options["food_actions"] == "printed_only"
    )
    return None if printed else f"{called(table, event.card, event.player)} is food and takes no actions"


def _is_unstressed(table: Evolve, event: Any) -> Verdict:
    card = table.find(event.card)
    if card is None or not card.stressed:
        return None
    return f"{called(table, event.card, event.player)} is stressed; only an unstressed organism may act"


actions_unstressed: Final = rule(
    "evolve.main.actions-unstressed", "Main Turn Step", "L233.1", "Only unstressed organisms act."
)(_is_unstressed)


duplicate_unstressed: Final = rule(
    "evolve.duplicate.unstressed",
    "Duplicating and Evolving Organisms",
    "L163.1 L164.1",
    "Duplicate needs an unstressed organism.",
)(_is_unstressed)


evolve_unstressed: Final = rule(
    "evolve.evolve.unstressed",
    "Duplicating and Evolving Organisms",
    "L163.1 L164.1",
    "Evolve needs an unstressed organism.",
)(_is_unstressed)


attacker_unstressed: Final = rule(
    "evolve.consume.attacker-unstressed",
    "Consuming Food and Organism Stress",
    "L144.1",
    "The reacting organism is unstressed.",
)(_is_unstressed)


@rule(
    "evolve.main.one-action",
    "Main Turn Step",
    "L235.1",
    "One action per organism and turn unless its text says otherwise.",
)
def one_action(table: Evolve, event: Any) -> Verdict:
    """The organism has an action left in this turn (rulings `reaction_counts` and `play_sick`)."""
    card = table.find(event.card)
    if card is not None and card.since == table.turn and table.options["play_sick"] == "may_not_act":
        ruling = as_ruled(table, "play_sick")
        return Broken(
            f"{called(table, event.card, event.player)} acts in the turn in which it was played{ruling}",
            "an organism of an earlier turn",
        )
    if card is None or not card.actions:
        return None
    if isinstance(event, ev.AttackDeclared) and table.options["reaction_counts"] == "does_not_count":
        return NOT_APPLICABLE
    taken, ruling = card.actions, as_ruled(table, "reaction_counts") if isinstance(event, ev.AttackDeclared) else ""
    return known(table, event.card, lambda text: _acts_again(text, taken, ruling))


def _acts_again(text: EvolveText, taken: int, ruling: str) -> Verdict:
    limit = text.says.limit
    if taken < limit:
        return None
    times = "once" if limit == 1 else f"{limit} times"
    return f"{text.name} acts again; it may act {times} a turn{ruling}"


# -- what it may do ----------------------------------------------------------------------------------------------------


@rule(
    "evolve.main.listed-actions",
    "Main Turn Step",
    "L234.1",
    "Only actions listed on the card are available, except consume.",
)
def listed_actions(table: Evolve, event: Any) -> Verdict:
    """The action stands on the card."""
    name = action_name(table, event)
    if name == "attack" and table.options["attack_undefined"] == "table_rules":
        return NOT_APPLICABLE
    card = table.find(event.card)
    if card is not None and card.text is not None and name in card.text.says.actions:
        return None
    return known(table, event.card, lambda text: _lists(text, name))


def _lists(text: EvolveText, name: str) -> Verdict:
    if name in text.says.actions:
        return None
    listed = " and ".join(text.says.actions) or "nothing"
    return Broken(f"{text.name} has no action called {name}; it prints {listed}", listed)


@case(listed_actions)
def other_action(table: Evolve, event: ev.ActionTaken) -> Verdict:
    """An action that has a line of its own in a log is not written as another one."""
    if event.action in NAMES.values():
        return Broken(f"{event.action} has a line of its own", f"the line for {event.action}")
    return listed_actions(table, event)


def _is_paid(table: Evolve, event: Any) -> Verdict:
    """What the printed action costs is there."""
    printed = _printed(table, event)
    if printed is None:
        return NOT_APPLICABLE
    return lacks(table, event.player, *printed)


def lacks(table: Evolve, payer: str, card: EvolveCard, action: Action) -> Verdict:
    """Return what an action costs that is not there, or nothing."""
    player = table.players[payer]
    energy = energy_cost(table, card, action)
    if card.energy < energy:
        needed = f"{energy} energy to {action.name}"
        return Broken(f"{called(table, card.name, payer)} has {card.energy} energy and needs {needed}", needed)
    dna = dna_cost(table, card, action)
    if (player.mp < action.mp or player.dna < dna) and (short := short_of(table, payer, action.mp, dna)):
        return f"{called(table, card.name, payer)} cannot {action.name}: {short}"
    if action.discard and action.discard > (held := table.zones[player.hand].size):
        cost = how_many(action.discard, "discarded card")
        return f"{called(table, card.name, payer)} cannot {action.name}: it costs {cost}, {player.name} holds {held}"
    return None


duplicate_cost: Final = rule(
    "evolve.duplicate.cost",
    "Duplicating and Evolving Organisms",
    "L166.1 L166.2",
    "Duplicate costs the printed energy.",
)(_is_paid)


action_cost: Final = rule(
    "evolve.energy.action-cost", "Card Costs and Resources", "L90.1", "Actions other than consume usually cost energy."
)(_is_paid)


attack_cost: Final = rule(
    "evolve.consume.attack-cost", "Consuming Food and Organism Stress", "L148.1", "The cost of the attack is paid."
)(_is_paid)


@rule(
    "evolve.attack.target",
    "Notes",
    "L263.1",
    "The target satisfies the card text (default vocabulary: an organism in play).",
)
def attack_target(table: Evolve, event: ev.OrganismAttacked | ev.AttackDeclared) -> Verdict:
    """The target is one that the card's attack reaches (rulings `attack_undefined` and `reaction_target`)."""
    printed = _printed(table, event)
    forced = isinstance(event, ev.AttackDeclared) and table.options["reaction_target"] == "forced_fit"
    if printed is None or forced or table.options["attack_undefined"] == "table_rules":
        return NOT_APPLICABLE
    wanted = printed[1].chosen
    if wanted is None or wanted.cards is None:
        return None
    target = table.find(event.target)
    if target is not None and fits(wanted.cards, target, event.player):
        return None
    if target is not None and target.text is None:
        return known(table, event.target, lambda _: None)
    attacker = called(table, event.card, event.player)
    message = f"{attacker} attacks {misfit_in_words(table, wanted.cards, event.target, event.player)}"
    return unless_unknown(table, event.target, message, cards_in_words(wanted.cards))


# -- consuming ---------------------------------------------------------------------------------------------------------


@rule(
    "evolve.consume.any-food",
    "Consuming Food and Organism Stress",
    "L142.1 L237.1",
    "Food of either player may be consumed.",
)
def any_food(table: Evolve, event: ev.FoodConsumed) -> Verdict:
    """What is consumed is food in play, of either player (ruling `food_conflict`)."""
    food = is_there(table, event.food)
    if food is None:
        return elsewhere(table, event, event.food, ", and only food in play can be consumed", "food in play")
    title = called(table, event.food, event.player)
    if food.text is not None and not food.text.food:
        return Broken(f"{title} is no food, and only food can be consumed", "food in play")
    if food.stressed and table.options["food_conflict"] == "illegal":
        return Broken(f"{title} is stressed{as_ruled(table, 'food_conflict')}", "unstressed food")
    return None


@rule(
    "evolve.consume.attack-option",
    "Consuming Food and Organism Stress",
    "L144.1 L237.1",
    "If the food belongs to the other player, that player may answer with an attack of one own organism on the "
    "consumer.",
)
def attack_option(table: Evolve, event: ev.AttackDeclared) -> Verdict:
    """Own food is being consumed by the other player, and nobody has answered yet.

    Rulings: `consume_attack_scope`, `consume_order`, `answer_to_printed_consume`.
    """
    name = name_of(table, event.player)
    other = name_of(table, opponent_of(table, event.player))
    pending = table.pending
    if pending is None or pending.kind != "consume" or pending.player != opponent_of(table, event.player):
        return f"{name} answers with an attack, and no food of {name} is being consumed by {other}"
    food = table.find(pending.target)
    if food is None or food.controller != event.player:
        return f"{name} answers with an attack, and {called(table, pending.target, event.player)} is not food of {name}"
    consumer = called(table, pending.card, event.player)
    closed = _closed_by_ruling(table, pending)
    if closed:
        return f"{name} answers the consuming of {consumer} with an attack, and {closed}"
    if event.target != pending.card:
        target = called(table, event.target, event.player)
        return Broken(f"{name} answers by attacking {target}, not {consumer}, which consumes", consumer)
    return None


def _closed_by_ruling(table: Evolve, pending: Pending) -> str:
    """Return by which ruling a consuming cannot be answered any more, or nothing."""
    options = table.options
    if pending.action is not None and options["answer_to_printed_consume"] == "not_answered":
        return "by the ruling answer_to_printed_consume nobody may answer a consume action that the card prints itself"
    if pending.answered and options["consume_attack_scope"] == "one_attack":
        return "by the ruling consume_attack_scope only one attack may answer it"
    if table.played and options["consume_order"] == "attack_first":
        return "by the ruling consume_order the attack comes before any event"
    return ""


@case(attack_option)
def attack_listed(table: Evolve, event: ev.AttackDeclared) -> Verdict:
    """The answering organism has an attack (ruling `attack_undefined`)."""
    if table.options["attack_undefined"] == "table_rules":
        return NOT_APPLICABLE
    return known(
        table,
        event.card,
        lambda text: None if "attack" in text.says.actions else f"{text.name} has no attack to answer with",
    )
