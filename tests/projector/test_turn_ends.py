"""A wrong end of a turn is one finding: forgotten, by the wrong player, or one too many; so is a turn too soon."""

import random
from functools import partial
from typing import Any

import msgspec
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tabletape.events.games.crystal import CardsDrawn, DeployEnded, PlayerEliminated, TurnStarted
from tabletape.events.vocabulary import Consequence, Decision, Event
from tabletape.projector.fold.folding import fold
from tabletape.projector.fold.hypotheses.forgotten_end import ForgottenEnd
from tabletape.projector.fold.replay import Replay
from tabletape.projector.fold.trial import Trial
from tabletape.projector.games import game, games
from tabletape.projector.model.game import TurnEnd
from tabletape.projector.model.rules import HARD
from tabletape.projector.selfplay.kinds import Bot
from tabletape.projector.selfplay.simulate import Plan, simulate
from tests.written_games import game_of_bots

SEEDS = st.integers(0, 40)
every_game = pytest.mark.parametrize("slug", games())
few = settings(deadline=None, max_examples=8)


TWO_TURNS = 220
"""So many lines of a game are enough for turns to stand in another order."""

AMONG = 4
"""At least so many turns have to begin in them."""


def ends(slug: str, events: tuple[Event, ...]) -> list[int]:
    """Return the indexes of the lines that end a turn, without the first round and the last turns."""
    turn_end = game(slug).slips.turn_end
    assert isinstance(turn_end, TurnEnd)
    return [index for index, event in enumerate(events) if type(event) is turn_end.by][2:-2]


def found(slug: str, *lines: Event) -> list[tuple[int, str]]:
    """Return the lines at which something is wrong, with the kinds of what is found there."""
    findings = fold(game(slug), lines).findings
    return sorted({(each.seq, each.kind) for each in findings if each.kind in HARD})


@every_game
@few
@given(seed=SEEDS, full=st.booleans(), rng=st.randoms(use_true_random=False))
def test_a_forgotten_end_of_a_turn_is_the_missing_line(slug: str, seed: int, full: bool, rng: random.Random) -> None:
    """If the line that ends a turn is left out, it is reported as missing, and the next turn has no finding."""
    events = game_of_bots(slug, seed, full=full)
    index = rng.choice(ends(slug, events) or [0])
    if not index or not _shows_both_turns(events, index):
        return
    kinds = found(slug, *events[:index], *events[index + 1 :])
    assert [kind for _, kind in kinds] == ["missing"]
    assert kinds[0][0] > index


def _shows_both_turns(events: tuple[Event, ...], index: int) -> bool:
    """Return whether lines of both players show that the one turn was going on, and that the other began."""
    end = events[index]
    before = next(event for event in reversed(events[:index]) if not isinstance(event, Consequence))
    after = next(event for event in events[index + 1 :] if isinstance(event, Decision))
    return type(after) is not type(end) and _player(before) == _player(end) != _player(after)


def _player(event: Event) -> str:
    return getattr(event, "player", "")


@every_game
@few
@given(seed=SEEDS, full=st.booleans(), rng=st.randoms(use_true_random=False))
def test_an_end_of_a_turn_by_the_wrong_player_is_one_finding(
    slug: str, seed: int, full: bool, rng: random.Random
) -> None:
    """The turn ends all the same, and nothing else is found.

    If nothing was done in the turn, the line may also be the end before it, recorded twice: then the end of this turn
    is reported as missing.
    """
    events = game_of_bots(slug, seed, full=full)
    index = rng.choice(ends(slug, events) or [0])
    if not index:
        return
    line: Any = events[index]
    wrong = msgspec.structs.replace(line, player="B" if line.player == "A" else "A")
    is_empty = type(events[index - 1]) is type(line)
    kinds = found(slug, *events[:index], wrong, *events[index + 1 :])
    assert kinds == [(index + 1, "illegal")] or (is_empty and kinds == [(index + 1, "missing")])


@every_game
@few
@given(seed=SEEDS, by_active=st.booleans(), rng=st.randoms(use_true_random=False))
def test_an_additional_end_of_a_turn_is_at_most_one_finding(
    slug: str, seed: int, by_active: bool, rng: random.Random
) -> None:
    """An end of a turn in its middle, by either player, that the next lines ignore is wrong at one line at most."""
    events = game_of_bots(slug, seed, full=False)
    middle = [index for index in _within_turns(events) if index > 20]
    index = rng.choice(middle or [0])
    if not index:
        return
    turn_end: Any = game(slug).slips.turn_end
    player = events[index].player  # type: ignore[attr-defined]  # a decision has one
    other = player if by_active else "B" if player == "A" else "A"
    lines = [*events[:index], turn_end.by(player=other), *events[index:]]
    assert len({seq for seq, _ in found(slug, *lines)}) <= 1


def _within_turns(events: tuple[Event, ...]) -> list[int]:
    """Return the indexes of decisions that follow a decision of the same type by the same player."""
    pairs = zip(events, events[1:], range(1, len(events)), strict=False)
    return [index for before, event, index in pairs if _in_a_row(before, event) and index < len(events) - 3]


def _in_a_row(before: Event, event: Event) -> bool:
    return isinstance(event, Decision) and type(before) is type(event) and before.player == event.player  # type: ignore[attr-defined]  # a decision of its kind has one


def test_a_later_mistake_does_not_follow_from_a_forgotten_end(recorded: Any) -> None:
    """A mistake well after a forgotten end of a turn does not follow from it."""
    for name in ("end-of-turn-forgotten-and-a-mistake", "end-of-turn-forgotten-and-a-mistake-full"):
        replay = recorded(f"phylogenome/{name}").replay
        assert [(each.kind, each.follows) for each in replay.findings] == [("missing", 0), ("illegal", 0)]


@every_game
@few
@given(seed=SEEDS, full=st.booleans(), rng=st.randoms(use_true_random=False))
def test_asking_what_a_line_would_break_changes_nothing(slug: str, seed: int, full: bool, rng: random.Random) -> None:
    """For any line, at any point of the game, the question changes neither the table nor the findings."""
    events = game_of_bots(slug, seed, full=full)
    replay = fold(game(slug), events[: rng.randrange(2, len(events))])
    lines, judge = replay.lines, replay.judge
    trial = Trial(lines, judge)
    forgotten_end = ForgottenEnd(lines, judge, replay.ledger, replay.doubts, trial)
    before = _everything(replay)
    for event in rng.sample(events, min(len(events), 12)):
        if not isinstance(event, Consequence):
            trial.broken_by(event)
            forgotten_end.doubt_after_end(event, partial(trial.is_right, event))
            assert _everything(replay) == before


def _everything(replay: Replay) -> tuple[Any, ...]:
    """Return all that a table holds and what a replay has found."""
    table = replay.table
    lists = (table.derived, table.applied, table.recognised, table.rests, table.journal)
    counts = ([*replay.kept], [*replay.broken], [*replay.raw_findings], {**replay.open_to_doubt})
    return table.state(), [[*each] for each in lists], table.carried_out, replay.lines.after, counts


@few
@given(seed=SEEDS, full=st.booleans(), players=st.integers(2, 4), rng=st.randoms(use_true_random=False))
def test_a_turn_of_a_round_that_comes_too_soon_is_one_mistake(
    seed: int, full: bool, players: int, rng: random.Random
) -> None:
    """If somebody at a table of Crystal Factions takes a turn before who is due, that turn is the only cause."""
    plan = Plan(seed=seed, full=full, bots=(Bot.RANDOM,) * players)
    (match,) = simulate(game("crystal"), game("crystal").cards, plan, 1)
    events = [msgspec.structs.replace(each, seq=msgspec.UNSET, cause=msgspec.UNSET) for each in match.events]
    starts = rng.choice(_rounds(events, players))
    soon = rng.randrange(1, len(starts) - 1)
    first, begin, end = starts[0], starts[soon], starts[soon + 1]
    turned = [*events[:first], *events[begin:end], *events[first:begin], *events[end:]]
    causes = [each for each in fold(game("crystal"), turned).findings if each.kind in HARD and not each.follows]
    assert [(each.seq, each.rule) for each in causes] == [(first + 1, "crystal.deploy.own-turn")]


def _rounds(events: list[Event], players: int) -> list[list[int]]:
    """Return where the turns of each round begin in which nobody is out, and where the last of them ends."""
    out = next((at for at, each in enumerate(events) if isinstance(each, PlayerEliminated)), len(events))
    ends = [at + 1 for at, each in enumerate(events[:out]) if isinstance(each, DeployEnded)]
    begins = [at for at, each in enumerate(events) if isinstance(each, TurnStarted)]
    starts = begins or [_first_draw(events), *ends]
    whole = len(ends) // players - 1
    return [[*starts[at : at + players], ends[at + players - 1]] for at in range(0, whole * players, players)]


def _first_draw(events: list[Event]) -> int:
    """Return where the first card of a turn is drawn."""
    return next(at for at, each in enumerate(events) if isinstance(each, CardsDrawn))


@pytest.mark.parametrize("slug", games())
@settings(deadline=None, max_examples=3)
@given(seed=st.integers(1, 30), full=st.booleans(), number=st.integers(0, 99))
def test_two_turns_in_a_row_of_each_player_are_found_where_they_begin(
    slug: str, seed: int, full: bool, number: int
) -> None:
    """Two turns stand in the other order, so that each player has two in a row: nobody is accused before these."""
    events = game_of_bots(slug, seed, full=full)[:TWO_TURNS]
    turns = _turns(slug, events)
    assume(len(turns) > AMONG)
    first, second, behind = turns[(at := 1 + number % (len(turns) - AMONG)) : at + 3]
    lines = (*events[:first], *events[second:behind], *events[first:second], *events[behind : behind + AMONG])
    replay = fold(game(slug), lines)
    causes = [each.seq for each in replay.findings if each.kind in HARD and not each.follows]
    assert replay.stopped is None
    assert causes
    assert first <= causes[0] <= behind + 1


def _turns(slug: str, events: tuple[Event, ...]) -> list[int]:
    """Return where the turns begin that are not those of the player who had the last one."""
    replay = Replay(game(slug), fold(game(slug), events[:1]).ruleset, settled=True)
    active = [replay.run([each]).table.active for each in events]
    return [at for at in range(1, len(events)) if active[at] and active[at] != active[at - 1]]
