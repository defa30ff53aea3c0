"""Duplicating and evolving organisms, photosynthesis and what a card calls otherwise (L163 to L204, L234 to L248)."""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any, Final

from msgspec import UNSET

from tabletape.events.games import evolve as ev
from tabletape.events.vocabulary import Event
from tabletape.projector.games.evolve import changes, steps
from tabletape.projector.games.evolve.abilities import Action
from tabletape.projector.games.evolve.chapters import EVOLVING, INTRODUCTION, acting
from tabletape.projector.games.evolve.chapters.cards import affordable, lay_open
from tabletape.projector.games.evolve.chapters.playing import announce
from tabletape.projector.games.evolve.naming import called, in_hand, short_of
from tabletape.projector.games.evolve.schema import EvolveText
from tabletape.projector.games.evolve.selecting import choices, evolve_cost, held_cards, limit_of, mp_cost, targets
from tabletape.projector.games.evolve.state import ALIASES, Evolve, EvolveCard, Pending, has_dna, organisms
from tabletape.projector.kit.card_verdicts import known
from tabletape.projector.model.phrases import as_ruled
from tabletape.projector.model.rules import NOT_APPLICABLE, Broken, Verdict, case, stop

duplicate_unstressed: Final = EVOLVING.rule(
    "evolve.duplicate.unstressed", "L163.1 L164.1", "Duplicate needs an unstressed organism."
)(acting.is_unstressed)
duplicate_cost: Final = EVOLVING.rule("evolve.duplicate.cost", "L166.1 L166.2", "Duplicate costs the printed energy.")(
    acting.is_paid
)
evolve_unstressed: Final = EVOLVING.rule(
    "evolve.evolve.unstressed", "L163.1 L164.1", "Evolve needs an unstressed organism."
)(acting.is_unstressed)


@case(acting.listed_actions)
def can_evolve(table: Evolve, event: ev.OrganismEvolved) -> Verdict:
    """The card prints an evolve cost."""
    return known(table, event.card, lambda text: None if text.evolve else f"{text.name} prints no evolve cost")


@EVOLVING.rule("evolve.evolve.cost", "L181.1 L186.1 L76.1")
def evolve_cost_paid(table: Evolve, event: ev.OrganismEvolved) -> Verdict:
    """The evolve cost (energy and DNA) of the old organism is paid."""
    card, player = table.find(event.card), table.players[event.player]
    cost = evolve_cost(table, card)
    if card is None or cost is None:
        return NOT_APPLICABLE
    if can_pay(table, player.id, card):
        return None
    title = called(table, card.name, player.id)
    has, needed = f"{player.name} has {player.dna} DNA", f"{cost.dna} DNA to evolve {title}"
    if card.energy < cost.energy:
        has, needed = f"{title} has {card.energy} energy", f"{cost.energy} energy to evolve"
    return Broken(f"{has} and needs {needed}", needed)


def can_pay(table: Evolve, payer: str, card: EvolveCard) -> bool:
    """Return whether all of an organism's evolve cost is there; it has none where its card does not evolve."""
    cost = evolve_cost(table, card)
    return cost is not None and card.energy >= cost.energy and not short_of(table, payer, 0, cost.dna)


def _is_tier3(table: Evolve, event: ev.OrganismEvolved) -> bool:
    card = table.find(event.card)
    return card is not None and card.text is not None and card.text.tier == 3


@EVOLVING.rule("evolve.tier3.no-swap", "L197.2")
def tier3_no_swap(table: Evolve, event: ev.OrganismEvolved) -> Verdict:
    """Evolving a tier 3 organism swaps no card."""
    if not _is_tier3(table, event):
        return NOT_APPLICABLE
    if event.into is UNSET:
        return None
    into = called(table, event.into, event.player)
    return f"{called(table, event.card, event.player)} is of tier 3 and evolves without being swapped for {into}"


@EVOLVING.rule("evolve.evolve.next-tier", "L171.1")
def next_tier(table: Evolve, event: ev.OrganismEvolved) -> Verdict:
    """The new organism is exactly one tier higher."""
    card = table.find(event.card)
    if card is None or card.text is None or event.into is UNSET or card.text.tier == 3:
        return NOT_APPLICABLE
    wanted = card.text.tier + 1

    def is_higher(text: EvolveText) -> Verdict:
        what = f"of tier {text.tier}, not {wanted}" if text.tier else f"no organism of tier {wanted}"
        is_next = text.kind == "organism" and text.tier == wanted
        return None if is_next else Broken(f"{text.name} is {what}", f"an organism of tier {wanted}")

    return known(table, event.into, is_higher)


@case(next_tier)
def into_is_named(table: Evolve, event: ev.OrganismEvolved) -> Verdict:
    """An organism below tier 3 evolves into a card."""
    if event.into is not UNSET or _is_tier3(table, event):
        return NOT_APPLICABLE
    return f"{called(table, event.card, event.player)} evolves into nothing; only tier 3 does"


@EVOLVING.rule("evolve.evolve.from-hand", "L171.1 L175.1")
def from_hand(table: Evolve, event: ev.OrganismEvolved) -> Verdict:
    """The new organism is played from its controller's hand."""
    if event.into is UNSET or _is_tier3(table, event):
        return NOT_APPLICABLE
    return in_hand(table, event, event.into)


@INTRODUCTION.rule("evolve.evolve.same-phylum", "L3.3 L191.1")
def same_phylum(table: Evolve, event: ev.OrganismEvolved) -> Verdict:
    """Old and new organism have the same phylum."""
    card = table.find(event.card)
    if card is None or card.text is None or event.into is UNSET or _is_tier3(table, event):
        return NOT_APPLICABLE
    return known(table, event.into, partial(_is_of_phylum, table, card.text))


def _is_of_phylum(table: Evolve, old: EvolveText, new: EvolveText) -> Verdict:
    now = ALIASES if table.options["phylum_names"] == "alias_table" else {}
    one, other = now.get(old.phylum, old.phylum), now.get(new.phylum, new.phylum)
    if not one or not other:
        if table.options["evolve_wrong_phylum_none"] == "matches_anything":
            return None
        ruling = as_ruled(table, "evolve_wrong_phylum_none")
        return f"{new.name if one else old.name} has no phylum, and to evolve takes the same one{ruling}"
    if one == other:
        return None
    ruling = as_ruled(table, "phylum_names") if ALIASES.get(one, one) == ALIASES.get(other, other) else ""
    message = f"{old.name} evolves into {new.name}, from the phylum {one} into {other}{ruling}"
    return Broken(message, f"a card of {one}")


@case(affordable)
def evolve_affordable(table: Evolve, event: ev.OrganismEvolved) -> Verdict:
    """The printed cost of the higher organism on top of the evolve cost (ruling `evolve_card_cost`)."""
    card, reading = table.find(event.card), table.options["evolve_card_cost"]
    cost = evolve_cost(table, card)
    if card is None or cost is None or event.into is UNSET or reading == "evolve_cost_only":
        return NOT_APPLICABLE
    is_paid = card.energy >= cost.energy and has_dna(table, table.players[event.player], cost.dna)
    into = table.find(event.into)
    if not is_paid or into is None or into.text is None or card.text.tier == 3:
        return NOT_APPLICABLE
    dna = cost.dna + (into.text.dna if reading == "all_costs" else 0)
    short = short_of(table, event.player, mp_cost(table, into.text), dna)
    ruling = as_ruled(table, "evolve_card_cost")
    return f"{into.text.name} cannot be paid on top of the evolve cost: {short}{ruling}" if short else None


def evolve(table: Evolve, event: ev.OrganismEvolved) -> None:
    """Pay the evolve cost, and lay the card of the next tier open and pay for it (ruling `evolve_card_cost`)."""
    steps.engage(table, event.player)
    player = table.players[event.player]
    card = changes.found_in_play(table, event.card)
    cost = evolve_cost(table, card)
    dna, energy = (0, 0) if cost is None else (cost.dna, cost.energy)
    target, has_entered = "", False
    if event.into is not UNSET:
        new = lay_open(table, player, event.into)
        target = new.name
        reading = table.options["evolve_card_cost"]
        if new.text is not None and reading != "evolve_cost_only":
            changes.change_mp(table, player, -mp_cost(table, new.text), "evolve.mp.primary")
            dna += new.text.dna if reading == "all_costs" else 0
    table.count(card, "actions", 1)
    changes.change_dna(table, player, -dna, "evolve.dna.evolve-cost")
    unpaid = energy if target and table.options["evolve_energy_paid_first"] == "before_payment" else 0
    changes.change_energy(table, card, unpaid - energy, "evolve.energy.own-supply")
    if target and card.is_organism and table.options["evolve_timing_card"] == "enters_at_once":
        swap(table, event.player, card, table.card(target), unpaid)
        card, target, has_entered = table.card(target), "", True
    if not table.over:
        kind: Any = "evolved" if has_entered else "evolve"
        announce(table, Pending(kind=kind, player=event.player, card=card.name, target=target, unpaid=unpaid))


@steps.resolves("evolve")
def _resolve_evolve(table: Evolve, pending: Pending) -> None:
    """Swap the organism, or win the game with it, if it is still in play."""
    old = changes.is_there(table, pending.card)
    if not pending.target:
        if _wins(table, table.find(pending.card), stays=old is not None):
            changes.end_game(table, pending.player, "tier3", "evolve.win.tier3")
    elif old is not None:
        swap(table, pending.player, old, table.card(pending.target), pending.unpaid)
    elif table.options["evolve_interrupted"] == "card_back_to_hand":
        changes.hand_back(table, table.card(pending.target))
    else:
        changes.leave(table, table.card(pending.target), "fizzled", changes.INVALID_CHOICE)


steps.resolves("evolved")(lambda _table, _pending: None)  # the new organism has entered at once (`evolve_timing_card`)


def _wins(table: Evolve, card: EvolveCard | None, *, stays: bool) -> bool:
    """Return whether an organism that evolves without being swapped wins the game for its player."""
    if card is None or card.text is None or card.text.tier != 3 or not _pays_for_win(table):
        return False
    if card.stressed and table.options["tier3_stressed_in_window"] == "fails":
        return False
    return stays or table.options["tier3_removed_in_window"] == "wins_anyway"


def _pays_for_win(table: Evolve) -> bool:
    return table.options["tier3_win"] == "pay_evolve_cost"


def swap(table: Evolve, player: str, old: EvolveCard, new: EvolveCard, unpaid: int) -> None:
    """Swap an organism for one of the next tier; its mutations and then its energy move along (L171.1).

    Out of that energy the new one pays what is still `unpaid` of the evolve cost.
    """
    energy, mutations = old.energy, old.mutations
    inherits = table.options["evolve_new_object"]
    actions, stressed, stressed_by = old.actions, old.stressed, old.stressed_by
    table.set(old, "mutations", ())
    changes.leave(table, old, "evolved", "evolve.evolve.old-to-discard")
    changes.enter(table, new, table.zones[table.players[player].play], player)
    for name in mutations:
        mutation = table.find(name)
        if mutation is not None:
            table.set(mutation, "host", new.name)
    table.set(new, "mutations", mutations)
    if inherits != "new_object":
        table.set(new, "actions", actions)
        if stressed and inherits == "inherits_all":
            changes.set_stressed(table, new, stressed=True, by=stressed_by)
    limit = limit_of(table, new)
    kept = 0 if limit is None or table.options["energy_cap_transfer"] != "kept" else max(energy - limit, 0)
    if energy:
        changes.change_energy(table, new, energy - kept, "evolve.evolve.transfer")
        table.count(new, "energy", kept)
    if unpaid:
        changes.change_energy(table, new, -unpaid, "evolve.energy.own-supply")
    if new.text is not None and new.text.tier == 3 and not _pays_for_win(table):
        changes.end_game(table, player, "tier3", "evolve.win.tier3")


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
    """Yield what a player might do with the own organisms, one after the other: consume, act as printed, evolve.

    They evolve into those of the hand that are a tier higher, those of tier 3 into nothing.
    """
    foods = [card.name for card in organisms(table) if card.is_food]
    held = held_cards(table, player, "organism")
    for card in acting.able_organisms(table, player):
        says = card.text.says
        if card.actions < says.limit:
            for food in foods:
                yield ev.FoodConsumed(player=player, card=card.name, food=food)
            for action in says.actions.values():
                yield from _printed(table, player, card, action)
            if card.text.evolve is not None and card.text.tier == 3:
                yield ev.OrganismEvolved(player=player, card=card.name)
            elif card.text.evolve is not None:
                for into in [each.name for each in held if each.text.tier == card.text.tier + 1]:
                    yield ev.OrganismEvolved(player=player, card=card.name, into=into)


LINES: Final[Mapping[str, type[Event]]] = {**PLAIN, "attack": ev.OrganismAttacked}


def out_of_reach(table: Evolve, player: str) -> set[tuple[type[Event], str]]:
    """Return lines, each with its card, that break a rule whatever they are aimed at: nobody can pay them.

    To play an organism of a higher tier from the hand is one of them.
    """
    able = acting.able_organisms(table, player)
    printed = ((card, action) for card in able for action in card.text.says.actions.values() if action.name in LINES)
    unpaid = {(LINES[each.name], card.name) for card, each in printed if not acting.can_pay(table, player, card, each)}
    unpaid.update((ev.OrganismEvolved, card.name) for card in able if not can_pay(table, player, card))
    held = held_cards(table, player, "organism")
    unpaid.update((ev.OrganismPlayed, card.name) for card in held if card.text.tier > 1)
    return unpaid


PRINTED: Final = (acting.listed_actions, acting.action_cost)
MOVES: Final = (
    acting.action_move(ev.OrganismPhotosynthesized, *PRINTED, keeps=PRINTED, is_usual=acting.acts_as_printed),
    acting.action_move(ev.ActionTaken, other_action, acting.action_cost, offers=possible_actions),
    acting.action_move(
        ev.OrganismDuplicated,
        *(acting.listed_actions, duplicate_cost),
        unstressed=duplicate_unstressed,
        keeps=(acting.listed_actions, duplicate_cost),
        is_usual=acting.acts_as_printed,
    ),
    acting.action_move(
        ev.OrganismEvolved,
        *(stop(can_evolve), evolve_cost_paid, tier3_no_swap, stop(into_is_named), stop(from_hand)),
        *(next_tier, same_phylum, evolve_affordable),
        unstressed=evolve_unstressed,
        does=evolve,
    ),
)
