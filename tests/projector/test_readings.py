"""A line that contradicts the rules is read both ways; findings that follow from an earlier one are marked."""

import random
from functools import cache
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import UNSET

from tabletape.events.vocabulary import Consequence, Event
from tabletape.events.vocabulary.shared import CardsDrawn, GameEnded
from tabletape.projector.fold.causes import Retold, with_causes
from tabletape.projector.fold.folding import fold
from tabletape.projector.fold.replay import Replay
from tabletape.projector.games import game, games
from tabletape.projector.model.game import Game
from tabletape.projector.model.rules import HARD, Finding
from tabletape.projector.selfplay.simulate import Match, Plan
from tests.projector.test_fold import read, replay
from tests.written_games import played

NOT_A_VALUE = {"seq", "cause"}
SEEDS = st.integers(1, 4)
every_game = pytest.mark.parametrize("slug", games())


def miscounted(event: Event, rng: random.Random) -> Event | None:
    """Return a consequence with one of its numbers one too high or too low, or None where it has no number."""
    names = [name for name in event.__struct_fields__ if name not in NOT_A_VALUE and type(getattr(event, name)) is int]
    if not names or not isinstance(event, Consequence) or isinstance(event, GameEnded):
        return None
    name = rng.choice(names)
    value = getattr(event, name)
    return msgspec.structs.replace(event, **{name: value + rng.choice((1, -1) if value > 0 else (1,))})


class Miscounting(Match):
    """A game that goes on with what one of its lines, the one after `waits` others, says wrongly."""

    waits = -1
    rng = random.Random(0)  # noqa: S311 - a game, no secret
    wrong_at = 0

    def _write_derived(self) -> None:
        batch: list[Event] = [each.event for each in self.replay.table.derived]
        for event in [*batch[:-1], *map(self._maybe_wrong, batch[-1:])]:
            self.replay.run([msgspec.structs.replace(event, seq=len(self.replay.events) + 1, cause=UNSET)])

    def _maybe_wrong(self, event: Event) -> Event:
        wrong = None if self.wrong_at or self.waits < 0 else miscounted(event, self.rng)
        if wrong is None:
            return event
        self.waits -= 1
        if self.waits >= 0:
            return event
        self.wrong_at = len(self.replay.events) + 1 + (len(self.replay.table.derived) - 1)
        return wrong


@cache
def full_game(slug: str, seed: int) -> tuple[Event, ...]:
    """Return a game of bots with everything that follows written down."""
    return tuple(Miscounting(game(slug), game(slug).cards, Plan(seed=seed, full=True), 1).play().events)


def hard_at(found: Replay) -> list[int]:
    """Return the events at which something is wrong."""
    return [each.seq for each in found.findings if each.kind in HARD]


@every_game
@settings(deadline=None, max_examples=6)
@given(seed=SEEDS, rng=st.randoms(use_true_random=False))
def test_a_slip_of_the_pen_is_one_finding(slug: str, seed: int, rng: random.Random) -> None:
    """Where one consequence is written down wrongly and the table goes on by the rules, nothing else is found."""
    events = list(full_game(slug, seed))
    wrong = {index: event for index, each in enumerate(events) if (event := miscounted(each, rng)) is not None}
    index = rng.choice(sorted(wrong))
    events[index] = wrong[index]
    found = fold(game(slug), events)
    assert hard_at(found) == [index + 1]
    assert found.findings[0].went_on != "written"


def test_a_wrong_round_is_one_finding_where_nobody_can_draw() -> None:
    """The draws from two empty decks that begin a round are in order behind a line with a wrong number of it."""
    plans = (Plan(seed=seed, full=True) for seed in range(4000, 4040))
    played_out = (Match(game("splicers"), game("splicers").cards, plan, 1).play().events for plan in plans)
    lines = ((events, at) for events in played_out for at in range(len(events)) if draws_nothing(events[at : at + 3]))
    events, index = next(lines)
    events[index] = msgspec.structs.replace(events[index], round=99)
    assert hard_at(fold(game("splicers"), events)) == [index + 1]


def draws_nothing(lines: list[Event]) -> bool:
    """Return whether three lines say that a round begins and that both players draw no card."""
    begins, *draws = lines
    is_round = isinstance(begins, Consequence) and hasattr(begins, "round") and len(draws) == 2
    return is_round and all(isinstance(each, CardsDrawn) and each.cards == () for each in draws)


@every_game
@settings(deadline=None, max_examples=5)
@given(seed=SEEDS, waits=st.integers(0, 30), rng=st.randoms(use_true_random=False))
def test_a_slip_of_the_hand_is_one_finding(slug: str, seed: int, waits: int, rng: random.Random) -> None:
    """Where the table goes on with what a wrong consequence says, nothing else is found."""
    match = Miscounting(game(slug), game(slug).cards, Plan(seed=seed, full=True), 1)
    match.waits, match.rng = waits, rng
    found = fold(game(slug), match.play().events)
    assert hard_at(found) == [match.wrong_at] * bool(match.wrong_at)
    assert all(each.went_on != "derived" for each in found.findings)


def observed(tricks: int) -> dict[str, Any]:
    """Return a line in which somebody counts Ann's tricks."""
    return {"type": "state.observed", "player": "A", "tricks": tricks}


def test_later_lines_say_whether_a_total_was_misread(higher: Game) -> None:
    """Later lines show whether a total was misread; the finding says by which value the table went on."""
    first = (played("A", "four"), played("B", "two"))
    (misread,) = replay(higher, *first, observed(2), observed(1)).findings
    assert (misread.went_on, misread.outcome) == ("derived", "written down wrongly: the table went on with 1")
    (had_it_so,) = replay(higher, *first, observed(2), observed(2)).findings
    assert (had_it_so.went_on, had_it_so.outcome) == ("written", "the table went on with what was written")
    (nobody_knows,) = replay(higher, *first, observed(2)).findings
    assert (nobody_knows.went_on, nobody_knows.outcome) == ("", "")


def test_what_an_illegal_line_brings_about_follows_from_it(higher: Game) -> None:
    """A card that was not in the hand, played twice: the second finding names the first one's event."""
    found = replay(higher, played("A", "five"), played("B", "two"), played("A", "five")).findings
    assert [(each.seq, each.follows) for each in found] == [(6, 0), (8, 6)]


def finding(seq: int) -> Finding:
    """Return an illegal play at an event."""
    return Finding(seq=seq, rule="higher.turn.alternate", kind="illegal", message="it is not your turn")


def causes(higher: Game, *, length: int, found: list[int], without_first: list[int]) -> list[tuple[int, int]]:
    """Return the findings of a game of `length` plays with what they follow from; a second fold finds other ones."""
    events = read(higher, [played("A", "four")] * length)
    left = [finding(seq) for seq in without_first]
    retold = Retold(dict(enumerate(events, 1)), lambda *_: left)
    judged = with_causes([finding(seq) for seq in found], retold.own)
    return [(each.seq, each.follows) for each in judged]


def test_a_second_mistake_is_an_accusation_of_its_own(higher: Game) -> None:
    """What stands all the same without the first mistake, after lines that are in order, follows from nothing."""
    assert causes(higher, length=12, found=[2, 3, 9], without_first=[9]) == [(2, 0), (3, 2), (9, 0)]


def test_what_cannot_be_shown_to_be_independent_follows(higher: Game) -> None:
    """A log that is out of step at once without the first mistake does not show what the table did without it."""
    assert causes(higher, length=12, found=[2, 3, 9], without_first=[3, 9]) == [(2, 0), (3, 2), (9, 2)]
    assert causes(higher, length=12, found=[2, 3, 9], without_first=[8]) == [(2, 0), (3, 2), (9, 2)]
