"""Whose turn it is at a table whose file says nothing of turns, and with which lines the next one begins."""

from collections.abc import Iterable, Sequence
from itertools import takewhile
from typing import Any

from msgspec import UNSET

from tabletape.events.vocabulary import Event, tag_of
from tabletape.events.vocabulary.open_games import open_games
from tabletape.events.vocabulary.shared import TurnEnded
from tabletape.events.vocabulary.tabletop import CardsDrawn, TurnStarted
from tabletape.projector.model.game import Game
from tabletape.projector.scribing.choices import Choice
from tabletape.projector.tabletop.as_moves import done_in


def says_turns(game: Game) -> bool:
    """Return whether the rules of a game say whose turn comes next."""
    described = open_games().get(game.slug)
    return described is None or (described.rules is not None and described.rules.turn is not None)


def usual(game: Game, table: Any, choices: Sequence[Choice]) -> Sequence[Choice]:
    """Return what is shown before anything is tapped: without moves only what who is on turn may do, or next."""
    active = table.active if game.rulebook.open else ""
    now = {active, UNSET}
    return [
        each
        for each in choices
        if not active or isinstance(each.event, TurnStarted) or getattr(each.event, "player", UNSET) in now
    ]


def in_turn(game: Game, table: Any, players: Iterable[str], played: Sequence[Event]) -> list[str]:
    """Return players of a game without moves as they take turns: first who is on turn, or next after one."""
    if not game.rulebook.open:
        return [*players]
    seats = [*table.players]
    ended = (each.player for each in reversed(played) if isinstance(each, TurnEnded))
    first = seats.index(table.active) if table.active in seats else seats.index(next(ended, seats[-1])) + 1
    return sorted(players, key=lambda player: (seats.index(player) - first) % len(seats))


def turn_begun(game: Game, table: Any, event: Event, played: Sequence[Event]) -> TurnStarted | None:
    """Return the beginning of the turn that a line shows which is no line of the turn that runs; None for others.

    Where no file says how turns follow, who plays, or draws, behind the plays of another has the next turn. What is
    dealt before anybody has played, what is gained, and what a card makes others discard belong to any turn.
    """
    player, active = getattr(event, "player", UNSET), table.active
    is_play = _is_play(event)
    if says_turns(game) or table.over or not player or not (is_play or isinstance(event, CardsDrawn)):
        return None
    if player == active and (table.turn or not is_play):
        return None
    runs = takewhile(lambda each: not isinstance(each, TurnStarted | TurnEnded), reversed(played))
    is_over = (
        table.turn > 0
        if active == ""
        else any(_is_play(each) and getattr(each, "player", "") == active for each in runs)
    )
    return TurnStarted(player=player) if is_over or (is_play and not table.turn) else None


def _is_play(event: Any) -> bool:
    return tag_of(type(event)).startswith("move.") or done_in(event) in {"play", "use"}


def turn_in_words(table: Any) -> str:
    """Return where the game stands: `Round 3, Ann`."""
    name = table.players[table.active].name if table.active in table.players else ""
    if not table.turn and not table.round:
        return "Set-up"
    number = f"Round {table.round}" if table.round else f"Turn {table.turn}"
    return f"{number}, {name}" if name else number
