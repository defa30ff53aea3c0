"""Start of a round (L36) and its end (L76): what the last round's cards have for it, and the token that is passed."""

from typing import Final

from tabletape.events.games import crystal as ev
from tabletape.projector.games.crystal import board
from tabletape.projector.games.crystal.chapters import WRITTEN, phases
from tabletape.projector.games.crystal.chapters.deploy_phase import has_just_begun
from tabletape.projector.games.crystal.chapters.winning import check_crystals
from tabletape.projector.games.crystal.state import DEPLOY, LANE, Crystal
from tabletape.projector.kit.consequence import consequence
from tabletape.projector.model.phrases import name_of


def start_round(table: Crystal) -> None:
    """Carry out what the last round's cards have for this one: those of the living players first, in order."""
    coming = [each for each in table.players.values() if each.coming]
    for player in [*phases.in_order(table, coming), *(each for each in coming if not each.living)] if coming else ():
        for name in player.coming:
            phases.act(table, player, table.cards[name], "start-of-next-round", phases.START_ABILITIES.id)
        table.set(player, "coming", ())
    if table.options["crystal_check"] != "mining_phase_only":
        check_crystals(table)
    if not table.over and table.options["tech_limit_time"] == "start_of_round":
        for each in table.living():
            table.set(each, "tech_limit", board.lasting(table, each, LANE["tech"]))


PASSES_LEFT: Final = WRITTEN["crystal.priority.passes-left"]


def end_round(table: Crystal) -> None:
    """End the round: what holds this turn ends, and the token goes on."""
    for player in table.players.values():
        board.forget_round(table, player)
    others = [player.id for player in table.living() if player.id != table.priority]
    to = others[0] if others else table.priority
    table.set(table, "priority", to)
    table.derive(ev.PriorityPassed(to=to), PASSES_LEFT.id)


def _why_not_passed(table: Crystal, _event: ev.PriorityPassed) -> str:
    return f"no round ends; it is with {name_of(table, table.priority) if table.priority else 'nobody yet'}"


@consequence(
    ev.PriorityPassed, rule=PASSES_LEFT, why=_why_not_passed, is_so=lambda table, event: event.to == table.priority
)
def adopt_passed(table: Crystal, event: ev.PriorityPassed, _expected: object) -> None:
    """Pass the token to the other player, who deploys first then: the phase begins anew if nobody has done anything."""
    to = table.players.get(event.to)
    if table.priority == event.to or to is None or not to.living:
        return
    table.set(table, "priority", event.to)
    if table.phase == DEPLOY and has_just_begun(table):
        table.TURN.begin_anew(table, tuple(player.id for player in table.living()))
