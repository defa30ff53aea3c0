"""How a game ends before its rules end it: a player gives up, or the table stops."""

from typing import Final

from tabletape.events.games import crystal as ev
from tabletape.projector.games.crystal.chapters.rounds import next_part
from tabletape.projector.games.crystal.chapters.winning import end_game, put_out
from tabletape.projector.games.crystal.state import Crystal
from tabletape.projector.kit.moves import Move
from tabletape.projector.model.rules import declare

CONCESSION: Final = declare(
    "crystal.elimination.concession", "Outside the rulebook", "", "A player who gives up is out (outside the rulebook)."
)
ABANDONED: Final = declare(
    "crystal.end.abandoned",
    "Outside the rulebook",
    "",
    "A game that the table stops has no winner (outside the rulebook).",
)


def player_conceded(table: Crystal, event: ev.PlayerConceded) -> None:
    """Carry out a concession; whoever was deploying deploys no more."""
    player = table.players[event.player]
    if not player.living:
        return
    table.set(table, "conceding", event.player)
    put_out(table, [player], CONCESSION.id)
    if not table.over and table.active == player.id:
        table.set(table, "owed", ())
        next_part(table)


def game_abandoned(table: Crystal, _event: ev.GameAbandoned) -> None:
    """End the game without a winner."""
    if not table.over:
        end_game(table, "", "abandoned", ABANDONED.id)


MOVES: Final = (
    Move(line=ev.PlayerConceded, does=player_conceded),
    Move(line=ev.GameAbandoned, does=game_abandoned),
)
