"""Which of several edits that explain a finding is believed first."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from itertools import pairwise
from math import log

import msgspec
from msgspec import UNSET

from tabletape.events.vocabulary import Chance, Consequence, Event
from tabletape.events.vocabulary.names import card_of
from tabletape.projector.mending.clues import cards_in
from tabletape.projector.mending.edits import RANKS, Edit, bare, content_of


class Found(msgspec.Struct, frozen=True):
    """An edit that explains a finding: the findings that it leaves to the end of the log, and when it was tried.

    `ways` are the edits that the log cannot tell from it, it first (see `together` in `ways`).
    """

    edit: Edit
    left: int
    order: int
    ways: tuple[Edit, ...] = ()


def slips_of(edits: Iterable[Found]) -> list[Edit]:
    """Return the edits that leave nothing and are slips of a log keeper."""
    return [each.edit for each in edits if not each.left and each.edit.is_slip]


def ranked(edits: Sequence[Found], events: Sequence[Event], index: int) -> list[Found]:
    """Return edits of a log that explain the finding at an index, the likeliest first.

    Fewer findings left come first, then the readier belief (`RANKS`). A wrong line is soon legal when it is written
    anew: where that can be done in several ways, or only with another card, a forgotten line that makes it legal as it
    stands is believed before.
    Then comes what reads most like the rest of the log, or like the line as it was, and what is nearest. A line of luck
    is written as soon as it is due, so its first place comes before all others.
    """
    habits, due = Habits(events), _first_places(edits, events, index)
    ways = Counter(each.left for each in edits if each.edit.change == "replace")

    def rank(each: Found) -> tuple[float, ...]:
        edit = each.edit
        is_guess = edit.change == "replace" and (ways[each.left] > 1 or _names_another_card(edit, events))
        belief = RANKS["insert"] + 0.5 if is_guess else edit.rank
        is_late = edit.change == "insert" and due.get(content_of(edit), edit.start) != edit.start
        habit = round(habits.of(edit), 3)
        return each.left, belief, is_late, -habit, -_likeness(edit, events), abs(edit.start - index), each.order

    return sorted(_without_twins(edits), key=rank)


def _first_places(edits: Sequence[Found], events: Sequence[Event], index: int) -> dict[tuple[bytes, ...], int]:
    """Return for each line of luck that may be missing the first place where it does; what follows comes before it."""
    first: dict[tuple[bytes, ...], int] = {}
    for edit in (each.edit for each in edits):
        if edit.change == "insert" and isinstance(edit.events[0], Chance) and _may_stand_at(edit.start, events, index):
            first[content_of(edit)] = min(edit.start, first.get(content_of(edit), edit.start))
    return first


def _may_stand_at(place: int, events: Sequence[Event], index: int) -> bool:
    return place >= index or not isinstance(events[place], Consequence)


def _names_another_card(edit: Edit, events: Sequence[Event]) -> bool:
    """Return whether a line written anew names a card of which the line as it was names no copy."""
    new, old = ({*map(card_of, cards_in(lines))} for lines in (edit.events, (events[edit.start],)))
    return not new <= old


def _likeness(edit: Edit, events: Sequence[Event]) -> float:
    """Return how like a line written anew is to the line as it was, from 0 to 1."""
    if edit.change != "replace":
        return 0.0
    was = msgspec.json.encode(bare(events[edit.start]))
    return SequenceMatcher(None, was, b"\n".join(content_of(edit)), autojunk=False).ratio()


def _without_twins(edits: Sequence[Found]) -> list[Found]:
    """Leave out draws of a number of cards where the same line with their names explains as much."""
    pairs = [
        (each, (each.left, each.edit.start, content_of(each.edit), content_of(_counted(each.edit)))) for each in edits
    ]
    counts = {(left, start, count) for _, (left, start, line, count) in pairs if line != count}
    return [each for each, (left, start, line, _) in pairs if (left, start, line) not in counts]


def _counted(edit: Edit) -> Edit:
    """Return an edit with a number of cards in place of their names, where its line can say that."""
    events = [
        msgspec.structs.replace(each, cards=UNSET, count=len(cards)) if cards and hasattr(each, "count") else each
        for each in edit.events
        for cards in (getattr(each, "cards", UNSET),)
    ]
    return msgspec.structs.replace(edit, events=tuple(events))


# -- how a log is usually written --------------------------------------------------------------------------------------

Step = tuple[type[Event], type[Event], bool]
"""The types of a line and of the next one, and whether one player is named in both."""

NEVER_SEEN = 0.5
"""How often a step counts that a log never takes."""


class Habits:
    """The steps from line to line of one log, counted."""

    def __init__(self, events: Sequence[Event]) -> None:
        self._events = events
        self._steps = Counter(_steps(events))
        self._lines = Counter(map(type, events))

    def of(self, edit: Edit) -> float:
        """Return how much more usual the log's steps are with an edit than without: a difference of logarithms."""
        end = edit.start + edit.length
        before, after = self._events[max(0, edit.start - 1) : edit.start], self._events[end : end + 1]
        edited = [*before, *edit.events, *after]
        return self._usual(edited) - self._usual([*before, *self._events[edit.start : end], *after])

    def _usual(self, events: Sequence[Event]) -> float:
        return sum(log((self._steps[step] + NEVER_SEEN) / (self._lines[step[0]] + 1)) for step in _steps(events))


def _steps(events: Sequence[Event]) -> Iterator[Step]:
    for one, other in pairwise(events):
        yield type(one), type(other), getattr(one, "player", "") == getattr(other, "player", "")
