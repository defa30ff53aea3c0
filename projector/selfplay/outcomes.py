"""How a game went for the side that is looked at, and what became of the copies of some cards."""

from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from tabletape.events.log import Log
from tabletape.events.vocabulary import Decision
from tabletape.events.vocabulary.names import is_by_bots
from tabletape.projector.archive.stored import replay
from tabletape.projector.datasets.rows.card_history import CardHistory, hands_of
from tabletape.projector.datasets.rows.choices import never_playable
from tabletape.projector.datasets.rows.timeline import Timeline, Walk, player_of, timeline_of
from tabletape.projector.fold.detail import detail_of
from tabletape.projector.fold.replay import Replay
from tabletape.projector.selfplay.dice import SeededDice
from tabletape.projector.selfplay.trying import offered

PEOPLE: Final = 200
"""How many games of people are set beside those of bots, the last ones."""


class Use(msgspec.Struct, frozen=True, kw_only=True):
    """What became of a card's copies: how many were in a hand, were played from it, and were dead there.

    `unplayable` counts those that were in the hand at decisions of their player, and could be played at none of them.
    """

    seen: int = 0
    played: int = 0
    dead: int = 0
    unplayable: int = 0


class Played(msgspec.Struct, frozen=True, kw_only=True):
    """How a game went for the side that is looked at: whether it won.

    It is `decisive` where some have won and others have not. `score` is what all reached who win or lose together.
    `forced` counts the decisions without an alternative, of those in `choices`, at which it is known what was legal.
    `uses` says what became of each card that was asked about, in the order of asking, in the hands of all players.
    """

    won: bool
    first_won: bool
    decisive: bool
    turns: int
    decisions: int
    finished: bool
    score: float | None = None
    choices: int = 0
    forced: int = 0
    uses: tuple[Use, ...] = ()


def outcome(game: Replay, side: str, cards: Sequence[str]) -> Played:
    """Return how a game went for a seat (empty: for who began), and what became of some cards."""
    timeline = timeline_of(game)
    first = timeline.turns[0].player if timeline.turns else ""
    winners, is_decisive = game.table.winners, _is_decisive(game)
    together = game.table.outcome if game.table.outcome.cooperative else None
    alternatives = list(_alternatives(game, timeline))
    return Played(
        won=is_decisive and (side or first) in winners,
        first_won=is_decisive and first in winners,
        decisive=is_decisive,
        turns=len(timeline.turns),
        decisions=len(timeline.steps),
        finished=game.table.over,
        score=together.score if together else None,
        choices=len(alternatives),
        forced=alternatives.count(False),
        uses=tuple(_uses(game, timeline, cards)) if cards else (),
    )


def _is_decisive(game: Replay) -> bool:
    """Return whether some have won, a player or a team, and others have not."""
    table = game.table
    return 0 < len(table.winners) < len(table.players) and not table.outcome.cooperative


def played_by_people(log: Log, slug: str, cards: Sequence[str]) -> list[Played]:
    """Return how the last games of people went, for who began: to set them beside those of bots."""
    stored = [each for each in log.games(game=slug) if not is_by_bots(each.game_id)][-PEOPLE:]
    folded = (replay(log, each, events) for each, events in log.each(stored))
    return [outcome(each, "", cards) for each in folded if each.stopped is None and detail_of(each.events) != "results"]


def _alternatives(game: Replay, timeline: Timeline) -> Iterator[bool]:
    """Yield for each decision that counted whether something else was legal, where it is known who could decide."""
    walk, dice = Walk(game, timeline), SeededDice("")
    for step in timeline.steps:
        event = game.events[step]
        player = player_of(event)
        if player is None or not isinstance(event, Decision):
            continue
        table = walk.before(step)
        if player in game.game.actors(table):
            yield len(offered(game.game, table, player, dice, 2)) > 1


def _uses(game: Replay, timeline: Timeline, cards: Sequence[str]) -> Iterator[Use]:
    copies = {name: copy for name, copy in hands_of(game, timeline).copies.items() if copy.card in cards}
    # What was played could be played.
    unplayable = never_playable(game, timeline, {name for name, copy in copies.items() if not copy.played})
    for card in cards:
        mine: dict[str, CardHistory] = {name: copy for name, copy in copies.items() if copy.card == card}
        yield Use(
            seen=sum(copy.appeared for copy in mine.values()),
            played=sum(copy.played > 0 for copy in mine.values()),
            dead=sum(copy.is_dead for copy in mine.values()),
            unplayable=len(unplayable & mine.keys()),
        )
