"""What a written consequence is held against: the rule that it breaks, whether it is so already, and why it is not."""

from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec

from events.games import crystal as ev
from events.vocabulary import Consequence
from projector.games.crystal import board
from projector.games.crystal.abilities import TRIGGERS, Effect, verb
from projector.games.crystal.chapters import choosing, deploy_phase, giving_up, phases, playing, rounds, setup, winning
from projector.games.crystal.chapters.drawing import draw_first
from projector.games.crystal.naming import owned
from projector.games.crystal.state import DEPLOY, LANE, OVER, PHASES, SETUP, Crystal, CrystalCard, living
from projector.kit.ending import NOT_ENDED
from projector.kit.mismatches import Mismatches, Reason, RuleOf, contradiction, rule_behind
from projector.model.amounts import how_many, joined
from projector.model.game import RuleVerdict
from projector.model.phrases import by_ruling, name_of, named
from projector.model.rules import Rule

POWERS: Final[Mapping[type[Consequence], str]] = {
    ev.AttackResolved: "attack",
    ev.MiningResolved: "mining",
    ev.TechLimitSet: "tech",
}
"""The lane whose power a line gives."""

DECIDING: Final[Mapping[type[Consequence], Mapping[str, tuple[str, ...]]]] = {
    ev.DamageTaken: {"prevention_reach": ("any_damage",), "mining_prevention": ("ability_damage",)},
    ev.TechLimitSet: {"tech_limit_time": ("start_of_round",)},
    ev.GameEnded: {"tie_break": ("always", "never")},
}
"""The options of rulings that decide about a line."""


def resting_on(table: Crystal, _event: Any, expected: Any) -> str:
    """Return the rulings that a derived line rests on, to stand behind what it says."""
    found = [key for key, options in DECIDING.get(type(expected), {}).items() if table.options[key] in options]
    if isinstance(expected, ev.AttackResolved) and expected.prevented:
        found.append("prevention")
    lane = POWERS.get(type(expected))
    if lane is not None and board.is_at_floor(table, table.players[expected.player], LANE[lane]):
        found.append("base_floor")
    return "".join(f", {by_ruling(table, key)}" for key in found)


# -- which rule --------------------------------------------------------------------------------------------------------


def _as_named(table: Crystal, event: ev.GameEnded, expected: ev.GameEnded) -> ev.GameEnded:
    """Return an end as the log names it: whoever stands last because the others gave up has won by a concession."""
    if event.reason == "concession" and table.conceding and expected.reason == "last-standing":
        return msgspec.structs.replace(expected, reason="concession")
    return expected


def _is_allowed_end(table: Crystal, event: ev.GameEnded, expected: ev.GameEnded) -> bool:
    """Return whether a game may also end so: by a concession, or with a tie that nobody breaks (ruling)."""
    if event.winner == expected.winner and event.reason == expected.reason:
        return True
    unbroken = table.options["tie_break"] == "tables_choice" and rule_behind(table, expected) == winning.TIE_BREAK.id
    return unbroken and event.reason == "crystals" and event.winner is None


def _rule_of_ability(table: Crystal, event: Any, expected: Any) -> Rule:
    """Return the rule about what an ability does, another amount or card; that it was not its time the reason says."""
    if rule_behind(table, expected) == phases.START_ABILITIES.id:
        return phases.START_ABILITIES
    return playing.own_tokens if expected is None and isinstance(event, ev.TokenPlaced) else choosing.as_written


def _rule_of_limit(table: Crystal, event: ev.TechLimitSet, expected: Any) -> Rule | RuleVerdict:
    if expected is not None:
        by_ability = rule_behind(table, expected).startswith("crystal.ability")
        return choosing.as_written if by_ability else deploy_phase.LIMIT_SET
    if event.player != table.active:
        return deploy_phase.LIMIT_SET
    return deploy_phase.SAME_TURN if table.limited else RuleVerdict(draw_first, draw_first(table, event))


def _rule_of_payment(table: Crystal, event: ev.CrystalsPaid, expected: ev.CrystalsPaid | None) -> Rule:
    changed = rule_behind(table, expected) == choosing.AFTER_PAYMENT.id
    is_other = changed and expected is not None and event.amount != expected.amount
    return choosing.AFTER_PAYMENT if is_other else playing.affordable


def _rule_of_attack(table: Crystal, event: ev.AttackResolved, expected: ev.AttackResolved | None) -> Rule:
    if expected is None:
        return phases.PHASE_ORDER
    if event.power != expected.power:
        return phases.VALUE
    fallen = sum(isinstance(each.event, ev.PlayerEliminated) for each in table.derived)
    return phases.HIGHEST_ONLY if len(living(table)) + fallen > 2 else phases.DIFFERENCE


def _rule_of_elimination(table: Crystal, event: ev.PlayerEliminated, expected: Any) -> Rule:
    gave_up = any(each.rule == giving_up.CONCESSION.id for each in table.derived)
    return giving_up.CONCESSION if gave_up else winning.ZERO_HITPOINTS


def _verdict_on_end(table: Crystal, event: ev.GameEnded, expected: ev.GameEnded | None) -> Rule | RuleVerdict:
    if expected is None:
        return _rule_of_end(table, event, None)
    named = _as_named(table, event, expected)
    is_allowed = _is_allowed_end(table, event, named)
    differs = None if is_allowed else contradiction(table, event, named, resting_on(table, event, named))
    return RuleVerdict(_rule_of_end(table, event, named), differs)


def _rule_of_end(table: Crystal, event: ev.GameEnded, expected: ev.GameEnded | None) -> Rule:
    reasons = {event.reason, expected.reason if expected is not None else event.reason}
    if "abandoned" in reasons:
        return giving_up.ABANDONED
    if expected is not None and expected.reason == "concession":
        return giving_up.CONCESSION
    if len(reasons) > 1:
        return winning.TWO_WAYS
    if event.reason != "crystals":
        return winning.LAST_STANDING
    return winning.LADDER.get(rule_behind(table, expected), winning.FIFTY)


# -- what is so already ------------------------------------------------------------------------------------------------


def _has_begun(table: Crystal, event: ev.PhaseStarted) -> bool:
    """Return whether a phase has begun in this round, as far as the log has come in what it has still to say of it."""
    due = next((each.event.phase for each in table.derived if isinstance(each.event, ev.PhaseStarted)), "")
    if due:
        return PHASES.index(event.phase) < PHASES.index(due)
    last = _last_phase(table)
    return last in PHASES and PHASES.index(event.phase) <= PHASES.index(last)


def _last_phase(table: Crystal) -> str:
    """Return the phase, or the one in which the game has ended."""
    if table.phase != OVER:
        return table.phase
    return next(
        (before for _, field, before, after in reversed(table.journal) if (field, after) == ("phase", OVER)), ""
    )


def _has_ended(table: Crystal, event: ev.GameEnded) -> bool:
    reasons = {table.reason, "concession" if table.conceding else ""}
    return table.over and (event.winner or "") == table.winner and event.reason in reasons


def _is_limit(table: Crystal, event: ev.TechLimitSet) -> bool:
    is_set = table.limited and table.active == event.player
    return is_set and table.players[event.player].tech_limit == event.limit


def _is_supply(table: Crystal, event: ev.SupplySet) -> bool:
    player = table.players[event.player]
    same = (player.hitpoints, player.crystals) == (event.hitpoints, event.crystals)
    return table.phase == SETUP and player.listed and same


IS_SO: Final[Mapping[type[Consequence], Callable[[Crystal, Any], bool]]] = {
    ev.GameEnded: _has_ended,
    ev.RoundStarted: lambda table, event: event.round == table.round,
    ev.PhaseStarted: _has_begun,
    ev.TurnStarted: lambda table, event: event.player == table.active,
    ev.PriorityPassed: lambda table, event: event.to == table.priority,
    ev.PlayerEliminated: lambda table, event: not table.players[event.player].living,
    ev.TechLimitSet: _is_limit,
    ev.SupplySet: _is_supply,
}
"""Whether the table is already as a line says that is not due."""


# -- why it is not so --------------------------------------------------------------------------------------------------


def _of_ability(table: Crystal, event: Any) -> str | tuple[Rule, str]:
    source = table.find(event.source)
    if source is None or source.text is None:
        return f"no card on the table is called {event.source}"
    title, word = owned(table, source.name), verb.made_by[type(event)]
    moments = [trigger for trigger in TRIGGERS if _has_verb(source.text.says.on(trigger), word)]
    if not moments:
        says = f"says only: {source.text.text}" if source.text.text else "has no text"
        return f"{title} does nothing of the kind, it {says}"
    if not source.since:
        return f"{title} has not been played"
    is_early = source.since == table.round and _has_verb(source.text.says.start_of_next_round, word)
    return phases.START_ABILITIES if is_early else choosing.ONCE, _why_not_now(table, source, moments[0])


def _why_not_now(table: Crystal, source: CrystalCard, when: str) -> str:
    """Return why a card that was played does now nothing of what it does at some moment."""
    title = owned(table, source.name)
    if when in phases.THIS_TURN and table.options["turn_word"] == "deploy_turn":
        return f"the turn in which {title} was played is over, {by_ruling(table, 'turn_word')}"
    if source.since == table.round:
        return f"{title} does so once, {TRIGGERS[when]}; that is not now, or is done already"
    if when == "start-of-next-round" and source.since == table.round - 1 and table.phase == DEPLOY:
        return f"what {title} does at the start of round {table.round} is done already"
    return f"{title} was played in round {source.since}, an ability happens once, and this is round {table.round}"


def _has_verb(effects: tuple[Effect, ...], word: str) -> bool:
    return any(effect.verb == word for effect in effects)


def _where(table: Crystal, _event: Any = None) -> str:
    """Return where the game stands: `it is round 2, and Ann is deploying`."""
    if table.phase == SETUP:
        return "the set-up is not done"
    if table.active:
        return f"it is round {table.round}, and {name_of(table, table.active)} is deploying"
    return f"it is round {table.round}, {table.phase.replace('-', ' ')}"


def _supply(table: Crystal, event: ev.SupplySet) -> str:
    player = table.players[event.player]
    return f"{player.name} has a supply already" if player.listed else f"{player.name} has declared no faction yet"


def _limit(table: Crystal, event: ev.TechLimitSet) -> str:
    if table.active != event.player:
        return _where(table)
    return f"it is set already, to {table.players[event.player].tech_limit}, and no card changes it now"


def _paid(table: Crystal, event: ev.CrystalsPaid) -> str:
    player, refused = table.players[event.player], table.refused
    if refused is not None and refused.player == event.player:
        return f"{player.name} has {how_many(player.crystals, 'crystal')} for {named(table, refused.card)}"
    return f"no card of {player.name} is to be paid; {_where(table)}"


def _resolved(table: Crystal, event: Any) -> str:
    player = table.players[event.player]
    return _where(table) if player.living else f"{player.name} is out"


def _passed(table: Crystal, event: ev.PriorityPassed) -> str:
    return f"no round ends; it is with {name_of(table, table.priority) if table.priority else 'nobody yet'}"


def _eliminated(table: Crystal, event: ev.PlayerEliminated) -> str:
    player = table.players[event.player]
    if player.hitpoints <= 0:
        return f"the attack phase has not ended, {by_ruling(table, 'hitpoint_check')}"
    return f"{player.name} has {how_many(player.hitpoints, 'hit point')} left"


def _ended(table: Crystal, event: ev.GameEnded) -> str:
    players = living(table)
    if event.reason == "crystals":
        have = ", ".join(f"{player.name} {player.crystals}" for player in players)
        return f"nobody wins with {winning.ENOUGH} crystals now ({have}; {by_ruling(table, 'crystal_check')})"
    return NOT_ENDED.get(event.reason) or f"{joined(player.name for player in players)} are still in the game"


REASONS: Final[Mapping[type[Consequence], Reason]] = {
    **dict.fromkeys(verb.made_by, _of_ability),
    **dict.fromkeys((ev.RoundStarted, ev.PhaseStarted, ev.TurnStarted), _where),
    ev.SupplySet: _supply,
    ev.PriorityPassed: _passed,
    ev.TechLimitSet: _limit,
    ev.CrystalsPaid: _paid,
    ev.AttackResolved: _resolved,
    ev.MiningResolved: _resolved,
    ev.PlayerEliminated: _eliminated,
    ev.GameEnded: _ended,
}
RULES: Final[Mapping[type[Consequence], RuleOf]] = {
    **dict.fromkeys(verb.made_by, _rule_of_ability),
    ev.RoundStarted: phases.PHASE_ORDER,
    ev.PhaseStarted: phases.PHASE_ORDER,
    ev.TurnStarted: deploy_phase.own_turn,
    ev.SupplySet: setup.SUPPLY,
    ev.PriorityPassed: rounds.PASSES_LEFT,
    ev.TechLimitSet: _rule_of_limit,
    ev.CrystalsPaid: _rule_of_payment,
    ev.AttackResolved: _rule_of_attack,
    ev.MiningResolved: lambda _table, _event, expected: phases.PHASE_ORDER if expected is None else phases.GAIN,
    ev.PlayerEliminated: _rule_of_elimination,
    ev.GameEnded: _verdict_on_end,
}
MISMATCHES: Final = Mismatches(
    seats=setup.two_or_more,
    end=winning.nothing_after_end,
    rules=RULES,
    reasons=REASONS,
    is_so=IS_SO,
    resting_on=resting_on,
)
