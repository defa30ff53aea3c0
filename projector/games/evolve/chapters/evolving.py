"""Duplicating organisms, and evolving them into the next tier or out of the game by a win (L163 to L204)."""

from collections.abc import Iterator
from typing import Final

from msgspec import UNSET

from tabletape.events.games import evolve as ev
from tabletape.events.vocabulary import Event
from tabletape.projector.games.evolve import changes
from tabletape.projector.games.evolve.chapters import EVOLVING, INTRODUCTION, acting
from tabletape.projector.games.evolve.chapters.cards import affordable, lay_open
from tabletape.projector.games.evolve.chapters.playing import announce
from tabletape.projector.games.evolve.naming import called, in_hand, known, short_of
from tabletape.projector.games.evolve.schema import EvolveText
from tabletape.projector.games.evolve.selecting import evolve_cost, limit_of, mp_cost
from tabletape.projector.games.evolve.state import (
    ALIASES,
    Evolve,
    EvolveCard,
    Pending,
    PlayKind,
    has_dna,
    is_organism,
    phylum_of,
)
from tabletape.projector.games.evolve.steps import engage, resolves
from tabletape.projector.kit.moves import Move
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


@EVOLVING.rule(
    "evolve.evolve.cost", "L181.1 L186.1 L76.1", "The evolve cost (energy and DNA) of the old organism is paid."
)
def evolve_cost_paid(table: Evolve, event: ev.OrganismEvolved) -> Verdict:
    """Energy and DNA of the evolve cost are there."""
    card, player = table.find(event.card), table.players[event.player]
    cost = None if card is None else evolve_cost(table, card)
    if card is None or cost is None:
        return NOT_APPLICABLE
    if card.energy < cost.energy:
        needed = f"{cost.energy} energy to evolve"
        return Broken(f"{called(table, card.name, player.id)} has {card.energy} energy and needs {needed}", needed)
    if short_of(table, player.id, 0, cost.dna):
        needed = f"{cost.dna} DNA to evolve {called(table, card.name, player.id)}"
        return Broken(f"{player.name} has {player.dna} DNA and needs {needed}", needed)
    return None


def can_pay(table: Evolve, payer: str, card: EvolveCard) -> bool:
    """Return whether all of an organism's evolve cost is there; it has none where its card does not evolve."""
    cost = evolve_cost(table, card)
    return cost is not None and card.energy >= cost.energy and not short_of(table, payer, 0, cost.dna)


def _is_tier3(table: Evolve, event: ev.OrganismEvolved) -> bool:
    card = table.find(event.card)
    return card is not None and card.text is not None and card.text.tier == 3


@EVOLVING.rule("evolve.tier3.no-swap", "L197.2", "Evolving a tier 3 organism swaps no card.")
def tier3_no_swap(table: Evolve, event: ev.OrganismEvolved) -> Verdict:
    """An organism of tier 3 is swapped for nothing."""
    if not _is_tier3(table, event):
        return NOT_APPLICABLE
    if event.into is UNSET:
        return None
    into = called(table, event.into, event.player)
    return f"{called(table, event.card, event.player)} is of tier 3 and evolves without being swapped for {into}"


@EVOLVING.rule("evolve.evolve.next-tier", "L171.1", "The new organism is exactly one tier higher.")
def next_tier(table: Evolve, event: ev.OrganismEvolved) -> Verdict:
    """The new organism is one tier higher."""
    card = table.find(event.card)
    if card is None or card.text is None or event.into is UNSET or card.text.tier == 3:
        return NOT_APPLICABLE
    wanted = card.text.tier + 1
    return known(table, event.into, lambda text: _has_tier(text, wanted))


def _has_tier(text: EvolveText, wanted: int) -> Verdict:
    if text.kind == "organism" and text.tier == wanted:
        return None
    what = f"of tier {text.tier}, not {wanted}" if text.tier else f"no organism of tier {wanted}"
    return Broken(f"{text.name} is {what}", f"an organism of tier {wanted}")


@case(next_tier)
def into_is_named(table: Evolve, event: ev.OrganismEvolved) -> Verdict:
    """An organism below tier 3 evolves into a card."""
    if event.into is not UNSET or _is_tier3(table, event):
        return NOT_APPLICABLE
    return f"{called(table, event.card, event.player)} evolves into nothing; only tier 3 does"


@EVOLVING.rule("evolve.evolve.from-hand", "L171.1 L175.1", "The new organism is played from its controller's hand.")
def from_hand(table: Evolve, event: ev.OrganismEvolved) -> Verdict:
    """The new organism is in the own hand."""
    if event.into is UNSET or _is_tier3(table, event):
        return NOT_APPLICABLE
    return in_hand(table, event, event.into)


@INTRODUCTION.rule("evolve.evolve.same-phylum", "L3.3 L191.1", "Old and new organism have the same phylum.")
def same_phylum(table: Evolve, event: ev.OrganismEvolved) -> Verdict:
    """Old and new organism have the same phylum (rulings `phylum_names` and `evolve_wrong_phylum_none`)."""
    card = table.find(event.card)
    if card is None or card.text is None or event.into is UNSET or _is_tier3(table, event):
        return NOT_APPLICABLE
    old: EvolveText = card.text
    return known(table, event.into, lambda text: _same_phylum(table, old, text))


def _same_phylum(table: Evolve, old: EvolveText, new: EvolveText) -> Verdict:
    one, other = phylum_of(table, old), phylum_of(table, new)
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
    card = table.find(event.card)
    reading = table.options["evolve_card_cost"]
    cost = None if card is None else evolve_cost(table, card)
    if card is None or cost is None or event.into is UNSET or reading == "evolve_cost_only":
        return NOT_APPLICABLE
    player = table.players[event.player]
    into = table.find(event.into)
    if (
        card.energy < cost.energy
        or not has_dna(table, player, cost.dna)
        or into is None
        or into.text is None
        or card.text.tier == 3
    ):
        return NOT_APPLICABLE
    dna = cost.dna + (into.text.dna if reading == "all_costs" else 0)
    short = short_of(table, event.player, mp_cost(table, into.text), dna)
    ruling = as_ruled(table, "evolve_card_cost")
    return f"{into.text.name} cannot be paid on top of the evolve cost: {short}{ruling}" if short else None


# -- what it does ------------------------------------------------------------------------------------------------------


def evolve(table: Evolve, event: ev.OrganismEvolved) -> None:
    """Pay the evolve cost, and lay the card of the next tier open and pay for it (ruling `evolve_card_cost`)."""
    engage(table, event.player)
    player = table.players[event.player]
    card = changes.found_in_play(table, event.card)
    cost = evolve_cost(table, card)
    dna = 0 if cost is None else cost.dna
    kind: PlayKind = "evolve"
    target = ""
    if event.into is not UNSET:
        new = lay_open(table, player, event.into)
        target = new.name
        reading = table.options["evolve_card_cost"]
        if new.text is not None and reading != "evolve_cost_only":
            changes.change_mp(table, player, -mp_cost(table, new.text), "evolve.mp.primary")
            dna += new.text.dna if reading == "all_costs" else 0
    table.count(card, "actions", 1)
    changes.change_dna(table, player, -dna, "evolve.dna.evolve-cost")
    energy = 0 if cost is None else cost.energy
    unpaid = energy if target and table.options["evolve_energy_paid_first"] == "before_payment" else 0
    changes.change_energy(table, card, unpaid - energy, acting.SUPPLY)
    if target and is_organism(card) and table.options["evolve_timing_card"] == "enters_at_once":
        swap(table, event.player, card, table.card(target), unpaid)
        card, target, kind = table.card(target), "", "evolved"
    if not table.over:
        announce(table, Pending(kind=kind, player=event.player, card=card.name, target=target, unpaid=unpaid))


@resolves("evolve")
def _resolve_evolve(table: Evolve, pending: Pending) -> None:
    """Swap the organism, or win the game with it, if it is still in play."""
    old = table.find(pending.card)
    stays = old is not None and is_organism(old)
    if not pending.target:
        if old is not None and _wins(table, old, stays=stays):
            changes.end_game(table, pending.player, "tier3", "evolve.win.tier3")
        return
    new = table.card(pending.target)
    if old is None or not stays:
        if table.options["evolve_interrupted"] == "card_back_to_hand":
            changes.hand_back(table, new)
        else:
            changes.leave(table, new, "fizzled", changes.INVALID_CHOICE)
        return
    swap(table, pending.player, old, new, pending.unpaid)


@resolves("evolved")
def _has_entered(_table: Evolve, _pending: Pending) -> None:
    """Do nothing more: the new organism has entered at once (ruling `evolve_timing_card`)."""


def _wins(table: Evolve, card: EvolveCard, *, stays: bool) -> bool:
    """Return whether an organism that evolves without being swapped wins the game for its player."""
    if card.text is None or card.text.tier != 3 or not _pays_for_win(table):
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
    _move_energy(table, new, energy)
    if unpaid:
        changes.change_energy(table, new, -unpaid, "evolve.energy.own-supply")
    if new.text is not None and new.text.tier == 3 and not _pays_for_win(table):
        changes.end_game(table, player, "tier3", "evolve.win.tier3")


def _move_energy(table: Evolve, new: EvolveCard, energy: int) -> None:
    limit = limit_of(table, new)
    if limit is not None and energy > limit and table.options["energy_cap_transfer"] == "kept":
        changes.change_energy(table, new, limit, "evolve.evolve.transfer")
        table.count(new, "energy", energy - limit)
    elif energy:
        changes.change_energy(table, new, energy, "evolve.evolve.transfer")


def evolutions(player: str, card: EvolveCard, held: list[EvolveCard]) -> Iterator[Event]:
    """Yield what an organism might evolve into: those of the hand that are a tier higher, beyond the third nothing."""
    tier = card.text.tier
    if tier == 3:
        yield ev.OrganismEvolved(player=player, card=card.name)
    for into in held:
        if into.text.tier == tier + 1:
            yield ev.OrganismEvolved(player=player, card=card.name, into=into.name)


MOVES: Final = (
    Move(
        line=ev.OrganismDuplicated,
        is_usual=acting.acts_as_printed,
        keeps=(*acting.at_stake(duplicate_unstressed), acting.listed_actions, duplicate_cost),
        needs=(*acting.may_act(duplicate_unstressed), acting.listed_actions, duplicate_cost),
        does=lambda table, event: acting.act(table, event, "duplicate", ""),
    ),
    Move(
        line=ev.OrganismEvolved,
        needs=(
            *acting.may_act(evolve_unstressed),
            stop(can_evolve),
            evolve_cost_paid,
            tier3_no_swap,
            stop(into_is_named),
            stop(from_hand),
            next_tier,
            same_phylum,
            evolve_affordable,
        ),
        does=evolve,
    ),
)
