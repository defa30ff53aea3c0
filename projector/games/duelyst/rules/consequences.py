"""Written consequences that the rules do not make: which rule they break, and what there is in their place."""

from typing import Any, Final

from events.games import duelyst as ev
from projector.games.duelyst.enforcing import ENFORCE
from projector.games.duelyst.overdue import beginning_of, is_before_draws, overdue
from projector.games.duelyst.owed import owed_now
from projector.games.duelyst.rulebook import BY_ID
from projector.games.duelyst.rules.reasons import unmade
from projector.games.duelyst.rules.setup import nothing_after_end, two_players
from projector.games.duelyst.state import MAXIMUM, Duelyst
from projector.games.duelyst.tiles import is_structure, unit_called
from projector.kit.mismatches import Mismatches, rule_behind
from projector.kit.owed import comes_first, missing
from projector.model.game import RuleVerdict
from projector.model.phrases import as_ruled
from projector.model.rules import NOT_APPLICABLE, Broken, Rule
from projector.model.sentences import clause

RESTS_ON: Final = {
    "duelyst.setup.starting-mana": "start_capacity",
    "duelyst.mana.refilled": "refill",
    "duelyst.mana.globe": "globe_effect",
    "duelyst.artifact.wears-with-general": "artifact_damage",
    "duelyst.win.both-generals-die": "both_generals_die",
}
"""The rulings on which rules rest that the fold carries out."""


def explain_mismatch(table: Duelyst, event: Any, expected: Any) -> RuleVerdict:
    """Return which rule a written consequence breaks."""
    if expected is None and (due := overdue(table, event)) is not None:
        if is_before_draws(table, event):
            return RuleVerdict(BY_ID[due.rule], NOT_APPLICABLE)
        return RuleVerdict(BY_ID[due.rule], missing(table, due, event))
    due = owed_now(table) if expected is None else None
    if due is not None and beginning_of(table, event) is not None:
        message = f"the log says that {clause(table, event)} too early{as_ruled(table, 'trigger_order')}"
        return RuleVerdict(BY_ID[due.rule], Broken(message, comes_first(table, due)))
    return MISMATCHES.explain(table, event, expected)


def _rule(table: Duelyst, event: Any, expected: Any) -> Rule:
    return unmade(table, event)[0] if expected is None else BY_ID[_contradicted(table, event, expected)]


def _resting_on(table: Duelyst, event: Any, expected: Any) -> str:
    ruling = RESTS_ON.get(_contradicted(table, event, expected), "") if expected is not None else ""
    return as_ruled(table, ruling) if ruling else ""


def _contradicted(table: Duelyst, event: Any, expected: Any) -> str:
    """Return the rule that says what the log says otherwise."""
    rule = rule_behind(table, expected)
    if isinstance(event, ev.ManaRefilled):
        return _refilled(event, expected, rule)
    if isinstance(event, ev.UnitChanged):
        unit = unit_called(table, event.unit)
        if unit is not None and is_structure(unit) and event.attack > expected.attack:
            return "duelyst.structure.no-attack-gain"
    if isinstance(event, ev.TokenAppeared) and (event.tile, event.source) == (expected.tile, expected.source):
        return "duelyst.state.known-card"
    return rule


def _refilled(event: ev.ManaRefilled, expected: ev.ManaRefilled, rule: str) -> str:
    if event.capacity == expected.capacity:
        return "duelyst.mana.refilled"
    return "duelyst.mana.capacity-nine" if event.capacity > MAXIMUM else rule


MISMATCHES: Final = Mismatches(
    seats=two_players,
    end=nothing_after_end,
    rules={},
    usual=_rule,
    reasons=dict.fromkeys(ENFORCE, unmade),
    resting_on=_resting_on,
)
