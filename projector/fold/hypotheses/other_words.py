"""Lines with another word for a place or a player, with which later lines are right.

Those that are nearest, and name what is found wrong, come first; so do the places that are nearest to the written one.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

import msgspec

from tabletape.events.vocabulary import Chance, Consequence, Decision, Event, fields_of
from tabletape.events.vocabulary.names import owner_of
from tabletape.events.vocabulary.shared import DeckDeclared
from tabletape.projector.fold.hypotheses.hypothesis import ReadingChoice
from tabletape.projector.fold.marks import Mark, go_back, mark
from tabletape.projector.model.deciding import as_it_was, cards_in, show_in_hand
from tabletape.projector.model.rules import HARD

if TYPE_CHECKING:
    from tabletape.projector.fold.replay import Replay

LINES: Final = 40
"""Lines before the one that is found wrong in which another word is looked for, the nearest first."""

SET_UP: Final = 16
"""Lines of luck at the beginning of a log among which that of the set-up is looked for which has a wrong word."""

WORDS: Final = 24
"""Other words of one line that are tried."""

FOLDS: Final = 12
"""How many times the length of a log may be folded to try other words."""


def place_of(replay: "Replay", seq: int) -> int:
    """Return the index of the line of a number; 0 where there is none."""
    return next((at for at, each in enumerate(replay.seqs) if each == seq), 0)


def words_alone(choice: ReadingChoice) -> Iterator[tuple[int, Event]]:
    """Yield lines of the set-up, and the play from which the line found wrong has followed, with another word.

    Where that is a deck list, only the lists are in doubt.
    """
    now = choice.now
    here = place_of(now, choice.misread.seq)
    if isinstance(now.events[here], DeckDeclared):
        lists = [at for at in range(here, 0, -1) if isinstance(now.events[at], DeckDeclared)]
        yield from _fitting_at(choice, lists, here, here)
        return
    luck = [at for at in range(1, here) if isinstance(now.events[at], Chance)][:SET_UP]
    played = next((at for at in range(here - 1, 0, -1) if isinstance(now.events[at], Decision)), 0)
    has_followed = played and isinstance(now.events[here], Consequence)
    yield from _fitting_at(choice, sorted({*luck, *([played] if has_followed else [])}, reverse=True), here, here)


def words_of_the_same(choice: ReadingChoice) -> Iterator[tuple[int, Event]]:
    """Yield earlier lines with another word, with which the line found wrong is right.

    Many a play would be right by another one before it: those count that name what it names, or are of its type.
    """
    now = choice.now
    here = place_of(now, choice.misread.seq)
    wrong = now.events[here]
    places = [at for at in range(here - 1, 0, -1) if isinstance(now.events[at], Chance | Decision)][:LINES]
    if not isinstance(wrong, Consequence):
        named = _named_in(wrong)
        places = [at for at in places if named & _named_in(now.events[at]) or type(now.events[at]) is type(wrong)]
    yield from _fitting_at(choice, places, here, here)


def _named_in(event: Event) -> set[Any]:
    """Return the cards and the places on a board that a line names."""
    values = [getattr(event, each.name) for each in fields_of(type(event))]
    return cards_in(event) | {each for each in values if _is_place(each)}


def words_that_fit(choice: ReadingChoice, first: int, second: int) -> Iterator[tuple[int, Event]]:
    """Yield lines with another word, each with its number, with which the lines up to `second` are right.

    Those that name a card of the lines found wrong come first, then the nearest.
    """
    now = choice.now
    here, end = place_of(now, first), place_of(now, second)
    places = [at for at in range(here, 0, -1) if isinstance(now.events[at], Chance | Decision)]
    cards = cards_in(now.events[here]) | cards_in(now.events[end])
    naming = [at for at in places if not cards.isdisjoint(cards_in(now.events[at]))][:LINES]
    yield from _fitting_at(choice, naming, here, end)
    yield from _fitting_at(choice, [at for at in places if at not in naming][:LINES], here, end)


def _fitting_at(choice: ReadingChoice, places: Sequence[int], here: int, end: int) -> Iterator[tuple[int, Event]]:
    """Yield the same for the lines at some places, the last one first; `here` and `end` are found wrong."""
    now = choice.now
    cursor = type(now)(now.game, now.ruleset, now.library, now.misread, settled=True).within(now.events)
    marks: dict[int, Mark] = {}
    for before, at in pairwise([0, *reversed(places)]):
        cursor.run(now.events[before:at])
        marks[at] = mark(cursor)
    left = FOLDS * len(now.events)
    for at in places:
        go_back(cursor, marks[at])
        others = _others(cursor, now.events[at], is_wrong=at == here)
        for line in sorted(others, key=partial(_steps_between, now.events[at]))[:WORDS]:
            if (left := left - (end - at)) < 0:
                return
            choice.refold.spend(end - at)
            go_back(cursor, marks[at])
            number = _hard(cursor)
            stretches = ([line, *now.events[at + 1 : here + 1]], now.events[here + 1 : end + 1])
            if all(_hard(cursor.run(each)) == number for each in stretches):
                yield now.seqs[at], line


def _hard(replay: "Replay") -> int:
    return sum(each.kind in HARD for each in replay.judge.found) + (replay.stopped is not None)


def _others(replay: "Replay", line: Any, *, is_wrong: bool) -> Iterator[Event]:
    """Yield a line with each other player, where it is wrong or one of the set-up, and each other word to play it."""
    table, player = replay.table, getattr(line, "player", "")
    if player and (is_wrong or not table.turn):
        for other in table.players:
            if other != player:
                yield msgspec.structs.replace(line, player=other)
    if isinstance(line, Decision) and player in replay.game.actors(table) and player in table.players:
        with as_it_was(table, lambda table: show_in_hand(table, line, player)):
            legal = [*replay.game.legal(table, player)]
        for each in legal:
            name = _other_word(line, each) if type(each) is type(line) else ""
            if name:
                yield msgspec.structs.replace(line, **{name: getattr(each, name)})


def _other_word(line: Event, other: Event) -> str:
    """Return the field in which alone two lines of a type differ, if it names no card; else an empty string."""
    names = [each.name for each in fields_of(type(line))]
    differing = [name for name in names if getattr(line, name) != getattr(other, name)]
    if len(differing) != 1:
        return ""
    values = [getattr(each, differing[0]) for each in (line, other)]
    return differing[0] if all(values) and not any(isinstance(each, str) and owner_of(each) for each in values) else ""


def _steps_between(line: Event, other: Event) -> int:
    """Return how many steps on a board lie between the places that two lines of a type name."""
    values = ((getattr(line, each.name), getattr(other, each.name)) for each in fields_of(type(line)))
    pairs = (zip(one, two, strict=False) for one, two in values if _is_place(one) and _is_place(two))
    return sum(abs(here - there) for pair in pairs for here, there in pair)


def _is_place(value: Any) -> bool:
    return isinstance(value, tuple) and {*map(type, value)} == {int}
