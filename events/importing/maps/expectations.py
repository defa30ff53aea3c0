"""What a map expects of every game: a wrong map gives confident nonsense, and this is where it shows."""

from collections.abc import Iterator, Sequence
from typing import Any

from tabletape.events.importing.maps.fates import DerivedGame
from tabletape.events.importing.maps.schema import Expect
from tabletape.events.vocabulary import Event, tag_of
from tabletape.events.vocabulary.shared import ResultRecorded


def broken_expectations(expect: Expect, game: DerivedGame) -> Iterator[str]:
    """Return in sentences what a game does not fulfil of what its map expects."""
    events = [event for _, event in game.events]
    turns = [event for event in events if tag_of(type(event)) == "turn.started"]
    if game.understood < expect.understood:
        said = game.records - game.fates.passed_over
        share = f"{game.understood:.0f} % of its {said} lines are understood"
        yield f"only {share}, {expect.understood:g} % are expected"
    if expect.ends == "all" and not any(_is_end(event) for event in events):
        yield "it has no end"
    if expect.players is not None:
        low, high = (expect.players,) * 2 if isinstance(expect.players, int) else expect.players
        if not low <= len(game.players) <= high:
            expected = f"{low}" if low == high else f"{low} to {high}"
            yield f"{len(game.players)} players sit at the table, {expected} are expected"
    if expect.turns is not None and not expect.turns[0] <= len(turns) <= expect.turns[1]:
        yield f"it has {len(turns)} turns, {expect.turns[0]} to {expect.turns[1]} are expected"
    if expect.first_turn:
        yield from _wrong_beginner(expect.first_turn, events, turns)


def _is_end(event: Event) -> bool:
    return isinstance(event, ResultRecorded) or tag_of(type(event)) in {
        "game.ended",
        "game.abandoned",
        "player.conceded",
    }


def _wrong_beginner(tag: str, events: Sequence[Event], turns: Sequence[Event]) -> Iterator[str]:
    stated: Any = next((event for event in events if tag_of(type(event)) == tag), None)
    first: Any = turns[0] if turns else None
    if stated is None and turns:
        yield f"no line says who begins ({tag})"
    elif stated is not None and first is not None and stated.player != first.player:
        yield f"{stated.player} begins ({tag}), but the first turn is {first.player}'s"
