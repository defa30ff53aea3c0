"""What a person who keeps the log of a game without rules is offered: what cards, counters and turns can do."""

from collections.abc import Iterator
from typing import Final

from tabletape.events.vocabulary import Event
from tabletape.events.vocabulary import tabletop as ev
from tabletape.events.vocabulary.open_games import SOMEWHERE
from tabletape.events.vocabulary.shared import TurnEnded
from tabletape.projector.model.table import NOWHERE
from tabletape.projector.model.things import Zone
from tabletape.projector.tabletop.state import ELSEWHERE, Tabletop, zone_called

STEPS: Final = (1, -1)
"""By how much one tap changes a counter."""


def offers(table: Tabletop, player: str) -> list[Event]:
    """Return the moves of cards between zones, draws, counters up and down, turns, and rounds where they count."""
    return [*_moves(table, player), *_draws(table, player), *_counters(table, player), *_turns(table, player)]


def _reachable(table: Tabletop, player: str) -> list[Zone]:
    """Return the player's own zones and the shared ones."""
    hidden = {NOWHERE, ELSEWHERE, SOMEWHERE}
    zones = (zone for zone in table.zones.values() if zone.owner in {player, ""})
    return [zone for zone in zones if zone.name.rpartition("/")[2] not in hidden]


def _moves(table: Tabletop, player: str) -> Iterator[Event]:
    """Yield what may be done with each card: it is played, where no zone is the table's, and put back last of all."""
    zones = sorted(_reachable(table, player), key=lambda zone: zone.role == "deck")
    has_table = zone_called(table, "table", player) is not None
    for zone in zones:
        for card in zone.cards:
            if zone.role == "hand" and not has_table:
                yield ev.CardMoved(player=player, card=card.name, from_="hand", to=ELSEWHERE)
            if zone.role != "deck":
                for there in zones:
                    if there is not zone:
                        to, origin = there.name.rpartition("/")[2], zone.name.rpartition("/")[2]
                        yield ev.CardMoved(player=player, card=card.name, from_=origin, to=to)


def _draws(table: Tabletop, player: str) -> Iterator[Event]:
    for zone in _reachable(table, player):
        if zone.role == "deck":
            yield ev.CardsDrawn(player=player, count=1)


def _counters(table: Tabletop, player: str) -> Iterator[Event]:
    for counter in table.players[player].counters:
        yield from (ev.CounterChanged(player=player, counter=counter, by=by) for by in STEPS)
    for counter in table.counters:
        yield from (ev.CounterChanged(counter=counter, by=by) for by in STEPS)


def _turns(table: Tabletop, player: str) -> Iterator[Event]:
    if table.active == player:
        yield TurnEnded(player=player)
    else:
        yield ev.TurnStarted(player=player)
    if table.counts_rounds or not (table.active or table.round):  # Elsewhere turns begin the rounds.
        yield ev.RoundStarted(round=table.round + 1)
