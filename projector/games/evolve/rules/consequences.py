"""What follows by itself: consequences that differ, totals that are read off the table, and the ends of a game."""

from collections.abc import Mapping
from typing import Any, Final

from events.games import evolve as ev
from events.vocabulary import Consequence
from projector.games.evolve.catching_up import is_same_fate
from projector.games.evolve.rules.manual import only_people_can_tell
from projector.games.evolve.rules.reasons import REASONS
from projector.games.evolve.rules.setup import first_turn_no_dna, is_first_begin_step, players_two
from projector.games.evolve.rules.turn import normal_if_none, nothing_after_end, turn_alternate
from projector.games.evolve.selecting import limit_of
from projector.games.evolve.state import BEGIN, DRAW, SETUP, Evolve, is_food
from projector.games.evolve.turns import is_set_up
from projector.kit.ending import early_end_rules
from projector.kit.mismatches import Mismatches, RuleOf
from projector.model.game import RuleVerdict
from projector.model.rules import Rule, declare

state_consequence = declare(
    "evolve.state.consequence",
    "Event Response Cards",
    "L112.1",
    "A consequence that is written down is one that the rules derive at that place (structural, inferred).",
)
turn_steps = declare(
    "evolve.turn.steps", "Turn Steps", "L209.1 L210.1", "A turn has begin, main and end step in this order."
)
begin_dna = declare(
    "evolve.begin.dna", "Card Costs and Resources", "L75.4 L216.1", "The current player gains 1 DNA in the begin step."
)
begin_mp = declare(
    "evolve.begin.mp",
    "Card Costs and Resources",
    "L78.2 L216.1",
    "The current player has 5 MP at the start of the own turn.",
)
second_kills = declare(
    "evolve.stress.second-kills",
    "Consuming Food and Organism Stress",
    "L137.1",
    "Stressing a stressed organism kills it.",
)
food_unstress = declare(
    "evolve.food.unstress",
    "Consuming Food and Organism Stress",
    "L136.1 L217.1",
    "Food unstresses at the start of its controller's next turn.",
)
energy_cap = declare(
    "evolve.energy.cap",
    "Card Costs and Resources",
    "L89.1 L126.1",
    "A non-food organism cannot hold more energy than its evolve cost asks for, unless card text allows.",
)
win_tier3 = declare(
    "evolve.win.tier3",
    "Winning the Game",
    "L6.1 L7.1 L201.1",
    "A player who pays the evolve cost of a tier 3 organism and is not stopped wins.",
)
win_starvation = declare(
    "evolve.win.starvation",
    "Winning the Game",
    "L6.1 L8.1 L32.1",
    "Three own turns in a row that end without a non-food organism of the opponent win the game.",
)
win_deck_out = declare(
    "evolve.win.deck-out", "Winning the Game", "L6.1 L9.1", "A player who has to draw from an empty deck loses."
)
end_concession, end_abandoned = early_end_rules("evolve")

ENDINGS: Final = {
    "tier3": win_tier3,
    "starvation": win_starvation,
    "deck-out": win_deck_out,
    "concession": end_concession,
    "abandoned": end_abandoned,
}


# -- wrong consequences ------------------------------------------------------------------------------------------------


def explain_mismatch(table: Evolve, event: Consequence, expected: Consequence | None) -> RuleVerdict:
    """Return which rule a written consequence breaks that the rules do not make of the lines so far."""
    if expected is None and table.manual and not table.over:
        return RuleVerdict(state_consequence, only_people_can_tell(table, table.manual))
    return MISMATCHES.explain(table, event, expected)


def _dna(table: Evolve, event: ev.DnaChanged, _expected: Any) -> Rule:
    begins = is_first_begin_step(table) or (table.phase == SETUP and is_set_up(table))
    if event.by == 1 and event.player == table.first and begins and table.event is None:
        return first_turn_no_dna
    return begin_dna if table.phase in {DRAW, BEGIN} and table.event is None else state_consequence


def _mp(table: Evolve, _event: ev.MpChanged, _expected: Any) -> Rule:
    return begin_mp if table.phase in {DRAW, BEGIN} and table.event is None else state_consequence


def _energy(table: Evolve, event: ev.EnergyChanged, _expected: Any) -> Rule:
    card = table.find(event.card)
    limit = None if card is None else limit_of(table, card)
    return energy_cap if limit is not None and event.to > limit else state_consequence


RULES: Final[Mapping[type[Consequence], RuleOf]] = {
    ev.TurnStarted: turn_alternate,
    ev.PhaseStarted: turn_steps,
    ev.DnaChanged: _dna,
    ev.MpChanged: _mp,
    ev.OrganismDied: second_kills,
    ev.FoodUnstressed: food_unstress,
    ev.EventCancelled: normal_if_none,
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


MISMATCHES: Final = Mismatches(
    seats=players_two, end=nothing_after_end, rules=RULES, usual=state_consequence, reasons=REASONS, because=_because
)
