"""How games end, also before their rules end them: a player gives up, or the table stops."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from tabletape.events.vocabulary.shared import GameAbandoned, GameDecided, GameEnded, PlayerConceded
from tabletape.projector.kit.adopting import as_written
from tabletape.projector.kit.moves import Move
from tabletape.projector.model.outcome import ended_with
from tabletape.projector.model.rules import OUTSIDE, RestsOn, Rule, Test
from tabletape.projector.model.table import Table

EndGame = Callable[[Any, str, Any, str], object]
"""Ends a game at a table; it takes who has won (nobody: empty), the reason and the rule."""

NOT_ENDED_REASONS: Final[Mapping[str, str]] = {
    "concession": "nobody has conceded",
    "abandoned": "nobody has stopped the game",
}
"""Why a game has not ended early, by the reason that a line gives."""


def end(table: Table[Any, Any], ended: GameEnded, rule: str, **left: Any) -> None:
    """End a game as a line says, by a rule; `left` are the values of fields after the end, as nothing more happens."""
    winner, outcome = ended_with(ended)
    table.update(table, over=True, winner=winner, outcome=outcome, reason=ended.reason, **left)
    table.derive(ended, rule)


def most_points(scores: dict[str, float], reason: str) -> GameDecided:
    """Return the end in which the most points win, and players with equally many share the win."""
    winners = tuple(player for player, score in scores.items() if score == max(scores.values()))
    return GameDecided(winners=winners, scores=scores, reason=reason)


def early_end_rules(slug: str, rests_on: RestsOn = "") -> tuple[Rule, Rule]:
    """Return the rules about a concession at a table of two and about an abandoned game, which no rulebook has."""
    conceded = "A player may give up; the other one wins (outside the rulebook)."
    abandoned = "A game that the table stops has no winner (outside the rulebook)."
    return (
        OUTSIDE.declare(f"{slug}.end.concession", "", conceded, rests_on=rests_on),
        OUTSIDE.declare(f"{slug}.end.abandoned", "", abandoned, rests_on=rests_on),
    )


def early_ends(end_game: EndGame, slug: str, *may_concede: Test) -> tuple[Move, Move]:
    """Return the moves of a concession at a table of two, where the other player has won, and of an abandoned game.

    The rule is `slug.end.REASON`; a concession has the tests `may_concede`.
    """

    def conceded(table: Any, event: PlayerConceded) -> None:
        if not table.over:
            end_game(table, table.players[event.player].opponent, "concession", f"{slug}.end.concession")

    def abandoned(table: Any, _event: GameAbandoned) -> None:
        if not table.over:
            end_game(table, "", "abandoned", f"{slug}.end.abandoned")

    return (
        Move(line=PlayerConceded, needs=may_concede, does=conceded),
        Move(line=GameAbandoned, does=abandoned),
    )


def adopt_end(end_game: EndGame) -> Callable[[Any, Any, Any], None]:
    """Return what a written end does that the rules do not make: the game is over, as the table has it."""

    def adopt(table: Any, event: GameEnded, _expected: Any) -> None:
        winner = event.winner or ""
        with as_written(table, event):
            end_game(table, winner if winner in table.players else "", event.reason, "")

    return adopt
