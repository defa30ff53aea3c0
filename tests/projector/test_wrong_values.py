"""One wrong value is one accusation: a number that is written down wrongly, or a word for another phase."""

from itertools import islice
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabletape.events.vocabulary import Chance, Decision
from tabletape.events.vocabulary.shared import PhaseStarted
from tabletape.projector.fold.folding import fold
from tabletape.projector.games import game, games
from tests.written_games import game_of_bots
from tests.wrong_values import GoesOn, Slip, accusations, slips, values_of, wrong_words

PHASED = ("crystal", "evolve")
"""The games whose logs say that a phase begins."""


@pytest.mark.parametrize("goes_on", ["derived", "written"])
@pytest.mark.parametrize("slug", games())
@settings(deadline=None, max_examples=10)
@given(seed=st.integers(1, 40), order=st.integers(0, 9999))
def test_a_wrong_number_is_one_accusation(slug: str, goes_on: GoesOn, seed: int, order: int) -> None:
    """Whether the table goes on as the rules say or as it is written, exactly that line is accused."""
    rng = Random(order)  # noqa: S311 - which line is wrong is no secret
    found = (each for each in slips(slug, seed, rng, goes_on) if not isinstance(each.wrong, PhaseStarted))
    (slip,) = islice(found, 1)
    assert accusations(slug, slip)[0] == [slip.seq]


@pytest.mark.parametrize("slug", PHASED)
@settings(deadline=None, max_examples=20)
@given(seed=st.integers(1, 40), order=st.integers(0, 9999))
def test_a_wrong_phase_accuses_no_later_line(slug: str, seed: int, order: int) -> None:
    """The line is accused, or at least it is remarked that it says something again; the lines after it are right."""
    rng = Random(order)  # noqa: S311 - which line is wrong is no secret
    events = game_of_bots(slug, seed)
    here = rng.choice([index for index, event in enumerate(events) if isinstance(event, PhaseStarted)])
    wrong = rng.choice(values_of(events[here]))
    slip = Slip((*events[:here], wrong, *events[here + 1 :]), here + 1, wrong, events[here])
    accused, remarked = accusations(slug, slip)
    assert accused in ([], [here + 1])
    assert accused or remarked == [here + 1]


def test_a_wrong_phase_does_not_make_an_earlier_right_line_a_second_one() -> None:
    """Nearly all is written: no two lines stand twice, and two others never, so that the wrong phase tells nothing."""
    events, here = game_of_bots("evolve", 515013), 408
    wrong: Any = msgspec.structs.replace(events[here], phase="end")
    slip = Slip((*events[:here], wrong, *events[here + 1 :]), here + 1, wrong, events[here])
    assert accusations("evolve", slip) == ([here + 1], [])


def test_plays_that_one_wrong_cell_explains_are_one_cause() -> None:
    """The log cannot tell whether the cell is wrong or the plays are against the rules: they are one mistake."""
    events = list(game_of_bots("phylogenome", 7507)[:226])
    right = events[195]
    events[195] = msgspec.structs.replace(right, cell=(3, 3))
    assert accusations("phylogenome", Slip(tuple(events), 196, events[195], right)) == ([210], [196])


def test_two_wrong_rounds_are_two_accusations() -> None:
    """What the second one should say counts on from the first as it should be; the rounds after it are right."""
    events = list(game_of_bots("crystal", 515026))
    for here in (88, 117):
        events[here] = msgspec.structs.replace(events[here], round=3)
    findings = fold(game("crystal"), events).findings
    assert [(each.seq, each.message.partition("; ")[2]) for each in findings] == [
        (89, "the rules say that round 4 begins"),
        (118, "the rules say that round 5 begins"),
    ]


@pytest.mark.parametrize("slug", PHASED)
@settings(deadline=None, max_examples=20)
@given(seed=st.integers(1, 40), order=st.integers(0, 9999), share=st.sampled_from([0.1, 0.5, 1.0]))
def test_a_log_may_leave_out_or_repeat_the_lines_of_phases(slug: str, seed: int, order: int, share: float) -> None:
    """Some of them are missing, and others stand twice: that accuses nobody."""
    rng = Random(order)  # noqa: S311 - which lines these are is no secret
    times = [
        rng.choice([0, 2]) if isinstance(each, PhaseStarted) and rng.random() < share else 1
        for each in game_of_bots(slug, seed)
    ]
    lines = tuple(each for each, number in zip(game_of_bots(slug, seed), times, strict=True) for _ in range(number))
    assert accusations(slug, Slip(lines, 0, lines[0], lines[0]))[0] == []


@pytest.mark.parametrize("slug", games())
def test_a_wrong_word_accuses_no_other_line(slug: str) -> None:
    """One line names another player, lane, biom, phase or round: it is the only cause, or at least nothing else is."""
    for seed in range(1, 7):
        kinds: dict[str, list[Slip]] = {}
        for slip in wrong_words(game_of_bots(slug, seed)):
            kinds.setdefault(type(slip.right).__name__, []).append(slip)
        for found in kinds.values():
            slip = Random(seed).choice(found)  # noqa: S311 - which word is wrong is no secret
            accused = [slip.lines[seq - 1] for seq in accusations(slug, slip)[0]]
            assert accused in ([], [slip.wrong]), "a line that says the same may as well be the wrong one"


@pytest.mark.parametrize("slug", games())
def test_a_wrong_word_in_a_play_is_one_cause(slug: str) -> None:
    """A play, or a line of luck, names another player or place: one line is a cause, as only one word is wrong."""
    for seed in (101, 102):
        kinds: dict[str, list[Slip]] = {}
        for slip in wrong_words(game_of_bots(slug, seed), Decision | Chance):
            kinds.setdefault(type(slip.right).__name__, []).append(slip)
        for found in kinds.values():
            slip = Random(seed).choice(found)  # noqa: S311 - which word is wrong is no secret
            assert len(accusations(slug, slip)[0]) <= 1
