"""Written consequences that the rules do not make: which rule they break, and what there is in their place."""

from collections.abc import Callable
from typing import Any, Final

from events.games import duelyst as ev
from events.vocabulary import Event
from projector.games.duelyst.adopting import adopt
from projector.games.duelyst.board import AS_DECLARED
from projector.games.duelyst.overdue import beginning_of, is_before_draws, overdue, take_as_derived
from projector.games.duelyst.owed import owed_now
from projector.games.duelyst.rulebook import BY_ID
from projector.games.duelyst.rules.reasons import REASONS
from projector.games.duelyst.rules.setup import nothing_after_end, two_players
from projector.games.duelyst.state import GENERAL, MAXIMUM, Duelyst
from projector.games.duelyst.tiles import attack_of, has, is_structure, touches, unit_called
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
        told = f"the log says that {clause(table, event)} too early{as_ruled(table, 'trigger_order')}"
        return RuleVerdict(BY_ID[due.rule], Broken(told, comes_first(table, due)))
    return MISMATCHES.explain(table, event, expected)


def _rule(table: Duelyst, event: Any, expected: Any) -> Rule:
    if expected is not None:
        return BY_ID[_contradicted(table, event, expected)]
    of = UNEXPECTED[type(event)]
    return BY_ID[of if isinstance(of, str) else of(table, event)]


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


def _damage(table: Duelyst, event: ev.DamageDealt) -> str:
    """Return the rule that a damage breaks which nothing brings about."""
    if not table.fight or event.source not in table.fight:
        return AS_DECLARED
    attacker, defender = (unit_called(table, name) for name in table.fight)
    if event.source == table.fight[0]:
        return "duelyst.combat.attacker-first" if event.unit == table.fight[1] else "duelyst.attack.one-target"
    if attacker is None or defender is None or touches(attacker.place, defender.place):
        return "duelyst.combat.strike-back"
    is_ranged = has(table, defender, "ranged")
    return "duelyst.combat.strike-back" if is_ranged else "duelyst.combat.strike-back-range"


def _paid(_table: Duelyst, event: ev.ManaPaid) -> str:
    return "duelyst.mech.free-after-five" if not event.amount else "duelyst.cost.mana"


def _readied(table: Duelyst, event: ev.BloodboundSpellReadied) -> str:
    player = table.players.get(event.player)
    is_kept = player is not None and player.bloodbound > 0 and table.active == event.player
    return "duelyst.bloodbound.may-be-kept" if is_kept else "duelyst.bloodbound.schedule"


def _vanished(table: Duelyst, event: ev.TokenVanished) -> str:
    unit = unit_called(table, event.unit)
    was_freed = unit is not None and not unit.ephemeral and "ephemeral" in unit.text.says.keywords
    return "duelyst.dervish.freed-for-good" if was_freed else "duelyst.dervish.vanishes"


def _died(table: Duelyst, event: ev.UnitDied) -> str:
    unit = table.find(event.unit)
    is_general = unit is not None and unit.text is not None and unit.text.kind == GENERAL
    return "duelyst.general.death-loses" if is_general else "duelyst.minion.dies-to-graveyard"


def _returned(table: Duelyst, event: ev.CardReturned) -> str:
    unit = table.find(event.card)
    is_general = unit is not None and unit.text is not None and unit.text.kind == GENERAL
    return "duelyst.general.always-on-board" if is_general else AS_DECLARED


def _changed(table: Duelyst, event: ev.UnitChanged) -> str:
    unit = unit_called(table, event.unit)
    gains = unit is not None and is_structure(unit) and event.attack > attack_of(table, unit)
    return "duelyst.structure.no-attack-gain" if gains else AS_DECLARED


def _progressed(table: Duelyst, event: ev.BuildProgressed) -> str:
    player = table.players.get(event.player)
    is_less = player is not None and event.progress < player.progress
    return "duelyst.mech.progress-not-dispelled" if is_less else "duelyst.mech.progress"


def _added(table: Duelyst, _event: ev.CardAdded) -> str:
    is_misnamed = any(isinstance(each.event, ev.CardAdded) for each in table.derived)
    return "duelyst.state.known-card" if is_misnamed else "duelyst.bond.arcanyst"


def _ended(_table: Duelyst, event: ev.GameEnded) -> str:
    return {
        "general-killed": "duelyst.win.kill-general",
        "both-generals-killed": "duelyst.win.both-generals-die",
        "concession": "duelyst.end.concession",
        "abandoned": "duelyst.end.abandoned",
        "empty-deck": "duelyst.deck.empty-draw",
    }[event.reason]


UNEXPECTED: Final[dict[type[Event], str | Callable[[Duelyst, Any], str]]] = {
    ev.TurnStarted: "duelyst.turn.three-phases",
    ev.GameEnded: _ended,
    ev.GeneralPlaced: "duelyst.setup.generals-placed",
    ev.GlobePlaced: "duelyst.setup.three-globes",
    ev.GlobeCollected: "duelyst.mana.globe",
    ev.ManaRefilled: "duelyst.mana.refilled",
    ev.ManaPaid: _paid,
    ev.BloodboundSpellReadied: _readied,
    ev.DamageDealt: _damage,
    ev.DamagePrevented: AS_DECLARED,
    ev.UnitHealed: AS_DECLARED,
    ev.UnitChanged: _changed,
    ev.UnitStunned: AS_DECLARED,
    ev.UnitDispelled: AS_DECLARED,
    ev.UnitFreed: "duelyst.dervish.only-dunecaster-frees",
    ev.UnitTeleported: AS_DECLARED,
    ev.UnitFinished: "duelyst.structure.while-building",
    ev.UnitDied: _died,
    ev.TokenAppeared: AS_DECLARED,
    ev.TokenVanished: _vanished,
    ev.ArtifactWorn: "duelyst.artifact.wears-with-general",
    ev.ArtifactBroken: "duelyst.artifact.breaks-at-zero",
    ev.CardReturned: _returned,
    ev.CardAdded: _added,
    ev.BuildProgressed: _progressed,
    ev.StrikeBackSuspended: "duelyst.bond.golem",
}


def _enforce(table: Duelyst, event: Any, expected: Any) -> None:
    """Go on from a consequence before which luck should have written a line, or that nobody can check."""
    if expected is None and owed_now(table) is not None:
        take_as_derived(table, event)
    else:
        adopt(table, event, expected)


ENFORCE: Final[dict[type[Any], Callable[[Duelyst, Any, Any], None]]] = dict.fromkeys(UNEXPECTED, _enforce)
MISMATCHES: Final = Mismatches(
    seats=two_players, end=nothing_after_end, rules={}, usual=_rule, reasons=REASONS, resting_on=_resting_on
)
