"""Which cards a line of card text means, whether its condition holds, and what static lines change."""

import operator
from collections.abc import Iterator
from typing import Final

from msgspec import UNSET, UnsetType

from tabletape.projector.games.evolve.abilities import Action, Effect, Modifier, Selection
from tabletape.projector.games.evolve.schema import EvolveCost, EvolveText
from tabletape.projector.games.evolve.state import Evolve, EvolveCard, has_dna, organisms
from tabletape.projector.kit.card_text import Condition
from tabletape.projector.model.amounts import with_article

NUMBER: Final = operator.attrgetter("n")
ORGANISMS: Final = frozenset({"organism", "food", "nonfood"})
"""Nouns that mean organisms only."""


def fits(cards: Selection, card: EvolveCard, player: str) -> bool:
    """Return whether a card in play is one that a selection of a player's card means; an unknown card is none."""
    text = card.text
    if text is None or (cards.tier and text.tier != cards.tier) or (cards.phylum and text.phylum != cards.phylum):
        return False
    if cards.whose and (card.controller == player) != (cards.whose == "friendly"):
        return False
    if cards.turned and card.stressed != (cards.turned == "stressed"):
        return False
    return _is_a(cards.noun, card)


def candidates(table: Evolve, noun: str) -> list[EvolveCard]:
    """Return the cards in play that a noun may mean, in their order: organisms first, then mutations, then statuses."""
    cards = organisms(table)
    if noun not in ORGANISMS:
        cards += (*table.zones["attached"].cards, *table.zones["status"].cards)
    return cards


def targets(table: Evolve, effect: Effect | None, player: str) -> list[EvolveCard]:
    """Return the cards in play that may be chosen for an effect, in the order in which they were made."""
    if effect is None or effect.cards is None:
        return []
    lying = sorted(candidates(table, "card"), key=NUMBER)
    return [card for card in lying if fits(effect.cards, card, player)]


def choices(table: Evolve, effect: Effect | None, player: str) -> list[str | UnsetType]:
    """Return what may be written as the choice for an effect: a card, or nothing where nothing is chosen."""
    return [UNSET] if effect is None else [card.name for card in targets(table, effect, player)]


def held_cards(table: Evolve, player: str, kind: str) -> list[EvolveCard]:
    """Return the cards of a kind in a hand that are known."""
    cards = table.zones[table.players[player].hand].cards
    return [card for card in cards if card.text is not None and card.text.kind == kind]


def payable_cards(table: Evolve, player: str, kind: str) -> list[EvolveCard]:
    """Return those of them that can be paid."""
    return [card for card in held_cards(table, player, kind) if can_pay(table, player, card.text)]


def _is_a(noun: str, card: EvolveCard) -> bool:
    zone = card.zone.name
    if zone[:5] == "play:":
        return noun in {"organism", "card"} or (noun in {"food", "nonfood"} and card.text.food == (noun == "food"))
    return (zone == "attached" and noun in {"mutation", "card"}) or (zone == "status" and noun in {"status", "card"})


def holds(table: Evolve, of: Condition | None, card: EvolveCard | None, player: str, *, died: bool = False) -> bool:
    """Return whether a condition of a card holds, if there is one; `died` is what `if died` asks for."""
    if of is None or of.what == "died":
        return of is None or died
    if of.what == "stressed":
        return card is not None and card.stressed
    hand = table.zones[table.players[player].hand]
    return of.compares(hand.size if of.what == "hand" else 0 if card is None else card.energy)


def host_change(table: Evolve, host: EvolveCard, name: str, resource: str) -> int:
    """Return what the mutations of an organism add to the `resource` that its action `name` costs."""
    return sum([each.n for each in _host_changes(table, host, "cost", name) if each.resource == resource])


def is_immune(table: Evolve, host: EvolveCard, verbed: str, by: str) -> bool:
    """Return whether a mutation of an organism keeps it from being stressed or removed by something."""
    return any(each.by in {"", by} for each in _host_changes(table, host, "immune", verbed))


def _host_changes(table: Evolve, host: EvolveCard, what: str, name: str) -> Iterator[Modifier]:
    """Yield what the mutations of an organism change for it alone, as far as their conditions hold."""
    for mutation in host.mutations:
        card = table.find(mutation)
        if card is not None and card.text is not None:
            for each in card.text.says.host_changes:
                if each.what == what and each.name == name and holds(table, each.condition, host, card.controller):
                    yield each


def reach_change(table: Evolve, what: str, name: str, card: EvolveCard) -> int:
    """Return what the cards in play add to the `gain` of an organism's action `name`, or to its `cap` of energy."""
    change = 0
    for reaching in table.reaching:
        source = table.cards[reaching]
        for modifier in source.text.says.gains if what == "gain" else source.text.says.caps:
            if modifier.name == name and modifier.cards is not None and _reaches(modifier.cards, source, card):
                change += modifier.n if holds(table, modifier.condition, card, source.controller) else 0
    return change


def _reaches(cards: Selection, source: EvolveCard, card: EvolveCard) -> bool:
    """Return whether a static line of a card in play reaches an organism: itself, its host, or all that it names."""
    if cards.noun == "self":
        return card is source
    return card.name == source.host if cards.noun == "host" else fits(cards, card, source.controller)


def limit_of(table: Evolve, card: EvolveCard) -> int | None:
    """Return how much energy an organism can hold: its evolve energy cost as it is now; None for any amount."""
    text = card.text
    if text is None or text.food:
        return None
    if text.evolve is None:
        return 0 if table.options["energy_cap_no_evolve"] == "cap_zero" else None
    limit: int = text.evolve.energy
    if card.mutations:
        limit += host_change(table, card, "evolve", "energy")
    if table.reaching:
        limit += reach_change(table, "cap", "", card)
    return max(limit, 0)


def mp_cost(table: Evolve, text: EvolveText) -> int:
    """Return the Manipulation Points that a card costs (ruling `mp_all_cards`)."""
    return max(text.mp, 1) if table.options["mp_all_cards"] == "at_least_one" else text.mp


def can_pay(table: Evolve, player: str, text: EvolveText) -> bool:
    """Return whether a player has what a card costs."""
    mine = table.players[player]
    return mine.mp >= mp_cost(table, text) and (mine.dna >= text.dna or has_dna(table, mine, text.dna))


def cost_of(table: Evolve, card: EvolveCard, printed: Action | EvolveCost) -> Action | EvolveCost:
    """Return what an action, or evolving, costs in energy and DNA, with what the organism's mutations change of it."""
    if not card.mutations:
        return printed
    energy = printed.energy + host_change(table, card, printed.name, "energy")
    dna = printed.dna + host_change(table, card, printed.name, "dna")
    return EvolveCost(energy=max(energy, 0), dna=max(dna, 0))


def evolve_cost(table: Evolve, card: EvolveCard | None) -> Action | EvolveCost | None:
    """Return what an organism needs to evolve, or None where its card does not let it."""
    text = None if card is None else card.text
    return None if card is None or text is None or text.evolve is None else cost_of(table, card, text.evolve)


def shared_subtypes(table: Evolve, one: EvolveText, other: EvolveText) -> set[str]:
    """Return the subtypes that two statuses share (ruling `status_subtypes_many`)."""
    if table.options["status_subtypes_many"] == "first_only":
        return set(one.subtypes[:1]) & set(other.subtypes[:1])
    return set(one.subtypes) & set(other.subtypes)


def cards_in_words(cards: Selection) -> str:
    """Return which cards a selection means: `an enemy non-food organism in play`."""
    noun = {"nonfood": "non-food organism", "food": "food organism"}.get(cards.noun, cards.noun)
    tier = f"of tier {cards.tier}" if cards.tier else ""
    phylum = f"of the phylum {cards.phylum}" if cards.phylum else ""
    words = " ".join(filter(None, (cards.whose, cards.turned, noun, tier, phylum, "in play")))
    return with_article(words)


def card_in_words(cards: Selection, card: EvolveCard, player: str) -> str:
    """Return what a card in play is in the respects that a selection asks for: `an enemy food organism`."""
    text, zone = card.text, card.zone.name
    kind = "organism" if zone[:5] == "play:" else "mutation" if zone == "attached" else "status"
    diet = "" if kind != "organism" or cards.noun not in {"food", "nonfood"} else "food" if text.food else "non-food"
    whose = "" if not cards.whose else "friendly" if card.controller == player else "enemy"
    turned = "" if not cards.turned else "stressed" if card.stressed else "unstressed"
    tier = f"of tier {text.tier}" if cards.tier and text.tier else ""
    phylum = f"of the phylum {text.phylum}" if cards.phylum and text.phylum else ""
    return with_article(" ".join(filter(None, (whose, turned, diet, kind, tier, phylum))))
