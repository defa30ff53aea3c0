"""The rules that a written consequence can break: what the log says follows, against what the rules make of it."""

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from events.games import crystal as ev
from events.vocabulary import Consequence
from projector.games.crystal.abilities import verb
from projector.games.crystal.chapters.attack import DIFFERENCE, HIGHEST_ONLY, VALUE
from projector.games.crystal.chapters.choosing import as_written
from projector.games.crystal.chapters.deploy_phase import LIMIT_SET, SAME_TURN, own_turn
from projector.games.crystal.chapters.drawing import draw_first
from projector.games.crystal.chapters.giving_up import ABANDONED, CONCESSION
from projector.games.crystal.chapters.mining import GAIN
from projector.games.crystal.chapters.phases import PHASE_ORDER, START_ABILITIES
from projector.games.crystal.chapters.playing import AFTER_PAYMENT, affordable, own_tokens
from projector.games.crystal.chapters.reasons import IS_SO, REASONS, resting_on
from projector.games.crystal.chapters.rounds import PASSES_LEFT
from projector.games.crystal.chapters.setup import SUPPLY, two_or_more
from projector.games.crystal.chapters.winning import (
    FIFTY,
    LADDER,
    LAST_STANDING,
    TIE_BREAK,
    TWO_WAYS,
    ZERO_HITPOINTS,
    nothing_after_end,
)
from projector.games.crystal.state import Crystal, living
from projector.kit.mismatches import Mismatches, RuleOf, contradiction, rule_behind
from projector.model.game import RuleVerdict
from projector.model.rules import Rule


def _as_named(table: Crystal, event: ev.GameEnded, expected: ev.GameEnded) -> ev.GameEnded:
    """Return an end as the log names it: whoever stands last because the others gave up has won by a concession."""
    if event.reason == "concession" and table.conceding and expected.reason == "last-standing":
        return msgspec.structs.replace(expected, reason="concession")
    return expected


def _is_allowed_end(table: Crystal, event: ev.GameEnded, expected: ev.GameEnded) -> bool:
    """Return whether a game may also end so: by a concession, or with a tie that nobody breaks (ruling)."""
    if event.winner == expected.winner and event.reason == expected.reason:
        return True
    unbroken = table.options["tie_break"] == "tables_choice" and rule_behind(table, expected) == TIE_BREAK.id
    return unbroken and event.reason == "crystals" and event.winner is None


# -- which rule --------------------------------------------------------------------------------------------------------


def _of_ability(table: Crystal, event: Any, expected: Any) -> Rule:
    """Return the rule about what an ability does, another amount or card; that it was not its time the reason says."""
    if rule_behind(table, expected) == START_ABILITIES.id:
        return START_ABILITIES
    return own_tokens if expected is None and isinstance(event, ev.TokenPlaced) else as_written


def _tech_limit(table: Crystal, event: ev.TechLimitSet, expected: Any) -> Rule | RuleVerdict:
    if expected is not None:
        return as_written if rule_behind(table, expected).startswith("crystal.ability") else LIMIT_SET
    if event.player != table.active:
        return LIMIT_SET
    return SAME_TURN if table.limited else RuleVerdict(draw_first, draw_first(table, event))


def _paid(table: Crystal, event: ev.CrystalsPaid, expected: ev.CrystalsPaid | None) -> Rule:
    changed = rule_behind(table, expected) == AFTER_PAYMENT.id
    return AFTER_PAYMENT if changed and expected is not None and event.amount != expected.amount else affordable


def _attack(table: Crystal, event: ev.AttackResolved, expected: ev.AttackResolved | None) -> Rule:
    if expected is None:
        return PHASE_ORDER
    if event.power != expected.power:
        return VALUE
    fallen = sum(isinstance(each.event, ev.PlayerEliminated) for each in table.derived)
    return HIGHEST_ONLY if len(living(table)) + fallen > 2 else DIFFERENCE


def _eliminated(table: Crystal, event: ev.PlayerEliminated, expected: Any) -> Rule:
    gave_up = any(each.rule == CONCESSION.id for each in table.derived)
    return CONCESSION if gave_up else ZERO_HITPOINTS


def _ended(table: Crystal, event: ev.GameEnded, expected: ev.GameEnded | None) -> Rule | RuleVerdict:
    if expected is None:
        return _rule_of_end(table, event, None)
    named = _as_named(table, event, expected)
    is_allowed = _is_allowed_end(table, event, named)
    differs = None if is_allowed else contradiction(table, event, named, resting_on(table, event, named))
    return RuleVerdict(_rule_of_end(table, event, named), differs)


def _rule_of_end(table: Crystal, event: ev.GameEnded, expected: ev.GameEnded | None) -> Rule:
    reasons = {event.reason, expected.reason if expected is not None else event.reason}
    if "abandoned" in reasons:
        return ABANDONED
    if expected is not None and expected.reason == "concession":
        return CONCESSION
    if len(reasons) > 1:
        return TWO_WAYS
    if event.reason != "crystals":
        return LAST_STANDING
    return LADDER.get(rule_behind(table, expected), FIFTY)


RULES: Final[Mapping[type[Consequence], RuleOf]] = {
    **dict.fromkeys(verb.made_by, _of_ability),
    ev.RoundStarted: PHASE_ORDER,
    ev.PhaseStarted: PHASE_ORDER,
    ev.TurnStarted: own_turn,
    ev.SupplySet: SUPPLY,
    ev.PriorityPassed: PASSES_LEFT,
    ev.TechLimitSet: _tech_limit,
    ev.CrystalsPaid: _paid,
    ev.AttackResolved: _attack,
    ev.MiningResolved: lambda _table, _event, expected: PHASE_ORDER if expected is None else GAIN,
    ev.PlayerEliminated: _eliminated,
    ev.GameEnded: _ended,
}
MISMATCHES: Final = Mismatches(
    seats=two_or_more, end=nothing_after_end, rules=RULES, reasons=REASONS, is_so=IS_SO, resting_on=resting_on
)
