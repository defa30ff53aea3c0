"""The rules of moving and attacking, with the keywords that change them."""

from typing import Any, Final

from events.games import duelyst as ev
from projector.games.duelyst.rules.cards import moved_on_board
from projector.games.duelyst.state import Duelyst, DuelystCard, called, name_of
from projector.games.duelyst.tiles import (
    AROUND,
    TWO_AWAY,
    attack_of,
    between,
    has,
    is_blocked,
    is_commanded,
    is_structure,
    is_surrounded,
    provokers,
    touches,
    unit_called,
    unit_on,
)
from projector.rules import NOT_AT_STAKE, Broken, Verdict, first_of, rule


@rule(
    "duelyst.unit.own",
    "Player's turn overview",
    "L87 L88",
    "A player moves and attacks with own units that are on the board.",
)
def own(table: Duelyst, event: Any) -> Verdict:
    """The unit is on the board and belongs to the player."""
    unit = unit_called(table, event.unit)
    if unit is None:
        return f"{called(table, event.unit)} is not on the board"
    if unit.owner == event.player:
        return None
    return f"{called(table, event.unit)} is not a unit of {name_of(table, event.player)}"


@rule("duelyst.pet.not-controlled", "Battle pet", "L192", "Battle Pets are not commanded.")
def not_controlled(table: Duelyst, event: Any) -> Verdict:
    """Nobody moves a pet or attacks with it."""
    unit = unit_called(table, event.unit)
    if unit is None or unit.text.tribe != "battle-pet":
        return NOT_AT_STAKE
    return None if is_commanded(table, unit) else f"{called(table, unit.name)} is a Battle Pet and acts by itself"


@rule("duelyst.structure.no-move-no-attack", "Structure", "L250", "Structures neither move nor attack.")
def structure_stays(table: Duelyst, event: Any) -> Verdict:
    """The unit is no Structure, or Stone to Spears lets it act this turn."""
    unit = unit_called(table, event.unit)
    if unit is None or not is_structure(unit):
        return NOT_AT_STAKE
    if unit.spears:
        return None
    return f"{called(table, unit.name)} is {'being built' if unit.building else 'a Structure'}"


@rule(
    "duelyst.exhaust.no-move-no-attack",
    "Exhaust",
    "L162",
    "An exhausted unit neither moves nor attacks until the end of the turn.",
)
def not_exhausted(table: Duelyst, event: Any) -> Verdict:
    """Neither exhausted nor stunned."""
    unit = unit_called(table, event.unit)
    if unit is None:
        return NOT_AT_STAKE
    if unit.stunned:
        return f"{called(table, unit.name)} is stunned"
    return f"{called(table, unit.name)} is exhausted; it entered this turn" if unit.exhausted else None


def _times(unit: DuelystCard) -> int:
    return 2 if "celerity" in unit.keywords else 1


# -- moving ------------------------------------------------------------------------------------------------------------


@rule("duelyst.move.once-per-turn", "Movement", "L98", "A unit moves once a turn.")
def moves_once(table: Duelyst, event: ev.UnitMoved) -> Verdict:
    """It has not moved this turn; with celerity fewer than two times."""
    unit = unit_called(table, event.unit)
    if unit is None:
        return NOT_AT_STAKE
    return None if unit.moves < _times(unit) else f"{called(table, unit.name)} has already moved this turn"


@rule("duelyst.move.before-attack", "Movement", "L100", "A unit that has attacked cannot move any more.")
def moves_before_attack(table: Duelyst, event: ev.UnitMoved) -> Verdict:
    """It has not attacked this turn; with celerity fewer than two times."""
    unit = unit_called(table, event.unit)
    if unit is None:
        return NOT_AT_STAKE
    return None if unit.attacks < _times(unit) else f"{called(table, unit.name)} has attacked this turn"


@rule("duelyst.provoke.no-move", "Provoke", "L180 L181", "Beside an enemy with provoke a unit cannot move.")
def not_provoked(table: Duelyst, event: ev.UnitMoved) -> Verdict:
    """No enemy with provoke is within one tile; for generals, flyers and Ranged too."""
    unit = unit_called(table, event.unit)
    if unit is None:
        return NOT_AT_STAKE
    provoking = provokers(table, unit, unit.place)
    return f"{called(table, provoking[0].name)} provokes {called(table, unit.name)}" if provoking else None


@rule("duelyst.move.free-tile", "Movement", "L94", "An occupied tile cannot be entered.")
def moves_to_free_tile(table: Duelyst, event: ev.UnitMoved) -> Verdict:
    """No unit stands on the tile."""
    other = unit_on(table, event.to)
    return None if other is None else f"{called(table, other.name)} stands on {list(event.to)}"


@rule(
    "duelyst.move.not-surrounded",
    "Movement",
    "L99",
    "A unit that is surrounded on all sides cannot move.",
)
def not_surrounded(table: Duelyst, event: ev.UnitMoved) -> Verdict:
    """A tile around it is free (ruling `surrounded`); flyers do not care."""
    unit = unit_called(table, event.unit)
    if unit is None or has(table, unit, "flying"):
        return NOT_AT_STAKE
    return f"{called(table, unit.name)} is surrounded" if is_surrounded(table, unit) else None


@rule(
    "duelyst.move.range",
    "Movement",
    "L101-L113",
    "Up to two tiles in a line along row or column, or one tile diagonally.",
)
def within_reach(table: Duelyst, event: ev.UnitMoved) -> Verdict:
    """The tile is one of the twelve of the drawing."""
    unit = unit_called(table, event.unit)
    if unit is None or unit.place is None or has(table, unit, "flying"):
        return NOT_AT_STAKE
    if event.to in AROUND.get(unit.place, ()) or event.to in TWO_AWAY.get(unit.place, ()):
        return None
    way = f"from {list(unit.place)} to {list(event.to)}"
    return Broken(f"{called(table, unit.name)} walks {way}", "two tiles in a line or one diagonally")


@rule("duelyst.move.path-free", "Movement", "L94 L102", "For two tiles the one in between is free (ruling `path`).")
def path_free(table: Duelyst, event: ev.UnitMoved) -> Verdict:
    """No unit is in the way."""
    unit = unit_called(table, event.unit)
    if unit is None or event.to not in TWO_AWAY.get(unit.place, ()) or has(table, unit, "flying"):
        return NOT_AT_STAKE
    here: Any = unit.place
    tile = between(here, event.to)
    if not is_blocked(table, unit, tile):
        return None
    other = unit_on(table, tile)
    return f"{called(table, other.name if other is not None else '')} is in the way on {list(tile)}"


MOVE_TILE: Final = first_of(moved_on_board, moves_to_free_tile, not_surrounded, within_reach, path_free)
"""For a tile that is taken or off the board this alone is reported, for a surrounded unit no range."""


# -- attacking ---------------------------------------------------------------------------------------------------------


@rule("duelyst.attack.once-per-turn", "Combat", "L119", "A unit attacks once a turn.")
def attacks_once(table: Duelyst, event: ev.UnitAttacked) -> Verdict:
    """It has not attacked this turn; with celerity fewer than two times."""
    unit = unit_called(table, event.unit)
    if unit is None:
        return NOT_AT_STAKE
    return None if unit.attacks < _times(unit) else f"{called(table, unit.name)} has already attacked this turn"


@rule("duelyst.attack.enemies-only", "Combat", "L120 L178-L181", "Targets are enemies (implied).")
def attacks_enemies(table: Duelyst, event: ev.UnitAttacked) -> Verdict:
    """The target belongs to the other player (ruling `friendly_fire`)."""
    target = unit_called(table, event.target)
    if target is None:
        return NOT_AT_STAKE
    if target.owner != event.player or (table.options["friendly_fire"] == "any" and event.target != event.unit):
        return None
    return f"{called(table, event.target)} belongs to {name_of(table, event.player)}"


@rule(
    "duelyst.attack.range",
    "Combat",
    "L120 L121 L129-L135",
    "Targets stand on one of the eight tiles around.",
)
def attack_in_range(table: Duelyst, event: ev.UnitAttacked) -> Verdict:
    """The target is on the board, and on a tile around unless the attacker is Ranged."""
    unit = unit_called(table, event.unit)
    target = unit_called(table, event.target)
    if unit is None:
        return NOT_AT_STAKE
    if target is None:
        return f"{called(table, event.target)} is not on the board"
    if touches(unit.place, target.place):
        return None
    if has(table, unit, "ranged"):
        return NOT_AT_STAKE
    return f"{called(table, event.target)} is out of the range of {called(table, event.unit)}"


@rule(
    "duelyst.provoke.attack-provoker",
    "Provoke",
    "L180 L181",
    "Beside an enemy with provoke only such an enemy may be attacked.",
)
def attacks_provoker(table: Duelyst, event: ev.UnitAttacked) -> Verdict:
    """If enemies with provoke are within one tile, the target is one of them."""
    unit = unit_called(table, event.unit)
    if unit is None:
        return NOT_AT_STAKE
    provoking = provokers(table, unit, unit.place)
    if not provoking:
        return NOT_AT_STAKE
    names = [other.name for other in provoking]
    if event.target in names:
        return None
    words = " or ".join(called(table, name) for name in names)
    return Broken(f"{called(table, event.unit)} is provoked and attacks {called(table, event.target)}", words)


@rule(
    "duelyst.attack.some-attack",
    "",
    "",
    "A unit without attack does not attack (only with the ruling `zero_attack: forbidden`).",
)
def has_attack(table: Duelyst, event: ev.UnitAttacked) -> Verdict:
    """The attack is above zero."""
    unit = unit_called(table, event.unit)
    if unit is None:
        return NOT_AT_STAKE
    return None if attack_of(table, unit) > 0 else f"{called(table, event.unit)} has no attack"
