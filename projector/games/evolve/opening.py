"""The table as it is laid out before a game: its players, their zones and the cards that they may hold."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from events.shared import Seat
from projector.games.evolve.abilities import abilities_of, has_other_names
from projector.games.evolve.state import Evolve, EvolvePlayer, EvolveText
from projector.model.rulebook import Ruleset


def opening(seats: Sequence[Seat], ruleset: Ruleset, library: Mapping[str, Any]) -> Evolve:
    """Lay the table out: the players with their zones, and the places between them."""
    if ruleset.options["divide_duplicate"] == "two_actions":
        divided = {name: _apart(text) for name, text in library.items() if has_other_names(text.abilities)}
        library = {**library, **divided}
    table = Evolve(options=ruleset.options, library=library)
    ids = [seat.id for seat in seats]
    for seat in seats:
        if seat.id in table.players:
            continue
        names = {kind: f"{kind}:{seat.id}" for kind in ("deck", "hand", "discard", "play")}
        player = EvolvePlayer(
            id=seat.id,
            name=seat.name,
            deck=seat.deck if isinstance(seat.deck, str) else "",
            opponent=next((each for each in ids if each != seat.id), ""),
            deck_zone=names["deck"],
            hand=names["hand"],
            discard=names["discard"],
            play=names["play"],
        )
        table.add_player(player)
        table.add_zone(player.deck_zone, owner=seat.id, role="deck", seen_by="nobody")
        table.add_zone(player.hand, owner=seat.id, role="hand", seen_by="owner")
        table.add_zone(player.discard, owner=seat.id, role="discard")
        table.add_zone(player.play, owner=seat.id)
    for zone in ("attached", "status", "stack"):
        table.add_zone(zone)
    return table


def _apart(text: EvolveText) -> EvolveText:
    """Return a card on which dividing is an action of its own."""
    card = msgspec.structs.replace(text)
    msgspec.structs.force_setattr(card, "says", abilities_of(text.abilities, apart=True))
    return card
