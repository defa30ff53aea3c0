"""Where cards are, of what kind they are and what they cost: plays from the hand (L48 to L77, L229)."""

from typing import Any, Final

from msgspec import UNSET

from events.games import evolve as ev
from events.names import card_of
from events.vocabulary import Event
from projector.games.evolve.changes import is_there
from projector.games.evolve.naming import called, short_of
from projector.games.evolve.rules.common import elsewhere, in_hand, is_own_main_step, known
from projector.games.evolve.rules.mulligans import is_whole_hand
from projector.games.evolve.rules.setup import drawn_from_deck
from projector.games.evolve.schema import EvolveText, organism_kind
from projector.games.evolve.selecting import can_pay, evolve_cost, mp_cost, shared_subtypes
from projector.games.evolve.state import Evolve, has_dna
from projector.model.amounts import with_article
from projector.model.phrases import as_ruled, name_of, title_of
from projector.model.rules import NOT_APPLICABLE, Broken, Check, Verdict, case, rule

KINDS: Final[dict[type[Event], str]] = {
    ev.OrganismPlayed: "organism",
    ev.MutationPlayed: "mutation",
    ev.StatusPlayed: "status",
    ev.EventPlayed: "event",
    ev.ResponsePlayed: "event",
}


# -- where cards are ---------------------------------------------------------------------------------------------------


@rule(
    "evolve.state.card-location",
    "Duplicating and Evolving Organisms",
    "L171.1 L229.1 L251.1",
    "A card can be used only from the zone it is in (structural, inferred).",
)
def card_location(table: Evolve, event: Any) -> Verdict:
    """A card that is played or discarded is in the player's hand."""
    return in_hand(table, event, event.card)


@case(card_location)
def actor_in_play(table: Evolve, event: Any) -> Verdict:
    """An organism that acts is in play."""
    if is_there(table, event.card) is not None:
        return None
    return elsewhere(table, event, event.card, " and so cannot act; only an organism in play can")


@case(card_location)
def drawn_in_deck(table: Evolve, event: ev.CardsDrawn) -> Verdict:
    """Drawn cards come from the own deck."""
    if not event.cards:
        return NOT_APPLICABLE
    return drawn_from_deck(table, table.players[event.player], event.cards)


@case(card_location)
def redrawn_in_deck(table: Evolve, event: ev.MulliganTaken) -> Verdict:
    """Cards drawn in a mulligan come from the own deck, where the returned ones have been put."""
    if not event.drawn or not event.returned or not is_whole_hand(table, event):
        return NOT_APPLICABLE
    return drawn_from_deck(table, table.players[event.player], event.drawn, event.returned)


# -- kinds of cards ----------------------------------------------------------------------------------------------------


@rule(
    "evolve.main.play-types",
    "Main Turn Step",
    "L229.1",
    "In the main step organisms, mutations and statuses are played from hand.",
)
def play_types(table: Evolve, event: Any) -> Verdict:
    """The card has the kind that the line says."""
    kind = KINDS[type(event)]
    card = table.find(event.card)
    if card is not None and card.text is not None and card.text.kind == kind:
        return None
    return known(table, event.card, lambda text: _is_of_kind(text, kind))


def _is_of_kind(text: EvolveText, kind: str) -> Verdict:
    if text.kind == kind:
        return None
    due = with_article(text.kind)
    return Broken(f"{text.name} is played as {with_article(kind)}; it is {due}", due)


@case(play_types)
def one_of_each(table: Evolve, event: ev.OrganismPlayed) -> Verdict:
    """Any number of organisms in a turn, or one food organism and one of tier 1 (ruling `play_tier1_free`)."""
    if table.options["play_tier1_free"] != "one_each":
        return NOT_APPLICABLE
    return known(table, event.card, lambda text: _is_second(table, event.player, text))


def _is_second(table: Evolve, player: str, text: EvolveText) -> Verdict:
    kind = organism_kind(text)
    if kind not in table.arrived:
        return None
    return f"{name_of(table, player)} plays a second {kind} in this turn{as_ruled(table, 'play_tier1_free')}"


def _needs_evolving(tier: int) -> Check:
    """Return the check that no organism of a tier is played from the hand."""
    message = f"is of tier {tier} and comes into play only by evolving an organism of tier {tier - 1}"

    def is_lower(table: Evolve, event: ev.OrganismPlayed) -> Verdict:
        card = table.find(event.card)
        if card is not None and card.text is not None and card.text.tier != tier:
            return None
        return known(table, event.card, lambda text: f"{text.name} {message}" if text.tier == tier else None)

    return is_lower


tier2_only_by_evolve: Final = rule(
    "evolve.tier2.only-by-evolve",
    "Duplicating and Evolving Organisms",
    "L181.1",
    "Tier 2 organisms enter only by evolving a tier 1 organism.",
)(_needs_evolving(2))


tier3_only_by_evolve: Final = rule(
    "evolve.tier3.only-by-evolve",
    "Duplicating and Evolving Organisms",
    "L186.1",
    "Tier 3 organisms enter only by evolving a tier 2 organism.",
)(_needs_evolving(3))


# -- costs -------------------------------------------------------------------------------------------------------------


@rule(
    "evolve.cost.affordable",
    "Card Costs and Resources",
    "L75.1 L251.1",
    "A cost that cannot be paid in full cannot be chosen (inferred).",
)
def affordable(table: Evolve, event: Any) -> Verdict:
    """The printed MP and DNA of a card that is played in the own main step."""
    return printed_cost(table, event) if is_own_main_step(table, event) else NOT_APPLICABLE


@case(affordable)
def printed_cost(table: Evolve, event: Any) -> Verdict:
    """The printed MP and DNA of a card, whenever it is played (ruling `event_pay_fail`)."""
    card = table.find(event.card)
    text = None if card is None else card.text
    if text is None:
        return NOT_APPLICABLE
    if can_pay(table, event.player, text):
        return None
    if isinstance(event, ev.EventPlayed | ev.ResponsePlayed) and table.options["event_pay_fail"] == "withdrawn":
        return NOT_APPLICABLE
    short = short_of(table, event.player, mp_cost(table, text), text.dna)
    return f"{text.name} cannot be paid: {short}" if short else NOT_APPLICABLE


@case(affordable)
def unstress_affordable(table: Evolve, event: ev.OrganismUnstressed) -> Verdict:
    """1 DNA for the paid unstress."""
    if not event.paid:
        return NOT_APPLICABLE
    short = short_of(table, event.player, 0, 1)
    return f"the unstressing cannot be paid: {short}" if short else None


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


# -- mutations ---------------------------------------------------------------------------------------------------------


@rule("evolve.mutation.attached", "Mutations", "L48.1", "A mutation goes on an organism that is in play.")
def mutation_attached(table: Evolve, event: ev.MutationPlayed) -> Verdict:
    """The host is an organism in play."""
    if is_there(table, event.host) is not None:
        return None
    only = ", and only an organism in play hosts a mutation"
    return elsewhere(table, event, event.host, only, "an organism in play as the host")


@rule("evolve.mutation.nonfood-only", "Mutations", "L49.1", "The host is non-food unless the mutation says otherwise.")
def mutation_nonfood_only(table: Evolve, event: ev.MutationPlayed) -> Verdict:
    """The host is no food."""
    host = is_there(table, event.host)
    if host is None:
        return NOT_APPLICABLE
    return known(table, event.host, lambda text: f"{text.name} is food and so hosts no mutation" if text.food else None)


@case(mutation_attached)
def one_of_a_kind(table: Evolve, event: ev.MutationPlayed) -> Verdict:
    """A host bears any number of mutations, or one of each (ruling `mutation_multiple`)."""
    host = is_there(table, event.host)
    if host is None or table.options["mutation_multiple"] != "one_each":
        return NOT_APPLICABLE
    borne = {card_of(name) for name in host.mutations}
    again = f"already{as_ruled(table, 'mutation_multiple')}"
    title = called(table, event.host, event.player)
    return known(table, event.card, lambda text: f"{title} bears {text.name} {again}" if text.id in borne else None)


# -- statuses ----------------------------------------------------------------------------------------------------------


@rule("evolve.status.one-per-subtype", "Statuses", "L66.1", "At most one status of each subtype is in play.")
def one_per_subtype(table: Evolve, event: ev.StatusPlayed) -> Verdict:
    """No status of a shared subtype is in play (ruling `status_conflict`)."""
    if table.options["status_conflict"] == "replaces":
        return NOT_APPLICABLE
    return known(table, event.card, lambda text: _clashes(table, text))


def _clashes(table: Evolve, text: EvolveText) -> Verdict:
    for other in table.zones["status"].cards:
        if other.text is not None:
            shared = shared_subtypes(table, text, other.text)
            if shared:
                ruling = as_ruled(table, "status_conflict")
                return f"{text.name} is {min(shared)}, and so is {other.text.name}, which is in play{ruling}"
    return None


@rule(
    "evolve.status.hand-only",
    "Statuses",
    "L68.1",
    "Each status can be used from hand to end another one; only from hand.",
)
def status_hand_only(table: Evolve, event: ev.StatusEnded) -> Verdict:
    """The card that is given up is a status of the own hand."""
    only = "is no status, and only a status of the hand is given up"
    return in_hand(table, event, event.card) or known(
        table, event.card, lambda text: None if text.kind == "status" else f"{text.name} {only}"
    )


@rule("evolve.status.hand-ability", "Statuses", "L68.1", "The target is a status in play.")
def status_hand_ability(table: Evolve, event: ev.StatusEnded) -> Verdict:
    """The target is a status in play (ruling `status_target_own`)."""
    target = table.find(event.target)
    if target is None or target.zone.name != "status":
        return elsewhere(table, event, event.target, ", and only a status in play can be ended", "a status in play")
    if table.options["status_target_own"] == "opponents_only" and target.controller == event.player:
        name = name_of(table, event.player)
        ruling = as_ruled(table, "status_target_own")
        return f"{title_of(target)} is a status of {name}, who may end only those of the other player{ruling}"
    return None


@rule("evolve.status.hand-subtype", "Statuses", "L68.1", "The status in play must have the subtype of the used card.")
def status_hand_subtype(table: Evolve, event: ev.StatusEnded) -> Verdict:
    """Both statuses share a subtype."""
    target = table.find(event.target)
    if target is None or target.text is None:
        return NOT_APPLICABLE
    theirs: EvolveText = target.text
    return known(table, event.card, lambda text: _shares(table, text, theirs))


def _shares(table: Evolve, text: EvolveText, theirs: EvolveText) -> Verdict:
    if text.kind != "status":
        return NOT_APPLICABLE
    return None if shared_subtypes(table, text, theirs) else f"{text.name} shares no subtype with {theirs.name}"


@rule("evolve.status.hand-cost", "Statuses", "L68.1", "That use costs the MP cost of the status in play.")
def status_hand_cost(table: Evolve, event: ev.StatusEnded) -> Verdict:
    """The MP of the status in play are paid (ruling `status_hand_cost`)."""
    target = table.find(event.target)
    if target is None or target.text is None:
        return NOT_APPLICABLE
    if table.options["status_hand_timing"] == "own_main_step" and not is_own_main_step(table, event):
        return NOT_APPLICABLE
    dna = target.text.dna if table.options["status_hand_cost"] == "mp_and_dna" else 0
    short = short_of(table, event.player, mp_cost(table, target.text), dna)
    return f"ending {target.text.name} cannot be paid: {short}" if short else None
