"""What cards, players, tiles and consequences are called in messages."""

from tabletape.events.vocabulary.names import card_of, owner_of
from tabletape.projector.games.duelyst.state import Duelyst, DuelystCard, Tile
from tabletape.projector.model.phrases import tile_in_words


def called(table: Duelyst, name: str) -> str:
    """Return what a card is called together with whose it is: `Ann's Footman 2`; its name where that is unknown."""
    card = table.find(name)
    owner = table.players.get(card.owner if card is not None else owner_of(name))
    text = table.library.get(card_of(name))
    if owner is None or text is None:
        return name
    number = name.partition("#")[2]
    return f"{owner.name}'s {text.name} {number}".rstrip()


def is_taken(table: Duelyst, tile: Tile, unit: DuelystCard) -> str:
    """Return the words that a tile is not free, and who stands there."""
    return f"{tile_in_words(tile)} is taken: {called(table, unit.name)} stands there"
