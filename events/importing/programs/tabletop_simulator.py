"""Saves of Tabletop Simulator: which cards lie in which hand, as the beginning of a game; those without a name count.

A save is a picture and no log. Seats are called by their colours, which is all that it says of players; whose the decks
and the cards on the table are it does not say, so they are counted and not read.
"""

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any, Final

from tabletape.events.importing.games.heads import SEATS
from tabletape.events.importing.maps.documents.trees import ForeignError
from tabletape.events.importing.programs import ReadLine, document
from tabletape.events.vocabulary.names import slug_of

CARDS: Final = frozenset({"Card", "CardCustom"})
DECKS: Final = frozenset({"Deck", "DeckCustom"})

HASH_LENGTH: Final = 8
"""How many characters of a save's SHA-256 tell it apart from another one of its name."""


def read(content: bytes) -> Iterator[ReadLine] | None:
    """Return the lines of a log of what a save shows, each with its place; None for another file.

    Raises `ForeignError` for a save in which nobody holds a card, or more than can play.
    """
    save = document(content, b'"ObjectStates"')
    objects = save.get("ObjectStates") if save is not None else None
    if save is None or not isinstance(objects, list):
        return None
    things = [each for each in objects if isinstance(each, dict)]
    lying: dict[str, dict[int, None]] = {}
    for color, zone in _hands(save, things):
        lying.setdefault(color, {}).update(dict.fromkeys(_inside(zone, things)))
    hands = {color: [*cards] for color, cards in lying.items() if cards}
    # Saves are called as one likes, and two of them alike.
    its = sha256(content).hexdigest()[:HASH_LENGTH]
    if not 0 < len(hands) <= len(SEATS):
        raise ForeignError(f"cards lie in the hands of {len(hands)} players: of 1 to {len(SEATS)} a save tells")
    return _lines(save, its, things, hands)


def _lines(
    save: Mapping[str, Any], its: str, things: Sequence[Mapping[str, Any]], hands: Mapping[str, Sequence[int]]
) -> Iterator[ReadLine]:
    players = [{"id": seat, "name": color} for seat, color in zip(SEATS, hands, strict=False)]
    name = slug_of(str(save.get("SaveName") or "save")) or "save"
    head = {
        "type": "game.started",
        "game": "tabletop",
        "edition": slug_of(str(save.get("GameMode") or "")) or "unknown",
    }
    yield "SaveName", {**head, "id": f"tts-{name}-{its}", "players": players}
    for seat, places in zip(SEATS, hands.values(), strict=False):
        where, drawn = f"ObjectStates[{places[0]}]", {"type": "cards.drawn", "player": seat}
        seen: Counter[str] = Counter()
        cards = []
        for card in filter(None, (slug_of(str(things[place].get("Nickname") or "")) for place in places)):
            seen[card] += 1
            cards.append(f"{seat}:{card}" if seen[card] == 1 else f"{seat}:{card}#{seen[card]}")
        if cards:
            yield where, {**drawn, "cards": cards}
        if len(cards) < len(places):
            yield where, {**drawn, "count": len(places) - len(cards)}
    held = sum(map(len, hands.values()))
    others = sum(each.get("Name") in CARDS for each in things) - held
    decks = sum(each.get("Name") in DECKS for each in things)
    if others or decks:
        text = f"not read, because a save does not say whose they are: decks {decks}, other cards {others}"
        yield "ObjectStates", {"type": "note.added", "text": text}


def _hands(save: Mapping[str, Any], things: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Return the zones of hands, each with the colour of its seat."""
    for each in things:
        if each.get("Name") == "HandTrigger" and each.get("FogColor"):
            yield str(each["FogColor"]), each
    hands = save.get("Hands")
    zones = hands.get("HandTransforms") if isinstance(hands, dict) else None
    for zone in zones if isinstance(zones, list) else ():
        if isinstance(zone, dict) and zone.get("Color"):
            yield str(zone["Color"]), zone


def _inside(zone: Mapping[str, Any], things: Sequence[Mapping[str, Any]]) -> list[int]:
    """Return the places of the cards that lie within a zone, which may be turned."""
    middle, turn = _place(zone), math.radians(_number(zone, "rotY"))
    places = []
    for place, each in enumerate(things):
        if each.get("Name") not in CARDS:
            continue
        x, z = (mine - its for mine, its in zip(_place(each), middle, strict=True))
        across = x * math.cos(turn) - z * math.sin(turn)
        along = x * math.sin(turn) + z * math.cos(turn)
        if abs(across) * 2 <= abs(_number(zone, "scaleX")) and abs(along) * 2 <= abs(_number(zone, "scaleZ")):
            places.append(place)
    return places


def _place(thing: Mapping[str, Any]) -> tuple[float, float]:
    return _number(thing, "posX"), _number(thing, "posZ")


def _number(thing: Mapping[str, Any], name: str) -> float:
    transform = thing.get("Transform")
    written = transform.get(name) if isinstance(transform, dict) else 0
    return float(written) if isinstance(written, int | float) else 0.0
