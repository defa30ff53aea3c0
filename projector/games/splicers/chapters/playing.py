"""What is played from the hand: seeds, face down at a biom, and mutations, under a ting."""

from collections.abc import Iterator
from itertools import product
from typing import Final

from tabletape.events.games import splicers as ev
from tabletape.events.vocabulary import Event
from tabletape.projector.games.splicers import board, dominance
from tabletape.projector.games.splicers.chapters import MUTATION_CARDS, SEEDS, SPLICER_CARDS
from tabletape.projector.games.splicers.chapters.cards import in_hand, named_hand, of_kind
from tabletape.projector.games.splicers.chapters.turns import ACTOR_RULE, TURNS, act, consume, may_act, out_of_turn
from tabletape.projector.games.splicers.naming import called, title
from tabletape.projector.games.splicers.state import ACTION, Splicers, SplicersCard, actions_left, tings_and_seeds
from tabletape.projector.kit.moves import move
from tabletape.projector.kit.seating import zone_of
from tabletape.projector.model.phrases import by_ruling, name_of
from tabletape.projector.model.rules import all_passed, case, first_of, usually
from tabletape.projector.model.verdicts import NOT_APPLICABLE, AllPassed, Broken, Verdict


@SEEDS.rule("splicers.seed.at-biom", "L126.2")
def at_biom(table: Splicers, event: ev.SeedPlayed | ev.JumperPlayed) -> Verdict:
    """A seed is placed at one biom."""
    name = table.bioms.get(event.biom)
    if not table.row:
        return NOT_APPLICABLE
    if name is None:
        return Broken(f"there is no biom {event.biom} in the row", ", ".join(table.row))
    if table.options["seed_biom"] == "own_bioms" and table.cards[name].owner != event.player:
        own = f"a biom of {name_of(table, event.player)}, as it has to be {by_ruling(table, 'seed_biom')}"
        return f"{title(table, table.cards[name])} is not {own}"
    return None


SEED_KEPT: Final = {of: all_passed(of, consume, in_hand, at_biom) for of in TURNS}


def seeds_well(table: Splicers, event: ev.SeedPlayed) -> AllPassed | None:
    """Return what is kept where a hand card becomes a seed at a biom in the own turn."""
    player, card = event.player, table.cards.get(event.card)
    if card is not None and card.zone is table.zones[table.players[player].hand] and event.biom in table.bioms:
        of = may_act(table, player)
        if of is not None and table.options["seed_biom"] != "own_bioms":
            return SEED_KEPT[of]
    return None


SEED_RULES: Final = ("splicers.seed.any-type", "splicers.seed.counts-one", "splicers.seed.face-down-exhausted")


def remember(table: Splicers, field: str, now: int, card: SplicersCard) -> None:
    """Put a card to those to which something has happened in this turn or round."""
    when, names = getattr(table, field)
    table.set(table, field, (now, (*names, card.name) if when == now else (card.name,)))


def offer_seeds(table: Splicers, player: str) -> Iterator[Event]:
    """Yield each hand card at each biom."""
    if actions_left(table, player) > 0:
        for card, place in product(named_hand(table, player), table.row):
            yield ev.SeedPlayed(player=player, card=card.name, biom=place)


@move(ev.SeedPlayed, usually(seeds_well, ACTOR_RULE, consume, in_hand, at_biom), offers=offer_seeds)
def seed_played(table: Splicers, event: ev.SeedPlayed) -> None:
    """Lay a hand card face down and exhausted at a biom."""
    player = event.player
    act(table, player, 1)
    card = table.take(event.card, table.zones[table.players[player].hand])
    if card.known_to:
        table.set(card, "known_to", frozenset())
    if card.face_up:
        table.set(card, "face_up", False)
    board.lay(table, card, event.biom)
    table.set_exhausted(card, True)
    table.applied += SEED_RULES
    if table.options["seed_unexhaust"] == "next_round_only":
        remember(table, "seeded_in", table.round, card)
    if "seed.played" in table.moments:
        board.fire(table, "seed.played")
    dominance.weigh_card(table, card)


# -- mutations ---------------------------------------------------------------------------------------------------------


@MUTATION_CARDS.rule("splicers.mutation.own-turn", "L85.2", rests_on="nothing")
def mutation_own_turn(table: Splicers, event: ev.MutationPlayed) -> Verdict:
    """Mutations are played only by the player on turn, in the action phase."""
    if table.active == event.player and table.phase == ACTION:
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
