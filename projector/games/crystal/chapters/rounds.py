"""A round from its start (L36) to the passing of the token (L76), and all that follows by itself."""

from typing import Final

from tabletape.events.games import crystal as ev
from tabletape.projector.games.crystal import board
from tabletape.projector.games.crystal.chapters import phases
from tabletape.projector.games.crystal.chapters.deploy_phase import begin_next_part
from tabletape.projector.games.crystal.chapters.setup import one_flip
from tabletape.projector.games.crystal.chapters.starting_hand import is_set_up
from tabletape.projector.games.crystal.chapters.winning import check_at_once, check_crystals, eliminate_fallen
from tabletape.projector.games.crystal.state import DEPLOY, END_OF_ROUND, LANE, SETUP, START_OF_ROUND, Crystal, living
from tabletape.projector.model.rules import declare


def settle(table: Crystal) -> str:
    """Take everything that follows by itself, until a line is needed.

    Return who may go on freely: the player who deploys, where nothing is owed or doubtful.
    """
    if table.phase == SETUP:
        if not table.over and is_set_up(table):
            begin_first_round(table, table.flips[-1])
        return ""
    if table.phase == DEPLOY:
        if table.options["hitpoint_check"] == "immediately":
            eliminate_fallen(table)
            if not table.over and not table.players[table.active].living:
                next_part(table)
        check_at_once(table)
    if table.phase != DEPLOY or table.owed or table.early or table.refused is not None:
        return ""
    return table.active if table.limited or table.options["draw_mandatory"] == "mandatory" else ""


def begin_first_round(table: Crystal, first: str) -> None:
    """Hand the token to the first player and begin round 1."""
    table.set(table, "priority", first)
    table.applied.append(one_flip.id)
    begin_round(table)


def catch_up(table: Crystal, player: str) -> None:
    """Begin round 1 where the table has evidently begun it: lines of the set-up may be missing."""
    if table.phase == SETUP:
        begin_first_round(table, table.flips[-1] if table.flips else player)


def begin_round(table: Crystal) -> None:
    """Begin a round: first what the last round's cards have for it, then the first player deploys."""
    table.rests.append(len(table.journal))
    table.count(table, "round", 1)
    table.enter_phase(START_OF_ROUND)
    table.derive(ev.RoundStarted(round=table.round), phases.PHASE_ORDER.id)
    _act_at_start(table)
    if table.options["crystal_check"] != "mining_phase_only":
        check_crystals(table)
    if table.over:
        return
    if table.options["tech_limit_time"] == "start_of_round":
        for player in living(table):
            table.set(player, "tech_limit", board.lasting(table, player, LANE["tech"]))
    phases.begin_phase(table, DEPLOY)
    table.set(table, "waiting", tuple([player.id for player in living(table)]))
    next_part(table)


def _act_at_start(table: Crystal) -> None:
    """Carry out what cards of the last round have for the start of this one: the living players first, in order."""
    players = [each for each in table.players.values() if each.coming]
    if not players:
        return
    for player in [*phases.in_order(table, players), *(each for each in players if not each.living)]:
        for name in player.coming:
            phases.act(table, player, table.cards[name], "start-of-next-round", phases.START_ABILITIES.id)
        table.set(player, "coming", ())


def next_part(table: Crystal) -> None:
    """Go on to the next player's deploying; after the last one the other phases follow."""
    if not begin_next_part(table):
        _leave_deploy_phase(table)


def _leave_deploy_phase(table: Crystal) -> None:
    """Take the phases after the last player has deployed, as far as nobody has won."""
    table.set(table, "active", "")
    any_phase = table.options["crystal_check"] == "end_of_any_phase"
    for phase in (phases.attack, phases.mine, phases.end_turn, end_round):
        if any_phase:
            check_crystals(table)
        if table.over:
            return
        phase(table)


PASSES_LEFT: Final = declare(
    "crystal.priority.passes-left", "End of Round", "L76-L78", "The token goes to the player on the left."
)


def end_round(table: Crystal) -> None:
    """End the round: what holds this turn ends, the token goes on, and the next round begins."""
    phases.begin_phase(table, END_OF_ROUND)
    for player in table.players.values():
        board.forget_round(table, player)
    others = [player.id for player in living(table) if player.id != table.priority]
    to = others[0] if others else table.priority
    table.set(table, "priority", to)
    table.derive(ev.PriorityPassed(to=to), PASSES_LEFT.id)
    begin_round(table)
