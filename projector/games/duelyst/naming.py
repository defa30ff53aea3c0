"""What cards, players, tiles and consequences are called in messages."""

from typing import Final

from events.names import card_of, owner_of
from projector.games.duelyst.state import DrawOwed, Duelyst, DuelystCard, Owed, PetOwed, Tile, TokenOwed
from projector.model.phrases import name_of, tile_in_words

WHAT_FOR: Final = {
    "end": "at the end of the turn",
    "replace": "for the card that was put back",
    "ability": "for the card text",
}
"""What for a draw is owed, by why."""


def called(table: Duelyst, name: str) -> str:
    """Return what a card is called together with whose it is: `Ann's Footman 2`; its name where nobody knows it."""
    card = table.find(name)
    owner = table.players.get(card.owner if card is not None else owner_of(name))
    text = table.library.get(card_of(name))
    if owner is None or text is None:
        return name
    number = name.partition("#")[2]
    return f"{owner.name}'s {text.name} {number}".rstrip()


def is_taken(table: Duelyst, tile: Tile, unit: DuelystCard) -> str:
    """Return that a tile is not free, and who stands there."""
    return f"{tile_in_words(tile)} is taken: {called(table, unit.name)} stands there"


def owed_in_words(table: Duelyst, due: Owed) -> str:
    """Return that a line which luck owes has not been written yet."""
    if isinstance(due, DrawOwed):
        return f"{name_of(table, due.player)} has not drawn {WHAT_FOR[due.why]} yet"
    if isinstance(due, PetOwed):
        return f"{called(table, due.unit)} has not acted yet"
    if isinstance(due, TokenOwed):
        return f"the token of {called(table, due.source)} has not been summoned yet"
    return f"the target of {called(table, due.source)} has not been picked yet"
