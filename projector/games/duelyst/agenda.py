"""What is still to be worked off, and what luck owes meanwhile (catalogue 3.3 and 4.7).

`table.agenda` is worked off from the front; what a task brings about comes before everything else. It stops where luck
has to write a line first: a draw, a token's tile, a target, a pet.
"""

from collections.abc import Callable
from typing import Any, Final

from projector.games.duelyst.board import AS_DECLARED, doings, end_game
from projector.games.duelyst.combat import strike_back
from projector.games.duelyst.effects import Tasks, carry_out
from projector.games.duelyst.state import (
    BOARD,
    DUES,
    GENERAL,
    HAND,
    MAIN,
    PET,
    Doing,
    DrawDue,
    Due,
    Duelyst,
    DuelystCard,
    MainPhase,
    PetDue,
    PetsBegin,
    SpellDone,
    StrikeBack,
    Summoned,
    TargetDue,
    Task,
    TokenDue,
    TurnBegins,
    UnitBegins,
    zone_of,
)
from projector.games.duelyst.tiles import free_beside, is_commanded, unit_called
from projector.games.duelyst.turns import begin_turn, begin_unit

EMPTY_DRAW: Final = "duelyst.deck.empty-draw"


def settle(table: Duelyst) -> None:
    """Work the agenda off until it is empty, luck owes a line, or the game is over."""
    agenda = table.agenda
    if not agenda or (type(agenda[0]) in DUES and is_due(table, agenda[0]) and not table.over):
        return
    todo = agenda
    while todo and not table.over:
        task = todo[0]
        step = STEPS.get(type(task))
        if step is not None:
            todo = step(table, task) + todo[1:]
        elif is_due(table, task):
            break
        else:
            todo = todo[1:]
            _leave_out(table, task)
    hand_on(table, () if table.over else todo)


def hand_on(table: Duelyst, tasks: Tasks) -> None:
    """Let these tasks be what is still to be worked off."""
    table.journal.append((table, "agenda", table.agenda, tasks))
    table.agenda = tasks


def _leave_out(table: Duelyst, due: Task) -> None:
    """Count the rule by which a draw is left out; whoever cannot draw may lose by it (ruling `empty_deck`)."""
    if not isinstance(due, DrawDue):
        return
    is_empty = zone_of(table, "deck", due.player).size <= 0
    if is_empty and due.why != "replace" and table.options["empty_deck"] == "lose":
        end_game(table, table.players[due.player].opponent, "empty-deck", EMPTY_DRAW)
    else:
        table.applied.append(EMPTY_DRAW if is_empty else "duelyst.hand.limit")


def first(table: Duelyst, tasks: Tasks) -> None:
    """Put tasks before everything else that is to be worked off."""
    if tasks:
        hand_on(table, tasks + table.agenda)


def summoned(table: Duelyst, unit: DuelystCard, gambits: Tasks = (), *, played: bool = False) -> Tasks:
    """Give what follows when a unit has been summoned: its own texts, then those of the player's other units."""
    if not table.hearing:
        return gambits
    return (*gambits, Summoned(unit.name, played)) if gambits else _heard(table, unit, played=played)


def due_now(table: Duelyst) -> Due | None:
    """Give what luck owes now, or None."""
    agenda = table.agenda
    if not agenda or type(agenda[0]) not in DUES:
        return None
    due: Any = agenda[0]
    found: Due = due
    return found


def is_due(table: Duelyst, due: Task) -> bool:
    """Tell whether luck can still write the line that it owes; what is impossible is left out."""
    if type(due) is DrawDue:
        return can_draw(table, due)
    if isinstance(due, TokenDue):
        unit = unit_called(table, due.beside)
        return unit is not None and bool(free_beside(table, unit.place))
    if isinstance(due, TargetDue):
        return bool(enemy_minions(table, due.player))
    pet = unit_called(table, due.unit) if isinstance(due, PetDue) else None
    return pet is not None and not is_commanded(table, pet)


def can_draw(table: Duelyst, due: DrawDue) -> bool:
    """Tell whether a player can draw: not from an empty deck, and not into a full hand where there is a limit."""
    size = table.zones[f"deck:{due.player}"].size
    if size <= 0 or (size == 1 and due.besides and not is_again(table)):
        return False
    return table.options["hand_limit"] != "six_no_draw" or zone_of(table, "hand", due.player).size < HAND


def is_again(table: Duelyst) -> bool:
    """Tell whether the card that was put back may be drawn again (ruling `replace`)."""
    return table.options["replace"] == "unlimited"


def enemy_minions(table: Duelyst, player: str) -> list[Any]:
    """Give the minions of the other player, in the order in which they entered."""
    return [unit for unit in table.zones[BOARD].cards if unit.owner != player and unit.text.kind != GENERAL]


# -- the tasks ---------------------------------------------------------------------------------------------------------


def _summoned(table: Duelyst, task: Summoned) -> Tasks:
    return _heard(table, table.cards[task.unit], played=task.played)


def _heard(table: Duelyst, unit: DuelystCard, *, played: bool) -> Tasks:
    """Give what the other units of the player do about a summoning, in the order of entering."""
    player = unit.owner
    tribe = unit.text.tribe
    follows: Tasks = ()
    last: Tasks = ()
    for name in table.hearing:
        other = table.cards[name]
        if other.owner != player or other is unit:
            continue
        says = other.text.says
        for ability in says.on("own-summon"):
            if ability.tribe == tribe:
                is_token = tribe == "vespyr" and unit.text.kind == "token"
                rule = "duelyst.vespyr.tokens-count" if is_token else AS_DECLARED
                follows += doings(player, name, ability.effects, rule)
        if played and "own-minion-played" in says.effects:
            last += doings(player, name, says.effects["own-minion-played"], AS_DECLARED)
    return follows + last


def _spell_done(table: Duelyst, task: SpellDone) -> Tasks:
    follows: Tasks = ()
    for name in table.hearing:
        unit = table.cards[name]
        if unit.owner == task.player:
            follows += doings(task.player, name, unit.text.says.effects.get("own-spell-cast", ()), AS_DECLARED)
    return follows


def _turn_begins(table: Duelyst, task: TurnBegins) -> Tasks:
    return begin_turn(table, task.player)


def _unit_begins(table: Duelyst, task: UnitBegins) -> Tasks:
    return begin_unit(table, task.unit)


def _pets_begin(table: Duelyst, task: PetsBegin) -> Tasks:
    timed = [table.cards[name] for name in table.timed]
    return tuple([PetDue(unit.name) for unit in timed if unit.owner == task.player and unit.text.tribe == PET])


def _main_phase(table: Duelyst, _task: MainPhase) -> Tasks:
    table.set(table, "phase", MAIN)
    return ()


STEPS: Final[dict[type, Callable[[Duelyst, Any], Tasks]]] = {
    Doing: carry_out,
    Summoned: _summoned,
    SpellDone: _spell_done,
    StrikeBack: strike_back,
    TurnBegins: _turn_begins,
    UnitBegins: _unit_begins,
    PetsBegin: _pets_begin,
    MainPhase: _main_phase,
}
