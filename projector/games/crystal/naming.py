"""How cards, players and numbers are called, and how messages count things and say which ruling they rest on."""

from events.names import card_of
from projector.games.crystal.state import Crystal


def called(table: Crystal, card: str) -> str:
    """Return the printed name of a card id or of a card on the table, or what the log calls it."""
    found = table.find(card)
    text = found.text if found is not None else table.library.get(card_of(card))
    return card if text is None else str(text.name)


def owned(table: Crystal, name: str) -> str:
    """Return a card on the table with its owner: `Ann's Trooper`."""
    card = table.find(name)
    owner = table.players.get(card.owner) if card is not None else None
    return called(table, name) if owner is None else f"{owner.name}'s {called(table, name)}"
