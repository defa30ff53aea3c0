"""Cards between deck and hand; an unnamed one is one of the unseen ones there."""

from collections.abc import Iterable

from tabletape.events.vocabulary.names import is_unseen
from tabletape.projector.games.duelyst.board import strip
from tabletape.projector.games.duelyst.state import Duelyst


def draw(table: Duelyst, player: str, names: Iterable[str], count: int) -> None:
    """Move cards from the deck to the hand; an unnamed one is one of the unseen ones."""
    deck = table.decks[player]
    hand = table.hands[player]
    strangers = []
    for name in names:
        card = table.cards.get(name)
        if card is not None and card.zone is deck:
            table.move(card, hand)
        elif is_unseen(name):
            count += 1
        else:
            if card is not None:
                strip(table, card)
            strangers.append(name)
    if strangers or count:
        table.draw(strangers, count, deck, hand)


def put_back(table: Duelyst, player: str, name: str) -> None:
    """Move a card from the hand to the deck; an unnamed one is one of the unseen ones."""
    deck = table.decks[player]
    hand = table.hands[player]
    if is_unseen(name):
        table.count(hand, "unseen", -1)
        table.count(deck, "unseen", 1)
        return
    card = table.take(name, hand)
    strip(table, card)
    table.move(card, deck)
