"""Turns: who is on turn, how many actions a turn has, and how it ends."""

from collections.abc import Iterable
from typing import Any, Final

from events.games import phylogenome as ev
from events.vocabulary import Event
from projector.games.phylogenome.chapters.doubt import doubt
from projector.games.phylogenome.chapters.drawing import OWED, pass_over
from projector.games.phylogenome.state import DRAW, ENDING, IN_A_TURN, SETUP, Phylo
from projector.games.phylogenome.turns import FOR_ABILITIES, FOR_THE_TURN, begin_turn
from projector.kit.moves import Move
from projector.kit.owed import missing
from projector.model.phrases import name_of
from projector.model.rules import (
    NOT_APPLICABLE,
    AllPassed,
    Broken,
    Judgement,
    Rule,
    Verdict,
    all_passed,
    declare,
    group_check,
    rule,
)


@rule(
    "phylogenome.turn.active-player",
    "What is PhyloGenome?",
    "L11",
    "The players take turns; only the one on turn acts.",
)
def active_player(table: Phylo, event: Any) -> Verdict:
    """The player is on turn."""
    if table.active == event.player:
        return None
    due = name_of(table, table.active)
    return Broken(f"{name_of(table, event.player)} acts in the turn of {due}", due)


ON_TURN: Final = all_passed(active_player)
OF_THE_TURN: Final = frozenset({FOR_ABILITIES, FOR_THE_TURN})


def owed_first(table: Phylo, event: Any) -> Judgement | None:
    """Return the rule by which luck owes something first, unless this is the line or it may be left out (ruling)."""
    due = table.owed[0]
    if due.line is ev.CardKept and isinstance(event, ev.CardKept):
        return None
    if table.options["skip_draw"] == "optional":
        due = next((each for each in table.owed if each.rule != FOR_THE_TURN), due)
        if due.rule == FOR_THE_TURN:
            return None
    because = "phylogenome.turn.step-order" if due.rule in OF_THE_TURN else ""
    rule: Rule = OWED[due.rule].rule
    allowed = doubt(table, rule, event)
    return rule, missing(table, due, event, because) if allowed is None else allowed.verdict


def judge_turn(table: Phylo, event: Any) -> Iterable[Judgement]:
    """Judge whose turn it is; in the turn of the other player it may also be that luck owes something first."""
    verdict: Verdict = active_player(table, event)
    owed = owed_first(table, event) if verdict is not None and table.owed else None
    return ((active_player, verdict), owed) if owed else ((active_player, verdict),)


TURN: Final = group_check(judge_turn)
"""Whose turn it is, where one look could not tell that it is the player's own."""


@rule("phylogenome.turn.three-actions", "The game begins", "L77", "Up to three actions, repeated as you like.")
def three_actions(table: Phylo, event: Any) -> Verdict:
    """The player on turn has an action left."""
    if table.active != event.player:
        return NOT_APPLICABLE
    if table.players[event.player].actions > 0:
        return None
    return Broken(f"{name_of(table, event.player)} has no action left in this turn", f"{IN_A_TURN} actions a turn")


def go_on_without(table: Phylo, player: str) -> None:
    """Go on although something else was due: a game that was not begun begins, luck owes nothing any more."""
    if table.phase == SETUP:
        begin_turn(table, player)
    if table.owed and table.active == player:
        for due in table.owed:
            if due.line is ev.CardsDrawn:
                pass_over(table, due)
        table.set(table, "owed", ())


def act(table: Phylo, player: str) -> None:
    """Use an action up."""
    if table.owed or table.phase == SETUP:
        go_on_without(table, player)
    if table.active == player:
        mine = table.players[player]
        left = mine.actions
        table.journal.append((mine, "actions", left, left - 1))
        mine.actions = left - 1


END_DISCARDS: Final = declare(
    "phylogenome.turn.end-discards",
    "The game begins",
    "L82",
    "At the end of the turn Species in bad spots are discarded (after the time to repair, ruling grace).",
)


def has_just_begun(table: Phylo) -> bool:
    """Return whether nothing has happened yet in a turn that followed another one."""
    if not table.active:
        return False
    player = table.players[table.active]
    drawn = table.phase != DRAW and table.decks[player.id].size > 0
    return table.turn > 1 and player.actions == IN_A_TURN and not table.event_played and not drawn


def ends_own_turn(table: Phylo, event: ev.TurnEnded) -> AllPassed | None:
    """Return what is kept where the player on turn ends it."""
    return ON_TURN if table.active == event.player else None


def judge_end(table: Phylo, event: ev.TurnEnded) -> Iterable[Judgement]:
    """Judge the end of a turn: the player on turn ends it; that an ended turn is ended is said twice, and no more."""
    if table.active != event.player and has_just_begun(table):
        message = f"the turn of {name_of(table, event.player)} has ended already; this line says it again"
        return ((active_player, Broken(message, "", "info")),)
    return judge_turn(table, event)


def turn_ended(table: Phylo, event: ev.TurnEnded) -> None:
    """End the turn; nobody can end the turn of somebody else."""
    if table.owed or table.phase == SETUP:
        go_on_without(table, event.player)
    if table.active == event.player:
        table.journal.append((table, "phase", table.phase, ENDING))
        table.phase = ENDING


def offer_end(table: Phylo, player: str) -> Iterable[Event]:
    """Return the end of the turn, which is always possible."""
    return (ev.TurnEnded(player=player),)


MOVES: Final = (
    Move(line=ev.TurnEnded, needs=(group_check(judge_end, ends_own_turn),), does=turn_ended, offers=offer_end),
)
