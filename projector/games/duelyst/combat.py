"""Combat: an attack, and the striking back (rulebook, Combat and Ranged; catalogue 4.2)."""

from typing import Final

from projector.games.duelyst import tiles
from projector.games.duelyst.board import AS_DECLARED, remove_dead
from projector.games.duelyst.damage import hurt
from projector.games.duelyst.effects import Tasks, carry_out
from projector.games.duelyst.state import GENERAL, Doing, Duelyst, DuelystCard, StrikeBack

ATTACKER_FIRST: Final = "duelyst.combat.attacker-first"
STRIKES_BACK: Final = "duelyst.combat.strike-back"


def attack(table: Duelyst, attacker: DuelystCard, target: DuelystCard) -> Tasks:
    """Carry out a unit's attack: its damage, the deaths, and unless something comes first the striking back.

    Returns what comes next before anything else.
    """
    fight = (attacker.name, target.name)
    journal, attacks = table.journal, attacker.attacks
    journal.append((attacker, "attacks", attacks, attacks + 1))
    attacker.attacks = attacks + 1
    journal.append((table, "fight", table.fight, fight))
    table.fight = fight
    in_range = target.place in (tiles.WITHIN_RANGE.get(attacker.place) or tiles.WITHIN_RANGE[attacker.place])
    if not in_range:
        table.applied.append("duelyst.ranged.attacks-anywhere")
    from_behind = attacker.text.says.backstab > 0 and stands_behind(table, attacker, target)
    bonus = attacker.text.says.backstab if from_behind else 0
    hit = [target]
    follows = _strike(table, attacker, target, bonus, ATTACKER_FIRST)
    if not ("frenzy" in attacker.keywords or (table.granting and tiles.is_granted(table, attacker, "frenzy"))):
        table.applied.append("duelyst.attack.one-target")
    else:
        for other in tiles.units_around(table, attacker):
            if other.owner != attacker.owner and other is not target:
                follows += _strike(table, attacker, other, 0, AS_DECLARED)
                hit.append(other)
    follows += remove_dead(table, hit)
    if table.over or from_behind:
        return follows
    if follows:
        return (*follows, StrikeBack(attacker.name, target.name))
    return _strike_back(table, attacker, target, in_range=in_range)


def stands_behind(table: Duelyst, attacker: DuelystCard, target: DuelystCard) -> bool:
    """Return whether a unit with backstab attacks from the tile behind its target."""
    if not attacker.text.says.backstab or attacker.dispelled:
        return False
    return attacker.place == tiles.behind(table, target)


def strike_back(table: Duelyst, answer: StrikeBack) -> Tasks:
    """Carry out the defender's strike back if it is alive, the attacker is within its range and nothing suspends it."""
    attacker = tiles.unit_called(table, answer.attacker)
    defender = tiles.unit_called(table, answer.defender)
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
    return follows + remove_dead(table, (attacker,))


def _strike(table: Duelyst, unit: DuelystCard, target: DuelystCard, bonus: int, rule: str) -> Tasks:
    """Deal a unit's attack as damage, with what its text says about dealing damage; return what follows."""
    amount = tiles.attack_of(table, unit) + bonus
    text = unit.text
    if target.text.kind == GENERAL:
        if text.says.doubles_generals and not unit.dispelled:
            amount *= 2
    elif text.kind == GENERAL and table.players[unit.owner].doubling:
        amount *= 2
    dealt = hurt(table, target, amount, unit.name, rule)
    effects = text.says.effects
    if not dealt or "deals-damage" not in effects or unit.dispelled:
        return ()
    follows: Tasks = ()
    for effect in effects["deals-damage"]:
        follows += carry_out(table, Doing(player=unit.owner, source=unit.name, effect=effect, rule=AS_DECLARED))
    return follows
