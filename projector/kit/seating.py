"""The players of a table and their zones, which a game lays out and finds by a word and the player: `hand:A`."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from tabletape.events.vocabulary.shared import Seat
from tabletape.projector.model.table import NOWHERE, AnyPlayer, Table
from tabletape.projector.model.things import Role, Zone

ROLES: Final[Mapping[str, Role]] = {"deck": "deck", "hand": "hand", "discard": "discard"}
"""Zones that statistics know by their names."""
SEEN_BY: Final[Mapping[str, str]] = {"deck": "nobody", "hand": "owner"}
"""Who may look at cards that lie face down in a zone, by its name: everybody, unless it stands here."""


def seat_players(
    table: Table[Any, AnyPlayer], seats: Sequence[Seat], player: Callable[..., AnyPlayer]
) -> Iterator[AnyPlayer]:
    """Seat everybody once and yield each new player, so that the game lays out the zones.

    `player` makes one of `id`, `name`, `deck` (its name), `seat` (the number in the order of seating, from 0) and
    `opponent` (the id of the first other player, empty where there is none).
    """
    ids = list(dict.fromkeys(seat.id for seat in seats))
    for seat in seats:
        if seat.id not in table.players:
            deck = seat.deck if isinstance(seat.deck, str) else ""
            opponent = next((each for each in ids if each != seat.id), "")
            number = len(table.players)
            yield table.add_player(player(id=seat.id, name=seat.name, deck=deck, seat=number, opponent=opponent))


def add_zones(table: Table[Any, Any], player: str, *kinds: str) -> list[Zone]:
    """Lay out zones of a player, each with the role and the secrecy that its name says; return them."""
    return [
        table.add_zone(f"{kind}:{player}", owner=player, role=ROLES.get(kind, ""), seen_by=SEEN_BY.get(kind, "all"))
        for kind in kinds
    ]


def zone_of(table: Table[Any, Any], kind: str, owner: str) -> Zone:
    """Return the zone of a player that a word calls (`hand`, `deck`); nowhere for nobody's."""
    return table.zones.get(f"{kind}:{owner}") or table.zones[NOWHERE]
