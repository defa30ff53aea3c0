"""The table before a game: the players with their zones, and the places between them."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from tabletape.events.vocabulary.shared import Seat, TurnStarted
from tabletape.projector.games.splicers.state import Splicers, SplicersPlayer
from tabletape.projector.kit.seating import add_zones, seat_players
from tabletape.projector.model.rulebook import Ruleset

LAYS_DOWN: Final = frozenset({"0.2a-2016-08-27"})
"""The editions whose text has a found card played at once."""


def opening(seats: Sequence[Seat], ruleset: Ruleset, library: Mapping[str, Any]) -> Splicers:
    """Lay the table out: the players with their zones, and the places between them."""
    options = ruleset.options
    table = Splicers(options=options, library=library, ends_itself=options["turn_end"] == "automatic")
    table.keeps_found = options["splice_destination"] == "hand" and ruleset.edition in LAYS_DOWN
    for player in seat_players(table, seats, SplicersPlayer):
        player.begins = TurnStarted(player=player.id)
        deck, hand, _ = add_zones(table, player.id, "deck", "hand", "discard")
        side = table.add_zone(f"play:{player.id}", owner=player.id, seen_by="owner")
        player.draws_from, player.hand, player.side = deck.name, hand.name, side.name
        table.add_zone(f"splicer:{player.id}", owner=player.id)
    table.seating = tuple(table.players)
    table.everybody = frozenset(table.seating)
    table.sides = tuple([player.side for player in table.players.values()])
    table.readied_zones = (*table.sides, "mutations", "row", *[f"splicer:{player}" for player in table.seating])
    table.add_zone("row")
    table.add_zone("mutations")
    table.add_zone("event", seen_by="owner")
    table.add_zone("season")
    return table
