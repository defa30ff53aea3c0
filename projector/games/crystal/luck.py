"""The lines that luck writes in a simulated game, and how good a table looks to a greedy bot."""

from tabletape.projector.games.crystal.chapters.drawing import due_draws
from tabletape.projector.games.crystal.chapters.setup import all_declared, due_in_setup
from tabletape.projector.games.crystal.chapters.starting_hand import due_hands
from tabletape.projector.games.crystal.state import DEPLOY, SETUP, Crystal, CrystalPlayer
from tabletape.projector.games.crystal.view import progress
from tabletape.projector.model.due import Due


def due(table: Crystal) -> list[Due]:
    """Return the lines that luck has to write now: those of the set-up in any order, or the draws of a part."""
    if table.phase == SETUP:
        return [*due_in_setup(table), *due_hands(table)] if all_declared.check(table, None) is None else []
    return due_draws(table) if table.phase == DEPLOY else []


# -- value -------------------------------------------------------------------------------------------------------------


def value(table: Crystal, player: str) -> float:
    """Return how good a table is for a player: progress, hit points and the power of the lanes."""
    mine = table.players[player]
    if not mine.living:
        return -1000.0
    theirs = [_strength(table, other) for other in table.players.values() if other.living and other is not mine]
    return _strength(table, mine) - max(theirs, default=0.0)


def _strength(table: Crystal, player: CrystalPlayer) -> float:
    lanes = 2.0 * player.mining + 1.5 * player.attack + player.tech
    return 20 * progress(table, player.id) + lanes + 0.5 * player.hitpoints + 0.3 * player.crystals
