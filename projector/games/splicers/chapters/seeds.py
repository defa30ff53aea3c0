"""Seeds: a hand card is laid face down at a biom."""

from collections.abc import Iterator
from itertools import product
from typing import Final

from tabletape.events.games import splicers as ev
from tabletape.events.vocabulary import Event
from tabletape.projector.games.splicers import board
from tabletape.projector.games.splicers.chapters import SEEDS
from tabletape.projector.games.splicers.chapters.cards import in_hand, named_hand
from tabletape.projector.games.splicers.chapters.turns import ACTOR_RULE, TURNS, act, consume, may_act
from tabletape.projector.games.splicers.dominance import weigh_card
from tabletape.projector.games.splicers.naming import title
from tabletape.projector.games.splicers.state import Splicers, SplicersCard, actions_left
from tabletape.projector.kit.moves import move
from tabletape.projector.model.phrases import by_ruling, name_of
from tabletape.projector.model.rules import NOT_APPLICABLE, AllPassed, Broken, Verdict, all_passed, usually


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
    weigh_card(table, card)
