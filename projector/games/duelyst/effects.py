"""The card-text effects: what each verb of the vocabulary does at the table (see `abilities`)."""

from functools import lru_cache
from typing import Final

from tabletape.events.games import duelyst as ev
from tabletape.projector.games.duelyst import board
from tabletape.projector.games.duelyst.abilities import verb
from tabletape.projector.games.duelyst.state import GENERAL, PARTS, PET, Duelyst, DuelystCard
from tabletape.projector.games.duelyst.tasks import Doing, Owed, Summoned, Tasks
from tabletape.projector.games.duelyst.tiles import attack_of, has, is_structure, own_units

BOND: Final = {"arcanyst": "duelyst.bond.arcanyst", "golem": "duelyst.bond.golem"}
"""The rules of Bond, by the tribe."""


def carry_out(table: Duelyst, doing: Doing) -> Tasks:
    """Carry out one effect; return what comes next before anything else (Dying Wishes, what luck owes)."""
    return verb.does[doing.effect.verb](table, doing) or ()


def units_meant(table: Duelyst, doing: Doing) -> list[DuelystCard]:
    """Return the units that an effect is about, in the order in which they entered."""
    who = doing.effect.who
    if who in {"target", "self"}:
        unit = table.unit_called(doing.target if who == "target" else doing.source)
        return [] if unit is None else [unit]
    if who == "general":
        general = table.general_of(doing.player)
        return [] if general is None else [general]
    units = table.units
    if who == "friendly-minions":
        return [unit for unit in units if unit.owner == doing.player and unit.text.kind != GENERAL]
    if who == "enemies-in-column":
        enemy = table.general_of(table.players[doing.player].opponent)
        column = 0 if enemy is None else enemy.column
        return [unit for unit in units if unit.owner != doing.player and unit.column == column]
    return list(units)


# -- damage and health -------------------------------------------------------------------------------------------------


@verb("damage {who:target} {n}")
def _damage(table: Duelyst, doing: Doing) -> Tasks:
    """Damage units, or one that is picked at random."""
    effect, player, source, rule = doing.effect, doing.player, doing.source, doing.rule
    if effect.who == "random-enemy-minion":
        words = "picks the target of {source}"
        return (Owed(line=ev.TargetPicked, player=player, rule=rule, source=source, words=words, damage=effect.n),)
    units = units_meant(table, doing)
    for unit in units:
        board.hurt(table, unit, effect.n, source, rule)
    return board.remove_dead(table, units)


@verb("heal {who:target} {n}")
def _heal(table: Duelyst, doing: Doing) -> None:
    """Heal units up to their full health."""
    for unit in units_meant(table, doing):
        amount = min(doing.effect.n, unit.damage)
        if amount > 0:
            table.count(unit, "damage", -amount)
            healed = ev.UnitHealed(unit=unit.name, amount=amount, health=unit.health, source=doing.source)
            table.derive(healed, doing.rule)


@verb("destroy {who:target}")
def _destroy(table: Duelyst, doing: Doing) -> Tasks:
    """Destroy units."""
    units = units_meant(table, doing)
    return board.resolve_deaths(table, units) if units else ()


# -- changes -----------------------------------------------------------------------------------------------------------


def _changed(table: Duelyst, unit: DuelystCard, doing: Doing, rule: str = "") -> None:
    changed = ev.UnitChanged(unit=unit.name, attack=attack_of(table, unit), health=unit.health, source=doing.source)
    table.derive(changed, rule or doing.rule)


@verb("buff {who:target} {change:changes}")
def _buff(table: Duelyst, doing: Doing) -> Tasks:
    """Change attack and health for good."""
    units = units_meant(table, doing)
    attack, health = doing.effect.change
    for unit in units:
        is_stiff = is_structure(unit) and attack > 0
        table.count(unit, "attack_change", 0 if is_stiff else attack)
        table.count(unit, "health_change", health)
        _changed(table, unit, doing, "duelyst.structure.no-attack-gain" if is_stiff else "")
    return board.remove_dead(table, units)


@verb("blind {who:target}")
def _blind(table: Duelyst, doing: Doing) -> None:
    """Set the attack to 0 until the caster's next turn."""
    for unit in units_meant(table, doing):
        table.set(unit, "blinded", doing.player)
        table.set(table.players[doing.player], "blinding", True)
        _changed(table, unit, doing)


@verb("spears {who:target} {n}")
def _spears(table: Duelyst, doing: Doing) -> None:
    """Make a Structure attack with so much."""
    for unit in units_meant(table, doing):
        table.count(unit, "spears", doing.effect.n)
        _changed(table, unit, doing)


@verb("grant {who:target} {word:keyword}")
def _grant(table: Duelyst, doing: Doing) -> None:
    """Grant a keyword."""
    for unit in units_meant(table, doing):
        table.set(unit, "keywords", unit.keywords | {doing.effect.word})
    if doing.effect.word == "provoke":
        board.provoke(table)


@verb("free {who:target}")
def _free(table: Duelyst, doing: Doing) -> None:
    """Take Ephemeral away."""
    for unit in units_meant(table, doing):
        if unit.ephemeral:
            table.set(unit, "ephemeral", False)
            freed = ev.UnitFreed(unit=unit.name, source=doing.source)
            table.derive(freed, "duelyst.dervish.only-dunecaster-frees")


@verb("dispel {who:target}")
def _dispel(table: Duelyst, doing: Doing) -> None:
    """Take keywords, abilities and changes away; the health left is never more than before."""
    for unit in units_meant(table, doing):
        if unit.text.kind == GENERAL:
            continue
        health = min(unit.health, unit.text.health)
        board.silence(table, unit)
        if table.players[unit.owner].progress:
            table.applied.append("duelyst.mech.progress-not-dispelled")
        table.update(unit, dispelled=True, keywords=frozenset(), attack_change=0, health_change=0)
        table.update(unit, damage=unit.text.health - health, spears=0, blinded="")
        table.derive(ev.UnitDispelled(unit=unit.name, source=doing.source), doing.rule)
        if unit.building and table.options["dispelled_build"] == "stops":
            table.set(unit, "building", 0)
            board.finish_building(table, unit)


@verb("stun {who:target}")
def _stun(table: Duelyst, doing: Doing) -> None:
    """Stun units."""
    for unit in units_meant(table, doing):
        table.set(unit, "stunned", True)
        table.derive(ev.UnitStunned(unit=unit.name, source=doing.source), doing.rule)


# -- coming and going --------------------------------------------------------------------------------------------------


@verb("return {who:target}")
def _return(table: Duelyst, doing: Doing) -> None:
    """Return units to the hand."""
    for unit in units_meant(table, doing):
        board.return_to_hand(table, unit, doing.rule)


@verb("teleport {who:target} {n}")
def _teleport(table: Duelyst, doing: Doing) -> None:
    """Teleport a unit to a free tile at most so far away."""
    for unit in units_meant(table, doing):
        if doing.tile is not None:
            table.step_on(unit, doing.tile)
            table.derive(ev.UnitTeleported(unit=unit.name, tile=doing.tile, source=doing.source), doing.rule)
            board.step_on_globe(table, unit, doing.tile)


@verb("summon {word:card} near {who:place}")
def _summon(table: Duelyst, doing: Doing) -> Tasks:
    """Summon a token on a free tile beside a unit."""
    effect, player, source, rule = doing.effect, doing.player, doing.source, doing.rule
    beside = source if effect.who == "self" else table.players[player].general
    words, card = "summons the token of {source}", effect.word
    return (
        Owed(line=ev.TokenSummoned, player=player, rule=rule, source=source, words=words, card=card, beside=beside),
    )


@verb("appear {word:card}")
def _appear(table: Duelyst, doing: Doing) -> Tasks:
    """Put a token on the tile where the unit died."""
    tile = doing.tile
    if tile is None or tile in table.standing:
        return ()
    unit = board.create(table, board.next_name(table, doing.player, doing.effect.word), tile)
    table.derive(ev.TokenAppeared(unit=unit.name, tile=tile, source=doing.source), doing.rule)
    return (*bonds_by_effect(table, unit), Summoned(unit.name), *acts_at_once(table, unit))


@verb("draw {n}")
def _draw(_table: Duelyst, doing: Doing) -> Tasks:
    """Draw cards from the deck."""
    due, count = doing.player, doing.effect.n
    return (Owed(line=ev.CardsDrawn, player=due, rule=doing.rule, source=doing.source, count=count),)


@verb("add {words:cards}")
def _add(table: Duelyst, doing: Doing) -> None:
    """Add cards to the hand."""
    hand = table.hands[doing.player]
    for card in doing.effect.words:
        name = board.next_name(table, doing.player, card)
        table.make(name, hand, created=True)
        table.derive(ev.CardAdded(player=doing.player, card=name), doing.rule)


# -- players -----------------------------------------------------------------------------------------------------------


@verb("build {n}")
def _build(table: Duelyst, doing: Doing) -> None:
    """Go on with the MECHAZ0R! build."""
    player = table.players[doing.player]
    more = min(doing.effect.n, PARTS - player.progress)
    if more > 0:
        table.count(player, "progress", more)
        progressed = ev.BuildProgressed(player=player.id, progress=player.progress)
        table.derive(progressed, "duelyst.mech.progress")


@verb("suspend strike-back")
def _suspend(table: Duelyst, doing: Doing) -> None:
    """Take the enemy's striking back away in this turn."""
    enemy = table.players[doing.player].opponent
    if enemy:
        table.set(table.players[enemy], "held", True)
        table.derive(ev.StrikeBackSuspended(player=enemy), doing.rule)


@verb("double general-against-minions")
def _double(table: Duelyst, doing: Doing) -> None:
    """Double the own general's damage to minions in this turn."""
    table.set(table.players[doing.player], "doubling", True)


# -- what a unit does when it is summoned ------------------------------------------------------------------------------


def bonds(table: Duelyst, card: DuelystCard, target: str = "") -> tuple[Doing, ...]:
    """Return what the Bonds of a unit do that has just been summoned, aimed at a target where the player named one."""
    if "bond" not in card.text.says.effects:
        return ()
    tribes = {unit.text.tribe for unit in own_units(table, card.owner) if unit is not card}
    tasks: tuple[Doing, ...] = ()
    for bond in card.text.says.on("bond"):
        if bond.tribe in tribes:
            tasks += board.doings(
                card.owner, card.name, bond.effects, BOND.get(bond.tribe, board.AS_DECLARED), (target, None)
            )
    return tasks


def bonds_by_effect(table: Duelyst, unit: DuelystCard) -> tuple[Doing, ...]:
    """Return what the Bonds of a unit do that an effect has summoned (ruling `bond_by_effect`)."""
    return bonds(table, unit) if table.options["bond_by_effect"] == "any_summoning" else ()


def acts_at_once(table: Duelyst, unit: DuelystCard) -> tuple[Owed, ...]:
    """Return the act of a Battle Pet with Rush in the turn in which it is summoned (ruling `pet_first_turn`)."""
    if unit.text.tribe != PET or table.options["pet_first_turn"] != "acts_with_rush":
        return ()
    return (act_of(unit.owner, unit.name),) if unit.owner == table.active and has(table, unit, "rush") else ()


@lru_cache(maxsize=1024)
def act_of(player: str, pet: str) -> Owed:
    """Return what is due of a player: a Battle Pet is to act."""
    rule = "duelyst.pet.at-turn-start"
    return Owed(line=ev.PetActed, player=player, rule=rule, words="acts with {source}", source=pet)
