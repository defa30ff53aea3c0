"""A play that nobody has written down: with it several lines that seem wrong, each by itself, are right.

It is looked for before the first of them, the nearest place first. That it was played is not said, only that what it
explains is one mistake.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Final

import msgspec

from tabletape.events.vocabulary import Consequence, Decision, Event
from tabletape.projector.fold.marks import Mark, go_back, mark
from tabletape.projector.model.deciding import as_it_was, cards_in, show_in_hand
from tabletape.projector.model.rules import HARD, Finding

if TYPE_CHECKING:
    from tabletape.projector.fold.replay import Replay

Standing = Callable[[Sequence[Finding], Sequence[Finding]], list[Finding]]

PLACES: Final = 40
"""Places before a line found wrong at which a play may be lacking."""

LINES: Final = 20_000
"""Lines that are folded to look for such plays in one game, at most."""

NAMING_NOTHING: Final = 24
"""Plays at a place that name none of the cards of the lines found wrong, and are tried all the same."""


class LeftOut:
    """Looks for the plays that a log has left out."""

    def __init__(self, replay: "Replay", fold: "Callable[[list[Event]], list[Finding]]") -> None:
        """Look in a game; `fold` gives what is found in other events, but folds nothing before it is asked for."""
        self._replay, self._fold, self._left = replay, fold, LINES

    def own(self, standing: Standing, causes: Sequence[Finding], others: Sequence[Finding]) -> list[Finding]:
        """Return what is `standing` of others behind the mistakes of a line, but for what a play left out explains.

        It stands before that line and makes it right, and the next one; it makes no line wrong that is right without.
        """
        others = standing(causes, others)
        if not others:
            return []
        replay, first, second = self._replay, causes[0].seq, others[0].seq
        wrong = _keys(replay.raw_findings)
        for at, play in self._plays(replay.seqs.index(first), replay.seqs.index(second)):
            self._left -= len(replay.events)
            events = [*replay.events[:at], msgspec.structs.replace(play, seq=replay.seqs[at]), *replay.events[at:]]
            found = _keys(self._fold(events))
            if found <= wrong and not any(seq in {first, second} for seq, _ in found):
                return [each for each in others if (each.seq, each.rule) in found]
        return [*others]

    def _plays(self, here: int, end: int) -> Iterator[tuple[int, Event]]:
        """Yield plays, each with the index that it stands before, with which the lines up to `end` are right."""
        replay = self._replay
        events, wrong = replay.events, [replay.events[here], replay.events[end]]
        places = [here, *(at for at in range(here - 1, 1, -1) if not isinstance(events[at], Consequence))][:PLACES]
        cursor = type(replay)(replay.game, replay.ruleset, replay.library, replay.misread, settled=True).within(events)
        marks: dict[int, Mark] = {}
        for before, at in pairwise([0, *reversed(places)]):
            cursor.run(events[before:at])
            marks[at] = mark(cursor)
        for at in places:
            go_back(cursor, marks[at])
            for play in _offered(cursor, wrong):
                go_back(cursor, marks[at])
                number = _hard(cursor)
                stretches = ([play, *events[at : here + 1]], events[here + 1 : end + 1])
                for stretch in stretches:
                    self._left -= len(stretch)
                    if self._left < 0:
                        return
                    if _hard(cursor.run(stretch)) > number:
                        break
                else:
                    yield at, play


def _offered(replay: "Replay", wrong: Sequence[Event]) -> list[Event]:
    """Return what players may play now, first what names a card of the lines that are found wrong."""
    named = {name for each in wrong for name in cards_in(each)}
    offered = [each for player in replay.game.actors(replay.table) for each in _offered_to(replay, player, wrong)]
    naming = [each for each in offered if not named.isdisjoint(cards_in(each))]
    return [*naming, *[each for each in offered if each not in naming][:NAMING_NOTHING]]


def _offered_to(replay: "Replay", player: str, wrong: Sequence[Event]) -> Iterator[Event]:
    """Yield what a player may play now, also with the cards that lines name and nobody has seen in the hand."""
    table = replay.table
    with as_it_was(table):
        for each in wrong:
            show_in_hand(table, each, player)
        legal = [*replay.game.legal(table, player)]
    yield from (each for each in legal if isinstance(each, Decision))


def _hard(replay: "Replay") -> int:
    return sum(each.kind in HARD for each in replay.judge.found) + (replay.stopped is not None)


def _keys(findings: Sequence[Finding]) -> set[tuple[int, str]]:
    return {(each.seq, each.rule) for each in findings if each.kind in HARD}
