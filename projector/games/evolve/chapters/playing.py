"""Playing cards in the own main step: organisms and mutations (L48 to L59, L181, L186, L229)."""

from collections.abc import Iterator
from typing import Any, Final

from tabletape.events.games import evolve as ev
from tabletape.events.vocabulary import Event
from tabletape.events.vocabulary.names import card_of
from tabletape.projector.games.evolve import changes, steps
from tabletape.projector.games.evolve.chapters import EVOLVING, MAIN_STEP, MUTATIONS, cards
from tabletape.projector.games.evolve.chapters.begin_step import once_begun
from tabletape.projector.games.evolve.naming import called, elsewhere
from tabletape.projector.games.evolve.schema import EvolveText, organism_kind
from tabletape.projector.games.evolve.selecting import can_pay, payable_cards
from tabletape.projector.games.evolve.state import MAIN, Evolve, EvolveCard, Pending, PlayKind, organisms
from tabletape.projector.kit.card_verdicts import does, known, of_card
from tabletape.projector.kit.moves import move
from tabletape.projector.model.amounts import with_article
from tabletape.projector.model.phrases import as_ruled, name_of
from tabletape.projector.model.rules import NOT_APPLICABLE, Broken, Check, Verdict, case, select_rule, stop


@MAIN_STEP.rule("evolve.main.own-turn", "L229.1 L233.1", rests_on="printed")
def own_turn(table: Evolve, event: Any) -> Verdict:
    """Only the current player plays cards and takes actions, in the main step."""
    if event.player != table.active:
        return does(table, event, f"plays or acts in the turn of {name_of(table, table.active)}")
    return None if table.phase == MAIN else does(table, event, "plays or acts in the end step")


own_main_step: Final = once_begun(own_turn)
"""Says which rule decides whether a player may play cards and take actions now."""
PLAYED_AS: Final[dict[type[Event], str]] = {
    ev.OrganismPlayed: "organism",
    ev.MutationPlayed: "mutation",
    ev.StatusPlayed: "status",
    ev.EventPlayed: "event",
    ev.ResponsePlayed: "event",
}


@MAIN_STEP.rule("evolve.main.play-types", "L229.1", rests_on="printed")
@of_card
def play_types(_table: Evolve, event: cards.Played, text: EvolveText) -> Verdict:
    """In the main step organisms, mutations and statuses are played from hand."""
    kind = PLAYED_AS[type(event)]
    if text.kind == kind:
        return None
    due = with_article(text.kind)
    return Broken(f"{text.name} is played as {with_article(kind)}; it is {due}", due)


def announce(table: Evolve, pending: Pending) -> None:
    """Put a play or action up, and open its window."""
    table.change(table, "pending", table.pending, pending)
    if table.played or table.declined:
        table.update(table, played=(), declined=())
    if table.manual:
        table.set(table, "manual", "")


def play_card(
    table: Evolve, kind: PlayKind, event: ev.OrganismPlayed | ev.MutationPlayed | ev.StatusPlayed, target: str
) -> None:
    """Lay a card of the hand open, pay for it and name its host."""
    if table.phase != MAIN:
        steps.engage(table, event.player)
    card = cards.lay_paid(table, event)
    announce(table, Pending(kind=kind, player=event.player, card=card.name, target=target))


@case(play_types)
def one_of_each(table: Evolve, event: ev.OrganismPlayed) -> Verdict:
    """Any number of organisms in a turn, or one food organism and one of tier 1 (ruling `play_tier1_free`)."""
    if table.options["play_tier1_free"] != "one_each":
        return NOT_APPLICABLE

    def is_first(text: EvolveText) -> Verdict:
        kind = organism_kind(text)
        second = f"plays a second {kind} in this turn"
        return does(table, event, second, "play_tier1_free") if kind in table.arrived else None

    return known(table, event.card, is_first)


def _needs_evolving(tier: int) -> Check:
    """Return the check that no organism of a tier is played from the hand."""
    message = f"is of tier {tier} and comes into play only by evolving an organism of tier {tier - 1}"
    return of_card(lambda _table, _event, text: f"{text.name} {message}" if text.tier == tier else None)


tier2_only_by_evolve: Final = EVOLVING.rule(
    "evolve.tier2.only-by-evolve", "L181.1", "Tier 2 organisms enter only by evolving a tier 1 organism."
)(_needs_evolving(2))
tier3_only_by_evolve: Final = EVOLVING.rule(
    "evolve.tier3.only-by-evolve", "L186.1", "Tier 3 organisms enter only by evolving a tier 2 organism."
)(_needs_evolving(3))
ORGANISM: Final = (cards.card_location, play_types, tier2_only_by_evolve, tier3_only_by_evolve)
"""What is asked of an organism that is played; the first broken rule is enough."""


def plays_from_hand(table: Evolve, event: ev.OrganismPlayed) -> bool:
    """Return whether an organism of tier 0 or 1 is played from the hand in the own main step, and can be paid."""
    card, player = table.cards.get(event.card), table.players[event.player]
    if card is None or card.text is None or card.zone.name != player.hand or not cards.is_own_main_step(table, event):
        return False
    is_low = card.text.kind == "organism" and card.text.tier < 2
    return is_low and table.options["play_tier1_free"] == "any_number" and can_pay(table, event.player, card.text)


def enter_new(table: Evolve, card: EvolveCard, player: str, rule: str = changes.COSTS_FIRST) -> None:
    """Put an organism into play that may be too young to act in this turn (ruling `play_sick`)."""
    changes.enter(table, card, table.zones[table.players[player].play], player, rule)
    table.set(card, "since", table.turn)


steps.resolves("organism")(lambda table, pending: enter_new(table, table.card(pending.card), pending.player))


def possible_organisms(table: Evolve, player: str) -> Iterator[Event]:
    """Yield the organisms of the hand that a player might play."""
    for card in payable_cards(table, player, "organism"):
        yield ev.OrganismPlayed(player=player, card=card.name)


@move(
    ev.OrganismPlayed,
    select_rule(own_main_step),
    *map(stop, ORGANISM),
    *(one_of_each, cards.affordable),
    is_usual=plays_from_hand,
    keeps=(own_turn, *ORGANISM, cards.affordable),
    offers=possible_organisms,
)
def play_organism(table: Evolve, event: ev.OrganismPlayed) -> None:
    """Lay an organism open and pay for it."""
    play_card(table, "organism", event, "")
    if table.options["play_tier1_free"] == "one_each":
        text = table.card(event.card).text
        table.set(table, "arrived", (*table.arrived, "" if text is None else organism_kind(text)))


@MUTATIONS.rule("evolve.mutation.attached", "L48.1")
def mutation_attached(table: Evolve, event: ev.MutationPlayed) -> Verdict:
    """A mutation goes on an organism that is in play."""
    only = ", and only an organism in play hosts a mutation"
    is_there = changes.is_there(table, event.host) is not None
    return None if is_there else elsewhere(table, event, event.host, only, "an organism in play as the host")


@MUTATIONS.rule("evolve.mutation.nonfood-only", "L49.1")
def mutation_nonfood_only(table: Evolve, event: ev.MutationPlayed) -> Verdict:
    """The host is non-food unless the mutation says otherwise."""
    if changes.is_there(table, event.host) is None:
        return NOT_APPLICABLE
    return known(table, event.host, lambda text: f"{text.name} is food and so hosts no mutation" if text.food else None)


@case(mutation_attached)
def one_of_a_kind(table: Evolve, event: ev.MutationPlayed) -> Verdict:
    """A host bears any number of mutations, or one of each (ruling `mutation_multiple`)."""
    host = changes.is_there(table, event.host)
    if host is None or table.options["mutation_multiple"] != "one_each":
        return NOT_APPLICABLE
    borne = {card_of(name) for name in host.mutations}
    again = f"already{as_ruled(table, 'mutation_multiple')}"
    title = called(table, event.host, event.player)
    return known(table, event.card, lambda text: f"{title} bears {text.name} {again}" if text.id in borne else None)


@steps.resolves("mutation")
def _enter_mutation(table: Evolve, pending: Pending) -> None:
    """Put a mutation under its host, if that is still in play."""
    card = table.card(pending.card)
    host = changes.is_there(table, pending.target)
    if host is not None:
        changes.enter(table, card, table.zones["attached"], pending.player)
        table.set(card, "host", host.name)
        table.set(host, "mutations", (*host.mutations, card.name))
        changes.fit_energy(table, host)
    elif table.options["mutation_gone_host"] == "back_to_hand":
        changes.hand_back(table, card)
    else:
        changes.leave(table, card, "fizzled", changes.INVALID_CHOICE)


def possible_mutations(table: Evolve, player: str) -> Iterator[Event]:
    """Yield the mutations of the hand that a player might play, each on every organism."""
    for card in payable_cards(table, player, "mutation"):
        for host in organisms(table):
            yield ev.MutationPlayed(player=player, card=card.name, host=host.name)


@move(
    ev.MutationPlayed,
    *(select_rule(own_main_step), mutation_attached, mutation_nonfood_only, one_of_a_kind),
    *(stop(cards.card_location), stop(play_types), cards.affordable),
    offers=possible_mutations,
)
def play_mutation(table: Evolve, event: ev.MutationPlayed) -> None:
    """Lay a mutation open, pay for it and name its host."""
    changes.found_in_play(table, event.host)
    play_card(table, "mutation", event, event.host)
