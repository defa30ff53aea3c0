"""A game of Higher whose second player has a hostile name: seven lines, the last one out of turn."""

from typing import Any

CARDS = ["one", "two", "three", "four", "five", "six"]


def hostile_lines(name: str) -> list[dict[str, Any]]:
    """Return the lines of the game `evening`, with `name` for the second player."""
    players = [{"id": "A", "name": "Ann"}, {"id": "B", "name": name}]
    return [
        {
            "type": "game.started",
            "game": "higher",
            "edition": "first",
            "id": "evening",
            "rulings": {},
            "players": players,
        },
        {"type": "deck.declared", "player": "A", "cards": CARDS},
        {"type": "deck.declared", "player": "B", "cards": CARDS},
        {"type": "cards.drawn", "player": "A", "cards": ["A:one", "A:four", "A:six"]},
        {"type": "cards.drawn", "player": "B", "cards": ["B:two", "B:three", "B:six"]},
        {"type": "card.played", "player": "A", "card": "A:one"},
        {"type": "card.played", "player": "A", "card": "A:four"},
    ]
