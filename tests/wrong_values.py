"""Games of bots in which one consequence says a wrong value, and what is accused in them.

The log goes on as `derived`, so that the slip was one of the pen, or as `written`: the table took over what the line
says, and the bots play on from there.
"""

import typing
from collections.abc import Iterator, Sequence
from functools import cache
from random import Random
from types import UnionType
from typing import Annotated, Any, Final, Literal, get_args, get_origin

import msgspec
from msgspec import UNSET

from tabletape.events.vocabulary import Consequence, Decision, Event
from tabletape.events.vocabulary.shared import PhaseStarted
from tabletape.projector.fold.folding import fold
from tabletape.projector.games import game
from tabletape.projector.model.rules import HARD
from tabletape.projector.selfplay.simulate import Match, Plan
from tests.written_games import game_of_bots

GoesOn = Literal["derived", "written"]
STEPS: Final = (1, -1, 2, -2)
WORDS: Final = ("player", "lane", "to_lane", "target_lane", "biom", "cell", "tile", "to", "phase", "round")
NEAR: Final = 8
FIRST: Final = 20
"""Where plays are made too early: behind so many lines, most of which are those of the set-up."""


class Slip(msgspec.Struct, frozen=True):
    """A log with a wrong value: its `lines`, the number of the wrong one, and what was written there for what."""

    lines: tuple[Event, ...]
    seq: int
    wrong: Event
    right: Event


class SlippedMatch(Match):
    """A game of bots in full, in which the consequence at an index says a wrong value and the table goes on with it."""

    def __init__(self, slug: str, seed: int, here: int, wrong: Event) -> None:
        """Play the game of `game_of_bots` as far as its line at the index `here`."""
        self._here, self._wrong = here, wrong
        one = game(slug)
        super().__init__(one, one.cards, Plan(seed=seed, full=True), 1)

    def _write_derived(self) -> None:
        replay = self.replay
        while replay.table.derived and not replay.stopped:
            line: Event = replay.table.derived[0].event
            length, left = len(replay.events), len(replay.table.derived)
            replay.run([msgspec.structs.replace(self._wrong if length == self._here else line, seq=length + 1)])
            if len(replay.table.derived) == left and length != self._here:
                replay.table.derived.pop(0)


def slips(slug: str, seed: int, rng: Random, goes_on: GoesOn) -> Iterator[Slip]:
    """Yield slips in the game of a seed, without end: each type of a line is as likely, then each line of it."""
    events = game_of_bots(slug, seed)
    places: dict[str, list[int]] = {}
    for here, event in enumerate(events):
        if values_of(event):
            places.setdefault(type(event).__name__, []).append(here)
    while places:
        here = rng.choice(places[rng.choice([*places])])
        wrong = rng.choice([*values_of(events[here])])
        if goes_on == "derived" or isinstance(wrong, PhaseStarted):
            yield Slip((*events[:here], wrong, *events[here + 1 :]), here + 1, wrong, events[here])
            continue
        lines = SlippedMatch(slug, seed, here, wrong).play().events
        bare = tuple(msgspec.structs.replace(event, seq=UNSET, cause=UNSET) for event in lines)
        if bare[here] == wrong and bare[here + 1 : here + 2] != (events[here],):  # else it is only one line too many
            yield Slip(bare, here + 1, wrong, events[here])


def wrong_words(events: Sequence[Event], of: type[Event] | UnionType = Consequence) -> Iterator[Slip]:
    """Yield a game with each other word for a player, a place, a phase or a round that a line of a kind names.

    A cell is one next to it. The log goes on as derived, so that what comes after it is right.
    """
    said: dict[str, set[Any]] = {}
    for event in events:
        for name in _words_of(event, of):
            said.setdefault(name, set()).add(getattr(event, name))
    for here, event in enumerate(events):
        for name in _words_of(event, of):
            value = getattr(event, name)
            for other in sorted(_other_words(value, said[name]) - {value}):
                wrong = msgspec.structs.replace(event, **{name: other})
                yield Slip((*events[:here], wrong, *events[here + 1 :]), here + 1, wrong, event)


def _words_of(event: Event, of: type[Event] | UnionType) -> list[str]:
    """Return the fields of a line of a kind that name what people get wrong most easily."""
    names = [name for name in WORDS if isinstance(event, of) and name in event.__struct_fields__]
    return [
        name for name in names if isinstance(value := getattr(event, name), str) or name == "round" or _is_cell(value)
    ]


def _is_cell(value: Any) -> bool:
    return isinstance(value, tuple) and [*map(type, value)] == [int, int]


def _other_words(value: Any, said: set[Any]) -> set[Any]:
    """Return what may stand for a word: a number or a cell next to it, or what lines of that kind say in its place."""
    if type(value) is int:
        return {value + 1, value - 1}
    if _is_cell(value):
        row, column = value
        return {(row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)}
    return {each for each in said if isinstance(each, str)}


def with_play_too_early(slug: str, seed: int, rng: Random) -> tuple[Slip, Slip]:
    """Return a game with a decision of a player before its time, a breach that is found there and nowhere else.

    The second one has a wrong number besides, at most `NEAR` lines away.
    """
    events = game_of_bots(slug, seed)
    acts = [here for here, each in enumerate(events) if here > FIRST and isinstance(each, Decision)]
    while True:
        here, there = sorted(rng.sample(acts, 2))
        play = events[there]
        lines = (*events[:here], play, *events[here:])
        around = [*range(here - NEAR, here), *range(here + 1, min(here + NEAR, len(lines)))]
        places = [at for at in around if values_of(lines[at]) and not isinstance(lines[at], PhaseStarted)]
        early = Slip(lines, here + 1, play, play)
        if not places or accusations(slug, early)[0] != [early.seq]:
            continue
        at = rng.choice(places)
        wrong = rng.choice(values_of(lines[at]))
        return early, Slip((*lines[:at], wrong, *lines[at + 1 :]), at + 1, wrong, lines[at])


def values_of(event: Event) -> list[Event]:
    """Return a consequence with each other value: another number, or another word of those that can stand there.

    What a line is about is no value of it, but a phase is.
    """
    if not isinstance(event, Consequence):
        return []
    hints, subject = _hints(type(event)), getattr(event, "SUBJECT", ())
    names = [name for name in hints if name not in subject or name == "phase"]
    return [each for name in names for each in _with_other(event, name, hints[name])]


def _with_other(event: Consequence, name: str, hint: Any) -> Iterator[Event]:
    value = getattr(event, name)
    if type(value) is int:
        others: tuple[Any, ...] = tuple(value + step for step in STEPS if value + step >= 0 or value < 0)
    else:
        others = tuple(_words(hint)) if isinstance(value, str) else ()
    for other in others:
        if other != value:
            yield msgspec.structs.replace(event, **{name: other})


@cache
def _hints(kind: type[Event]) -> dict[str, Any]:
    hints = typing.get_type_hints(kind, include_extras=True)
    return {
        name: hint
        for name, hint in hints.items()
        if name in kind.__struct_fields__ and name not in Event.__struct_fields__
    }


def _words(hint: Any) -> Iterator[str]:
    """Yield the words that a field can have, where they are listed."""
    origin = get_origin(hint)
    if origin is Annotated:
        yield from _words(get_args(hint)[0])
    elif origin is Literal:
        yield from get_args(hint)


def accusations(slug: str, slip: Slip) -> tuple[list[int], list[int]]:
    """Return the numbers of the lines that are accused as a cause of their own, and of those that are only remarked."""
    replay = fold(game(slug), slip.lines)
    causes = {found.seq for found in replay.findings if found.kind in HARD and not found.follows}
    others = {found.seq for found in replay.findings if found.kind not in HARD}
    return sorted(causes if replay.stopped is None else {*causes, replay.stopped.seq}), sorted(others)
