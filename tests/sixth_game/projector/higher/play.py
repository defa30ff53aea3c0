"""What each event of Higher does, and what follows by itself."""

from typing import Any

from tabletape.events.games.higher import CardPlayed, CardsDrawn, CardShown, GameEnded, TrickTaken
from tabletape.events.vocabulary.names import copies
from tabletape.events.vocabulary.shared import DeckDeclared, GameAbandoned
from tabletape.projector.games.higher.state import Higher


def declared(table: Higher, event: DeckDeclared) -> None:
    """Put the cards of a list into the deck."""
    table.make_all(copies(event.player, event.cards), table.zones[f"{event.player}/deck"])
    table.set(table.players[event.player], "declared", True)


def drawn(table: Higher, event: CardsDrawn) -> None:
    """Take cards to the hand."""
    names = event.cards or ()
    count = event.count or 0
    table.draw(names, count, table.zones[f"{event.player}/deck"], table.zones[f"{event.player}/hand"])


def played(table: Higher, event: CardPlayed) -> None:
    """Lay a card on the table."""
    card = table.take(event.card, table.zones[f"{event.player}/hand"])
    table.move(card, table.zones["trick"])
    table.set(card, "face_up", True)
    table.set(table, "active", "B" if event.player == "A" else "A")


def shown(table: Higher, event: CardShown) -> None:
    """Name a card."""
    table.recognise(event.was, event.card)


def abandoned(table: Higher, _event: GameAbandoned) -> None:
    """End the game without a winner."""
    table.set(table, "over", True)
    table.set(table, "reason", "abandoned")


def ended(table: Higher, event: Any, _expected: object) -> None:
    """End the game as the table did, whatever follows from the rules; nothing else is done as it is written."""
    if not isinstance(event, GameEnded):
        return
    table.set(table, "over", True)
    table.set(table, "winner", event.winner or "")
    table.set(table, "reason", event.reason)


def settle(table: Higher) -> None:
    """Hand a full trick to its taker, and end the game at two tricks."""
    trick = table.zones["trick"].cards
    if len(trick) < 2 or any(card.text is None for card in trick):
        return
    first, second = trick
    ahead = first.text.value - second.text.value or (1 if table.options["ties"] == "first_card" else -1)
    taker = first.owner if ahead > 0 else second.owner
    table.derive(TrickTaken(player=taker), "higher.trick.higher-card")
    table.count(table.players[taker], "tricks", 1)
    for card in (first, second):
        table.move(card, table.zones["taken"])
    table.next_turn(taker)
    if table.players[taker].tricks == 2:
        table.derive(GameEnded(winner=taker, reason="tricks"), "higher.end.two-tricks")
        table.set(table, "over", True)
        table.set(table, "winner", taker)
        table.set(table, "reason", "tricks")


PLAY = {
    DeckDeclared: declared,
    CardsDrawn: drawn,
    CardPlayed: played,
    CardShown: shown,
    GameAbandoned: abandoned,
}
