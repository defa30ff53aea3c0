"""What a written consequence does that the rules do not make: the table did it, so the fold goes on with it."""

from collections.abc import Callable
from typing import Any, Final

import msgspec

from events.games import evolve as ev
from events.vocabulary import Consequence
from projector.games.evolve.changes import end_game, put_into_play, to_discard
from projector.games.evolve.state import END, MAIN, Evolve, in_play, is_organism
from projector.games.evolve.turns import ENOUGH, go_on_after_starvation, hand_over
from projector.kit.adopting import adopt_total, as_written
from projector.kit.ending import adopt_end

ZONES: Final = {"mutation": "attached", "status": "status"}


def turned(table: Evolve, event: ev.OrganismStressed | ev.FoodUnstressed, _expected: Any) -> None:
    """Stress the organism, nobody knows by what, or unstress the food."""
    card = table.find(event.card)
    if card is not None and is_organism(card):
        table.update(card, stressed=type(event) is ev.OrganismStressed, stressed_by="")


def gone(table: Evolve, event: ev.OrganismDied | ev.CardLeft, _expected: Any) -> None:
    """Put the card away."""
    card = table.find(event.card)
    if card is not None and (in_play(card) or card.zone.name == "stack"):
        to_discard(table, card)


def entered(table: Evolve, event: ev.CardEntered, _expected: Any) -> None:
    """Put the card into play for its owner."""
    card = table.find(event.card)
    if card is None or in_play(card) or card.text is None or card.owner not in table.players:
        return
    zone = ZONES.get(card.text.kind, table.players[card.owner].play)
    put_into_play(table, card, table.zones[zone], card.owner)


def cancelled(table: Evolve, event: ev.EventCancelled, _expected: Any) -> None:
    """Close the open event without effect."""
    if table.event is not None and table.event.card == event.card:
        table.set(table, "event", msgspec.structs.replace(table.event, cancelled=True))


def phase_started(table: Evolve, event: ev.PhaseStarted, _expected: Any) -> None:
    """Begin the step."""
    if table.active:
        table.set(table, "phase", MAIN if event.phase == "main" else END)


def turn_started(table: Evolve, event: ev.TurnStarted, _expected: Any) -> None:
    """Begin the turn."""
    if event.player != table.active and not table.over:
        with as_written(table, event):
            hand_over(table, event.player)


def starvation_counted(table: Evolve, event: ev.StarvationCounted, _expected: Any) -> None:
    """Take the count over: with 3 the game has ended, and with fewer it goes on."""
    table.set(table.players[event.player], "starvation", event.count)
    if event.count >= ENOUGH and not table.over:
        end_game(table, event.player, "starvation", "evolve.win.starvation")
    elif event.count < ENOUGH and (table.winner, table.reason) == (event.player, "starvation"):
        go_on_after_starvation(table)


ENFORCE: Final[dict[type[Consequence], Callable[..., None]]] = {
    ev.MpChanged: adopt_total("mp", "to"),
    ev.DnaChanged: adopt_total("dna", "to"),
    ev.EnergyChanged: adopt_total("energy", "to"),
    ev.OrganismStressed: turned,
    ev.FoodUnstressed: turned,
    ev.OrganismDied: gone,
    ev.CardLeft: gone,
    ev.CardEntered: entered,
    ev.EventCancelled: cancelled,
    ev.PhaseStarted: phase_started,
    ev.TurnStarted: turn_started,
    ev.StarvationCounted: starvation_counted,
    ev.GameEnded: adopt_end(end_game),
}
