"""The game in the order of its rulebook: the preparation (L65 to L69) and the turns (L71 to L84)."""

from typing import Any, Final

from tabletape.events.games import phylogenome as ev
from tabletape.projector.games.phylogenome import steps, view
from tabletape.projector.games.phylogenome.chapters import (
    cards,
    compatibility,
    discarding,
    drawing,
    events,
    moving,
    playing,
    setup,
    turns,
    winning,
)
from tabletape.projector.games.phylogenome.state import ACTIONS, CLEARED_STAGE, DRAW, ENDING, Phylo
from tabletape.projector.kit.moves import moves_of
from tabletape.projector.kit.outline import EachPlayer, Outline, PlaceRules, Setup
from tabletape.projector.model.game import RuleVerdict
from tabletape.projector.model.phrases import name_of
from tabletape.projector.model.rules import Broken

CHAPTERS: Final = (cards, setup, drawing, turns, compatibility, discarding, playing, moving, events, winning, view)
"""The chapters, each of which builds on earlier ones: in the rulebook's order, what a play needs before the play."""

MOVES: Final = moves_of(*CHAPTERS)


def comes_first(table: Phylo, event: Any) -> RuleVerdict | None:
    """Return what stands against a decision: a line is owed, or the discards that end the turn are written already."""
    if table.phase != CLEARED_STAGE:
        owed = turns.owed_first(table, event) if table.owed and event.player == table.active else None
        return RuleVerdict(*owed) if owed else None
    if isinstance(event, ev.TurnEnded):
        return None
    who, whose = name_of(table, event.player), name_of(table, table.active)
    if turns.has_just_begun(table):
        message = f"Species of {whose} were discarded before this turn, in which {whose} has time to repair them"
        wrong = Broken(message, "no discard before the end of this turn", "mismatch")
        return RuleVerdict(discarding.UNTIL_NEXT_TURN, wrong)
    message = f"{who} acts although the discards that end the turn of {whose} are written down already"
    return RuleVerdict(discarding.END_DISCARDS, Broken(message, f"turn.ended by {whose}", "mismatch"))


Phylo.TURN = Outline(
    Setup(
        needs=setup.STEPS,
        due=setup.due_in_setup,
        deals=ev.CardsDrawn,
        first=lambda table: table.first if setup.is_done(table) else "",
        is_done=setup.is_done,
    ),
    EachPlayer(
        after=lambda table, player: table.players[player].opponent,
        stages=(DRAW, ACTIONS, CLEARED_STAGE),
        closed=(CLEARED_STAGE,),
        ending=ENDING,
        begins=steps.begin_turn,
        draws=(ev.CardsDrawn,),
        due=drawing.due_of_draws,
        waits=lambda table: bool(table.owed) and table.owed[0].line is not ev.CardKept,
        plays=(ev.SpeciesPlayed, ev.SpeciesMoved, ev.CardsCycled, ev.EventPlayed, ev.CardKept),
        first=comes_first,
        settles=steps.settles,
        ends=ev.TurnEnded,
        leaves=turns.leave_turn,
        lost=(drawing.start_abilities, drawing.draw_one),
    ),
    PlaceRules(seats=setup.two_players, own=turns.active_player, end=winning.nothing_after_end),
)
