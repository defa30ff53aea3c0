"""Which rules are looked at for each line, in order, and what comes before them."""

from typing import Any, Final

from events.games import crystal as ev
from events.vocabulary import Consequence
from projector.games.crystal import deploy_phase, ending, rounds
from projector.games.crystal.rules import consequences, deploying, observed, playing, reasons, setup
from projector.games.crystal.state import DEPLOY, SETUP, Crystal
from projector.kit.common_rules import first_lacking, out_of_game
from projector.model.game import RuleVerdict
from projector.model.rules import Rows, group_check, select_rule, stop, usually

MODULES: Final = (setup, deploying, playing, reasons, consequences, observed)
"""The modules that declare the rules, in the rulebook's order."""

ROWS: Final[Rows] = {
    ev.GameStarted: (setup.two_or_more,),
    ev.DeckDeclared: (setup.known_list, setup.faction),
    ev.DeckShuffled: (setup.shuffled_in_time, setup.in_listed_order),
    ev.DeckCut: (setup.cut_by_another, setup.in_listed_order),
    ev.FirstPlayerChosen: (select_rule(setup.which_flip), setup.in_listed_order),
    ev.StartingHandDrawn: (
        stop(setup.known_cards),
        stop(setup.at_most_seven),
        setup.shuffled_and_cut,
        setup.in_listed_order,
        stop(setup.hand_from_own_decks),
        setup.hand_from_top,
    ),
    ev.CardShown: (setup.known_shown, setup.one_identity),
    ev.CardsDrawn: (
        stop(deploying.either_deck),
        select_rule(deploying.which_draw),
        group_check(deploying.judge_drawn),
    ),
    ev.CardDeployed: (deploying.own_turn, deploying.draw_first, usually(playing.plays_well, *playing.OF_A_CARD)),
    ev.DeployEnded: (deploying.own_end, deploying.drawn_before_end),
}


SHOWING: Final = frozenset({ev.CardsDrawn, ev.CardDeployed, ev.DeployEnded, ev.TechLimitSet, ev.TurnStarted})
"""Lines that show who is deploying."""

NOT_DRAWING: Final = SHOWING - {ev.CardsDrawn, ev.TurnStarted}
"""Those of them that come after the draw."""

PLAYING: Final = frozenset({ev.CardsDrawn, ev.CardDeployed, ev.DeployEnded})


def gate(table: Crystal, event: Any) -> RuleVerdict | None:
    """Return the one finding that takes the place of a row: game over, nobody who plays, another line is due."""
    player = table.players.get(getattr(event, "player", ""))
    if table.phase == DEPLOY and player is not None and player.living and not table.owed:
        return None  # as nearly always
    outside = out_of_game(table, event, setup.two_or_more, deploying.nothing_after_end)
    is_showing = type(event) is ev.CardShown
    if outside is not None or is_showing or player is None:
        return outside
    if not player.living:
        return RuleVerdict(deploying.eliminated_leaves, deploying.eliminated_leaves(table, event), played=False)
    if (table.owed or table.phase == SETUP) and type(event) in PLAYING:
        return _due_first(table, event)
    return None


def _due_first(table: Crystal, event: Any) -> RuleVerdict | None:
    """Return the finding that something else has to come first: the set-up, or a draw that a card owes."""
    if table.phase == SETUP:
        missing = first_lacking(table, setup.STEPS)
        return RuleVerdict(missing.rule, missing(table, event)) if missing is not None else None
    if type(event) is not ev.CardsDrawn and event.player == table.active:
        return RuleVerdict(deploying.resolve_first, deploying.resolve_first(table, event))
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
            deploy_phase.card_of_turn_drawn(table, table.players[event.player])
    elif not table.limited and table.options["draw_mandatory"] == "optional" and type(event) is not ev.CardsDrawn:
        deploy_phase.set_limit(table, table.players[event.player])


def _go_on(table: Crystal, player: str) -> None:
    """Go on to the next player, who has drawn early and goes on, or whose neighbour was written out of the game."""
    if player == table.early:
        rounds.next_part(table)
        table.set(table, "early", "")
        deploy_phase.card_of_turn_drawn(table, table.players[player])
    elif (
        table.waiting[:1] == (player,)
        and table.players[table.active].written_out
        and deploy_phase.has_just_begun(table)
    ):
        ending.put_out(table, [table.players[table.active]], ending.ZERO)
        if not table.over:
            rounds.next_part(table)
