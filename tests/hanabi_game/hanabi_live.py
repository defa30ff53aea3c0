"""Games of Hanabi as Hanabi Live exports them: the deck in its order, and one action after the other."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

SUITS: Final = ("red", "yellow", "green", "blue", "white", "multi")
"""The colours by their `suitIndex`; what Hanabi Live paints purple is the white of the published game."""

PLAY, DISCARD, COLOUR, RANK = range(4)

Line = tuple[str, Mapping[str, Any]]


def read(content: bytes) -> Iterator[Line] | None:
    """Return the lines of a game, each with its place in the file; None for a file of another kind."""
    try:
        game = json.loads(content)
    except ValueError:
        return None
    return lines(game) if isinstance(game, dict) and {"players", "deck", "actions"} <= game.keys() else None


def lines(game: Mapping[str, Any]) -> Iterator[Line]:
    """Yield what happened; who plays or discards is who holds the card, and who clues is next in turn."""
    seats = "ABCDEF"[: len(game["players"])]
    colours = "six" if any(card["suitIndex"] == SUITS.index("multi") for card in game["deck"]) else "five"
    names, seen = [], dict[str, int]()
    for card in game["deck"]:
        name = f"{SUITS[card['suitIndex']]}-{card['rank']}"
        seen[name] = seen.get(name, 0) + 1
        names.append(f"{name}#{seen[name]}")
    players = [{"id": seat, "name": name} for seat, name in zip(seats, game["players"], strict=True)]
    head = {"type": "game.started", "game": "hanabi", "edition": "2010", "id": f"hanabi-live-{game['id']}"}
    yield "players", {**head, "players": players, "rulings": {"colours": colours}}
    size, held = 5 if len(seats) < 4 else 4, dict[int, str]()
    for number, seat in enumerate(seats):
        hand = range(number * size, (number + 1) * size)
        held |= dict.fromkeys(hand, seat)
        yield f"deck[{hand[0]}]", {"type": "cards.drawn", "player": seat, "cards": [names[card] for card in hand]}
    turn, owed = 0, ""
    for number, action in enumerate(game["actions"]):
        place, kind, target = f"actions[{number}]", action["type"], action["target"]
        player = held.get(target, seats[turn]) if kind in {PLAY, DISCARD} else seats[turn]
        if owed:
            yield place, {"type": "cards.drawn", "player": owed, "cards": [names[len(held) - 1]]}
        turn, owed = (seats.index(player) + 1) % len(seats), ""
        if kind in {COLOUR, RANK}:
            says = {"colour": SUITS[action["value"]]} if kind == COLOUR else {"rank": action["value"]}
            yield place, {"type": "clue.given", "player": player, "to": seats[target], **says}
        elif kind in {PLAY, DISCARD}:
            line = "card.played" if kind == PLAY else "card.discarded"
            yield place, {"type": line, "player": player, "card": names[target]}
            if len(held) < len(names):
                owed = held[len(held)] = player  # that a game ended with this action nothing says before the next one
