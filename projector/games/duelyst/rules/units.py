"""The rules of moving and attacking, with the keywords that change them.

One function looks at all that a move needs, and one at all that an attack needs: who stands where is asked only once.
"""

from collections.abc import Sequence
from typing import Any, Final

from events.games import duelyst as ev
from projector.games.duelyst import tiles
from projector.games.duelyst.naming import called, is_taken
from projector.games.duelyst.rules.answers import NOTHING, Judgements, single
from projector.games.duelyst.rules.cards import active_player, no_such_tile, tile_on_board
from projector.games.duelyst.state import PET, STRUCTURE, Duelyst, DuelystCard, Tile
from projector.model.phrases import as_ruled, name_of, tile_in_words
from projector.model.rules import AllPassed, Broken, Judgement, Verdict, all_passed, declare

OWN: Final = declare(
    "duelyst.unit.own",
    "Player's turn overview",
    "L87 L88",
    "A player moves and attacks with own units that are on the board.",
)
NOT_CONTROLLED: Final = declare("duelyst.pet.not-controlled", "Battle pet", "L192", "Battle Pets are not commanded.")
STAYS: Final = declare(
    "duelyst.structure.no-move-no-attack", "Structure", "L250", "Structures neither move nor attack."
)
NOT_EXHAUSTED: Final = declare(
    "duelyst.exhaust.no-move-no-attack",
    "Exhaust",
    "L162",
    "An exhausted unit neither moves nor attacks until the end of the turn.",
)
MOVES_ONCE: Final = declare("duelyst.move.once-per-turn", "Movement", "L98", "A unit moves once a turn.")
BEFORE_ATTACK: Final = declare(
    "duelyst.move.before-attack", "Movement", "L100", "A unit that has attacked cannot move any more."
)
NOT_PROVOKED: Final = declare(
    "duelyst.provoke.no-move", "Provoke", "L180 L181", "Beside an enemy with provoke a unit cannot move."
)
FREE_TILE: Final = declare("duelyst.move.free-tile", "Movement", "L94", "An occupied tile cannot be entered.")
NOT_SURROUNDED: Final = declare(
    "duelyst.move.not-surrounded", "Movement", "L99", "A unit that is surrounded on all sides cannot move."
)
RANGE: Final = declare(
    "duelyst.move.range",
    "Movement",
    "L101-L113",
    "Up to two tiles in a line along row or column, or one tile diagonally.",
)
PATH_FREE: Final = declare(
    "duelyst.move.path-free", "Movement", "L94 L102", "For two tiles the one in between is free (ruling `path`)."
)
ATTACKS_ONCE: Final = declare("duelyst.attack.once-per-turn", "Combat", "L119", "A unit attacks once a turn.")
SOME_ATTACK: Final = declare(
    "duelyst.attack.some-attack",
    "",
    "",
    "A unit without attack does not attack (only with the ruling `zero_attack: forbidden`).",
)
ENEMIES_ONLY: Final = declare(
    "duelyst.attack.enemies-only", "Combat", "L120 L178-L181", "Targets are enemies (implied)."
)
ATTACK_RANGE: Final = declare(
    "duelyst.attack.range", "Combat", "L120 L121 L129-L135", "Targets stand on one of the eight tiles around."
)
ATTACK_PROVOKER: Final = declare(
    "duelyst.provoke.attack-provoker",
    "Provoke",
    "L180 L181",
    "Beside an enemy with provoke only such an enemy may be attacked.",
)


COMMANDED: Final = (active_player, OWN, NOT_EXHAUSTED)
"""What a player keeps to who commands an own unit that is ready, neither pet nor Structure."""
MOVES: Final = (*COMMANDED, MOVES_ONCE, BEFORE_ATTACK, NOT_PROVOKED, tile_on_board, FREE_TILE)
FLOWN: Final = all_passed(*MOVES)
STEPPED: Final = all_passed(*MOVES, NOT_SURROUNDED, RANGE)
STEPPED_TWICE: Final = all_passed(*MOVES, NOT_SURROUNDED, RANGE, PATH_FREE)
SHOT: Final = all_passed(*COMMANDED, ATTACKS_ONCE, ENEMIES_ONLY)
ATTACKED: Final = all_passed(*COMMANDED, ATTACKS_ONCE, ENEMIES_ONLY, ATTACK_RANGE)
"""What a player keeps to who moves or attacks with a unit in one of the usual ways."""
FLIGHT: Final = all_passed(tile_on_board, FREE_TILE)
STEP: Final = all_passed(tile_on_board, FREE_TILE, NOT_SURROUNDED, RANGE)
TWO_STEPS: Final = all_passed(tile_on_board, FREE_TILE, NOT_SURROUNDED, RANGE, PATH_FREE)
STILL_ATTACKS: Final = all_passed(ATTACKS_ONCE)
AT_ENEMY: Final = all_passed(ENEMIES_ONLY)
REACHED: Final = all_passed(ATTACK_RANGE)
AT_PROVOKER: Final = all_passed(ATTACK_PROVOKER)
SPECIAL: Final = frozenset({PET, STRUCTURE})
OFTEN: Final = {1: "once", 2: "twice"}


def _may_command(table: Duelyst, player: str, unit: DuelystCard) -> bool:
    """Return whether a player on turn commands a unit: an own one that is ready, neither pet nor Structure."""
    if unit.owner != player or player != table.active or unit.stunned or unit.building:
        return False
    return unit.text.tribe not in SPECIAL and not (unit.exhausted and tiles.is_exhausted(table, unit))


def _judge_command(table: Duelyst, event: Any, unit: DuelystCard) -> Judgements:
    """Return whether a player is on turn and may command a unit.

    For a pet or a Structure nothing but that is reported: the last rule is then not that of being exhausted.
    """
    is_ready = not unit.stunned and not tiles.is_exhausted(table, unit)
    is_own = unit.owner == event.player
    own = None if is_own else f"{called(table, unit.name)} is not a unit of {name_of(table, event.player)}"
    found: list[Judgement] = [(active_player, active_player(table, event)), (OWN, own)]
    if unit.text.tribe == PET:
        if not tiles.is_commanded(table, unit):
            return *found, (NOT_CONTROLLED, f"{called(table, unit.name)} is a Battle Pet and acts by itself")
        found.append((NOT_CONTROLLED, None))
    if tiles.is_structure(unit):
        if not unit.spears:
            what = "being built" if unit.building else "a Structure"
            return *found, (STAYS, f"{called(table, unit.name)} is {what} and neither moves nor attacks")
        found.append((STAYS, None))
    return *found, (NOT_EXHAUSTED, None if is_ready else _resting(table, unit))


def _resting(table: Duelyst, unit: DuelystCard) -> Verdict:
    if unit.stunned:
        return f"{called(table, unit.name)} is stunned"
    message = f"{called(table, unit.name)} is exhausted; it entered this turn"
    if unit.tired:
        message = f"{called(table, unit.name)} is exhausted until the end of this turn{as_ruled(table, 'exhaust_end')}"
    elif unit.text.says.build and table.options["finished_acts"] == "next_turn":
        message = (
            f"{called(table, unit.name)} is exhausted; it was finished this turn{as_ruled(table, 'finished_acts')}"
        )
    elif tiles.has(table, unit, "rush"):
        message = f"{message} without the Rush that it has now{as_ruled(table, 'rush_change')}"
    elif "rush" in unit.text.says.keywords:
        message = f"{message} and has lost its Rush{as_ruled(table, 'rush_change')}"
    return Broken(message, because="duelyst.summon.enters-exhausted")


# -- moving ------------------------------------------------------------------------------------------------------------


def moves_well(table: Duelyst, event: ev.UnitMoved) -> AllPassed | None:
    """Return what is kept where a unit that has not acted in this turn goes a free way, and nobody provokes it."""
    unit = table.cards.get(event.unit)
    if unit is None or unit.place is None or unit.moves or unit.attacks or not _may_command(table, event.player, unit):
        return None
    if (table.provoking or table.granting) and tiles.provokers(table, unit, unit.place):
        return None
    return _free_way(table, unit, event.to)


def judge_move(table: Duelyst, event: ev.UnitMoved) -> Judgements:
    """Check a move: the unit, whether it may still move, and the tile."""
    unit = table.cards.get(event.unit)
    if unit is None or unit.place is None:
        return _judge_move_of_nobody(table, event)
    command = _judge_command(table, event, unit)
    if command[-1][0] is not NOT_EXHAUSTED:
        return command
    turn = _judge_turn(table, unit, tiles.provokers(table, unit, unit.place))
    return *command, *turn, *_judge_tile(table, unit, event.to, flies=tiles.has(table, unit, "flying"))


def _judge_move_of_nobody(table: Duelyst, event: ev.UnitMoved) -> Judgements:
    """Check a move of a unit that is not there: only the tile is left to look at."""
    whose = (active_player, active_player(table, event)), (OWN, f"{called(table, event.unit)} is not on the board")
    if event.to not in tiles.ON_BOARD:
        return *whose, (tile_on_board, no_such_tile(event.to))
    other = table.standing.get(event.to)
    return *whose, STEP[0], (FREE_TILE, None if other is None else _taken(table, other, event.to))


def _judge_turn(table: Duelyst, unit: DuelystCard, provoking: Sequence[DuelystCard]) -> Judgements:
    """Return whether a unit may still move in this turn, and is not held by an enemy with provoke."""
    times = tiles.times_a_turn(table, unit)
    often = OFTEN[times]
    name = called(table, unit.name) if unit.moves or unit.attacks else ""
    return (
        (MOVES_ONCE, None if unit.moves < times else f"{name} has already moved {often} this turn"),
        (BEFORE_ATTACK, None if unit.attacks < times else f"{name} moves, but has attacked {often} this turn"),
        (NOT_PROVOKED, _held(table, unit, provoking) if provoking else None),
    )


def _held(table: Duelyst, unit: DuelystCard, provoking: Sequence[DuelystCard]) -> Verdict:
    return f"{called(table, provoking[0].name)} provokes {called(table, unit.name)}, which cannot move"


def _taken(table: Duelyst, other: DuelystCard, tile: Tile, because: str = "") -> Verdict:
    return Broken(is_taken(table, tile, other), because=because)


WAYS: Final[dict[Any, dict[Tile, tuple[Tile, bool, AllPassed]]]] = {
    here: {
        to: (step, step in tiles.BESIDE[here], STEPPED if step == to else STEPPED_TWICE) for to, step in steps.items()
    }
    for here, steps in tiles.FIRST_STEP.items()
}
"""The ways that a unit can walk from a tile: the first tile, whether it is in the row or the column, what is kept."""
NOWHERE: Final[dict[Tile, tuple[Tile, bool, AllPassed]]] = {}
"""The ways of a unit that a wrong line has put beyond the edge."""


def _free_way(table: Duelyst, unit: DuelystCard, to: Tile) -> AllPassed | None:
    """Return what is kept where a unit goes to a free tile, and nobody is in its way there unless it flies."""
    standing = table.standing
    if to in standing:
        return None
    if "flying" in unit.keywords or (table.granting and tiles.is_granted(table, unit, "flying")):
        return FLOWN if to in tiles.ON_BOARD else None
    way = WAYS.get(unit.place, NOWHERE).get(to)
    if way is not None:
        step, is_straight, kept = way
        # Nobody is surrounded, whatever the ruling, beside whom a tile of the row or the column is free.
        if (kept is STEPPED or step not in standing) and (is_straight or not tiles.is_surrounded(table, unit, step)):
            return kept
    return None


def _judge_tile(table: Duelyst, unit: DuelystCard, to: Tile, *, flies: bool) -> Judgements:
    """Check the tile that a unit goes to.

    For a tile that is taken or off the board this alone is reported, for a surrounded unit no range; a flyer goes to
    any free tile.
    """
    if to not in tiles.ON_BOARD:
        return ((tile_on_board, no_such_tile(to)),)
    other = table.standing.get(to)
    if other is not None:
        return STEP[0], (FREE_TILE, _taken(table, other, to, "duelyst.flying.any-free-tile" if flies else ""))
    return FLIGHT if flies else _judge_walk(table, unit, to)


def _judge_walk(table: Duelyst, unit: DuelystCard, to: Tile) -> Judgements:
    """Check the way of a unit that walks to a free tile: not surrounded, not too far, past nobody."""
    here: Any = unit.place
    step = tiles.FIRST_STEP.get(here, {}).get(to)
    other = None if step is None else table.standing.get(step)
    if tiles.is_surrounded(table, unit, step if other is None else None):
        why = as_ruled(table, "surrounded")
        return *FLIGHT, (NOT_SURROUNDED, f"{called(table, unit.name)} is surrounded on {tile_in_words(here)}{why}")
    if other is not None and tiles.is_blocked(table, unit, other):
        middle: Any = other.place
        why = as_ruled(table, "path")
        return *STEP, (PATH_FREE, f"{called(table, other.name)} is in the way on {tile_in_words(middle)}{why}")
    if step is not None:
        return STEP if step == to else TWO_STEPS
    way = f"{called(table, unit.name)} walks from {tile_in_words(here)} to {tile_in_words(to)}"
    return *STEP[:3], (RANGE, Broken(way, "two tiles in a line or one diagonally"))


# -- attacking ---------------------------------------------------------------------------------------------------------


def attacks_well(table: Duelyst, event: ev.UnitAttacked) -> AllPassed | None:
    """Return what is kept where a unit attacks an enemy for the first time in this turn, and nobody provokes it."""
    unit, target = table.cards.get(event.unit), table.cards.get(event.target)
    if unit is None or target is None or unit.attacks or unit.place is None or target.place is None:
        return None
    player = event.player
    if target.owner == player or table.options["zero_attack"] == "forbidden" or not _may_command(table, player, unit):
        return None
    if (table.provoking or table.granting) and tiles.provokers(table, unit, unit.place):
        return None
    if target.place in (tiles.WITHIN_RANGE.get(unit.place) or tiles.WITHIN_RANGE[unit.place]):
        return ATTACKED
    return SHOT if tiles.has(table, unit, "ranged") else None


def judge_attack(table: Duelyst, event: ev.UnitAttacked) -> Judgements:
    """Check an attack: the unit, whether it may still attack, and the target."""
    unit = table.cards.get(event.unit)
    target = table.cards.get(event.target)
    enemy: Judgements = NOTHING
    if target is not None and target.place is None:
        target = None
    if target is not None:
        enemy = AT_ENEMY if target.owner != event.player else _judge_friend(table, event, target)
    if unit is None or unit.place is None:
        gone = f"{called(table, event.unit)} is not on the board"
        return (active_player, active_player(table, event)), (OWN, gone), *enemy
    command = _judge_command(table, event, unit)
    if command[-1][0] is not NOT_EXHAUSTED:
        return command
    in_range = target is not None and target.place in tiles.WITHIN_RANGE[unit.place]
    reached = REACHED if in_range else _judge_reach(table, event, unit, target)
    provoking = tiles.provokers(table, unit, unit.place)
    held = _judge_provoked(table, event, target, provoking) if provoking else NOTHING
    return *command, *_judge_attacker(table, unit), *enemy, *reached, *held


def _judge_attacker(table: Duelyst, unit: DuelystCard) -> Judgements:
    """Return whether a unit may still attack in this turn (and with which attack, ruling `zero_attack`)."""
    found: Judgements = STILL_ATTACKS
    if unit.attacks and unit.attacks >= tiles.times_a_turn(table, unit):
        often = OFTEN[tiles.times_a_turn(table, unit)]
        found = ((ATTACKS_ONCE, f"{called(table, unit.name)} has already attacked {often} this turn"),)
    if table.options["zero_attack"] == "forbidden":
        is_armed = tiles.attack_of(table, unit) > 0
        found += single(SOME_ATTACK, None if is_armed else _unarmed(table, unit))
    return found


def _unarmed(table: Duelyst, unit: DuelystCard) -> Verdict:
    return f"{called(table, unit.name)} attacks with an attack of 0{as_ruled(table, 'zero_attack')}"


def _judge_friend(table: Duelyst, event: ev.UnitAttacked, target: DuelystCard) -> Judgements:
    """Check a target that is no enemy; it may be any other unit by the ruling `friendly_fire` alone."""
    if target.name != event.unit and table.options["friendly_fire"] == "any":
        return AT_ENEMY
    told = f"{called(table, event.unit)} attacks {called(table, target.name)}, which is no enemy"
    return ((ENEMIES_ONLY, told + as_ruled(table, "friendly_fire")),)


def _judge_reach(table: Duelyst, event: ev.UnitAttacked, unit: DuelystCard, target: DuelystCard | None) -> Judgements:
    """Check a target that does not stand within range of a unit, or not on the board at all."""
    is_ranged = tiles.has(table, unit, "ranged")
    if target is None:
        because = "duelyst.ranged.attacks-anywhere" if is_ranged else ""
        return ((ATTACK_RANGE, Broken(f"{called(table, event.target)} is not on the board", because=because)),)
    if is_ranged:
        return NOTHING
    places: list[Any] = [target.place, unit.place]
    there, here = (tile_in_words(place) for place in places)
    told = f"{called(table, target.name)} on {there} is not within one tile of {called(table, unit.name)} on {here}"
    return ((ATTACK_RANGE, told),)


def _judge_provoked(
    table: Duelyst, event: ev.UnitAttacked, target: DuelystCard | None, provoking: Sequence[DuelystCard]
) -> Judgements:
    """Check the target of a unit that stands beside enemies with provoke: it is one of them."""
    if target in provoking:
        return AT_PROVOKER
    words = " or ".join(called(table, other.name) for other in provoking)
    told = f"{called(table, event.unit)} is provoked by {words} and attacks {called(table, event.target)}"
    return ((ATTACK_PROVOKER, Broken(told, words)),)
