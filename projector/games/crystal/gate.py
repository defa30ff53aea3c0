"""What comes before the tests of a line: what takes their place, and the steps that it shows to be taken."""

from typing import Any, Final

from tabletape.events.games import crystal as ev
from tabletape.events.vocabulary import Consequence
from tabletape.projector.games.crystal.chapters.deploy_phase import card_of_turn_drawn, has_just_begun, set_limit
from tabletape.projector.games.crystal.chapters.drawing import resolve_first
from tabletape.projector.games.crystal.chapters.rounds import next_part
from tabletape.projector.games.crystal.chapters.setup import all_declared, flipped, two_or_more
from tabletape.projector.games.crystal.chapters.starting_hand import all_have_hands
from tabletape.projector.games.crystal.chapters.winning import (
    ZERO_HITPOINTS,
    eliminated_leaves,
    nothing_after_end,
    put_out,
)
from tabletape.projector.games.crystal.state import DEPLOY, SETUP, Crystal
from tabletape.projector.kit.common_rules import first_lacking, out_of_game
from tabletape.projector.model.game import RuleVerdict

SHOWING: Final = frozenset({ev.CardsDrawn, ev.CardDeployed, ev.DeployEnded, ev.TechLimitSet, ev.TurnStarted})
"""Lines that show who is deploying."""

NOT_DRAWING: Final = SHOWING - {ev.CardsDrawn, ev.TurnStarted}
"""Those of them that come after the draw."""

STEPS: Final = (all_declared, flipped, all_have_hands)
"""What round 1 needs, in order."""

PLAYING: Final = frozenset({ev.CardsDrawn, ev.CardDeployed, ev.DeployEnded})


def gate(table: Crystal, event: Any) -> RuleVerdict | None:
    """Return the one finding that takes the place of a row: game over, nobody who plays, another line is due."""
    player = table.players.get(getattr(event, "player", ""))
    if table.phase == DEPLOY and player is not None and player.living and not table.owed:
        return None  # as nearly always
    outside = out_of_game(table, event, two_or_more, nothing_after_end)
    is_showing = type(event) is ev.CardShown
    if outside is not None or is_showing or player is None:
        return outside
    if not player.living:
        return RuleVerdict(eliminated_leaves, eliminated_leaves(table, event), played=False)
    if (table.owed or table.phase == SETUP) and type(event) in PLAYING:
        return _due_first(table, event)
    return None


def _due_first(table: Crystal, event: Any) -> RuleVerdict | None:
    """Return the finding that something else has to come first: the set-up, or a draw that a card owes."""
    if table.phase == SETUP:
        missing = first_lacking(table, STEPS)
        return RuleVerdict(missing.rule, missing(table, event)) if missing is not None else None
    if type(event) is not ev.CardsDrawn and event.player == table.active:
        return RuleVerdict(resolve_first, resolve_first(table, event))
    return None


def before(table: Crystal, event: Any) -> None:
    """Take the steps that a line shows the table to have taken: another player deploys, what was drawn early counts."""
    if table.refused is not None and not isinstance(event, Consequence):
        table.set(table, "refused", None)
    if table.phase != DEPLOY or type(event) not in SHOWING:
        return
    if event.player != table.active:
        _go_on(table, event.player)
    elif table.early == table.active:
        table.set(table, "early", "")
        if type(event) in NOT_DRAWING and not table.drawn:
            card_of_turn_drawn(table, table.players[event.player])
    elif not table.limited and table.options["draw_mandatory"] == "optional" and type(event) is not ev.CardsDrawn:
        set_limit(table, table.players[event.player])


def _go_on(table: Crystal, player: str) -> None:
    """Go on to the next player, who has drawn early and goes on, or whose neighbour was written out of the game."""
    if player == table.early:
        next_part(table)
        table.set(table, "early", "")
        card_of_turn_drawn(table, table.players[player])
    elif table.waiting[:1] == (player,) and table.players[table.active].written_out and has_just_begun(table):
        put_out(table, [table.players[table.active]], ZERO_HITPOINTS.id)
        if not table.over:
            next_part(table)
