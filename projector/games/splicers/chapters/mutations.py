"""Mutations: played under a ting, which is free."""

from collections.abc import Iterator
from itertools import product

from tabletape.events.games import splicers as ev
from tabletape.events.vocabulary import Event
from tabletape.projector.games.splicers import board
from tabletape.projector.games.splicers.chapters import MUTATION_CARDS, SPLICER_CARDS
from tabletape.projector.games.splicers.chapters.cards import in_hand, named_hand, of_kind
from tabletape.projector.games.splicers.chapters.turns import act, out_of_turn
from tabletape.projector.games.splicers.naming import called
from tabletape.projector.games.splicers.state import Splicers, tings_and_seeds
from tabletape.projector.kit.moves import move
from tabletape.projector.kit.seating import zone_of
from tabletape.projector.model.phrases import by_ruling, name_of
from tabletape.projector.model.rules import Verdict, case, first_of


@MUTATION_CARDS.rule("splicers.mutation.own-turn", "L85.2", rests_on="nothing")
def mutation_own_turn(table: Splicers, event: ev.MutationPlayed) -> Verdict:
    """Mutations are played only by the player on turn, in the action phase."""
    if table.active == event.player and table.phase == "action":
        if table.options["mutation_timing"] == "any_time" or table.has_acted:
            return None
        early = f"{name_of(table, event.player)} plays a mutation before the required action of the turn"
        return f"{early} {by_ruling(table, 'mutation_timing')}"
    return out_of_turn(table, event, "plays a mutation")


@MUTATION_CARDS.rule("splicers.mutation.host-is-ting", "L78.1 L84.1 L84.2", rests_on="cards")
def is_mutation(table: Splicers, event: ev.MutationPlayed) -> Verdict:
    """A mutation is played under a ting, its host."""
    return of_kind(table, event.card, "mutation")


@SPLICER_CARDS.rule("splicers.splicer.no-host", "L104.2")
def splicer_no_host(table: Splicers, event: ev.MutationPlayed) -> Verdict:
    """The splicer cannot host mutations."""
    host = table.find(event.host)
    if host is None or host.text is None or host.text.kind != "splicer":
        return None
    return f"{host.text.name} is a splicer and cannot host a mutation"


@case(is_mutation)
def host_is_ting(table: Splicers, event: ev.MutationPlayed) -> Verdict:
    """The host is a face-up ting in play."""
    host = table.find(event.host)
    if host is None or host.place is None or host.zone.name[:4] != "play":
        return f"{called(table, event.host)} is not a ting that lies at a biom"
    if host.mutations and table.options["mutation_limit"] == "one_per_host":
        return f"{called(table, event.host)} hosts a mutation already, one is all {by_ruling(table, 'mutation_limit')}"
    if host.face_up or table.options["mutation_host_facedown"] == "allowed":
        return None
    if table.options["evolve_mutation_timing"] == "on_seed_first" and host.owner == event.player:
        return None
    ruling = by_ruling(table, "mutation_host_facedown")
    return f"{called(table, event.host)} is a seed; the host of a mutation is a ting {ruling}"


def offer_mutations(table: Splicers, player: str) -> Iterator[Event]:
    """Yield each mutation of the hand under each ting and seed."""
    for card, host in product(named_hand(table, player), tings_and_seeds(table)):
        if card.text.kind == "mutation":
            yield ev.MutationPlayed(player=player, card=card.name, host=host.name)


@move(
    ev.MutationPlayed,
    mutation_own_turn,
    in_hand,
    is_mutation,
    first_of(splicer_no_host, host_is_ting),
    offers=offer_mutations,
)
def mutation_played(table: Splicers, event: ev.MutationPlayed) -> None:
    """Put a mutation under its host; that is free."""
    act(table, event.player, 0)
    if table.opening_turn == table.turn:
        table.set(table, "opening_turn", 0)
    card = table.take(event.card, zone_of(table, "hand", event.player))
    board.attach(table, card, table.card(event.host))
    table.applied.extend(("splicers.mutation.free", "splicers.mutation.any-owner-host"))
