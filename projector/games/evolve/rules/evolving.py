"""Evolving an organism into one of the next tier, or out of the game by a win (L163 to L204)."""

from msgspec import UNSET

from events.games import evolve as ev
from projector.games.evolve.naming import called, short_of
from projector.games.evolve.rules.actions import listed_actions
from projector.games.evolve.rules.common import in_hand, known
from projector.games.evolve.schema import EvolveText
from projector.games.evolve.selecting import evolve_cost
from projector.games.evolve.state import ALIASES, Evolve, phylum_of
from projector.model.phrases import as_ruled
from projector.model.rules import NOT_APPLICABLE, Broken, Verdict, case, rule


@case(listed_actions)
def can_evolve(table: Evolve, event: ev.OrganismEvolved) -> Verdict:
    """The card prints an evolve cost."""
    return known(table, event.card, lambda text: None if text.evolve else f"{text.name} prints no evolve cost")


@rule(
    "evolve.evolve.cost",
    "Duplicating and Evolving Organisms",
    "L181.1 L186.1 L76.1",
    "The evolve cost (energy and DNA) of the old organism is paid.",
)
def evolve_cost_paid(table: Evolve, event: ev.OrganismEvolved) -> Verdict:
    """Energy and DNA of the evolve cost are there."""
    card = table.find(event.card)
    cost = None if card is None else evolve_cost(table, card)
    if card is None or cost is None:
        return NOT_APPLICABLE
    player = table.players[event.player]
    if card.energy < cost.energy:
        needed = f"{cost.energy} energy to evolve"
        return Broken(f"{called(table, event.card, event.player)} has {card.energy} energy and needs {needed}", needed)
    if short_of(table, event.player, 0, cost.dna):
        needed = f"{cost.dna} DNA to evolve {called(table, event.card, event.player)}"
        return Broken(f"{player.name} has {player.dna} DNA and needs {needed}", needed)
    return None


def _is_tier3(table: Evolve, event: ev.OrganismEvolved) -> bool:
    card = table.find(event.card)
    return card is not None and card.text is not None and card.text.tier == 3


@rule(
    "evolve.tier3.no-swap", "Duplicating and Evolving Organisms", "L197.2", "Evolving a tier 3 organism swaps no card."
)
def tier3_no_swap(table: Evolve, event: ev.OrganismEvolved) -> Verdict:
    """An organism of tier 3 is swapped for nothing."""
    if not _is_tier3(table, event):
        return NOT_APPLICABLE
    if event.into is UNSET:
        return None
    into = called(table, event.into, event.player)
    return f"{called(table, event.card, event.player)} is of tier 3 and evolves without being swapped for {into}"


@rule(
    "evolve.evolve.next-tier",
    "Duplicating and Evolving Organisms",
    "L171.1",
    "The new organism is exactly one tier higher.",
)
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


@rule(
    "evolve.evolve.from-hand",
    "Duplicating and Evolving Organisms",
    "L171.1 L175.1",
    "The new organism is played from its controller's hand.",
)
def from_hand(table: Evolve, event: ev.OrganismEvolved) -> Verdict:
    """The new organism is in the own hand."""
    if event.into is UNSET or _is_tier3(table, event):
        return NOT_APPLICABLE
    return in_hand(table, event, event.into)


@rule("evolve.evolve.same-phylum", "Introduction", "L3.3 L191.1", "Old and new organism have the same phylum.")
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
