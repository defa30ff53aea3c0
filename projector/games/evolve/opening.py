"""The table before a game: the players with their zones, and the places between them."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from tabletape.events.vocabulary.shared import Seat
from tabletape.projector.games.evolve.abilities import has_other_names, parsed_text
from tabletape.projector.games.evolve.schema import EvolveText
from tabletape.projector.games.evolve.state import Evolve, EvolvePlayer
from tabletape.projector.kit.seating import add_zones, seat_players
from tabletape.projector.model.rulebook import Ruleset


def opening(seats: Sequence[Seat], ruleset: Ruleset, library: Mapping[str, Any]) -> Evolve:
    """Lay the table out: the players with their zones, and the places between them."""
    if ruleset.options["divide_duplicate"] == "two_actions":
        divided = {name: _apart(text) for name, text in library.items() if has_other_names(text.abilities)}
        library = {**library, **divided}
    table = Evolve(options=ruleset.options, library=library)
    for player in seat_players(table, seats, EvolvePlayer):
        zones = add_zones(table, player.id, "deck", "hand", "discard", "play")
        player.deck_zone, player.hand, player.discard, player.play = [zone.name for zone in zones]
    for zone in ("attached", "status", "stack"):
        table.add_zone(zone)
    return table


def _apart(text: EvolveText) -> EvolveText:
    """Return a card on which dividing is an action of its own."""
    card = msgspec.structs.replace(text)
    msgspec.structs.force_setattr(card, "says", parsed_text(text.abilities, apart=True))
    return card
