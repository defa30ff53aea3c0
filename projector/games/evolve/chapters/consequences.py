"""What follows by itself: which rule a wrong consequence breaks, why, and what the table that did it goes on with."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from tabletape.events.games import evolve as ev
from tabletape.events.vocabulary import Consequence
from tabletape.projector.games.evolve import turns
from tabletape.projector.games.evolve.catching_up import is_same_fate
from tabletape.projector.games.evolve.changes import cancel, end_game, put_away, put_into_play, set_stressed
from tabletape.projector.games.evolve.chapters import begin_step
from tabletape.projector.games.evolve.chapters.acting import energy_cap
from tabletape.projector.games.evolve.chapters.consuming import second_kills
from tabletape.projector.games.evolve.chapters.doubt import only_people_can_tell
from tabletape.projector.games.evolve.chapters.setup import first_turn_no_dna, is_first_begin_step, players_two
from tabletape.projector.games.evolve.chapters.winning import ENDINGS, nothing_after_end, win_starvation
from tabletape.projector.games.evolve.naming import called, where
from tabletape.projector.games.evolve.selecting import limit_of
from tabletape.projector.games.evolve.state import (
    BEGIN,
    DRAW,
    MAIN,
    SETUP,
    Evolve,
    in_play,
    is_food,
    is_organism,
    opponent_of,
)
from tabletape.projector.kit.adopting import adopt_total, as_written
from tabletape.projector.kit.ending import NOT_ENDED, adopt_end
from tabletape.projector.kit.mismatches import Mismatches, Reason, RuleOf
from tabletape.projector.model.amounts import how_many
from tabletape.projector.model.game import RuleVerdict
from tabletape.projector.model.phrases import name_of
from tabletape.projector.model.rules import Rule, declare

state_consequence = declare(
    "evolve.state.consequence",
    "Event Response Cards",
    "L112.1",
    "A consequence that is written down is one that the rules derive at that place (structural, inferred).",
)


# -- wrong consequences ------------------------------------------------------------------------------------------------


def explain_mismatch(table: Evolve, event: Consequence, expected: Consequence | None) -> RuleVerdict:
    """Return which rule a written consequence breaks that the rules do not make of the lines so far."""
    if expected is None and table.manual and not table.over:
        return RuleVerdict(state_consequence, only_people_can_tell(table, table.manual))
    return MISMATCHES.explain(table, event, expected)


def _dna(table: Evolve, event: ev.DnaChanged, _expected: Any) -> Rule:
    begins = is_first_begin_step(table) or (table.phase == SETUP and turns.is_set_up(table))
    if event.by == 1 and event.player == table.first and begins and table.event is None:
        return first_turn_no_dna
    return begin_step.begin_dna if table.phase in {DRAW, BEGIN} and table.event is None else state_consequence


def _mp(table: Evolve, _event: ev.MpChanged, _expected: Any) -> Rule:
    return begin_step.begin_mp if table.phase in {DRAW, BEGIN} and table.event is None else state_consequence


def _energy(table: Evolve, event: ev.EnergyChanged, _expected: Any) -> Rule:
    card = table.find(event.card)
    limit = None if card is None else limit_of(table, card)
    return energy_cap if limit is not None and event.to > limit else state_consequence


RULES: Final[Mapping[type[Consequence], RuleOf]] = {
    ev.TurnStarted: begin_step.turn_alternate,
    ev.PhaseStarted: begin_step.turn_steps,
    ev.DnaChanged: _dna,
    ev.MpChanged: _mp,
    ev.OrganismDied: second_kills,
    ev.FoodUnstressed: begin_step.food_unstress,
    ev.EventCancelled: begin_step.normal_if_none,
    ev.EnergyChanged: _energy,
    ev.StarvationCounted: win_starvation,
    ev.GameEnded: lambda _table, event, _expected: ENDINGS[event.reason],
}


def _because(table: Evolve, event: Consequence, expected: Consequence | None) -> str:
    """Return the rule that a consequence contradicts which the rules make of nothing."""
    if expected is not None or table.over:
        return "evolve.win.first-wins" if expected is None and isinstance(event, ev.GameEnded) else ""
    for each in table.derived:
        if is_same_fate(event, each.event):
            return each.rule
    if isinstance(event, ev.OrganismDied | ev.CardLeft):
        card = table.find(event.card)
        if card is not None and is_food(card):
            return "evolve.consume.food-stays"
        return "evolve.status.persist" if card is not None and card.zone.name == "status" else ""
    return "evolve.begin.order" if isinstance(event, ev.DnaChanged) and table.phase == DRAW else ""


# -- why the rules make no such consequence ----------------------------------------------------------------------------


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
        if count == turns.ENOUGH:
            return f"{name} has {turns.ENOUGH} turns of starvation only by a line that contradicts the rules"
        return f"the starvation count of {name} is {count}, not {turns.ENOUGH}"
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
    **dict.fromkeys((ev.OrganismStressed, ev.OrganismDied, ev.CardEntered, ev.CardLeft), _no_fate),
    ev.EventCancelled: lambda _table, _event: "no response has cancelled it",
    ev.StarvationCounted: lambda _table, _event: "it is counted once, when the turn of that player ends",
    ev.GameEnded: _no_end,
}
MISMATCHES: Final = Mismatches(
    seats=players_two, end=nothing_after_end, rules=RULES, usual=state_consequence, reasons=REASONS, because=_because
)


# -- the table did it all the same -------------------------------------------------------------------------------------


ZONES: Final = {"mutation": "attached", "status": "status"}


def turned(table: Evolve, event: ev.OrganismStressed | ev.FoodUnstressed, _expected: Any) -> None:
    """Stress the organism, nobody knows by what, or unstress the food."""
    card = table.find(event.card)
    if card is not None and is_organism(card):
        set_stressed(table, card, stressed=type(event) is ev.OrganismStressed)


def gone(table: Evolve, event: ev.OrganismDied | ev.CardLeft, _expected: Any) -> None:
    """Put the card away."""
    card = table.find(event.card)
    if card is not None and (in_play(card) or card.zone.name == "stack"):
        put_away(table, card, event)


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
        cancel(table)


def phase_started(table: Evolve, event: ev.PhaseStarted, _expected: Any) -> None:
    """Begin the step."""
    if table.active:
        with as_written(table, event):
            turns.start_step(table, event)


def turn_started(table: Evolve, event: ev.TurnStarted, _expected: Any) -> None:
    """Begin the turn."""
    if event.player != table.active and not table.over:
        with as_written(table, event):
            turns.hand_over(table, event.player)


def starvation_counted(table: Evolve, event: ev.StarvationCounted, _expected: Any) -> None:
    """Take the count over: with 3 the game has ended, and with fewer it goes on."""
    turns.set_starvation(table, table.players[event.player], event.count)
    if event.count < turns.ENOUGH and (table.winner, table.reason) == (event.player, "starvation"):
        turns.go_on_after_starvation(table)


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
