"""Combat: whom a unit attacks, its damage, and the striking back; Ranged and Provoke."""

from collections.abc import Iterator
from typing import Any, Final

from tabletape.events.games import duelyst as ev
from tabletape.events.vocabulary import Event
from tabletape.projector.games.duelyst import board, tiles
from tabletape.projector.games.duelyst.chapters import COMBAT, PROVOKE, UNCOVERED, movement
from tabletape.projector.games.duelyst.effects import carry_out
from tabletape.projector.games.duelyst.owed import first, works_off
from tabletape.projector.games.duelyst.schema import UNKNOWN_HEALTH
from tabletape.projector.games.duelyst.state import GENERAL, Duelyst, DuelystCard
from tabletape.projector.games.duelyst.tasks import StrikeBack, Tasks
from tabletape.projector.kit import mismatches
from tabletape.projector.kit.adopting import as_written, go_on_with
from tabletape.projector.kit.consequence import consequence, follows, why_not
from tabletape.projector.kit.moves import move
from tabletape.projector.model.phrases import as_ruled, name_of, tile_in_words
from tabletape.projector.model.rules import NOT_APPLICABLE, AllPassed, Broken, Verdict, all_passed, usually

ATTACKER_FIRST: Final = "duelyst.combat.attacker-first"
STRIKES_BACK: Final = "duelyst.combat.strike-back"

attacks_once: Final = COMBAT.rule("duelyst.attack.once-per-turn", "L119", "A unit attacks once a turn.")(
    movement.one_left("attacks", "has already attacked")
)


@UNCOVERED.rule("duelyst.attack.some-attack", "")
@movement.of_unit
def some_attack(table: Duelyst, _event: ev.UnitAttacked, unit: DuelystCard) -> Verdict:
    """A unit without attack does not attack (only where a ruling forbids it)."""
    if table.options["zero_attack"] != "forbidden":
        return NOT_APPLICABLE
    message = f"{table.called(unit.name)} attacks with an attack of 0{as_ruled(table, 'zero_attack')}"
    return None if tiles.attack_of(table, unit) > 0 else message


@COMBAT.rule("duelyst.attack.enemies-only", "L120 L178-L181")
def enemies_only(table: Duelyst, event: ev.UnitAttacked) -> Verdict:
    """Targets are enemies (implied)."""
    target = table.unit_called(event.target)
    if target is None:
        return NOT_APPLICABLE
    is_any_allowed = target.name != event.unit and table.options["friendly_fire"] == "any"
    if target.owner != event.player or is_any_allowed:
        return None
    message = f"{table.called(event.unit)} attacks {table.called(target.name)}, which is no enemy"
    return message + as_ruled(table, "friendly_fire")


@COMBAT.rule("duelyst.attack.range", "L120 L121 L129-L135", "Targets stand on one of the eight tiles around.")
@movement.of_unit
def in_attack_range(table: Duelyst, event: ev.UnitAttacked, unit: DuelystCard) -> Verdict:
    """The target stands beside the unit, or anywhere on the board where that is ranged."""
    target = table.unit_called(event.target)
    is_ranged = tiles.has(table, unit, "ranged")
    if target is None:
        because = "duelyst.ranged.attacks-anywhere" if is_ranged else ""
        return Broken(f"{table.called(event.target)} is not on the board", because=because)
    here: Any = unit.place
    there: Any = target.place
    if there in tiles.WITHIN_RANGE[here]:
        return None
    message = f"{table.called(target.name)} on {tile_in_words(there)} is not within one tile of"
    return NOT_APPLICABLE if is_ranged else f"{message} {table.called(unit.name)} on {tile_in_words(here)}"


@PROVOKE.rule("duelyst.provoke.attack-provoker", "L180 L181")
@movement.of_unit
def at_provoker(table: Duelyst, event: ev.UnitAttacked, unit: DuelystCard) -> Verdict:
    """Beside an enemy with provoke only such an enemy may be attacked."""
    provoking = tiles.provokers(table, unit, unit.place)
    if not provoking:
        return NOT_APPLICABLE
    if any(other.name == event.target for other in provoking):
        return None
    words = " or ".join(table.called(other.name) for other in provoking)
    message = f"{table.called(event.unit)} is provoked by {words} and attacks {table.called(event.target)}"
    return Broken(message, words)


NEEDS: Final = (*movement.COMMAND, attacks_once, some_attack, enemies_only, in_attack_range, at_provoker)
SHOT_KEPT: Final = all_passed(*movement.COMMAND_TESTS, attacks_once, enemies_only)
ATTACK_KEPT: Final = all_passed(*movement.COMMAND_TESTS, attacks_once, enemies_only, in_attack_range)
PROVOKED_KEPT: Final = all_passed(*movement.COMMAND_TESTS, attacks_once, enemies_only, in_attack_range, at_provoker)
"""What a player keeps to who attacks in one of the usual ways."""


def attacks_well(table: Duelyst, event: ev.UnitAttacked) -> AllPassed | None:
    """Return what is kept where a unit attacks for the first time in this turn: an enemy, and one that provokes it."""
    unit, target = table.cards.get(event.unit), table.cards.get(event.target)
    if unit is None or target is None or unit.attacks or unit.place is None or target.place is None:
        return None
    player = event.player
    if (
        target.owner == player
        or table.options["zero_attack"] == "forbidden"
        or not movement.may_command(table, player, unit)
    ):
        return None
    if (table.provoking or table.granting) and (provoking := tiles.provokers(table, unit, unit.place)):
        return PROVOKED_KEPT if target in provoking else None
    if target.place in (tiles.WITHIN_RANGE.get(unit.place) or tiles.WITHIN_RANGE[unit.place]):
        return ATTACK_KEPT
    return SHOT_KEPT if tiles.has(table, unit, "ranged") else None


def _attacks(table: Duelyst, player: str) -> Iterator[Event]:
    needs_attack = table.options["zero_attack"] == "forbidden"
    may_hit_own = table.options["friendly_fire"] == "any"
    others = [other for other in table.units if other.owner != player or may_hit_own]
    for unit in movement.ready_units(table, player):
        if needs_attack and tiles.attack_of(table, unit) == 0:
            continue
        is_ranged, near = tiles.has(table, unit, "ranged"), tiles.WITHIN_RANGE[unit.place]
        in_range = [other for other in others if (is_ranged or other.place in near) and other is not unit]
        for target in tiles.provokers(table, unit, unit.place) or in_range:
            yield ev.UnitAttacked(player=player, unit=unit.name, target=target.name)


@move(ev.UnitAttacked, usually(attacks_well, *NEEDS), offers=_attacks)
def _unit_attacked(table: Duelyst, event: ev.UnitAttacked) -> None:
    unit = table.cards.get(event.unit)
    target = table.cards.get(event.target)
    if unit is None or target is None or unit is target or unit.place is None or target.place is None:
        return
    follows = attack(table, unit, target)
    if follows:
        first(table, follows)


# -- the attack --------------------------------------------------------------------------------------------------------


def attack(table: Duelyst, attacker: DuelystCard, target: DuelystCard) -> Tasks:
    """Carry out a unit's attack: its damage, the deaths, and unless something comes first the striking back.

    Returns what comes next before anything else.
    """
    table.begin_fight(attacker, target)
    in_range = target.place in (tiles.WITHIN_RANGE.get(attacker.place) or tiles.WITHIN_RANGE[attacker.place])
    if not in_range:
        table.applied.append("duelyst.ranged.attacks-anywhere")
    backstab = 0 if attacker.dispelled else attacker.text.says.backstab
    from_behind = backstab > 0 and attacker.place == tiles.behind(table, target)
    hit = [target]
    follows = _strike(table, attacker, target, backstab if from_behind else 0, ATTACKER_FIRST)
    if not ("frenzy" in attacker.keywords or (table.granting and tiles.is_granted(table, attacker, "frenzy"))):
        table.applied.append("duelyst.attack.one-target")
    else:
        near: Any = tiles.WITHIN_RANGE[attacker.place]
        for other in [other for other in table.units if other.place in near]:
            if other.owner != attacker.owner and other is not target:
                follows += _strike(table, attacker, other, 0, board.AS_DECLARED)
                hit.append(other)
    follows += board.remove_dead(table, hit)
    if table.over or from_behind:
        return follows
    if follows:
        return (*follows, StrikeBack(attacker.name, target.name))
    return _strike_back(table, attacker, target, in_range=in_range)


@works_off(StrikeBack)
def strike_back(table: Duelyst, answer: StrikeBack) -> Tasks:
    """Carry out the defender's strike back if it is alive, the attacker is within its range and nothing suspends it."""
    attacker = table.unit_called(answer.attacker)
    defender = table.unit_called(answer.defender)
    if attacker is None or defender is None:
        return ()
    return _strike_back(table, attacker, defender, in_range=tiles.touches(attacker.place, defender.place))


def _strike_back(table: Duelyst, attacker: DuelystCard, defender: DuelystCard, *, in_range: bool) -> Tasks:
    if attacker.place is None or defender.place is None or table.players[defender.owner].held:
        return ()
    if not in_range and not tiles.has(table, defender, "ranged"):
        table.applied.append("duelyst.combat.strike-back-range")
        return ()
    follows = _strike(table, defender, attacker, 0, STRIKES_BACK)
    return follows + board.remove_dead(table, (attacker,))


def _strike(table: Duelyst, unit: DuelystCard, target: DuelystCard, bonus: int, rule: str) -> Tasks:
    """Deal a unit's attack as damage, with what its text says about dealing damage; return what follows."""
    amount = tiles.attack_of(table, unit) + bonus
    text = unit.text
    if target.text.kind == GENERAL:
        if text.says.doubles_generals and not unit.dispelled:
            amount *= 2
    elif text.kind == GENERAL and table.players[unit.owner].doubling:
        amount *= 2
    dealt = board.hurt(table, target, amount, unit.name, rule)
    effects = text.says.effects
    if not dealt or "deals-damage" not in effects or unit.dispelled:
        return ()
    doing = board.doings(unit.owner, unit.name, effects["deals-damage"])
    return tuple([task for each in doing for task in carry_out(table, each)])


# -- what follows, as a log writes it ----------------------------------------------------------------------------------


HEALTH: Final = (ev.DamageDealt, ev.UnitHealed, ev.UnitChanged)


def _why_no_damage(table: Duelyst, event: ev.DamageDealt) -> str | tuple[str, str]:
    if event.source not in table.fight:
        return ""
    attacker, defender = table.fight
    if event.source != attacker:
        return _why_no_strike_back(table, attacker, defender)
    if event.unit == defender:
        return ATTACKER_FIRST, "it has done so once"
    return "duelyst.attack.one-target", f"it attacks {table.called(defender)} alone"


def _why_no_strike_back(table: Duelyst, attacker: str, defender: str) -> tuple[str, str]:
    """Return why the defender of the last attack does not strike back (again)."""
    unit, other = table.unit_called(defender), table.unit_called(attacker)
    if unit is None:
        return STRIKES_BACK, "it is not on the board any more and does not strike back"
    is_far = other is not None and not tiles.touches(unit.place, other.place) and not tiles.has(table, unit, "ranged")
    rule = "duelyst.combat.strike-back-range" if is_far else STRIKES_BACK
    if table.players[unit.owner].held:
        return rule, f"the units of {name_of(table, unit.owner)} do not strike back this turn"
    if not tiles.attack_of(table, unit):
        return rule, "its attack is 0" + (as_ruled(table, "while_building") if unit.building else "")
    if is_far:
        return rule, f"{table.called(attacker)} is out of its range"
    return rule, "it has struck back already, or was attacked from behind"


@consequence(ev.DamageDealt, why=_why_no_damage)
def adopt_damage(table: Duelyst, event: ev.DamageDealt, expected: ev.DamageDealt | None) -> None:
    """Deal the damage that is written; of a unit of unknown health the log says what is left."""
    unit = table.unit_called(event.unit)
    is_open = unit is not None and unit.text.health == UNKNOWN_HEALTH
    if unit is None or (expected is not None and not is_open):
        adopt_health(table, event, expected)
        return
    with as_written(table, event):
        if is_open:
            table.count(unit, "damage", unit.health - event.health)
        else:
            board.hurt(table, unit, event.amount, event.source, board.AS_DECLARED)
        first(table, board.remove_dead(table, (unit,)))


def adopt_health(table: Duelyst, event: ev.UnitChanged | ev.UnitHealed | ev.DamageDealt, expected: Any) -> None:
    """Go on with the attack and the health that are written; a unit that has no health left dies."""
    unit = table.unit_called(event.unit)
    if unit is None or expected is None:
        return
    more = event.health - expected.health
    if isinstance(event, ev.UnitChanged):
        table.count(unit, "attack_change", event.attack - expected.attack)
        table.count(unit, "health_change", more)
    else:
        table.count(unit, "damage", -more)
    go_on_with(table, HEALTH, ("unit", expected.unit), "health", more)
    first(table, board.remove_dead(table, (unit,)))


HEALED_UNIT: Final = follows(ev.UnitHealed, adopt=adopt_health)


def _is_stiff(table: Duelyst, event: ev.UnitChanged, attack: int) -> bool:
    """Return whether a line lets a Structure gain attack."""
    unit = table.unit_called(event.unit)
    return unit is not None and tiles.is_structure(unit) and event.attack > attack


def _rule_of_change(table: Duelyst, event: ev.UnitChanged, expected: Any) -> str:
    is_gain = isinstance(expected, ev.UnitChanged) and _is_stiff(table, event, expected.attack)
    return "duelyst.structure.no-attack-gain" if is_gain else mismatches.rule_behind(table, expected)


@why_not(ev.UnitChanged, rule=_rule_of_change, adopt=adopt_health)
def _why_not_changed(table: Duelyst, event: ev.UnitChanged) -> str | tuple[str, str]:
    unit = table.unit_called(event.unit)
    if unit is None:
        return "it is not on the board"
    now = (tiles.attack_of(table, unit), unit.health)
    is_so = now == (event.attack, event.health)
    stays = f"it {'is' if is_so else 'stays'} {now[0]}/{now[1]}{' already' if is_so else ''}"
    if _is_stiff(table, event, now[0]):
        return "duelyst.structure.no-attack-gain", f"a Structure gains no attack; {stays}"
    return stays
