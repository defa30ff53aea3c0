"""Games that end before their rules end them: a player gives up, or the table stops."""

from collections.abc import Callable, Mapping
from typing import Any

from events.shared import GameAbandoned, PlayerConceded
from events.vocabulary import Event


def early_ends(
    end_game: Callable[[Any, str, Any, str], object], slug: str
) -> Mapping[type[Event], Callable[[Any, Any], None]]:
    """Return what a concession does at a table of two, where the other player has won, and an abandoned game.

    `end_game` takes the table, who has won (nobody: empty), the reason and the rule, `slug.end.REASON`.
    """

    def conceded(table: Any, event: PlayerConceded) -> None:
        if not table.over:
            end_game(table, table.players[event.player].opponent, "concession", f"{slug}.end.concession")

    def abandoned(table: Any, _event: GameAbandoned) -> None:
        if not table.over:
            end_game(table, "", "abandoned", f"{slug}.end.abandoned")

    return {PlayerConceded: conceded, GameAbandoned: abandoned}
