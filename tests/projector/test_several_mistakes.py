"""Several mistakes in one log: each is found where it is, and nobody is accused of what could not be read."""

from collections.abc import Iterable, Iterator
from itertools import groupby
from random import Random

import msgspec
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tabletape.events.vocabulary import Chance, Consequence, Decision, Event
from tabletape.events.vocabulary.shared import LogGap, PhaseStarted
from tabletape.projector.fold.folding import fold
from tabletape.projector.fold.replay import Replay
from tabletape.projector.fold.second_records import TwoLogs
from tabletape.projector.games import game, games
from tabletape.projector.model.rules import HARD
from tests.projector.test_late_lines import end_of_reach
from tests.written_games import game_of_bots
from tests.wrong_values import Slip, accusations, slips, values_of, with_play_too_early

MOST_LOST = 8
MOST_BEHIND = 4
MOST_IN_A_BLOCK = 9


@pytest.mark.parametrize("slug", games())
@settings(deadline=None, max_examples=10)
@given(seed=st.integers(1, 30), order=st.integers(0, 9999))
def test_two_wrong_numbers_are_two_findings(slug: str, seed: int, order: int) -> None:
    """Wherever they are, exactly these lines are found wrong; the second one may be said to follow from the first."""
    events, rng = game_of_bots(slug, seed), Random(order)  # noqa: S311 - which lines are wrong is no secret
    places = [here for here, each in enumerate(events) if values_of(each) and not isinstance(each, PhaseStarted)]
    wrong = {here: rng.choice(values_of(events[here])) for here in rng.sample(places, 2)}
    replay = fold(game(slug), [wrong.get(here, each) for here, each in enumerate(events)])
    assert {each.seq for each in replay.findings if each.kind in HARD} == {here + 1 for here in wrong}


@pytest.mark.parametrize("slug", games())
@settings(deadline=None, max_examples=4)
@given(seed=st.integers(1, 30), order=st.integers(0, 9999))
@example(seed=6, order=700)  # Crystal: with the wrong crystals the play can be paid
def test_an_illegal_play_beside_a_slip_is_named_and_nothing_else(slug: str, seed: int, order: int) -> None:
    """A play too early and a wrong number near it are the only causes, and both are found."""
    early, both = with_play_too_early(slug, seed, Random(order))  # noqa: S311 - which lines are wrong is no secret
    findings = [each for each in fold(game(slug), both.lines).findings if each.kind in HARD]
    assert {each.seq for each in findings if not each.follows} <= {early.seq, both.seq}
    assert {each.seq for each in findings} >= {early.seq, both.seq}


@pytest.mark.parametrize("slug", games())
@settings(deadline=None, max_examples=10)
@given(seed=st.integers(1, 30), order=st.integers(0, 9999))
def test_what_comes_behind_a_gap_in_the_middle_accuses_nobody(slug: str, seed: int, order: int) -> None:
    """Some lines in a row could not be read: what does not fit any more is at most what nobody can tell."""
    events, rng = game_of_bots(slug, seed), Random(order)  # noqa: S311 - which lines are lost is no secret
    here = rng.randrange(len(events) // 4, 3 * len(events) // 4)
    there = min(len(events) - 1, here + rng.randint(1, MOST_LOST))
    lines = (*events[:here], LogGap(lines=there - here, text="lost"), *events[there:])
    assert accusations(slug, Slip(lines, 0, lines[here], events[here]))[0] == []


@pytest.mark.parametrize("slug", games())
@pytest.mark.parametrize("share", [0.3, 1.0])
@settings(deadline=None, max_examples=3)
@given(seed=st.integers(1, 40), order=st.integers(0, 9999))
def test_what_two_keepers_have_written_of_one_line_accuses_nobody(
    slug: str, share: float, seed: int, order: int
) -> None:
    """A share of the consequences stands twice: in a row, behind all those of the first keeper, or behind decisions."""
    rng = Random(order)  # noqa: S311 - which lines stand twice is no secret
    for lines in (in_a_row, one_behind_the_other, one_behind_decisions):
        written = tuple(lines(game_of_bots(slug, seed), share, rng))
        replay = fold(game(slug), written)
        assert [found for found in replay.findings if found.kind != "info"] == []
        assert replay.table.winner == fold(game(slug), game_of_bots(slug, seed)).table.winner


@pytest.mark.parametrize("slug", games())
@settings(deadline=None, max_examples=2)
@given(seed=st.integers(1, 30), order=st.integers(0, 9999), full=st.booleans(), both=st.booleans())
def test_two_keepers_whole_logs_put_together_accuse_nobody(
    slug: str, seed: int, order: int, *, full: bool, both: bool
) -> None:
    """Each line stands twice, but what follows only if `both` write it: nothing is wrong, the winner the same."""
    events = game_of_bots(slug, seed, full=full)
    places = two_logs(events, Random(order), 10, both=both)  # noqa: S311 - who writes first is no secret
    replay = fold(game(slug), [events[at] for at in places])
    assert [found for found in replay.findings if found.kind != "info"] == []
    assert replay.table.winner == fold(game(slug), events).table.winner


@pytest.mark.parametrize("slug", games())
@settings(deadline=None, max_examples=2)
@given(seed=st.integers(1, 30), order=st.integers(0, 9999))
def test_what_both_keepers_write_wrong_is_named_once(slug: str, seed: int, order: int) -> None:
    """It is found where the first of them has written it."""
    rng = Random(order)  # noqa: S311 - which line is wrong is no secret
    slip = next(each for each in slips(slug, seed, rng, "derived") if not isinstance(each.wrong, PhaseStarted))
    places = two_logs(slip.lines, rng)
    lines = tuple(slip.lines[at] for at in places)
    assert accusations(slug, msgspec.structs.replace(slip, lines=lines))[0] == [places.index(slip.seq - 1) + 1]


@pytest.mark.parametrize("slug", games())
@settings(deadline=None, max_examples=1)
@given(seed=st.integers(1, 30), order=st.integers(0, 9999))
def test_what_one_of_two_keepers_writes_wrong_is_named_alone(slug: str, seed: int, order: int) -> None:
    """Also where they write in blocks, each what the other one has just written."""
    rng = Random(order)  # noqa: S311 - which line is wrong is no secret
    slip = next(each for each in slips(slug, seed, rng, "derived") if not isinstance(each.wrong, PhaseStarted))
    wrong, is_second = slip.seq - 1, rng.random() < 1 / 2
    lines, found = [*slip.lines[:1]], 0
    size, end = rng.randint(1, MOST_IN_A_BLOCK), len(slip.lines)
    for first in range(1, end, size):
        for keeper in (False, True):
            for at in range(first, min(first + size, end)):
                found = len(lines) + 1 if at == wrong and keeper is is_second else found
                lines.append(slip.right if at == wrong and keeper is not is_second else slip.lines[at])
    assert accusations(slug, msgspec.structs.replace(slip, lines=tuple(lines)))[0] == [found]


@pytest.mark.parametrize("slug", games())
def test_only_what_two_keepers_can_have_written_is_parted(slug: str) -> None:
    """A log in no order is none, though half of it stands twice; one in which each of them forgot a line is."""
    for seed in range(1, 6):
        events, rng = game_of_bots(slug, seed, full=False)[:40], Random(seed)  # noqa: S311 - no secret
        places = two_logs(events, rng, 10)
        forgotten = {rng.randrange(1, len(places)) for _ in range(2)}
        assert may_be_two(slug, [events[at] for here, at in enumerate(places) if here not in forgotten])
        assert not may_be_two(slug, [*events, *rng.choices(events[1:], k=40)])


def test_a_few_acts_that_are_done_again_are_no_second_record() -> None:
    """Players who do the same in turns say nothing twice, however long they go on."""
    acts = [event for event in game_of_bots("crystal", 1, full=False) if isinstance(event, Decision)]
    for different in range(2, 8):
        assert not may_be_two("crystal", [*game_of_bots("crystal", 1)[:1], *acts[1 : different + 1] * 4])


def may_be_two(slug: str, lines: list[Event]) -> bool:
    """Return whether a log may be that of two keepers."""
    acts = {at for at, event in enumerate(lines) if at and isinstance(event, (Decision, Chance))}
    return TwoLogs(Replay(game(slug), fold(game(slug), lines[:1]).ruleset).run(lines), lines, acts).may_be_two


def two_logs(events: tuple[Event, ...], rng: Random, most: int = MOST_BEHIND, *, both: bool = True) -> list[int]:
    """Return the places of the lines of a game as two keepers write them into one log, at most so many lines apart.

    The game begins once; what follows from its lines is written by `both`, or by one of them.
    """
    mine, places = [*range(1, len(events))], [0]
    theirs = [at for at in mine if both or not isinstance(events[at], Consequence)]
    while mine and theirs:
        behind = theirs[0] - mine[0]
        is_mine = behind >= most or (behind > -most and rng.random() < 1 / 2)
        places.append((mine if is_mine else theirs).pop(0))
    return [*places, *mine, *theirs]


def in_a_row(events: Iterable[Event], share: float, rng: Random) -> Iterator[Event]:
    """Yield the lines of a log, some of its consequences twice."""
    for each in events:
        yield from (each, each) if isinstance(each, Consequence) and rng.random() < share else (each,)


def one_behind_the_other(events: Iterable[Event], share: float, rng: Random) -> Iterator[Event]:
    """Yield the lines of a log, and behind what follows from a line some of it once more."""
    for follows, lines in groupby(events, lambda each: isinstance(each, Consequence)):
        block = list(lines)
        yield from block
        yield from (each for each in block if follows and rng.random() < share)


def one_behind_decisions(events: tuple[Event, ...], share: float, rng: Random) -> Iterator[Event]:
    """Yield the lines of a log, and some of its consequences once more, within the two decisions that follow."""
    lines = [(float(here), here) for here in range(len(events))]
    for here, event in enumerate(events):
        if isinstance(event, Consequence) and rng.random() < share:
            lines.append((rng.randint(here, end_of_reach(events, here)) + 0.5, here))
    yield from (events[here] for _, here in sorted(lines))


@pytest.mark.parametrize("full", [True, False])
@pytest.mark.parametrize("slug", games())
def test_a_line_of_the_set_up_may_stand_twice(slug: str, *, full: bool) -> None:
    """Whichever it is: a deck list, a shuffle, an opening hand, a mulligan; nobody is accused."""
    for seed in range(1, 4):
        events = game_of_bots(slug, seed, full=full)
        replay = Replay(game(slug), fold(game(slug), events).ruleset)
        for here, event in enumerate(events):
            replay.run([event])
            if replay.table.turn:
                break
            if here:
                findings = fold(game(slug), (*events[: here + 1], *events[here:])).findings
                assert [found for found in findings if found.kind != "info"] == []
