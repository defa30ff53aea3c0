"""What is still to be worked off, and what luck owes meanwhile (catalogue 3.3 and 4.7).

`table.owed` is worked off from the front; what a task brings about comes before everything else. It stops where luck
has to write a line first: a draw, a token's tile, a target, a pet.
"""

from collections.abc import Callable
from typing import Any, Final

from tabletape.events.games import duelyst as ev
from tabletape.projector.games.duelyst import board
from tabletape.projector.games.duelyst.effects import acts_at_once, bonds_by_effect, carry_out
from tabletape.projector.games.duelyst.state import GENERAL, HAND, PARTS, PET, Duelyst, DuelystCard
from tabletape.projector.games.duelyst.tasks import Doing, Owed, SpellDone, Summoned, Tasks
from tabletape.projector.games.duelyst.tiles import free_beside, is_commanded, is_surrounded

EMPTY_DRAW: Final = "duelyst.deck.empty-draw"
OBELYSK: Final = "duelyst.dervish.obelysk-spawns"

Step = Callable[[Duelyst, Any], Tasks]


def settle(table: Duelyst) -> str:
    """Work off what is owed until nothing is left, luck owes a line, or the game is over.

    Return who may go on freely: the player on turn, where luck owes nothing and no mech is ready.
    """
    todo = owed = table.owed
    while todo and not table.over:
        task: Any = todo[0]
        step = STEPS.get(type(task))
        if step is not None:
            todo = step(table, task) + todo[1:]
        elif IS_OWED[task.line](table, task):
            break
        else:
            todo = todo[1:]
            if task.line is ev.CardsDrawn:
                _leave_out(table, task)
    if owed and (todo is not owed or table.over):
        table.owe(() if table.over else todo)
    if todo or table.missed or table.over or not table.turn or table.players[table.active].progress >= PARTS:
        return ""
    return table.active


def _leave_out(table: Duelyst, due: Owed) -> None:
    """Count the rule by which a draw is left out; whoever cannot draw may lose by it (ruling `empty_deck`)."""
    is_empty = table.decks[due.player].size <= 0
    effect = table.options["empty_deck"] if is_empty and not due.besides else "no_effect"
    if effect == "lose":
        board.end_game(table, table.players[due.player].opponent, "empty-deck", EMPTY_DRAW)
    elif effect == "general_damage_one" and (general := table.general_of(due.player)) is not None:
        board.hurt(table, general, due.count, "empty-deck", EMPTY_DRAW)
        board.remove_dead(table, (general,))
    else:
        table.applied.append(EMPTY_DRAW if is_empty else "duelyst.hand.limit")


def first(table: Duelyst, tasks: Tasks) -> None:
    """Put tasks before everything else that is to be worked off."""
    if tasks:
        table.owe(tasks + table.owed)


def summoned(table: Duelyst, unit: DuelystCard, gambits: Tasks = (), *, played: bool = False) -> Tasks:
    """Return what follows when a unit has been summoned: its own texts, then those of the player's other units."""
    if not played:
        gambits = bonds_by_effect(table, unit)
    if table.hearing:
        gambits = (*gambits, Summoned(unit.name, played)) if gambits else _heard(table, unit, played=played)
    return gambits + acts_at_once(table, unit) if unit.text.tribe == PET else gambits


def owed_now(table: Duelyst) -> Owed | None:
    """Return what luck owes now, or None."""
    due = table.owed[0] if table.owed else None
    return due if type(due) is Owed else None


def owed_as(table: Duelyst, event: Any) -> Owed | None:
    """Return what luck owes now if a line writes it, or None; of several pets each may be the one."""
    owed = table.owed
    if not owed or type(due := owed[0]) is not Owed or due.line is not (line := type(event)):
        return None
    if line is ev.CardsDrawn:
        return due if due.player == event.player else None
    if line is ev.PetActed:
        return due if due.source == event.unit else pet_owed(table, event.unit)
    return due if due.source == event.source else None


def pet_owed(table: Duelyst, unit: str) -> Owed | None:
    """Return the act of a pet that is still due in this turn, None where none is."""
    for task in table.owed:
        if type(task) is Owed and task.source == unit and task.line is ev.PetActed:
            return task
    return None


def _can_draw(table: Duelyst, due: Owed) -> bool:
    """Return whether a player can draw: not from an empty deck, and not into a full hand where there is a limit."""
    deck = table.decks[due.player]
    size = len(deck.cards) + deck.unseen
    if size <= 0 or (size == 1 and due.besides and not is_again(table)):
        return False
    return table.options["hand_limit"] != "six_no_draw" or table.hands[due.player].size < HAND


def _can_summon(table: Duelyst, due: Owed) -> bool:
    unit = table.unit_called(due.beside)
    if unit is None or (due.rule == OBELYSK and is_surrounded(table, unit)):
        return False
    return bool(free_beside(table, unit.place))


IS_OWED: Final[dict[type, Callable[[Duelyst, Owed], bool]]] = {
    ev.CardsDrawn: _can_draw,
    ev.TokenSummoned: _can_summon,
    ev.TargetPicked: lambda table, due: bool(enemy_minions(table, due.player)),
    ev.PetActed: lambda table, due: (pet := table.unit_called(due.source)) is not None and not is_commanded(table, pet),
}
"""Whether luck can still write the line that it owes; what is impossible is left out."""


def is_again(table: Duelyst) -> bool:
    """Return whether the card that was put back may be drawn again (ruling `replace`)."""
    return table.options["replace"] == "unlimited"


def enemy_minions(table: Duelyst, player: str) -> list[Any]:
    """Return the minions of the other player, in the order in which they entered."""
    return [unit for unit in table.units if unit.owner != player and unit.text.kind != GENERAL]


# -- the tasks ---------------------------------------------------------------------------------------------------------


def _heard(table: Duelyst, unit: DuelystCard, *, played: bool) -> Tasks:
    """Return what the other units of the player do about a summoning, in the order of entering."""
    player, tribe = unit.owner, unit.text.tribe
    follows: Tasks = ()
    last: Tasks = ()
    for name in table.hearing:
        other = table.cards[name]
        if other.owner != player or other is unit:
            continue
        says = other.text.says
        for ability in says.abilities.get("own-summon", ()):
            if ability.tribe == tribe:
                is_token = tribe == "vespyr" and unit.text.kind == "token"
                rule = "duelyst.vespyr.tokens-count" if is_token else board.AS_DECLARED
                follows += board.doings(player, name, ability.effects, rule)
        if played and "own-minion-played" in says.effects:
            last += board.doings(player, name, says.effects["own-minion-played"], board.AS_DECLARED)
    return follows + last


def _spell_done(table: Duelyst, task: SpellDone) -> Tasks:
    follows: Tasks = ()
    for name in table.hearing:
        unit = table.cards[name]
        effects = unit.text.says.effects
        if unit.owner == task.player and "own-spell-cast" in effects:
            follows += board.doings(task.player, name, effects["own-spell-cast"])
    return follows


STEPS: Final[dict[type, Step]] = {
    Doing: carry_out,
    Summoned: lambda table, task: _heard(table, table.cards[task.unit], played=task.played),
    SpellDone: _spell_done,
}
"""What is done with the tasks by their types; what belongs to a chapter of the rulebook stands there."""


def works_off(task: type) -> Callable[[Step], Step]:
    """Declare what is done with a task of a type; it returns what comes next before anything else."""

    def declare(step: Step) -> Step:
        STEPS[task] = step
        return step

    return declare
