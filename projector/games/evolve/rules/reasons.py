"""Why the rules make no consequence like one that a log has written down."""

from collections.abc import Mapping
from typing import Any, Final

from events.games import evolve as ev
from events.vocabulary import Consequence
from projector.games.evolve.naming import called, where
from projector.games.evolve.state import DRAW, MAIN, Evolve, in_play, is_organism, opponent_of
from projector.games.evolve.turns import ENOUGH
from projector.kit.ending import NOT_ENDED
from projector.kit.mismatches import Reason
from projector.model.amounts import how_many
from projector.model.phrases import name_of


def _no_total(table: Evolve, event: ev.MpChanged | ev.DnaChanged) -> str:
    player = table.players[event.player]
    if table.phase == DRAW and event.by > 0 and event.player == table.active:
        return f"{player.name} has not drawn for the turn yet, and gains DNA and MP after that"
    if isinstance(event, ev.DnaChanged) and table.turn <= 1 and event.player == table.first and table.phase != MAIN:
        return f"{player.name} as the first player gains none at the start of the first turn"
    unit, has = ("MP", player.mp) if isinstance(event, ev.MpChanged) else ("DNA", player.dna)
    return f"nothing else since the last decision gives or takes {unit}, of which {player.name} has {has}"


def _no_energy(table: Evolve, event: ev.EnergyChanged) -> str:
    card = table.find(event.card)
    if card is None or not in_play(card):
        return f"{called(table, event.card)} is {where(table, card)}"
    return f"nothing else since the last decision changes its energy, which is {card.energy}"


def _no_fate(table: Evolve, event: Any) -> str:
    """Return how a card lies on the table that nothing has happened to."""
    card = table.find(event.card)
    if card is None or not in_play(card):
        return f"it is {where(table, card)}"
    if isinstance(event, ev.OrganismDied):
        return "a second stress kills, and " + ("only the first has come" if card.stressed else "it is not stressed")
    how = ("stressed " if card.stressed else "unstressed ") if is_organism(card) else ""
    return f"it is {how}in play, and nothing else since the last decision changes that"


def _no_turn(table: Evolve, event: ev.TurnStarted) -> str:
    if event.player == table.active:
        return f"it is the turn of {name_of(table, event.player)} already"
    return f"the turn of {name_of(table, table.active)} has not ended" if table.active else "the set-up is not complete"


def _no_step(table: Evolve, event: ev.PhaseStarted) -> str:
    if table.phase == event.phase:
        return f"the {event.phase} step has begun already"
    return f"this is the {table.phase} step of the turn" if table.active else "the set-up is not complete"


def _no_end(table: Evolve, event: ev.GameEnded) -> str:
    loser = opponent_of(table, event.winner or "")
    if event.reason == "starvation" and event.winner in table.players:
        name, count = name_of(table, event.winner), table.players[event.winner].starvation
        if count == ENOUGH:
            return f"{name} has {ENOUGH} turns of starvation only by a line that contradicts the rules"
        return f"the starvation count of {name} is {count}, not {ENOUGH}"
    if event.reason == "deck-out" and loser:
        size = table.zones[table.players[loser].deck_zone].size
        return f"the deck of {name_of(table, loser)} has {how_many(size, 'card')}"
    if event.reason == "tier3":
        return "no organism of tier 3 has paid its evolve cost"
    return NOT_ENDED.get(event.reason, "nobody has won")


REASONS: Final[Mapping[type[Consequence], Reason]] = {
    ev.TurnStarted: _no_turn,
    ev.PhaseStarted: _no_step,
    ev.MpChanged: _no_total,
    ev.DnaChanged: _no_total,
    ev.EnergyChanged: _no_energy,
    ev.FoodUnstressed: lambda _table, _event: "food is unstressed at the start of its controller's turn only",
    ev.OrganismStressed: _no_fate,
    ev.OrganismDied: _no_fate,
    ev.CardEntered: _no_fate,
    ev.CardLeft: _no_fate,
    ev.EventCancelled: lambda _table, _event: "no response has cancelled it",
    ev.StarvationCounted: lambda _table, _event: "it is counted once, when the turn of that player ends",
    ev.GameEnded: _no_end,
}
