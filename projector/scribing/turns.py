"""Whose turn it is at a table whose file says nothing of turns, and with which lines the next one begins."""

from collections.abc import Iterable, Sequence
from itertools import takewhile
from typing import Any

from msgspec import UNSET
from msgspec.structs import replace

from tabletape.events.vocabulary import Event, tag_of
from tabletape.events.vocabulary.open_games import open_games
from tabletape.events.vocabulary.shared import TurnEnded
from tabletape.events.vocabulary.tabletop import CardMoved, CardsDrawn, TurnStarted
from tabletape.projector.model.game import Game
from tabletape.projector.scribing.box import ranked
from tabletape.projector.scribing.choices import Choice
from tabletape.projector.tabletop.as_moves import DRAW, done_in


def says_turns(game: Game) -> bool:
    """Return whether the rules of a game say whose turn comes next."""
    described = open_games().get(game.slug)
    return described is None or (described.rules is not None and described.rules.turn is not None)


def usual(game: Game, table: Any, choices: Sequence[Choice]) -> Sequence[Choice]:
    """Return what is shown before anything is tapped: without moves only what who is on turn may do, or next.

    There what tables do in nearly every turn comes first, and last what happens seldom: a card goes back.
    """
    if not game.rulebook.open:
        return ranked(choices, "")
    now = {table.active, UNSET}
    shown = [
        each
        for each in choices
        if not table.active or isinstance(each.event, TurnStarted) or getattr(each.event, "player", UNSET) in now
    ]
    # Between two turns all of who is next comes before what the others may do.
    whose = [] if table.active else list(dict.fromkeys(getattr(each.event, "player", UNSET) for each in shown))
    player = {each: number for number, each in enumerate(whose)}
    return sorted(
        shown, key=lambda each: (player.get(getattr(each.event, "player", UNSET), 0), _how_seldom(each.event))
    )


def _how_seldom(event: Event) -> int:
    """Return how seldom a line is written beside others, at a table of whose moves nothing is known."""
    done = done_in(event)
    if _is_play(event) or done == DRAW:
        return int(done == DRAW)
    if isinstance(event, TurnStarted | TurnEnded):
        return 2
    return 3 if done == "discard" else 5 if isinstance(event, CardMoved) else 4


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

    Where no file says how turns follow, who plays, or draws, behind what another has played or discarded in a turn has
    the next one, unless this table says when a turn ends. What is dealt before anybody has played, what is gained, and
    what a card makes others discard belong to any turn.
    """
    player, active = getattr(event, "player", UNSET), table.active
    is_play = _is_play(event)
    if says_turns(game) or table.over or not player or not (is_play or isinstance(event, CardsDrawn)):
        return None
    if player == active and (table.turn or not is_play):
        return None
    turns = [each for each in played if isinstance(each, TurnStarted | TurnEnded)]
    if active and any(isinstance(each, TurnEnded) for each in turns[-2:-1]):
        return None  # Who has ended the turn before by a line ends this one so too.
    runs = takewhile(lambda each: not isinstance(each, TurnStarted | TurnEnded), reversed(played))
    is_over = (
        table.turn > 0
        if active == ""
        else any(_is_turn_taken(each) and getattr(each, "player", "") == active for each in runs)
    )
    return TurnStarted(player=player) if is_over or (is_play and not table.turn) else None


def _is_play(event: Any) -> bool:
    """Return whether a line is a play, out of whose hand ever: a card of somebody else's comes from no own zone."""
    if isinstance(event, CardMoved) and not event.from_:
        return _is_play(replace(event, from_="hand"))
    return tag_of(type(event)).startswith("move.") or done_in(event) in {"play", "use"}


def _is_turn_taken(event: Any) -> bool:
    """Return whether a line of whoever is on turn shows that there is more in that turn than a draw."""
    return _is_play(event) or done_in(event) == "discard"


def turn_in_words(table: Any) -> str:
    """Return where the game stands: `Round 3, Ann`."""
    name = table.players[table.active].name if table.active in table.players else ""
    if not table.turn and not table.round:
        return "Set-up"
    number = f"Round {table.round}" if table.round else f"Turn {table.turn}"
    return f"{number}, {name}" if name else number
