"""Cards, players, places and numbers as people say them, for the messages of the rules."""

from collections.abc import Iterable
from typing import Final

from tabletape.events.vocabulary.names import card_of, owner_of
from tabletape.projector.games.phylogenome.state import BENEATH, NEEDED_SPECIES, TABLEAU, Phylo, PhyloPlayer
from tabletape.projector.model.amounts import joined
from tabletape.projector.model.phrases import by_ruling, name_of, named
from tabletape.projector.model.rulebook import read_rulebook
from tabletape.projector.model.table import NOWHERE

PLACES: Final = {
    "hand": "in the hand of {}",
    "deck": "in the deck of {}",
    "discard": "in the discard pile of {}",
    "table": "on the table of {}",
}


def called(table: Phylo, card: str) -> str:
    """Return what a card is called, with its owner where the other player has such a card as well."""
    name, owner, number = named(table, card), owner_of(card), card.partition("#")[2]
    name = f"{name} {number}" if number and card in table.cards else name
    others = (f"{player}:{card_of(card)}" for player in table.players if player != owner)
    twin = owner and any(other in table.cards or f"{other}#1" in table.cards for other in others)
    return f"{name_of(table, owner)}'s {name}" if twin else name


def where_is(table: Phylo, name: str) -> str:
    """Return where a card lies: `it lies in the hand of Ben`."""
    card = table.find(name)
    if card is None or card.zone.name == NOWHERE:
        return "no deck list has it"
    kind, _, owner = card.zone.name.partition(":")
    if kind == TABLEAU:
        x, y = card.place or (0, 0)
        return f"it lies in the tableau at [{x}, {y}]"
    if kind == BENEATH:
        return f"it lies beneath {called(table, card.host)}"
    whose = name_of(table, owner)
    if card.zone.unseen < 0:
        return f"it is in the deck or in the hand of {whose}"
    return f"it lies {PLACES[kind].format(whose)}"


def by_other_rulings(table: Phylo, keys: Iterable[str]) -> str:
    """Return which of some rulings are others than the usual ones, in brackets; empty where none is."""
    usual = read_rulebook("tabletape.projector.games.phylogenome").by_key
    others = [key for key in keys if table.options[key] != usual[key].default]
    return f" ({joined([by_ruling(table, key) for key in others])})" if others else ""


def not_in_hand(table: Phylo, name: str, player: str) -> str:
    """Return the words that a card is not in a hand, where it is, and which other copy the player holds."""
    card, held = card_of(name), table.hands[player].cards
    copy = next((each.name for each in held if card and card_of(each.name) == card), "")
    instead = f"{name_of(table, player)} holds {called(table, copy)}" if copy else where_is(table, name)
    return f"{called(table, name)} is not in the hand of {name_of(table, player)}: {instead}"


def generation_in_words(table: Phylo, player: PhyloPlayer) -> str:
    """Return which generation a player has reached, and how many Species stand for it."""
    needed = f"the next generation needs {NEEDED_SPECIES} of the one before"
    return f"{player.name} has generation {player.generation}: {counts_in_words(table, player)}; {needed}"


def counts_in_words(table: Phylo, player: PhyloPlayer) -> str:
    """Return how many Species of the generations face a player that open the next ones."""
    first, second = table.generations_counted(player)
    return f"{first} Species of the first and {second} of the second generation face {player.name}"
