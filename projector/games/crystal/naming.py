"""How messages name cards."""

from tabletape.projector.games.crystal.state import Crystal
from tabletape.projector.model.phrases import named


def called(table: Crystal, name: str) -> str:
    """Return a card on the table with its owner: `Ann's Trooper`."""
    card = table.find(name)
    owner = table.players.get(card.owner) if card is not None else None
    return named(table, name) if owner is None else f"{owner.name}'s {named(table, name)}"
