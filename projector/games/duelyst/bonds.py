"""What a unit does when it is summoned: its Bond (rulebook L187, L236), and a Battle Pet with Rush (L215)."""

from functools import lru_cache
from typing import Final

from tabletape.events.games import duelyst as ev
from tabletape.projector.games.duelyst.board import AS_DECLARED
from tabletape.projector.games.duelyst.state import PET, Duelyst, DuelystCard
from tabletape.projector.games.duelyst.tasks import Doing, Owed
from tabletape.projector.games.duelyst.tiles import has, own_units

BOND: Final = {"arcanyst": "duelyst.bond.arcanyst", "golem": "duelyst.bond.golem"}
"""The rules of Bond, by the tribe."""


def bonds(table: Duelyst, card: DuelystCard, target: str = "") -> tuple[Doing, ...]:
    """Return what the Bonds of a unit do that has just been summoned, aimed at a target where the player named one."""
    if "bond" not in card.text.says.effects:
        return ()
    tribes = {unit.text.tribe for unit in own_units(table, card.owner) if unit is not card}
    return tuple(
        Doing(player=card.owner, source=card.name, effect=effect, rule=BOND.get(bond.tribe, AS_DECLARED), target=target)
        for bond in card.text.says.on("bond")
        if bond.tribe in tribes
        for effect in bond.effects
    )


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
