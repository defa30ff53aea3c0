"""Bond: what a unit does when it is summoned and another friendly unit of the tribe is there (rulebook L187, L236)."""

from typing import Final

from projector.games.duelyst.board import AS_DECLARED
from projector.games.duelyst.state import Doing, Duelyst, DuelystCard
from projector.games.duelyst.tiles import own_units

BOND: Final = {"arcanyst": "duelyst.bond.arcanyst", "golem": "duelyst.bond.golem"}
"""The rules of Bond, by the tribe."""


def bonds(table: Duelyst, card: DuelystCard, target: str = "") -> tuple[Doing, ...]:
    """Return what the Bonds of a unit do that has just been summoned, aimed at a target where the player named one."""
    if "bond" not in card.text.says.effects:
        return ()
    tribes = {unit.text.tribe for unit in own_units(table, card.owner) if unit is not card}
    return tuple(
        Doing(
            player=card.owner,
            source=card.name,
            effect=effect,
            rule=BOND.get(bond.tribe, AS_DECLARED),
            target=target,
        )
        for bond in card.text.says.on("bond")
        if bond.tribe in tribes
        for effect in bond.effects
    )


def bonds_by_effect(table: Duelyst, unit: DuelystCard) -> tuple[Doing, ...]:
    """Return what the Bonds of a unit do that an effect has summoned (ruling `bond_by_effect`)."""
    return bonds(table, unit) if table.options["bond_by_effect"] == "any_summoning" else ()
