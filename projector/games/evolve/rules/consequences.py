"""What follows by itself: consequences that differ, totals that are read off the table, and the ends of a game."""

from collections.abc import Callable
from typing import Any, Final

from msgspec import UNSET

from events.games import evolve as ev
from events.vocabulary import Consequence
from projector.games.evolve.catching_up import is_same_fate
from projector.games.evolve.rules.manual import only_people_can_tell
from projector.games.evolve.rules.mismatches import why_not
from projector.games.evolve.rules.setup import first_turn_no_dna, is_first_begin_step, players_two
from projector.games.evolve.rules.turn import normal_if_none, nothing_after_end, turn_alternate
from projector.games.evolve.selecting import limit_of
from projector.games.evolve.state import BEGIN, DRAW, SETUP, Evolve, is_food
from projector.games.evolve.turns import is_set_up
from projector.model.game import RuleVerdict
from projector.model.rules import Broken, Rule, Verdict, rule
from projector.model.sentences import clause


def _checked_here(_table: Evolve, _event: Any) -> Verdict:
    """Nothing to look at before the event: the fold compares what is written with what it derives."""
    return None


state_consequence = rule(
    "evolve.state.consequence",
    "Event Response Cards",
    "L112.1",
    "A consequence that is written down is one that the rules derive at that place (structural, inferred).",
)(_checked_here)
turn_steps = rule(
    "evolve.turn.steps",
    "Turn Steps",
    "L209.1 L210.1",
    "A turn has begin, main and end step in this order.",
)(_checked_here)
begin_dna = rule(
    "evolve.begin.dna",
    "Card Costs and Resources",
    "L75.4 L216.1",
    "The current player gains 1 DNA in the begin step.",
)(_checked_here)
begin_mp = rule(
    "evolve.begin.mp",
    "Card Costs and Resources",
    "L78.2 L216.1",
    "The current player has 5 MP at the start of the own turn.",
)(_checked_here)
second_kills = rule(
    "evolve.stress.second-kills",
    "Consuming Food and Organism Stress",
    "L137.1",
    "Stressing a stressed organism kills it.",
)(_checked_here)
food_unstress = rule(
    "evolve.food.unstress",
    "Consuming Food and Organism Stress",
    "L136.1 L217.1",
    "Food unstresses at the start of its controller's next turn.",
)(_checked_here)
energy_cap = rule(
    "evolve.energy.cap",
    "Card Costs and Resources",
    "L89.1 L126.1",
    "A non-food organism cannot hold more energy than its evolve cost asks for, unless card text allows.",
)(_checked_here)
win_tier3 = rule(
    "evolve.win.tier3",
    "Winning the Game",
    "L6.1 L7.1 L201.1",
    "A player who pays the evolve cost of a tier 3 organism and is not stopped wins.",
)(_checked_here)
win_starvation = rule(
    "evolve.win.starvation",
    "Winning the Game",
    "L6.1 L8.1 L32.1",
    "Three own turns in a row that end without a non-food organism of the opponent win the game.",
)(_checked_here)
win_deck_out = rule(
    "evolve.win.deck-out",
    "Winning the Game",
    "L6.1 L9.1",
    "A player who has to draw from an empty deck loses.",
)(_checked_here)
end_concession = rule(
    "evolve.end.concession",
    "",
    "",
    "A player may give up; the other one wins (outside the rulebook).",
)(_checked_here)
end_abandoned = rule(
    "evolve.end.abandoned",
    "",
    "",
    "A game that the table stops has no winner (outside the rulebook).",
)(_checked_here)

ENDINGS: Final = {
    "tier3": win_tier3,
    "starvation": win_starvation,
    "deck-out": win_deck_out,
    "concession": end_concession,
    "abandoned": end_abandoned,
}


# -- wrong consequences ------------------------------------------------------------------------------------------------


def explain_mismatch(table: Evolve, event: Consequence, expected: Consequence | None) -> RuleVerdict:
    """Say which rule a written consequence breaks that the rules do not make of the lines so far."""
    if table.over and expected is None:
        because = "evolve.win.first-wins" if isinstance(event, ev.GameEnded) else ""
        return RuleVerdict(nothing_after_end, nothing_after_end(table, event), played=False, because=because)
    player = getattr(event, "player", UNSET)
    if player is not UNSET and player not in table.players:
        return RuleVerdict(players_two, f"nobody called {player!r} sits at this table", played=False)
    if table.manual and expected is None:
        return RuleVerdict(state_consequence, only_people_can_tell(table, table.manual))
    written = clause(table, event)
    found = RULES.get(type(event), _any_rule)(table, event)
    if expected is None:
        verdict = Broken(f"the log says that {written}, but {why_not(table, event)}")
        return RuleVerdict(found, verdict, because=_because(table, event))
    told = clause(table, expected)
    return RuleVerdict(found, Broken(f"the log says that {written}; the rules say that {told}", told))


def _any_rule(_table: Evolve, _event: Any) -> Rule:
    return state_consequence


def _dna(table: Evolve, event: ev.DnaChanged) -> Rule:
    begins = is_first_begin_step(table) or (table.phase == SETUP and is_set_up(table))
    if event.by == 1 and event.player == table.first and begins and table.event is None:
        return first_turn_no_dna
    return begin_dna if table.phase in {DRAW, BEGIN} and table.event is None else state_consequence


def _mp(table: Evolve, _event: ev.MpChanged) -> Rule:
    return begin_mp if table.phase in {DRAW, BEGIN} and table.event is None else state_consequence


def _energy(table: Evolve, event: ev.EnergyChanged) -> Rule:
    card = table.find(event.card)
    limit = None if card is None else limit_of(table, card)
    return energy_cap if limit is not None and event.to > limit else state_consequence


RULES: Final[dict[type[Consequence], Callable[[Evolve, Any], Rule]]] = {
    ev.TurnStarted: lambda _table, _event: turn_alternate,
    ev.PhaseStarted: lambda _table, _event: turn_steps,
    ev.DnaChanged: _dna,
    ev.MpChanged: _mp,
    ev.OrganismDied: lambda _table, _event: second_kills,
    ev.FoodUnstressed: lambda _table, _event: food_unstress,
    ev.EventCancelled: lambda _table, _event: normal_if_none,
    ev.EnergyChanged: _energy,
    ev.StarvationCounted: lambda _table, _event: win_starvation,
    ev.GameEnded: lambda _table, event: ENDINGS[event.reason],
}


def _because(table: Evolve, event: Consequence) -> str:
    """Name the rule that a consequence contradicts which the rules make of nothing."""
    for each in table.derived:
        if is_same_fate(event, each.event):
            return each.rule
    if isinstance(event, ev.OrganismDied | ev.CardLeft):
        card = table.find(event.card)
        if card is not None and is_food(card):
            return "evolve.consume.food-stays"
        return "evolve.status.persist" if card is not None and card.zone.name == "status" else ""
    return "evolve.begin.order" if isinstance(event, ev.DnaChanged) and table.phase == DRAW else ""
