"""Mending: slips of a log keeper that are made in legal games of bots are found and named."""

import random
from collections.abc import Callable
from functools import cache
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import UNSET

from tabletape.events.vocabulary import Consequence, Event, fields_of
from tabletape.events.vocabulary.shared import DeckDeclared, NoteAdded, PlayTakenBack
from tabletape.projector.fold.folding import fold
from tabletape.projector.fold.marks import go_back, mark
from tabletape.projector.fold.replay import Replay
from tabletape.projector.games import game, games
from tabletape.projector.mending.edits import Edit, apply, bare
from tabletape.projector.mending.proposals import Mending, carried_out, mend, mend_all, mended
from tabletape.projector.mending.search import Search
from tabletape.projector.model.game import Game
from tabletape.projector.model.rules import HARD, NO_LINE
from tabletape.projector.selfplay.kinds import Bot
from tabletape.projector.selfplay.simulate import Plan, simulate
from tests.projector.test_fold import read, replay
from tests.waiting import ALL_LINES
from tests.written_games import game_of_bots, played

every_game = pytest.mark.parametrize("slug", games())
Slip = Callable[[list[Event], int], list[Event]]


def written_twice(events: list[Event], place: int) -> list[Event]:
    """Write a line twice."""
    return [*events[: place + 1], *events[place:]]


def forgotten(events: list[Event], place: int) -> list[Event]:
    """Leave a line out."""
    return [*events[:place], *events[place + 1 :]]


def swapped(events: list[Event], place: int) -> list[Event]:
    """Write a line after the next one."""
    return [*events[:place], *reversed(events[place : place + 2]), *events[place + 2 :]]


def misplaced(events: list[Event], place: int) -> list[Event]:
    """Write a line of the same game once more, where it does not belong."""
    return [*events[:place], events[place // 2 + 2], *events[place:]]


def mixed_up(events: list[Event], place: int) -> list[Event]:
    """Write one field of a line as the nearest other line of its type has it."""
    line = events[place]
    for other in (each for each in events if type(each) is type(line) and each != line):
        for field in fields_of(type(line)):
            value = getattr(other, field.name)
            if value is not UNSET and getattr(line, field.name) not in (UNSET, value):
                return [*events[:place], msgspec.structs.replace(line, **{field.name: value}), *events[place + 1 :]]
    return events


NAMED: list[Slip] = [written_twice, forgotten, swapped]
SLIPS: list[Slip] = [*NAMED, misplaced, mixed_up]


@cache
def legal_game(slug: str, seed: int, *, full: bool) -> list[Event]:
    """Return a game of bots without a finding."""
    plan = Plan(seed=seed, full=full, bots=(Bot.GREEDY, Bot.RANDOM))
    (found,) = simulate(game(slug), game(slug).cards, plan, 1)
    return [bare(event) for event in found.events]


def numbered(events: list[Event]) -> list[Event]:
    """Return events with their numbers, as a log has them."""
    return [msgspec.structs.replace(event, seq=seq) for seq, event in enumerate(events, 1)]


def places(events: list[Event]) -> list[int]:
    """Return the indices of the lines of play that a keeper may get wrong."""
    return [at for at, each in enumerate(events[:-1]) if at > 2 and not isinstance(each, Consequence | DeckDeclared)]


def hard(found: Replay) -> list[int]:
    """Return the events at which something is wrong."""
    return [each.seq for each in found.findings if each.kind in HARD]


@every_game
@settings(deadline=None, max_examples=25)
@given(seed=st.integers(1, 3), full=st.booleans(), slip=st.sampled_from(SLIPS), rng=st.randoms(use_true_random=False))
def test_a_slip_is_never_found_before_it_happened(
    slug: str, seed: int, full: bool, slip: Slip, rng: random.Random
) -> None:
    """Whatever a keeper gets wrong, the audit comes to its end, and no earlier line is accused."""
    events = legal_game(slug, seed, full=full)
    place = rng.choice(places(events))
    found = fold(game(slug), slip(events, place))
    assert found.stopped is None
    assert all(seq > place for seq in hard(found))


@every_game
def test_slips_are_named(slug: str) -> None:
    """The best proposal leaves no finding for nine of ten slips that show, and is the true repair for three of four.

    Each leaves as many findings as it says; of a line twice or in the wrong order the true repair is one that leaves
    none.
    """
    rng = random.Random(slug)  # noqa: S311 - a game, no secret
    explained: list[bool] = []
    true: list[bool] = []
    for number in range(18):
        slip = NAMED[number % 3]
        events = legal_game(slug, number % 3, full=number % 2 == 0)
        wrong = numbered(slip(events, rng.choice(places(events))))
        found = mend("g", fold(game(slug), wrong))
        if found is None:
            continue
        assert_promises_are_kept(found)
        ways = [way for each in found.proposals if not each.findings_after for way in each.ways]
        repairs = [unnumbered(apply(way, wrong)) == events for way in ways]
        explained.append(bool(ways))
        true.append(bool(ways) and repairs[0])
        assert slip is forgotten or any(repairs)
    assert len(explained) >= 9
    assert sum(explained) >= 0.9 * len(explained)
    assert sum(true) >= 0.75 * len(true)


def assert_promises_are_kept(found: Mending) -> None:
    """Assert that the first proposals leave as many findings as they say."""
    for proposal in found.proposals[:3]:
        assert len(hard(mended(found.replay, proposal))) == proposal.findings_after


@every_game
def test_of_a_misplaced_line_the_true_repair_is_tried_and_a_mixed_up_word_is_explained(slug: str) -> None:
    """Nearly always something leaves no finding: to which of many places somebody went may show nowhere in the log."""
    rng = random.Random(f"undo {slug}")  # noqa: S311 - a game, no secret
    explained: list[bool] = []
    for number in range(10):
        slip = (misplaced, mixed_up)[number % 2]
        events = legal_game(slug, number % 3 + 1, full=number % 4 < 2)
        wrong = numbered(slip(events, rng.choice(places(events))))
        replay = fold(game(slug), wrong)
        first = next((each for each in replay.findings if each.kind in HARD), None)
        if first is None:
            continue
        if slip is misplaced:
            tried = Search(replay, first).run()
            assert any(not each.left and unnumbered(apply(each.edit, wrong)) == events for each in tried)
        elif found := mend("g", replay):
            assert_promises_are_kept(found)
            explained.append(any(not each.findings_after for each in found.proposals))
    assert explained
    assert sum(explained) >= len(explained) - 1


@pytest.mark.parametrize("is_forgotten", [False, True])
def test_a_play_that_tells_only_much_later_is_among_the_proposals(*, is_forgotten: bool) -> None:
    """What a Trooper has earned is missed turns later: it lay in another lane, or nobody has written that it did."""
    events = [bare(each) for each in game_of_bots("crystal", 1 if is_forgotten else 5, full=False)]
    place = 22 if is_forgotten else 11
    other: list[Event] = [] if is_forgotten else [msgspec.structs.replace(events[place], lane="tech")]
    wrong = numbered([*events[:place], *other, *events[place + 1 :]])
    found = mend("g", fold(game("crystal"), wrong), lines=ALL_LINES)
    assert found is not None
    assert found.replay.seqs.index(found.finding.seq) > place + 10
    ways = [way for each in found.proposals if not each.findings_after for way in each.ways]
    assert any([bare(each) for each in apply(way, wrong)] == events for way in ways)


@pytest.mark.parametrize(("seed", "place"), [(10, 175), (13, 125), (16, 423)])
def test_a_forgotten_move_is_found_among_thousands(seed: int, place: int) -> None:
    """Two Species can be moved in thousands of ways, at each place and in two orders: the right one is named first."""
    events = [bare(each) for each in game_of_bots("phylogenome", seed, full=False)]
    wrong = numbered(forgotten(events, place))
    found = mend("g", fold(game("phylogenome"), wrong), lines=ALL_LINES)
    assert found is not None
    assert found.proposals[0].findings_after == 0
    assert any([bare(each) for each in apply(way, wrong)] == events for way in found.proposals[0].ways)


def test_what_comes_up_again_and_again_is_looked_for_soon() -> None:
    """A move that saved Maize is forgotten, and twenty lines on nothing lies there: later lines go on from Maize."""
    events = [bare(each) for each in game_of_bots("phylogenome", 82001, full=False)]
    wrong = numbered(forgotten(events, 238))
    found = mend("g", fold(game("phylogenome"), wrong))
    assert found is not None
    assert found.replay.seqs.index(found.finding.seq) == 258
    assert found.proposals[0].findings_after == 0
    assert [bare(each) for each in apply(found.proposals[0].edit, wrong)] == events


def test_how_far_a_search_goes_is_counted_in_lines() -> None:
    """It finds the same on a busy machine; one that may fold a single line says that not everything was tried."""
    wrong = numbered(forgotten([bare(each) for each in game_of_bots("crystal", 1, full=False)], 22))
    replay = fold(game("crystal"), wrong)
    few, all_of_them = (mend("g", replay, lines=lines) for lines in (1, ALL_LINES))
    assert few is not None
    assert all_of_them is not None
    assert (few.proposals, few.complete) == ((), False)
    assert all_of_them.proposals


def undoing(slip: Slip, events: list[Event], place: int, wrong: list[Event]) -> Edit:
    """Return the edit that makes the legal game again of a numbered one with a slip, as mending writes it."""
    was = events[place]
    undone: dict[Slip, Edit] = {
        written_twice: Edit("delete", place, 1, (), repeats=True),
        misplaced: Edit("delete", place, 1, ()),
        forgotten: Edit("insert", place, 0, (msgspec.structs.replace(was, seq=place),)),
        swapped: Edit("swap", place, 2, (wrong[place + 1], wrong[place])),
        mixed_up: Edit("replace", place, 1, (msgspec.structs.replace(was, seq=place + 1),)),
    }
    return undone[slip]


@every_game
@settings(deadline=None, max_examples=5)
@given(seed=st.integers(1, 3), full=st.booleans(), rng=st.randoms(use_true_random=False))
def test_the_true_repair_of_any_slip_leaves_no_finding(slug: str, seed: int, full: bool, rng: random.Random) -> None:
    """Whichever of five slips it was, its true repair leaves no finding, and the search counts it so."""
    events = legal_game(slug, seed, full=full)
    for slip in SLIPS:
        place = rng.choice(places(events))
        wrong = numbered(slip(events, place))
        replay = fold(game(slug), wrong)
        first = next((each for each in replay.findings if each.kind in HARD), None)
        if first is not None:
            edit = undoing(slip, events, place, wrong)
            assert Search(replay, first, ALL_LINES).left_by(edit) == 0
            repaired = carried_out(replay, edit)
            assert unnumbered(repaired.events) == events
            assert hard(repaired) == []


def unnumbered(events: list[Event]) -> list[Event]:
    """Return what events say, without their numbers."""
    return [bare(event) for event in events]


@every_game
@settings(deadline=None, max_examples=6)
@given(seed=st.integers(1, 3), rng=st.randoms(use_true_random=False))
def test_going_back_and_folding_on_is_folding_anew(slug: str, seed: int, rng: random.Random) -> None:
    """A replay that has tried other lines and gone back is as if it had never tried them."""
    events = legal_game(slug, seed, full=rng.random() < 0.5)
    place = rng.choice(places(events))
    ruleset = game(slug).rulebook.ruleset(game(slug).rulebook.editions[0].label)
    tried = Replay(game(slug), ruleset).run(events[:place])
    here = mark(tried)
    for _ in range(3):
        tried.run(forgotten(events, place)[place:]).finish()
        go_back(tried, here)
    tried.run(events[place:]).finish()
    anew = Replay(game(slug), ruleset).run(events).finish()
    assert tried.table.state() == anew.table.state()
    assert (tried.raw_findings, tried.kept, tried.broken) == (anew.raw_findings, anew.kept, anew.broken)
    assert (tried.table.rests, tried.table.carried_out) == (anew.table.rests, anew.table.carried_out)


def test_a_play_against_the_rules_is_no_slip(higher: Game) -> None:
    """Where only leaving out the play helps, it was probably played so: there is no proposal."""
    found = mend("g", replay(higher, played("A", "four"), played("B", "five"), played("A", "six")), lines=ALL_LINES)
    assert found is not None
    assert found.may_be_played
    assert all(each.change != "delete" for each in found.proposals)


@pytest.mark.parametrize("number", [4, 6, 9])
def test_a_draw_that_is_not_written_may_not_have_been_done(number: int) -> None:
    """What a log writes as its consequence does not show that the table drew: the line is proposed with a doubt."""
    events = game_of_bots("evolve", 2)
    draws = [here for here, each in enumerate(events) if getattr(each, "reason", "") == "turn-start"]
    lines = [msgspec.structs.replace(each, seq=seq) for seq, each in enumerate(forgotten([*events], draws[number]), 1)]
    found = mend("g", fold(game("evolve"), lines), lines=ALL_LINES)
    assert found is not None
    assert (found.finding.went_on, found.finding.expected) == ("derived", NO_LINE)
    assert found.may_be_played


def test_a_line_written_twice_is_named_as_such(higher: Game) -> None:
    """The proposal says which event stands there twice, and how many findings go away."""
    found = mend("g", replay(higher, played("A", "four"), played("A", "four"), played("B", "two")), lines=ALL_LINES)
    assert found is not None
    best = found.proposals[0]
    assert (best.change, best.findings_after, best.events) == ("delete", 0, ())
    assert best.text == "Event 7 probably stands here twice: Ann: card played - Four"


def test_several_slips_are_mended_one_after_the_other(higher: Game) -> None:
    """After the first slip is mended the next one is searched, until nothing is wrong."""
    lines = [played("A", "four"), played("A", "four"), played("B", "two"), played("A", "six"), played("A", "six")]
    wrong = replay(higher, *lines)
    rounds = list(mend_all("g", wrong, lines=ALL_LINES))
    assert len(rounds) == 2
    assert hard(mended(rounds[-1].replay, rounds[-1].proposals[0])) == []


def test_places_that_the_log_cannot_tell_apart_are_one_proposal(higher: Game) -> None:
    """The same line at neighbouring places is one proposal, which says between which lines it is missing."""
    note = {"type": "note.added", "text": "a break"}
    found = mend("g", replay(higher, played("A", "four"), note, note, played("A", "six")), lines=ALL_LINES)
    assert found is not None
    inserted = [each for each in found.proposals if each.change == "insert"]
    assert inserted
    assert all((each.first, each.last) == (7, 9) for each in inserted)
    assert all(each.text.startswith("Somewhere between 6 and 9 this is probably missing: Ben:") for each in inserted)
    assert len({msgspec.json.encode(each.events) for each in inserted}) == len(inserted)


def test_numbers_go_on_to_mean_the_same_lines(higher: Game) -> None:
    """After an edit the events count from 1 again; what names a number names the line that it named before."""
    lines: list[dict[str, Any]] = [played("A", "four"), played("B", "two"), {"type": "play.taken-back", "to": 7}]
    events = replay(higher, *lines).events
    with_numbers = numbered(events)
    (taken_back,) = [each for each in apply(Edit("delete", 5, 1, ()), with_numbers) if isinstance(each, PlayTakenBack)]
    assert (taken_back.seq, taken_back.to) == (7, 6)
    inserted = apply(Edit("insert", 5, 0, (NoteAdded(text="forgotten"),)), with_numbers)
    assert [each.seq for each in inserted] == list(range(1, 10))
    assert inserted[-1] == msgspec.structs.replace(read(higher, lines)[-1], seq=9, to=8)
