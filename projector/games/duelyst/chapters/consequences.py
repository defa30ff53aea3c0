"""Written consequences that the rules do not make: which rule they break, why, and what the table does then."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from tabletape.events.games import duelyst as ev
from tabletape.events.vocabulary import Consequence, vocabulary
from tabletape.projector.games.duelyst.board import AS_DECLARED, UNKNOWN_HEALTH, remove_dead, resolve_deaths
from tabletape.projector.games.duelyst.chapters.doubt import unchecked
from tabletape.projector.games.duelyst.chapters.setup import nothing_after_end, two_players
from tabletape.projector.games.duelyst.damage import hurt
from tabletape.projector.games.duelyst.moves import BY_ID
from tabletape.projector.games.duelyst.naming import called
from tabletape.projector.games.duelyst.opening import globe_tiles
from tabletape.projector.games.duelyst.overdue import beginning_of, is_before_draws, overdue, take_as_derived
from tabletape.projector.games.duelyst.owed import first, owed_now
from tabletape.projector.games.duelyst.state import GENERAL, MAXIMUM, Duelyst, general_of
from tabletape.projector.games.duelyst.tiles import attack_of, has, is_structure, touches, unit_called
from tabletape.projector.games.duelyst.written_totals import take_over
from tabletape.projector.kit.adopting import adopt_total, as_written
from tabletape.projector.kit.ending import NOT_ENDED
from tabletape.projector.kit.mismatches import Mismatches, rule_behind
from tabletape.projector.kit.owed import comes_first, missing
from tabletape.projector.model.amounts import counted
from tabletape.projector.model.game import RuleVerdict
from tabletape.projector.model.phrases import as_ruled, name_of, tile_in_words
from tabletape.projector.model.rules import NOT_APPLICABLE, Broken, Rule
from tabletape.projector.model.sentences import clause

Unmade = tuple[str, str]
"""The id of a rule that a line breaks, and why the rules make nothing like it (empty: nothing causes it)."""


def _turn(table: Duelyst, _event: ev.TurnStarted) -> Unmade:
    return "duelyst.turn.three-phases", f"{name_of(table, table.active)} is on turn" if table.active else ""


def _damage(table: Duelyst, event: ev.DamageDealt) -> Unmade:
    if event.source not in table.fight:
        return AS_DECLARED, ""
    attacker, defender = table.fight
    if event.source != attacker:
        return _no_strike_back(table, attacker, defender)
    if event.unit == defender:
        return "duelyst.combat.attacker-first", "it has done so once"
    return "duelyst.attack.one-target", f"it attacks {called(table, defender)} alone"


def _no_strike_back(table: Duelyst, attacker: str, defender: str) -> Unmade:
    """Return why the defender of the last attack does not strike back (again)."""
    unit, other = unit_called(table, defender), unit_called(table, attacker)
    rule = "duelyst.combat.strike-back"
    if unit is None:
        return rule, "it is not on the board any more and does not strike back"
    is_far = other is not None and not touches(unit.place, other.place) and not has(table, unit, "ranged")
    rule = "duelyst.combat.strike-back-range" if is_far else rule
    if table.players[unit.owner].held:
        return rule, f"the units of {name_of(table, unit.owner)} do not strike back this turn"
    if not attack_of(table, unit):
        return rule, "its attack is 0" + (as_ruled(table, "while_building") if unit.building else "")
    if is_far:
        return rule, f"{called(table, attacker)} is out of its range"
    return rule, "it has struck back already, or was attacked from behind"


def _died(table: Duelyst, event: ev.UnitDied) -> Unmade:
    unit, rule = unit_called(table, event.unit), "duelyst.minion.dies-to-graveyard"
    if _is_general(table, event.unit):
        rule = "duelyst.general.death-loses"
    return rule, "it is not on the board" if unit is None else f"its health is {unit.health}"


def _is_general(table: Duelyst, name: str) -> bool:
    card = table.find(name)
    return card is not None and card.text is not None and card.text.kind == GENERAL


def _finished(table: Duelyst, event: ev.UnitFinished) -> Unmade:
    unit, rule = unit_called(table, event.unit), "duelyst.structure.while-building"
    if unit is None or not unit.building:
        return rule, "it is not being built"
    if unit.dispelled:
        return rule, f"it was dispelled{as_ruled(table, 'dispelled_build')}"
    return rule, f"{counted(unit.building, 'own turn')} of building {'is' if unit.building == 1 else 'are'} left"


def _vanished(table: Duelyst, event: ev.TokenVanished) -> Unmade:
    unit, rule = unit_called(table, event.unit), "duelyst.dervish.vanishes"
    if unit is None:
        return rule, "it is not on the board"
    if unit.ephemeral:
        return rule, "its player's turn has not ended"
    if "ephemeral" in unit.text.says.keywords:
        return "duelyst.dervish.freed-for-good", "a Dunecaster has freed it for good"
    return rule, "it is not Ephemeral"


def _worn(table: Duelyst, event: Any) -> Unmade:
    is_broken = isinstance(event, ev.ArtifactBroken)
    rule = "duelyst.artifact.breaks-at-zero" if is_broken else "duelyst.artifact.wears-with-general"
    card = table.find(event.card)
    if card is None or not card.zone.name.startswith("artifacts:"):
        return rule, "nobody wears it"
    return rule, f"its durability is {card.durability}, and its general has taken no other damage"


def _readied(table: Duelyst, event: ev.BloodboundSpellReadied) -> Unmade:
    player = table.players[event.player]
    if event.player != table.active:
        return "duelyst.bloodbound.schedule", f"{name_of(table, table.active)} is on turn"
    if player.bloodbound:
        return "duelyst.bloodbound.may-be-kept", f"it is available already{as_ruled(table, 'bloodbound_kept')}"
    return "duelyst.bloodbound.schedule", f"this is own turn {player.turns}{as_ruled(table, 'bloodbound_schedule')}"


def _globe(table: Duelyst, event: ev.GlobeCollected) -> Unmade:
    rule = "duelyst.mana.globe"
    if event.tile not in table.globes:
        return rule, "there is no mana globe on that tile"
    is_idle = table.options["globe_effect"] == "nothing"
    unit = unit_called(table, event.unit)
    if is_idle or (unit is not None and unit.place == event.tile):
        return rule, f"the globe stays{as_ruled(table, 'globe_effect' if is_idle else 'globe_collected_by')}"
    return rule, f"{called(table, event.unit)} is not there"


def _placed(table: Duelyst, _event: ev.GlobePlaced) -> Unmade:
    tiles = " ".join(tile_in_words(tile) for tile in globe_tiles(table))
    return "duelyst.setup.three-globes", f"the globes lie on {tiles}{as_ruled(table, 'globe_tiles')}"


def _ended(table: Duelyst, event: ev.GameEnded) -> Unmade:
    if event.reason in NOT_ENDED:
        return f"duelyst.end.{event.reason}", NOT_ENDED[event.reason]
    if event.reason == "empty-deck":
        return "duelyst.deck.empty-draw", f"an empty deck ends no game here{as_ruled(table, 'empty_deck')}"
    alive = [general for player in table.players if (general := general_of(table, player)) is not None]
    message = " and ".join(f"the health of {called(table, general.name)} is {general.health}" for general in alive)
    is_one = event.reason == "general-killed"
    return "duelyst.win.kill-general" if is_one else "duelyst.win.both-generals-die", message


def _added(table: Duelyst, _event: ev.CardAdded) -> Unmade:
    """Return why no card comes into a hand, or which card comes in its place."""
    due = [each.event.card for each in table.derived if isinstance(each.event, ev.CardAdded)]
    return ("duelyst.state.known-card", f"{due[0]} comes there") if due else ("duelyst.bond.arcanyst", _no_bond(table))


def _no_bond(table: Duelyst) -> str:
    if any(unit.created and "bond" in unit.text.says.effects for unit in table.units):
        return f"no Bond works{as_ruled(table, 'bond_by_effect')}"
    return "no Bond works without another friendly unit of the tribe"


def _returned(table: Duelyst, event: ev.CardReturned) -> Unmade:
    if _is_general(table, event.card):
        return "duelyst.general.always-on-board", "a general is always on the board"
    return AS_DECLARED, ""


def _changed(table: Duelyst, event: ev.UnitChanged) -> Unmade:
    unit = unit_called(table, event.unit)
    if unit is None:
        return AS_DECLARED, "it is not on the board"
    now = (attack_of(table, unit), unit.health)
    is_so = now == (event.attack, event.health)
    stays = f"it {'is' if is_so else 'stays'} {now[0]}/{now[1]}{' already' if is_so else ''}"
    if is_structure(unit) and event.attack > now[0]:
        return "duelyst.structure.no-attack-gain", f"a Structure gains no attack; {stays}"
    return AS_DECLARED, stays


def _progressed(table: Duelyst, event: ev.BuildProgressed) -> Unmade:
    player = table.players[event.player]
    is_less = event.progress < player.progress
    rule = "duelyst.mech.progress-not-dispelled" if is_less else "duelyst.mech.progress"
    return rule, f"it stands at {player.progress}"


UNMADE: Final[Mapping[type[Consequence], Unmade | Callable[[Duelyst, Any], Unmade]]] = {
    ev.TurnStarted: _turn,
    ev.GameEnded: _ended,
    ev.GeneralPlaced: ("duelyst.setup.generals-placed", ""),
    ev.GlobePlaced: _placed,
    ev.GlobeCollected: _globe,
    ev.ManaRefilled: ("duelyst.mana.refilled", ""),
    ev.ManaPaid: lambda _table, event: ("duelyst.cost.mana" if event.amount else "duelyst.mech.free-after-five", ""),
    ev.BloodboundSpellReadied: _readied,
    ev.DamageDealt: _damage,
    ev.UnitChanged: _changed,
    ev.UnitFreed: ("duelyst.dervish.only-dunecaster-frees", "only a Dunecaster frees a token"),
    ev.UnitFinished: _finished,
    ev.UnitDied: _died,
    ev.TokenVanished: _vanished,
    ev.ArtifactWorn: _worn,
    ev.ArtifactBroken: _worn,
    ev.CardReturned: _returned,
    ev.CardAdded: _added,
    ev.BuildProgressed: _progressed,
    ev.StrikeBackSuspended: lambda table, _event: ("duelyst.bond.golem", _no_bond(table)),
}
"""What is said of lines by their types; all others come from what a text says."""


def unmade(table: Duelyst, event: Any) -> tuple[Rule, str]:
    """Return which rule a line breaks that the rules make nothing like, and why they do not."""
    found = UNMADE.get(type(event), (AS_DECLARED, ""))
    rule, reason = found if isinstance(found, tuple) else found(table, event)
    return BY_ID[rule], reason


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


# -- what the table does then ------------------------------------------------------------------------------------------


def _enforce(table: Duelyst, event: Any, expected: Any) -> None:
    """Take over a total that is written otherwise than the rules make it.

    `expected` is what they made of it; where that is None, luck has not written a line before this one, or a text that
    nobody can check has made it. What the log has just said is not expected again.
    """
    if expected is not None and not _is_open_health(table, event):
        take_over(table, event, expected)
        return
    if expected is None and owed_now(table) is not None:
        take_as_derived(table, event)
        return
    names = [name for field in ("unit", "source") if isinstance(name := getattr(event, field, None), str)]
    accept = ACCEPTED.get(type(event))
    if accept is None or unchecked(table, names) is None:
        return
    with as_written(table, event):
        accept(table, event, expected)


def _is_open_health(table: Duelyst, event: Any) -> bool:
    """Return whether a line deals damage to a unit of which only the log knows the health."""
    unit = unit_called(table, event.unit) if isinstance(event, ev.DamageDealt) else None
    return unit is not None and unit.text.health == UNKNOWN_HEALTH


def _accept_damage(table: Duelyst, event: ev.DamageDealt, expected: ev.DamageDealt | None) -> None:
    """Deal the damage; of a unit of unknown health the log says what is left."""
    unit = unit_called(table, event.unit)
    if unit is None:
        return
    if unit.text.health == UNKNOWN_HEALTH:
        table.count(unit, "damage", unit.health - event.health)
    elif expected is None:
        hurt(table, unit, event.amount, event.source, AS_DECLARED)
    first(table, remove_dead(table, (unit,)))


def _accept_death(table: Duelyst, event: ev.UnitDied, _expected: Any) -> None:
    unit = unit_called(table, event.unit)
    if unit is not None:
        first(table, resolve_deaths(table, [unit]))


ACCEPTED: Final[dict[type[Any], Callable[[Duelyst, Any, Any], None]]] = {
    ev.DamageDealt: _accept_damage,
    ev.UnitDied: _accept_death,
    ev.ManaPaid: adopt_total("mana", "mana"),
}
"""The consequences that the table goes on from where nobody can check them."""
ENFORCE: Final = {line: _enforce for line in vocabulary("duelyst").types.values() if issubclass(line, Consequence)}


MISMATCHES: Final = Mismatches(
    seats=two_players,
    end=nothing_after_end,
    rules={},
    usual=_rule,
    reasons=dict.fromkeys(ENFORCE, unmade),
    resting_on=_resting_on,
)
