"""Acting: which organisms may act, and what an action costs and does (L21, L90, L233 to L235)."""

from collections.abc import Iterable
from itertools import count
from typing import Any, Final

from tabletape.events.games import evolve as ev
from tabletape.events.vocabulary import Event
from tabletape.projector.games.evolve import changes, steps
from tabletape.projector.games.evolve.abilities import SYNONYMS, Action
from tabletape.projector.games.evolve.chapters import COSTS, MAIN_STEP, ORGANISM_CARDS, WRITTEN
from tabletape.projector.games.evolve.chapters.cards import card_location, is_own_main_step, state_consequence
from tabletape.projector.games.evolve.chapters.playing import announce, enter_new, own_main_step, own_turn
from tabletape.projector.games.evolve.effects import carry_out
from tabletape.projector.games.evolve.naming import called, elsewhere, short_of, where
from tabletape.projector.games.evolve.schema import EvolveText
from tabletape.projector.games.evolve.selecting import cost_of, limit_of
from tabletape.projector.games.evolve.state import MAIN, Doing, Evolve, EvolveCard, EvolvePlayer, Pending, PlayKind
from tabletape.projector.kit.adopting import adopt_total
from tabletape.projector.kit.card_verdicts import known
from tabletape.projector.kit.consequence import follows
from tabletape.projector.kit.moves import Move
from tabletape.projector.model.amounts import how_many
from tabletape.projector.model.phrases import as_ruled, name_of, title_of
from tabletape.projector.model.rules import NOT_APPLICABLE, Broken, InOrder, Rule, Verdict, case, select_rule, stop
from tabletape.projector.model.table import NOWHERE

Printed = ev.ActionTaken | ev.OrganismAttacked | ev.OrganismDuplicated | ev.OrganismPhotosynthesized
ActionLine = Printed | ev.FoodConsumed | ev.AttackDeclared | ev.OrganismEvolved
"""What an organism does; what of it is `Printed` has to stand on its card."""

NAMES: Final[dict[type[Event], str]] = {
    ev.FoodConsumed: "consume",
    ev.OrganismDuplicated: "duplicate",
    ev.OrganismPhotosynthesized: "photosynthesize",
    ev.OrganismAttacked: "attack",
    ev.AttackDeclared: "attack",
    ev.OrganismEvolved: "evolve",
}


def action_name(table: Evolve, event: ActionLine) -> str:
    """Return the name of the action that a line says, by which it is looked up (ruling `divide_duplicate`)."""
    name = NAMES.get(type(event)) or event.action  # type: ignore[union-attr]  # any other action
    return name if table.options["divide_duplicate"] == "two_actions" else SYNONYMS.get(name, name)


def printed_by(table: Evolve, event: ActionLine) -> tuple[EvolveCard, Action] | None:
    """Return the organism and its printed action, or None where one of them is missing."""
    card = table.find(event.card)
    action = None if card is None else card.says.actions.get(action_name(table, event))
    return None if card is None or action is None else (card, action)


@case(card_location)
def actor_in_play(table: Evolve, event: ActionLine) -> Verdict:
    """An organism that acts is in play."""
    is_there = changes.is_there(table, event.card) is not None
    return None if is_there else elsewhere(table, event, event.card, " and so cannot act; only an organism in play can")


@MAIN_STEP.rule("evolve.main.own-organisms", "L233.1")
def own_organisms(table: Evolve, event: ActionLine) -> Verdict:
    """Actions are taken with own non-food organisms."""
    card = table.find(event.card)
    if card is None or card.controller == event.player:
        return None
    return f"{title_of(card)} belongs to {name_of(table, card.controller)}, not to {name_of(table, event.player)}"


@ORGANISM_CARDS.rule("evolve.food.no-actions", "L21.1")
def food_no_actions(table: Evolve, event: ActionLine) -> Verdict:
    """Food organisms take no actions, save for explicit card text."""
    card = table.find(event.card)
    if card is None or card.text is None or not card.text.food:
        return None
    is_printed = printed_by(table, event) is not None
    if is_printed and table.options["food_actions"] == "printed_only":
        return None
    ruling = as_ruled(table, "food_actions") if is_printed else ""
    return f"{called(table, event.card, event.player)} is food and takes no actions{ruling}"


def is_unstressed(table: Evolve, event: ActionLine) -> Verdict:
    """An organism that is stressed does not act."""
    card = table.find(event.card)
    if card is None or not card.stressed:
        return None
    return f"{called(table, event.card, event.player)} is stressed; only an unstressed organism may act"


actions_unstressed: Final = MAIN_STEP.rule(
    "evolve.main.actions-unstressed", "L233.1", "Only unstressed organisms act."
)(is_unstressed)


@MAIN_STEP.rule("evolve.main.one-action", "L235.1")
def one_action(table: Evolve, event: ActionLine) -> Verdict:
    """One action per organism and turn unless its text says otherwise."""
    card = table.find(event.card)
    if card is not None and card.since == table.turn and table.options["play_sick"] == "may_not_act":
        played = f"acts in the turn in which it was played{as_ruled(table, 'play_sick')}"
        return Broken(f"{called(table, event.card, event.player)} {played}", "an organism of an earlier turn")
    if card is None or not card.actions:
        return None
    is_answer = isinstance(event, ev.AttackDeclared)
    if is_answer and table.options["reaction_counts"] == "does_not_count":
        return NOT_APPLICABLE
    taken, ruling = card.actions, as_ruled(table, "reaction_counts") if is_answer else ""

    def acts_in_time(text: EvolveText) -> Verdict:
        limit = text.says.limit
        times = "once" if limit == 1 else f"{limit} times"
        return None if taken < limit else f"{text.name} acts again; it may act {times} a turn{ruling}"

    return known(table, event.card, acts_in_time)


def is_able(unstressed: Rule) -> tuple[InOrder, ...]:
    """Return the tests of whether an organism is able to act, whoever's turn it is."""
    return (stop(actor_in_play), own_organisms, stop(food_no_actions), unstressed, one_action)


def action_move(
    line: type[Event], *tests: InOrder, unstressed: Rule | None = None, keeps: Iterable[Rule] = (), **said: Any
) -> Move:
    """Return the move of an action in the own main step: whether an organism may act at all, and `tests` of the action.

    `unstressed` is the rule that it is not stressed, `keeps` are those of the action that a usual line keeps, and
    `said` the other fields of the move.
    """
    unstressed = unstressed or actions_unstressed
    usual = (own_turn, card_location, own_organisms, food_no_actions, unstressed, one_action, *keeps)
    needs = (select_rule(own_main_step), *is_able(unstressed), *tests)
    return Move(line=line, needs=needs, **{"does": act, "keeps": usual if "is_usual" in said else (), **said})


def ready(table: Evolve, event: ActionLine) -> EvolveCard | None:
    """Return the organism that may act in any case: own, no food, unstressed, in the own main step, and the first time.

    None where one has to look closer, as at a name that a card had before it was shown: under that it lies nowhere.
    """
    card = table.cards.get(event.card)
    if card is None or card.stressed or card.actions or card.controller != event.player or not card.is_organism:
        return None
    is_too_young = card.since == table.turn and table.options["play_sick"] == "may_not_act"
    may_act = card.text is not None and not card.text.food and not is_too_young
    return card if may_act and is_own_main_step(table, event) else None


def able_organisms(table: Evolve, player: str) -> list[EvolveCard]:
    """Return the organisms of a player that are known and not stressed."""
    cards = table.zones[table.players[player].play].cards
    return [card for card in cards if not card.stressed and card.text is not None]


@MAIN_STEP.rule("evolve.main.listed-actions", "L234.1")
def listed_actions(table: Evolve, event: Printed) -> Verdict:
    """Only actions listed on the card are available, except consume."""
    name = action_name(table, event)
    if name == "attack" and table.options["attack_undefined"] == "table_rules":
        return NOT_APPLICABLE

    def lists(text: EvolveText) -> Verdict:
        if name in text.says.actions:
            return None
        listed = " and ".join(text.says.actions) or "nothing"
        return Broken(f"{text.name} has no action called {name}; it prints {listed}", listed)

    return known(table, event.card, lists)


def is_paid(table: Evolve, event: ActionLine) -> Verdict:
    """What the printed action costs is there."""
    printed = printed_by(table, event)
    if printed is None:
        return NOT_APPLICABLE
    card, action = printed
    if can_pay(table, event.player, card, action):
        return None
    player, title = table.players[event.player], called(table, card.name, event.player)
    cost = cost_of(table, card, action)
    if card.energy < cost.energy:
        needed = f"{cost.energy} energy to {action.name}"
        return Broken(f"{title} has {card.energy} energy and needs {needed}", needed)
    short = short_of(table, player.id, action.mp, cost.dna)
    if not short:
        discarded, held = how_many(action.discard, "discarded card"), table.zones[player.hand].size
        short = f"it costs {discarded}, {player.name} holds {held}"
    return f"{title} cannot {action.name}: {short}"


def can_pay(table: Evolve, payer: str, card: EvolveCard, action: Action) -> bool:
    """Return whether all is there that an action costs."""
    player, cost = table.players[payer], cost_of(table, card, action)
    return (
        card.energy >= cost.energy
        and ((player.mp >= action.mp and player.dna >= cost.dna) or not short_of(table, payer, action.mp, cost.dna))
        and (not action.discard or action.discard <= table.zones[player.hand].size)
    )


action_cost: Final = COSTS.rule(
    "evolve.energy.action-cost", "L90.1", "Actions other than consume usually cost energy."
)(is_paid)


def acts_as_printed(table: Evolve, event: ev.OrganismDuplicated | ev.OrganismPhotosynthesized) -> bool:
    """Return whether an organism may act, and pays for an action that it prints."""
    card = ready(table, event)
    if card is None:
        return False
    action = card.text.says.actions.get(NAMES[type(event)])
    return action is not None and can_pay(table, event.player, card, action)


def pay_action(table: Evolve, player: EvolvePlayer, card: EvolveCard, action: Action | None) -> None:
    """Pay what an action costs."""
    if action is None:
        return
    cost = cost_of(table, card, action)
    if action.mp:
        changes.change_mp(table, player, -action.mp, "evolve.energy.action-cost")
    if cost.dna:
        changes.change_dna(table, player, -cost.dna, "evolve.energy.action-cost")
    if cost.energy:
        changes.change_energy(table, card, -cost.energy, "evolve.energy.own-supply")
    if action.discard:
        table.count(table.zones[player.hand], "unseen", -action.discard)
        table.count(table.zones[player.discard], "unseen", action.discard)
    if action.stress:
        changes.stress(table, card, card.name, "evolve.energy.action-cost")


def act(table: Evolve, event: ActionLine) -> None:
    """Pay for a printed action and name its target, or the food that is consumed."""
    if table.phase != MAIN:
        steps.engage(table, event.player)
    name = NAMES.get(type(event)) or action_name(table, event)
    target = event.food if type(event) is ev.FoodConsumed else getattr(event, "target", "") or ""
    card = changes.found_in_play(table, event.card)
    if target:
        changes.found_in_play(table, target)
    action = card.says.actions.get(name)
    table.count(card, "actions", 1)
    pay_action(table, table.players[event.player], card, action)
    kind: PlayKind = "consume" if name == "consume" else "action"
    announce(table, Pending(kind=kind, player=event.player, card=card.name, target=target, name=name, action=action))


@steps.resolves("action")
def resolve_action(table: Evolve, pending: Pending) -> None:
    """Carry out what a card prints about an action, if its organism still acts.

    To duplicate may put a second organism like it into play first (ruling `duplicate_new_card`).
    """
    action = pending.action
    if not _still_acts(table, pending.card, pending.name) or action is None:
        return
    if pending.name == "duplicate" and table.options["duplicate_new_card"] == "second_organism":
        like = table.card(pending.card).name.partition("#")[0]
        # The next copy comes after all that there are.
        name = next(name for number in count(2) if (name := f"{like}#{number}") not in table.cards)
        second = table.make(name, table.zones[NOWHERE], face_up=True)
        enter_new(table, second, pending.player, "evolve.duplicate.extra")
    doing = Doing(
        source=pending.card, player=pending.player, means=action.name, effects=action.effects, target=pending.target
    )
    carry_out(table, doing)


def _still_acts(table: Evolve, name: str, action: str) -> bool:
    """Return whether an action still happens (rulings `action_source_gone` and `action_source_stressed`).

    Its organism is in play, and has not become stressed in the window of its action.
    """
    card, options = table.find(name), table.options
    if (card is None or not card.is_organism) and options["action_source_gone"] == "no_effect":
        return False
    if card is not None and card.stressed and action != "consume" and options["action_source_stressed"] != "still_acts":
        printed = card.says.actions.get(action)
        if printed is None or not printed.stress:
            return False
    is_manual = card is not None and card.text is not None and card.text.manual
    if is_manual or (action == "attack" and options["attack_undefined"] == "table_rules"):
        table.set(table, "manual", name)
    return True


def _energy(table: Evolve, event: ev.EnergyChanged, _expected: Any) -> Rule:
    card = table.find(event.card)
    limit = None if card is None else limit_of(table, card)
    return WRITTEN["evolve.energy.cap"] if limit is not None and event.to > limit else state_consequence


def _no_energy(table: Evolve, event: ev.EnergyChanged) -> str:
    card = table.find(event.card)
    if card is None or not card.in_play:
        return f"{called(table, event.card)} is {where(table, card)}"
    return f"nothing else since the last decision changes its energy, which is {card.energy}"


ENERGY: Final = follows(ev.EnergyChanged, rule=_energy, why=_no_energy, adopt=adopt_total("energy", "to"))
