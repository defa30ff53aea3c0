"""Mining phase (L64 to L70): crystals for the power of the Mining lane, and perhaps the end."""

from typing import Final

from events.games import crystal as ev
from projector.games.crystal import board
from projector.games.crystal.chapters.phases import begin_phase, rule_of_power, trigger
from projector.games.crystal.chapters.winning import LAST_STANDING, check_crystals, end_game
from projector.games.crystal.state import MINING, Crystal, living
from projector.model.rules import declare

GAIN: Final = declare(
    "crystal.mining.gain", "Mining Phase", "L68", "Each player gains crystals equal to the power of the Mining lane."
)


def mine(table: Crystal) -> None:
    """Carry out the mining phase: abilities first, then the crystals, then who wins."""
    begin_phase(table, MINING)
    trigger(table, "mining-phase", "crystal.mining.abilities-first")
    if table.over:
        return
    players = living(table)
    for player in players:
        power = player.mining
        board.change_crystals(table, player, power)
        line = ev.MiningResolved(player=player.id, power=power, crystals=player.crystals)
        rule = rule_of_power(table, player, MINING, "crystal.mining.abilities-first", GAIN.id)
        table.derive(line, rule)
    if len(players) == 1:
        end_game(table, players[0].id, "last-standing", LAST_STANDING.id)
    else:
        check_crystals(table)
