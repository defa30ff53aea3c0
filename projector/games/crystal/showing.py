"""Cards that nobody could name and that are shown: in a hand or a deck, or after they were played."""

from events.games import crystal as ev
from events.names import owner_of
from projector.games.crystal import board
from projector.games.crystal.state import Crystal, lane_of
from projector.kit.seating import zone_of
from projector.model.showing import show


def show_card(table: Crystal, event: ev.CardShown) -> None:
    """Name a card that nobody had named; one that is deployed counts in its lane from now on.

    What it cost and did as it was played is not made up for: nobody knew it then, so totals since are not judged.
    """
    owner, unnamed = owner_of(event.card), table.cards.get(event.was)
    if owner not in table.players or table.cards.get(event.card) is unnamed is not None:
        return
    hand = zone_of(table, "hand", owner)
    card = show(table, event.was, event.card, hand if hand.unseen > 0 else zone_of(table, "out", owner))
    if unnamed is not None and unnamed is not card and lane_of(card):
        board.count_card(table, card, lane_of(card))
