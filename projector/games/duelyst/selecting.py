"""What a card text may aim at."""

from typing import Any

from tabletape.projector.games.duelyst.abilities import Ability, Selection
from tabletape.projector.games.duelyst.state import GENERAL, Duelyst, DuelystCard, general_of
from tabletape.projector.games.duelyst.tiles import is_structure, touches


def targeted(text: Any, trigger: str) -> Ability | None:
    """Return the ability of a printed card, with a trigger, for which its player names a target; None for none."""
    aimed: Ability | None = text.says.aims.get(trigger)
    return aimed


def candidates(table: Duelyst, wanted: Selection, player: str, tile: Any) -> list[DuelystCard]:
    """Return the units that a text may aim at, in the order of entering; `tile` is where the card itself is played."""
    return [unit for unit in table.units if fits(table, wanted, player, tile, unit)]


def fits(table: Duelyst, wanted: Selection, player: str, tile: Any, unit: DuelystCard) -> bool:  # noqa: PLR0911 - a selection has as many parts
    """Return whether a text may aim at a unit; `tile` is where the card itself is played."""
    if wanted.kind == "minion" and unit.text.kind == GENERAL:
        return False
    if wanted.whose and (unit.owner == player) != (wanted.whose == "friendly"):
        return False
    if wanted.tribe and unit.text.tribe != wanted.tribe and not (wanted.tribe == "structure" and is_structure(unit)):
        return False
    if wanted.keyword and wanted.keyword not in unit.text.says.keywords:
        return False
    if wanted.is_strengthened and is_structure(unit) and table.options["structure_buff"] == "no_target":
        return False
    if wanted.near == "self":
        return tile is not None and touches(unit.place, tile)
    if wanted.near == "general":
        general = general_of(table, player)
        return general is not None and general is not unit and touches(unit.place, general.place)
    return True
