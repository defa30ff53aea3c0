"""Edits that a log cannot tell apart, as one: the same slip at another place near by, or with another card or spot."""

from collections.abc import Iterable, Sequence
from itertools import accumulate
from operator import ne

import msgspec

from tabletape.events.vocabulary import Chance, Event
from tabletape.projector.mending.candidates import is_play
from tabletape.projector.mending.clues import cards_in, differ_in_lists, values_in
from tabletape.projector.mending.edits import Edit, content_of
from tabletape.projector.mending.ranking import Found


class Stretches:
    """The lines of play of a log, counted for each player: how many by others stand before a place."""

    def __init__(self, events: Sequence[Event]) -> None:
        """Take the lines of a log."""
        self._events = events
        self._counted: dict[str, list[int]] = {}

    def of(self, edit: Edit) -> int:
        """Return the number of the stretch between lines of other players in which an edit writes a line."""
        player = _player_of(edit)
        if player not in self._counted:
            others = (is_play(each) and getattr(each, "player", player) != player for each in self._events)
            self._counted[player] = [*accumulate(others, initial=0)]
        return self._counted[player][edit.start]


def together(edits: Sequence[Found], events: Sequence[Event]) -> list[Found]:
    """Return edits of a log, best first, with those as one that the log cannot tell apart; the best stands for all.

    These are lines missing at neighbouring places, or between two lines of other players; and lines of one type, there
    or in place of the same line, that differ only in what they list, or in where something lies, or else in which card
    it is.
    """
    stretches = Stretches(events)
    merged: list[Found] = []
    left = [*edits]
    while left:
        lead = left[0]
        alike = [each for each in left[1:] if each.left == lead.left and each.edit.change == lead.edit.change]
        ways = (lead.edit, *_ways_beside(lead.edit, [each.edit for each in alike], stretches))
        merged.append(msgspec.structs.replace(lead, ways=ways))
        taken = {*map(id, ways)}
        left = [each for each in left if id(each.edit) not in taken]
    return merged


class OnceAStretch:
    """Tells of edits whether they write a decision for the first time between two lines of other players.

    It mostly explains as much anywhere there; those that write it `again` are kept.
    """

    def __init__(self, events: Sequence[Event]) -> None:
        """Take the lines of a log."""
        self.again: list[Edit] = []
        self._stretches = Stretches(events)
        self._written: set[object] = set()

    def is_first(self, edit: Edit) -> bool:
        """Return whether an edit is none that writes its decision there again."""
        if edit.change != "insert" or isinstance(edit.events[0], Chance):
            return True
        written = content_of(edit), self._stretches.of(edit)
        if written in self._written:
            self.again.append(edit)
            return False
        self._written.add(written)
        return True


def apart(ways: Iterable[Edit]) -> list[Edit]:
    """Return of edits one for each thing that they say, wherever they say it, in order."""
    first: dict[tuple[bytes, ...], Edit] = {}
    for each in ways:
        first.setdefault(content_of(each), each)
    return [*first.values()]


def _ways_beside(lead: Edit, others: Sequence[Edit], stretches: Stretches) -> list[Edit]:
    """Return the edits that are one with another."""
    if lead.change not in {"insert", "replace"} or len(lead.events) != 1:
        return []
    if lead.change == "replace":
        here = [each for each in others if each.start == lead.start]
        again: list[Edit] = []
    else:
        same = [each for each in others if content_of(each) == content_of(lead)]
        run = _run_around(lead.start, {each.start for each in same})
        here = [each for each in others if each.start in run or stretches.of(each) == stretches.of(lead)]
        again = [each for each in here if content_of(each) == content_of(lead)]
    other = [
        each for each in here if type(each.events[0]) is type(lead.events[0]) and content_of(each) != content_of(lead)
    ]
    other = [each for each in other if _player_of(each) == _player_of(lead)]
    listed = [each for each in other if differ_in_lists(each.events[0], lead.events[0])]
    elsewhere = [each for each in other if sorted(cards_in(each.events)) == sorted(cards_in(lead.events))]
    return [*again, *(listed or elsewhere or [each for each in other if _is_one_card_other(each, lead)])]


def _run_around(start: int, places: set[int]) -> range:
    """Return those places around one that lie beside each other."""
    first = last = start
    while first - 1 in places:
        first -= 1
    while last + 1 in places:
        last += 1
    return range(first, last + 1)


def _is_one_card_other(edit: Edit, lead: Edit) -> bool:
    values, named = values_in(edit.events), values_in(lead.events)
    return len(values) == len(named) and sum(map(ne, values, named)) == 1


def _player_of(edit: Edit) -> str:
    return str(getattr(edit.events[0], "player", "")) if edit.events else ""
