"""The rules of moving and attacking, with the keywords that change them.

One function looks at all that a move needs, and one at all that an attack needs: who stands where is asked only once.
"""

from collections.abc import Iterator
from typing import Any, Final

from events.games import duelyst as ev
from projector.games.duelyst.rules.cards import Judgements, no_such_tile, tile_on_board
from projector.games.duelyst.state import PET, Duelyst, DuelystCard, Tile, called, name_of
from projector.games.duelyst.tiles import (
    AROUND,
    ON_BOARD,
    TWO_AWAY,
    attack_of,
    between,
    has,
    is_blocked,
    is_commanded,
    is_structure,
    is_surrounded,
    provokers,
    provoking_among,
    touches,
    unit_called,
    unit_on,
    units_around,
)
from projector.rules import Broken, Judgement, Rule, Verdict

OWN: Final = Rule(
    id="duelyst.unit.own",
    section="Player's turn overview",
    lines="L87 L88",
    text="A player moves and attacks with own units that are on the board.",
)
NOT_CONTROLLED: Final = Rule(
    id="duelyst.pet.not-controlled", section="Battle pet", lines="L192", text="Battle Pets are not commanded."
)
STAYS: Final = Rule(
    id="duelyst.structure.no-move-no-attack",
    section="Structure",
    lines="L250",
    text="Structures neither move nor attack.",
)
NOT_EXHAUSTED: Final = Rule(
    id="duelyst.exhaust.no-move-no-attack",
    section="Exhaust",
    lines="L162",
    text="An exhausted unit neither moves nor attacks until the end of the turn.",
)
MOVES_ONCE: Final = Rule(
    id="duelyst.move.once-per-turn", section="Movement", lines="L98", text="A unit moves once a turn."
)
BEFORE_ATTACK: Final = Rule(
    id="duelyst.move.before-attack",
    section="Movement",
    lines="L100",
    text="A unit that has attacked cannot move any more.",
)
NOT_PROVOKED: Final = Rule(
    id="duelyst.provoke.no-move",
    section="Provoke",
    lines="L180 L181",
    text="Beside an enemy with provoke a unit cannot move.",
)
FREE_TILE: Final = Rule(
    id="duelyst.move.free-tile", section="Movement", lines="L94", text="An occupied tile cannot be entered."
)
NOT_SURROUNDED: Final = Rule(
    id="duelyst.move.not-surrounded",
    section="Movement",
    lines="L99",
    text="A unit that is surrounded on all sides cannot move.",
)
RANGE: Final = Rule(
    id="duelyst.move.range",
    section="Movement",
    lines="L101-L113",
    text="Up to two tiles in a line along row or column, or one tile diagonally.",
)
PATH_FREE: Final = Rule(
    id="duelyst.move.path-free",
    section="Movement",
    lines="L94 L102",
    text="For two tiles the one in between is free (ruling `path`).",
)
ATTACKS_ONCE: Final = Rule(
    id="duelyst.attack.once-per-turn", section="Combat", lines="L119", text="A unit attacks once a turn."
)
SOME_ATTACK: Final = Rule(
    id="duelyst.attack.some-attack",
    section="",
    lines="",
    text="A unit without attack does not attack (only with the ruling `zero_attack: forbidden`).",
)
ENEMIES_ONLY: Final = Rule(
    id="duelyst.attack.enemies-only",
    section="Combat",
    lines="L120 L178-L181",
    text="Targets are enemies (implied).",
)
ATTACK_RANGE: Final = Rule(
    id="duelyst.attack.range",
    section="Combat",
    lines="L120 L121 L129-L135",
    text="Targets stand on one of the eight tiles around.",
)
ATTACK_PROVOKER: Final = Rule(
    id="duelyst.provoke.attack-provoker",
    section="Provoke",
    lines="L180 L181",
    text="Beside an enemy with provoke only such an enemy may be attacked.",
)


STEP: Final[Judgements] = ((tile_on_board, None), (FREE_TILE, None), (NOT_SURROUNDED, None), (RANGE, None))
"""What somebody keeps to who walks one tile; `STEP[:2]` is what a flyer keeps to."""
TWO_STEPS: Final[Judgements] = (*STEP, (PATH_FREE, None))


def _judge_command(table: Duelyst, event: Any, unit: DuelystCard) -> Judgements:
    """Look whether a player may command a unit.

    For a pet or a Structure nothing but that is reported: the last rule is then not that of being exhausted.
    """
    is_own = unit.owner == event.player
    own = None if is_own else f"{called(table, unit.name)} is not a unit of {name_of(table, event.player)}"
    rested = _resting(table, unit) if unit.exhausted or unit.stunned else None
    if unit.text.tribe != PET and not is_structure(unit):
        return (OWN, own), (NOT_EXHAUSTED, rested)
    found: list[Judgement] = [(OWN, own)]
    if unit.text.tribe == PET:
        if not is_commanded(table, unit):
            return *found, (NOT_CONTROLLED, f"{called(table, unit.name)} is a Battle Pet and acts by itself")
        found.append((NOT_CONTROLLED, None))
    if is_structure(unit):
        if not unit.spears:
            what = "being built" if unit.building else "a Structure"
            return *found, (STAYS, f"{called(table, unit.name)} is {what}")
        found.append((STAYS, None))
    return *found, (NOT_EXHAUSTED, rested)


def _resting(table: Duelyst, unit: DuelystCard) -> Verdict:
    if unit.stunned:
        return f"{called(table, unit.name)} is stunned"
    message = f"{called(table, unit.name)} is exhausted; it entered this turn"
    return Broken(message, because="duelyst.summon.enters-exhausted")


def _times(unit: DuelystCard) -> int:
    """Give how often a unit moves and attacks in a turn."""
    return 2 if "celerity" in unit.keywords else 1


# -- moving ------------------------------------------------------------------------------------------------------------


def judge_move(table: Duelyst, event: ev.UnitMoved) -> Judgements:
    """Look at a move: the unit, whether it may still move, and the tile."""
    unit = unit_called(table, event.unit)
    if unit is None:
        return _judge_move_of_nobody(table, event)
    command = _judge_command(table, event, unit)
    if command[-1][0] is not NOT_EXHAUSTED:
        return command
    times = _times(unit)
    near = units_around(table, unit)
    provoking = provoking_among(table, unit, near) if near else near
    return (
        *command,
        (MOVES_ONCE, None if unit.moves < times else f"{called(table, unit.name)} has already moved this turn"),
        (BEFORE_ATTACK, None if unit.attacks < times else f"{called(table, unit.name)} has attacked this turn"),
        (NOT_PROVOKED, _held(table, unit, provoking) if provoking else None),
        *_judge_tile(table, unit, event.to, near),
    )


def _judge_move_of_nobody(table: Duelyst, event: ev.UnitMoved) -> Judgements:
    """Look at a move of a unit that is not there: only the tile is left to look at."""
    own = (OWN, f"{called(table, event.unit)} is not on the board")
    if event.to not in ON_BOARD:
        return own, (tile_on_board, no_such_tile(event.to))
    other = unit_on(table, event.to)
    return own, STEP[0], (FREE_TILE, None if other is None else _taken(table, other, event.to))


def _held(table: Duelyst, unit: DuelystCard, provoking: list[DuelystCard]) -> Verdict:
    return f"{called(table, provoking[0].name)} provokes {called(table, unit.name)}"


def _taken(table: Duelyst, other: DuelystCard, tile: Tile, because: str = "") -> Verdict:
    return Broken(f"{called(table, other.name)} stands on {list(tile)}", because=because)


def _judge_tile(table: Duelyst, unit: DuelystCard, to: Tile, near: list[DuelystCard]) -> Judgements:
    """Look at the tile that a unit goes to; `near` are the units around it.

    For a tile that is taken or off the board this alone is reported, for a surrounded unit no range; a flyer goes to
    any free tile.
    """
    if to not in ON_BOARD:
        return ((tile_on_board, no_such_tile(to)),)
    flies = has(table, unit, "flying")
    other = unit_on(table, to)
    if other is not None:
        return STEP[0], (FREE_TILE, _taken(table, other, to, "duelyst.flying.any-free-tile" if flies else ""))
    return STEP[:2] if flies else _judge_walk(table, unit, to, near)


def _judge_walk(table: Duelyst, unit: DuelystCard, to: Tile, near: list[DuelystCard]) -> Judgements:
    """Look at the way of a unit that walks to a free tile: not surrounded, not too far, past nobody."""
    if is_surrounded(table, unit, near):
        return *STEP[:2], (NOT_SURROUNDED, f"{called(table, unit.name)} is surrounded")
    here: Any = unit.place
    if to in AROUND.get(here, ()):
        return STEP
    if to not in TWO_AWAY.get(here, ()):
        way = f"{called(table, unit.name)} walks from {list(here)} to {list(to)}"
        return *STEP[:3], (RANGE, Broken(way, "two tiles in a line or one diagonally"))
    middle = between(here, to)
    for each in near:
        if each.place == middle and is_blocked(table, unit, each):
            return *STEP, (PATH_FREE, f"{called(table, each.name)} is in the way on {list(middle)}")
    return TWO_STEPS


# -- attacking ---------------------------------------------------------------------------------------------------------


def judge_attack(table: Duelyst, event: ev.UnitAttacked) -> Iterator[Judgement]:
    """Look at an attack: the unit, whether it may still attack, and the target."""
    unit = unit_called(table, event.unit)
    target = unit_called(table, event.target)
    if unit is None:
        yield OWN, f"{called(table, event.unit)} is not on the board"
    else:
        command = _judge_command(table, event, unit)
        yield from command
        if command[-1][0] is not NOT_EXHAUSTED:
            return
        is_left = unit.attacks < _times(unit)
        yield ATTACKS_ONCE, None if is_left else f"{called(table, unit.name)} has already attacked this turn"
        if table.options["zero_attack"] == "forbidden":
            yield SOME_ATTACK, None if attack_of(table, unit) > 0 else f"{called(table, unit.name)} has no attack"
    if target is not None:
        is_fair = target.owner != event.player or (unit is not target and table.options["friendly_fire"] == "any")
        yield ENEMIES_ONLY, None if is_fair else _friendly(table, event, target)
    if unit is not None:
        yield from _judge_target(table, event, unit, target)


def _friendly(table: Duelyst, event: ev.UnitAttacked, target: DuelystCard) -> Verdict:
    return f"{called(table, target.name)} belongs to {name_of(table, event.player)}"


def _judge_target(
    table: Duelyst, event: ev.UnitAttacked, unit: DuelystCard, target: DuelystCard | None
) -> Iterator[Judgement]:
    """Look whether a unit reaches its target, and whether an enemy with provoke comes first."""
    if target is None:
        because = "duelyst.ranged.attacks-anywhere" if has(table, unit, "ranged") else ""
        yield ATTACK_RANGE, Broken(f"{called(table, event.target)} is not on the board", because=because)
    elif touches(unit.place, target.place):
        yield ATTACK_RANGE, None
    elif not has(table, unit, "ranged"):
        yield ATTACK_RANGE, f"{called(table, target.name)} is out of the range of {called(table, unit.name)}"
    provoking = provokers(table, unit, unit.place)
    if provoking:
        yield ATTACK_PROVOKER, None if target in provoking else _ignored(table, event, provoking)


def _ignored(table: Duelyst, event: ev.UnitAttacked, provoking: list[DuelystCard]) -> Verdict:
    words = " or ".join(called(table, other.name) for other in provoking)
    return Broken(f"{called(table, event.unit)} is provoked and attacks {called(table, event.target)}", words)
