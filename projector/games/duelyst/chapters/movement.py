"""Movement: who is commanded, how far a unit moves, and the keywords that change it."""

from collections.abc import Callable, Iterator
from functools import wraps
from typing import Any, Final

from tabletape.events.games import duelyst as ev
from tabletape.events.vocabulary import Event
from tabletape.projector.games.duelyst import board, tiles
from tabletape.projector.games.duelyst.chapters import BATTLE_PET, EXHAUST, MOVEMENT, PROVOKE, STRUCTURES, TURN_OVERVIEW
from tabletape.projector.games.duelyst.chapters.setup import no_such_tile, tile_on_board
from tabletape.projector.games.duelyst.chapters.turns import active_player, adopt_mana
from tabletape.projector.games.duelyst.state import PET, STRUCTURE, UNITS, Duelyst, DuelystCard, Tile
from tabletape.projector.kit.consequence import consequence, resting_on
from tabletape.projector.kit.moves import move
from tabletape.projector.model.phrases import as_ruled, name_of, tile_in_words
from tabletape.projector.model.rules import AllPassed, Check, all_passed, case, stop, usually
from tabletape.projector.model.verdicts import NOT_APPLICABLE, Broken, Verdict

SPECIAL: Final = frozenset({PET, STRUCTURE})
COUNT_WORDS: Final = {1: "once", 2: "twice"}


def of_unit(check: Callable[[Duelyst, Any, DuelystCard], Verdict]) -> Check:
    """Return a check that is given the unit of a line, too; it has nothing to say where that is not on the board."""

    @wraps(check)
    def look(table: Duelyst, event: ev.UnitAttacked | ev.UnitMoved) -> Verdict:
        unit = table.unit_called(event.unit)
        return NOT_APPLICABLE if unit is None else check(table, event, unit)

    return look


def one_left(field: str, words: str) -> Check:
    """Return the check that a unit has done less often in this turn what a field counts than it may."""

    @of_unit
    def is_one_left(table: Duelyst, _event: Event, unit: DuelystCard) -> Verdict:
        times = tiles.times_a_turn(table, unit)
        is_left = getattr(unit, field) < times
        return None if is_left else f"{table.called(unit.name)} {words} {COUNT_WORDS[times]} this turn"

    return is_one_left


# -- who is commanded --------------------------------------------------------------------------------------------------


@TURN_OVERVIEW.rule("duelyst.unit.own", "L87 L88")
def own_unit(table: Duelyst, event: ev.UnitAttacked | ev.UnitMoved) -> Verdict:
    """A player moves and attacks with own units that are on the board."""
    unit = table.unit_called(event.unit)
    if unit is None:
        return _gone(table, event.unit)
    is_own = unit.owner == event.player
    return None if is_own else f"{table.called(unit.name)} is not a unit of {name_of(table, event.player)}"


def _gone(table: Duelyst, name: str) -> Broken:
    """Return the verdict on a unit that is not there; an Ephemeral token is gone with the turn that brought it."""
    message, token = f"{table.called(name)} is not on the board", table.find(name)
    if token is None or token.text is None or not token.ephemeral:
        return Broken(message)
    ruling = as_ruled(table, "ephemeral_end") if table.options["ephemeral_end"] == "dies" else ""
    message = f"{message}; a token that is Ephemeral disappears as the turn of its player ends{ruling}"
    return Broken(message, because="duelyst.dervish.vanishes")


@BATTLE_PET.rule("duelyst.pet.not-controlled", "L192")
@of_unit
def no_pet(table: Duelyst, _event: Event, unit: DuelystCard) -> Verdict:
    """Battle Pets are not commanded."""
    if unit.text.tribe != PET:
        return NOT_APPLICABLE
    return None if tiles.is_commanded(table, unit) else f"{table.called(unit.name)} is a Battle Pet and acts by itself"


@STRUCTURES.rule("duelyst.structure.no-move-no-attack", "L250")
@of_unit
def no_structure(table: Duelyst, _event: Event, unit: DuelystCard) -> Verdict:
    """Structures neither move nor attack."""
    if not tiles.is_structure(unit):
        return NOT_APPLICABLE
    what = "being built" if unit.building else "a Structure"
    return None if unit.spears else f"{table.called(unit.name)} is {what} and neither moves nor attacks"


@EXHAUST.rule("duelyst.exhaust.no-move-no-attack", "L162")
@of_unit
def not_exhausted(table: Duelyst, _event: Event, unit: DuelystCard) -> Verdict:
    """An exhausted unit neither moves nor attacks until the end of the turn."""
    stunned = f"{table.called(unit.name)} is stunned" if unit.stunned else None
    return stunned or (_resting(table, unit) if tiles.is_exhausted(table, unit) else None)


def _resting(table: Duelyst, unit: DuelystCard) -> Verdict:
    why, ruling = "; it entered this turn", ""
    if unit.tired:
        why, ruling = " until the end of this turn", "exhaust_end"
    elif unit.text.says.build and table.options["finished_acts"] == "next_turn":
        why, ruling = "; it was finished this turn", "finished_acts"
    elif tiles.has(table, unit, "rush"):
        why, ruling = f"{why} without the Rush that it has now", "rush_change"
    elif "rush" in unit.text.says.keywords:
        why, ruling = f"{why} and has lost its Rush", "rush_change"
    message = f"{table.called(unit.name)} is exhausted{why}{as_ruled(table, ruling) if ruling else ''}"
    return Broken(message, because="duelyst.summon.enters-exhausted")


COMMAND: Final = (active_player, own_unit, stop(no_pet), stop(no_structure), not_exhausted)
COMMAND_TESTS: Final = (active_player, own_unit, not_exhausted)


def may_command(table: Duelyst, player: str, unit: DuelystCard) -> bool:
    """Return whether a player on turn commands a unit: an own one that is ready, neither pet nor Structure."""
    if unit.owner != player or player != table.active or unit.stunned or unit.building:
        return False
    return unit.text.tribe not in SPECIAL and not (unit.exhausted and tiles.is_exhausted(table, unit))


def ready_units(table: Duelyst, player: str) -> Iterator[DuelystCard]:
    """Yield the units that a player commands and that may still do something in this turn."""
    for unit in table.units:
        if unit.owner != player or unit.stunned or (unit.exhausted and tiles.is_exhausted(table, unit)):
            continue
        is_idle = tiles.is_structure(unit) and not unit.spears
        if (unit.building or unit.text.tribe in SPECIAL) and (is_idle or not tiles.is_commanded(table, unit)):
            continue
        if not unit.attacks or unit.attacks < tiles.times_a_turn(table, unit):
            yield unit


# -- whether it may still move -----------------------------------------------------------------------------------------

moves_once: Final = MOVEMENT.rule("duelyst.move.once-per-turn", "L98", "A unit moves once a turn.")(
    one_left("moves", "has already moved")
)

before_attack: Final = MOVEMENT.rule(
    "duelyst.move.before-attack", "L100", "A unit that has attacked cannot move any more."
)(one_left("attacks", "moves, but has attacked"))


@PROVOKE.rule("duelyst.provoke.no-move", "L180 L181")
@of_unit
def not_provoked(table: Duelyst, _event: ev.UnitMoved, unit: DuelystCard) -> Verdict:
    """Beside an enemy with provoke a unit cannot move."""
    by = next((table.called(other.name) for other in tiles.provokers(table, unit, unit.place)), "")
    return f"{by} provokes {table.called(unit.name)}, which cannot move" if by else None


# -- where it goes -----------------------------------------------------------------------------------------------------


@case(tile_on_board)
def goes_to_tile(_table: Duelyst, event: ev.UnitMoved) -> Verdict:
    """The tile lies on the board."""
    return None if event.to in tiles.BOARD_TILES else no_such_tile(event.to)


@MOVEMENT.rule("duelyst.move.free-tile", "L94")
def free_to_enter(table: Duelyst, event: ev.UnitMoved) -> Verdict:
    """An occupied tile cannot be entered."""
    unit, other = table.unit_called(event.unit), table.standing.get(event.to)
    if other is None:
        return None
    flies = unit is not None and tiles.has(table, unit, "flying")
    return Broken(table.is_taken(event.to, other), because="duelyst.flying.any-free-tile" if flies else "")


def _walker(table: Duelyst, event: ev.UnitMoved) -> tuple[DuelystCard | None, Tile | None]:
    """Return the unit that moves, unless it flies, and the first tile on its way; none where no way leads there."""
    unit = table.unit_called(event.unit)
    if unit is None or unit.place is None or tiles.has(table, unit, "flying"):
        return None, None
    return unit, tiles.FIRST_STEP.get(unit.place, {}).get(event.to)


@MOVEMENT.rule("duelyst.move.not-surrounded", "L99")
def not_surrounded(table: Duelyst, event: ev.UnitMoved) -> Verdict:
    """A unit that is surrounded on all sides cannot move."""
    unit, step = _walker(table, event)
    if unit is None:
        return NOT_APPLICABLE
    if not tiles.is_surrounded(table, unit, None if step in table.standing else step):
        return None
    here: Any = unit.place
    return f"{table.called(unit.name)} is surrounded on {tile_in_words(here)}{as_ruled(table, 'surrounded')}"


@MOVEMENT.rule("duelyst.move.range", "L101-L113")
def within_range(table: Duelyst, event: ev.UnitMoved) -> Verdict:
    """Up to two tiles in a line along row or column, or one tile diagonally."""
    unit, step = _walker(table, event)
    if unit is None or step is not None:
        return NOT_APPLICABLE if unit is None else None
    here: Any = unit.place
    way = f"{table.called(unit.name)} walks from {tile_in_words(here)} to {tile_in_words(event.to)}"
    return Broken(way, "two tiles in a line or one diagonally")


@MOVEMENT.rule("duelyst.move.path-free", "L94 L102")
def path_free(table: Duelyst, event: ev.UnitMoved) -> Verdict:
    """For two tiles the one in between is free (by a ruling)."""
    unit, step = _walker(table, event)
    if unit is None or step is None or step == event.to:
        return NOT_APPLICABLE
    if step not in tiles.walls(table, unit):
        return None
    other = table.called(table.standing[step].name)
    return f"{other} is in the way on {tile_in_words(step)}{as_ruled(table, 'path')}"


WAY_TESTS: Final = (stop(goes_to_tile), stop(free_to_enter), stop(not_surrounded), within_range, path_free)
NEEDS: Final = (*COMMAND, moves_once, before_attack, not_provoked, *WAY_TESTS)
MOVE_TESTS: Final = (*COMMAND_TESTS, moves_once, before_attack, not_provoked, tile_on_board, free_to_enter)
FLIGHT_KEPT: Final = all_passed(*MOVE_TESTS)
STEP_KEPT: Final = all_passed(*MOVE_TESTS, not_surrounded, within_range)
STEPPED_TWICE: Final = all_passed(*MOVE_TESTS, not_surrounded, within_range, path_free)
"""What a player keeps to who moves a unit in one of the usual ways."""
WAYS: Final[dict[Any, dict[Tile, tuple[Tile, bool, AllPassed]]]] = {
    here: {
        to: (step, step in tiles.BESIDE[here], STEP_KEPT if step == to else STEPPED_TWICE) for to, step in steps.items()
    }
    for here, steps in tiles.FIRST_STEP.items()
}
"""The ways that a unit can walk from a tile: the first tile, whether it is in the row or the column, what is kept."""
NOWHERE: Final[dict[Tile, tuple[Tile, bool, AllPassed]]] = {}
"""The ways of a unit that a wrong line has put beyond the edge."""


def moves_well(table: Duelyst, event: ev.UnitMoved) -> AllPassed | None:
    """Return what is kept where a unit that may still move in this turn goes a free way, and nobody provokes it.

    It goes to a free tile, and nobody is in its way there unless it flies.
    """
    unit = table.cards.get(event.unit)
    if unit is None or unit.place is None or not may_command(table, event.player, unit):
        return None
    is_done = (unit.moves or unit.attacks) and max(unit.moves, unit.attacks) >= tiles.times_a_turn(table, unit)
    if is_done or ((table.provoking or table.granting) and tiles.provokers(table, unit, unit.place)):
        return None
    to, standing = event.to, table.standing
    if to in standing:
        return None
    if "flying" in unit.keywords or (table.granting and tiles.is_granted(table, unit, "flying")):
        return FLIGHT_KEPT if to in tiles.BOARD_TILES else None
    way = WAYS.get(unit.place, NOWHERE).get(to)
    if way is not None:
        step, is_straight, all_kept = way
        # Nobody is surrounded, whatever the ruling, beside whom a tile of the row or the column is free.
        if (all_kept is STEP_KEPT or step not in standing) and (
            is_straight or not tiles.is_surrounded(table, unit, step)
        ):
            return all_kept
    return None


def _walks(table: Duelyst, player: str) -> Iterator[Event]:
    for unit in ready_units(table, player):
        may_move = not unit.moves or unit.moves < tiles.times_a_turn(table, unit)
        if may_move and not tiles.provokers(table, unit, unit.place):
            for tile in tiles.reach(table, unit):
                yield ev.UnitMoved(player=player, unit=unit.name, to=tile)


@move(ev.UnitMoved, usually(moves_well, *NEEDS), offers=_walks)
def _unit_moved(table: Duelyst, event: ev.UnitMoved) -> None:
    unit = table.cards.get(event.unit)
    if unit is None or unit.place is None:
        if unit and unit.text and unit.text.kind in UNITS and unit.zone is table.hands[event.player]:
            board.enter(table, unit, event.to)  # nobody has written down that it was summoned, and there it is
        return
    if "flying" in unit.keywords or (table.granting and tiles.is_granted(table, unit, "flying")):
        how = "surrounded-moves" if tiles.is_surrounded(table, unit) else "any-free-tile"
        table.applied.append(f"duelyst.flying.{how}")
    table.count(unit, "moves", 1)
    to = event.to
    table.step_on(unit, to)
    if to in table.globes:
        board.step_on_globe(table, unit, to, walking=True)


# -- what follows, as a log writes it ----------------------------------------------------------------------------------


def _why_no_globe(table: Duelyst, event: ev.GlobeCollected) -> str:
    if event.tile not in table.globes:
        return "there is no mana globe on that tile"
    is_idle = table.options["globe_effect"] == "nothing"
    unit = table.unit_called(event.unit)
    if is_idle or (unit is not None and unit.place == event.tile):
        return f"the globe stays{as_ruled(table, 'globe_effect' if is_idle else 'globe_collected_by')}"
    return f"{table.called(event.unit)} is not there"


@consequence(ev.GlobeCollected, rule="duelyst.mana.globe", why=_why_no_globe, behind=resting_on("globe_effect"))
def adopt_globe(table: Duelyst, event: ev.GlobeCollected, expected: ev.GlobeCollected | None) -> None:
    """Go on with the mana that is written; a globe that nobody has collected stays."""
    if expected is not None:
        adopt_mana(table, event, expected)
