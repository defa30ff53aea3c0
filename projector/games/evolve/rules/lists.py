"""Deck lists: the cards that they name, and what is printed on those (L10 to L34, L60, L169, L197)."""

from collections.abc import Iterable, Mapping

from events.games import evolve as ev
from projector.games.evolve.schema import KINDS
from projector.games.evolve.state import SETUP, Evolve, EvolveText
from projector.model.amounts import how_many
from projector.model.cards import unknown_cards
from projector.model.listed_cards import once_a_list
from projector.model.phrases import as_ruled
from projector.model.rules import NOT_APPLICABLE, Broken, Undecidable, Verdict, rule


def is_sound(table: Evolve, event: ev.DeckDeclared) -> bool:
    """Return whether no card of a list is worth a word, and the list is declared in time: nearly all are so."""
    player = table.players[event.player]
    if table.options["deck_limits"] != "unchecked" or table.phase != SETUP or player.opened or player.listed:
        return False
    return _are_complete(table.library, event.cards)


@once_a_list
def _are_complete(library: Mapping[str, EvolveText], cards: tuple[str, ...]) -> bool:
    return all(map(_is_complete, map(library.get, cards)))


def _is_complete(text: EvolveText | None) -> bool:
    """Return whether a printed card keeps all rules of this section by itself."""
    if text is None or text.kind not in KINDS:
        return False
    if text.kind == "organism" and not text.food:
        return bool(text.phylum) and text.tier in {1, 2, 3} and (text.tier < 3 or text.evolve is not None)
    return text.kind != "status" or bool(text.subtypes)


@rule(
    "evolve.card.main-types",
    "The Cards: Organisms",
    "L10.1 L35.1",
    "Four card types: organism, event (two subtypes), mutation, status.",
)
def main_types(table: Evolve, event: ev.DeckDeclared) -> Verdict:
    """Each card of the list is of one of the four types; of an unknown one nobody can tell."""
    for card in dict.fromkeys(event.cards):
        text = table.library.get(card)
        if text is not None and text.kind not in KINDS:
            return Broken(f"{text.name} is called {text.kind!r}, which is no card type", ", ".join(KINDS))
    unknown = unknown_cards(event.cards, table.library)
    return Undecidable(unknown, once=True) if unknown else None


def _organisms(table: Evolve, event: ev.DeckDeclared) -> Iterable[EvolveText]:
    """Return the non-food organisms of a list, each once."""
    texts = (table.library.get(card) for card in dict.fromkeys(event.cards))
    return (text for text in texts if text is not None and text.kind == "organism" and not text.food)


@rule(
    "evolve.card.food-label",
    "The Cards: Organisms",
    "L10.1",
    "An organism is food only if it says so; otherwise it is non-food and normally has a phylum.",
)
def food_label(table: Evolve, event: ev.DeckDeclared) -> Verdict:
    """A non-food organism without a phylum is worth a word, no more."""
    for text in _organisms(table, event):
        if not text.phylum:
            return Broken(f"{text.name} is neither food nor of a phylum", "food, or a phylum", "info")
    return None


@rule(
    "evolve.card.phylum-tier",
    "The Cards: Organisms",
    "L25.1 L28.1",
    "A non-food organism has two subtypes, phylum and tier; the type line shows both.",
)
def phylum_tier(table: Evolve, event: ev.DeckDeclared) -> Verdict:
    """A non-food organism prints its tier."""
    for text in _organisms(table, event):
        if not text.tier:
            return Broken(f"{text.name} is no food and prints no tier", "a tier")
    return None


@rule("evolve.tier.three", "Duplicating and Evolving Organisms", "L169.1", "There are tiers 1, 2 and 3.")
def tier_three(table: Evolve, event: ev.DeckDeclared) -> Verdict:
    """Printed tiers are 1, 2 or 3."""
    for text in _organisms(table, event):
        if text.tier not in {0, 1, 2, 3}:
            return Broken(f"{text.name} is of tier {text.tier}", "tier 1, 2 or 3")
    return None


@rule(
    "evolve.tier3.evolve-cost",
    "Duplicating and Evolving Organisms",
    "L197.1",
    "A tier 3 organism lists an evolve cost too.",
)
def tier3_evolve_cost(table: Evolve, event: ev.DeckDeclared) -> Verdict:
    """An organism of tier 3 prints an evolve cost; without one it can never win."""
    for text in _organisms(table, event):
        if text.tier == 3 and text.evolve is None:
            return Broken(f"{text.name} is of tier 3 and prints no evolve cost", "an evolve cost")
    return None


@rule("evolve.status.subtypes", "Statuses", "L60.1", "Statuses have subtypes, e.g. environmental, natural selection.")
def status_subtypes(table: Evolve, event: ev.DeckDeclared) -> Verdict:
    """A status prints a subtype."""
    for card in dict.fromkeys(event.cards):
        text = table.library.get(card)
        if text is not None and text.kind == "status" and not text.subtypes:
            return Broken(f"{text.name} prints no subtype", "at least one subtype")
    return None


@rule(
    "evolve.deck.construction",
    "Introduction",
    "L3.2 L4.3",
    "The text sets no deck size and no copy limit; phyla are meant to limit mixing.",
)
def deck_construction(table: Evolve, event: ev.DeckDeclared) -> Verdict:
    """Only a table that has agreed on limits has them (ruling `deck_limits`)."""
    if table.options["deck_limits"] == "unchecked":
        return NOT_APPLICABLE
    if len(event.cards) < 40:
        message = f"the list has {how_many(len(event.cards), 'card')}, fewer than 40{as_ruled(table, 'deck_limits')}"
        return Broken(message, "at least 40 cards")
    for card in dict.fromkeys(event.cards):
        if event.cards.count(card) > 3:
            ruling = as_ruled(table, "deck_limits")
            message = f"the list holds {card} {event.cards.count(card)} times, more than 3{ruling}"
            return Broken(message, "at most 3 copies of a card")
    return None
