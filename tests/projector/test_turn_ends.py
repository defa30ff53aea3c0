"""One slip does not hand over a turn: its end is forgotten, written under another name, or one too many."""

import random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from events.vocabulary import Consequence, Decision, Event
from projector.fold.folding import fold
from projector.fold.replay import Replay
from projector.games import game, games
from projector.model.game import TurnEnd
from projector.model.rules import HARD
from tests.written_games import game_of_bots

SEEDS = st.integers(0, 40)
every_game = pytest.mark.parametrize("slug", games())
few = settings(deadline=None, max_examples=8)


def ends(slug: str, events: tuple[Event, ...]) -> list[int]:
    """Return the places of the lines that end a turn, without the first round and the last turns."""
    turn_end = game(slug).turn_end
    assert isinstance(turn_end, TurnEnd)
    return [here for here, event in enumerate(events) if type(event) is turn_end.by][2:-2]


def found(slug: str, *lines: Event) -> list[tuple[int, str]]:
    """Return the lines at which something is wrong, with the kinds of what is found there."""
    findings = fold(game(slug), lines).findings
    return sorted({(each.seq, each.kind) for each in findings if each.kind in HARD})


@every_game
@few
@given(seed=SEEDS, full=st.booleans(), rng=st.randoms(use_true_random=False))
def test_a_forgotten_end_of_a_turn_is_the_missing_line(slug: str, seed: int, full: bool, rng: random.Random) -> None:
    """Where the line that ends a turn is left out it is missing, and nobody is accused of the turn that follows."""
    events = game_of_bots(slug, seed, full=full)
    here = rng.choice(ends(slug, events) or [0])
    if not here or not _says_something(events, here):
        return
    kinds = found(slug, *events[:here], *events[here + 1 :])
    assert [kind for _, kind in kinds] == ["missing"]
    assert kinds[0][0] > here


def _says_something(events: tuple[Event, ...], here: int) -> bool:
    """Return whether lines of both players show that the one turn was going on, and that the other began."""
    end = events[here]
    before = next(event for event in reversed(events[:here]) if not isinstance(event, Consequence))
    after = next(event for event in events[here + 1 :] if isinstance(event, Decision))
    return type(after) is not type(end) and _player(before) == _player(end) != _player(after)


def _player(event: Event) -> str:
    return getattr(event, "player", "")


@every_game
@few
@given(seed=SEEDS, full=st.booleans(), rng=st.randoms(use_true_random=False))
def test_an_end_of_a_turn_under_another_name_is_one_slip(slug: str, seed: int, full: bool, rng: random.Random) -> None:
    """The turn ends all the same, and nothing else is found.

    Where nothing was done in the turn, the line may also be the end before it, written a second time: then that end is
    missing, and it is said that this may be it.
    """
    events = game_of_bots(slug, seed, full=full)
    here = rng.choice(ends(slug, events) or [0])
    if not here:
        return
    line: Any = events[here]
    wrong = msgspec.structs.replace(line, player="B" if line.player == "A" else "A")
    is_empty = type(events[here - 1]) is type(line)
    kinds = found(slug, *events[:here], wrong, *events[here + 1 :])
    assert kinds == [(here + 1, "illegal")] or (is_empty and kinds == [(here + 1, "missing")])


@every_game
@few
@given(seed=SEEDS, stray=st.booleans(), rng=st.randoms(use_true_random=False))
def test_a_stray_end_of_a_turn_is_one_slip(slug: str, seed: int, stray: bool, rng: random.Random) -> None:
    """In the middle of a turn neither player can end it by a line that the table goes on without."""
    events = game_of_bots(slug, seed, full=False)
    middle = [here for here in _inside(events) if here > 20]
    here = rng.choice(middle or [0])
    if not here:
        return
    turn_end: Any = game(slug).turn_end
    player = events[here].player  # type: ignore[attr-defined]  # a decision has one
    other = player if stray else "B" if player == "A" else "A"
    lines = [*events[:here], turn_end.by(player=other), *events[here:]]
    assert len({seq for seq, _ in found(slug, *lines)}) <= 1


def _inside(events: tuple[Event, ...]) -> list[int]:
    """Return the places of decisions before which the same player has decided the same kind of thing."""
    pairs = zip(events, events[1:], range(1, len(events)), strict=False)
    return [here for before, event, here in pairs if _in_a_row(before, event) and here < len(events) - 3]


def _in_a_row(before: Event, event: Event) -> bool:
    return isinstance(event, Decision) and type(before) is type(event) and before.player == event.player  # type: ignore[attr-defined]  # a decision of its kind has one


def test_a_slip_leaves_the_other_mistakes_their_own(recorded: Any) -> None:
    """A mistake well after a forgotten end of a turn does not follow from it."""
    for name in ("end-of-turn-forgotten-and-a-mistake", "end-of-turn-forgotten-and-a-mistake-full"):
        replay = recorded(f"phylogenome/{name}").replay
        assert [(each.kind, each.follows) for each in replay.findings] == [("missing", 0), ("illegal", 0)]


@every_game
@few
@given(seed=SEEDS, full=st.booleans(), rng=st.randoms(use_true_random=False))
def test_what_a_line_would_break_leaves_the_table_as_it_is(
    slug: str, seed: int, full: bool, rng: random.Random
) -> None:
    """Any line of the game may be asked about anywhere: neither the table nor what is written about it changes."""
    events = game_of_bots(slug, seed, full=full)
    replay = fold(game(slug), events[: rng.randrange(2, len(events))])
    before = _everything(replay)
    for event in rng.sample(events, min(len(events), 12)):
        if not isinstance(event, Consequence):
            replay._broken_by(event)
            replay._doubt_after_end(lambda event=event: replay._would_be_right(event), event)  # type: ignore[misc]
            assert _everything(replay) == before


def _everything(replay: Replay) -> tuple[Any, ...]:
    """Return all that a table holds and what a replay has found."""
    table = replay.table
    lists = (table.derived, table.applied, table.recognised, table.rests, table.journal)
    counts = ([*replay.kept], [*replay.broken], [*replay.raw_findings], {**replay.open_to_doubt})
    return table.state(), [[*each] for each in lists], table.carried_out, replay._after, counts
