"""The game in the order of its rulebook: the set-up (L8 to L30) and the phases of a round (L34 to L78)."""

from typing import Any, Final

from tabletape.events.games import crystal as ev
from tabletape.events.vocabulary import Consequence
from tabletape.projector.games.crystal import view
from tabletape.projector.games.crystal.chapters import (
    choosing,
    deploy_phase,
    drawing,
    phases,
    playing,
    setup,
    starting_hand,
    winning,
)
from tabletape.projector.games.crystal.state import ATTACK, DEPLOY, MINING, Crystal
from tabletape.projector.kit.moves import moves_of
from tabletape.projector.kit.outline import EachPlayer, PlaceRules, Setup
from tabletape.projector.kit.rounds import Auto, Rounds, Says

CHAPTERS: Final = (setup, starting_hand, winning, phases, choosing, deploy_phase, drawing, playing, view)
"""The chapters, each of which builds on earlier ones: in the rulebook's order, but what players do in their part comes
behind the phases that follow when the last one is done."""

MOVES: Final = moves_of(*CHAPTERS)

Crystal.TURN = Rounds(
    Setup(
        needs=(setup.all_declared, setup.flipped, starting_hand.all_have_hands),
        due=starting_hand.due_at_first,
        first=lambda table: table.flips[-1] if table.flips else "",
        begins=setup.take_token,
        is_done=starting_hand.is_set_up,
    ),
    Auto("start-of-round", phases.start_round),
    EachPlayer(
        name=DEPLOY,
        doing=deploy_phase.DEPLOYING_WORD,
        who=Crystal.living,
        begins=deploy_phase.begin_part,
        draws=(ev.CardsDrawn,),
        due=drawing.due_draws,
        waits=deploy_phase.waits,
        plays=(ev.CardDeployed,),
        first=deploy_phase.comes_first,
        settles=deploy_phase.settles,
        ends=ev.DeployEnded,
        leaves=deploy_phase.leave_part,
        lost=(drawing.one_per_turn, deploy_phase.resolve_first),
    ),
    Auto(ATTACK, phases.attack),
    Auto(MINING, phases.mine),
    Auto("end-of-turn", lambda table: phases.trigger(table, "end-of-turn", "crystal.end-of-turn.priority-order")),
    Auto("end-of-round", phases.end_round),
    says=Says(round=ev.RoundStarted, step=ev.PhaseStarted, part=ev.TurnStarted),
    order=phases.PHASE_ORDER,
    rules=PlaceRules(
        seats=setup.two_or_more, own=deploy_phase.own_turn, end=winning.nothing_after_end, out=winning.eliminated_leaves
    ),
    between=winning.check_behind_phase,
)

PAST_DRAW_LINES: Final = frozenset({ev.CardDeployed, ev.DeployEnded, ev.TechLimitSet})
"""Lines that come after the draw of whoever is deploying."""
SHOWING_LINES: Final = PAST_DRAW_LINES | {ev.CardsDrawn, ev.TurnStarted}
"""Those and others that show who that is."""


def before(table: Crystal, event: Any) -> None:
    """Take the steps that a line shows the table to have taken: another player deploys, what was drawn early counts."""
    if table.refused is not None and not isinstance(event, Consequence):
        table.set(table, "refused", None)
    if table.phase != DEPLOY or type(event) not in SHOWING_LINES:
        return
    if event.player != table.active:
        _go_on(table, event.player)
    elif table.early == table.active:
        table.set(table, "early", "")
        if type(event) in PAST_DRAW_LINES and not table.drawn:
            deploy_phase.card_of_turn_drawn(table, table.players[event.player])
    elif not table.limited and table.options["draw_mandatory"] == "optional" and type(event) is not ev.CardsDrawn:
        deploy_phase.set_limit(table, table.players[event.player])


def _go_on(table: Crystal, player: str) -> None:
    """Go on to the next player, who has drawn early and goes on, or whose neighbour was written out of the game."""
    if table.early and player == table.early:
        table.TURN.go_on(table)
        table.set(table, "early", "")
        deploy_phase.card_of_turn_drawn(table, table.players[player])
        return
    neighbour = table.players[table.active]
    if table.waiting[:1] == (player,) and neighbour.written_out and phases.has_just_begun(table):
        winning.put_out(table, [neighbour], winning.ZERO_HITPOINTS.id)
        table.TURN.go_on(table)
