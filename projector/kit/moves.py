"""Moves: what a line needs, what it does and what of it is offered stand together, in the chapter of the rulebook.

A chapter is a module of a game that declares rules and moves: each above the function that does it (`@move`), or all in
`MOVES`. The rows that the audit looks at, what the fold does with a line and what a player may choose from are all read
from the chapters.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from types import ModuleType
from typing import Any

import msgspec

from tabletape.events.vocabulary import Event, tag_of
from tabletape.projector.model.rules import Case, Rows, Rule, Test, all_passed, kept_if, usually


class Move(msgspec.Struct, frozen=True, kw_only=True):
    """A decision or a line of chance in a rulebook.

    `needs` are the tests of a line, in order. `does(table, event)` does at the table what the line says, as far as it
    is physically possible. `offers(table, player)` yields what of it a player may choose from.
    Most lines break no rule: `is_usual(table, event)`, where there is one, says so at a glance, and a usual line keeps
    the rules `keeps`.
    """

    line: type[Event]
    needs: tuple[Test, ...] = ()
    is_usual: Callable[[Any, Any], bool] | None = None
    keeps: tuple[Rule | Case, ...] = ()
    does: Callable[[Any, Any], object] | None = None
    offers: Callable[[Any, str], Iterable[Event]] | None = None


def move(line: type[Event], *needs: Test, **said: Any) -> Callable[[Callable[[Any, Any], object]], Move]:
    """Declare the move that a function does, with its tests in order; `said` are the other fields of `Move`."""
    return lambda does: Move(line=line, needs=needs, does=does, **said)


def moves_of(*chapters: ModuleType) -> tuple[Move, ...]:
    """Return the moves that the chapters of a game declare, in their order.

    Raises `ValueError` where two of them are about one line: only the later one would hold.
    """
    declared = [each for chapter in chapters for each in (*vars(chapter).values(), *getattr(chapter, "MOVES", ()))]
    moves = tuple({id(each): each for each in declared if isinstance(each, Move)}.values())
    lines = [each.line for each in moves]
    twice = sorted({tag_of(line) for line in lines if lines.count(line) > 1})
    if twice:
        raise ValueError(f"moves declared twice: {', '.join(twice)}")
    return moves


def rows_of(moves: Iterable[Move]) -> Rows:
    """Return the tests of every line that has some."""
    return {move.line: _tests_of(move) for move in moves if move.needs}


def _tests_of(move: Move) -> tuple[Test, ...]:
    if move.is_usual is None:
        return move.needs
    closely: Any = move.needs  # whoever says at a glance that all is kept has no test of which the first broken counts
    return (usually(kept_if(move.is_usual, all_passed(*move.keeps)), *closely),)


def play_of(moves: Iterable[Move]) -> Mapping[type[Event], Callable[[Any, Any], object]]:
    """Return what each line does at the table."""
    return {move.line: move.does for move in moves if move.does is not None}


def offered(moves: Iterable[Move], table: Any, player: str) -> Iterator[Event]:
    """Yield what a player may choose from, move by move."""
    for move in moves:
        if move.offers is not None:
            yield from move.offers(table, player)
