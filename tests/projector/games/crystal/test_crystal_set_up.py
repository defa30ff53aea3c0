"""Which lines are due in the set-up of Crystal Factions."""

from collections.abc import Callable
from typing import Any

from tabletape.projector.fold.folding import fold

Begin = Callable[..., Any]
IN_ORDER = {"setup_order": "as_listed", "first_priority": "winner_stays"}


def due_after(log: Any, kind: str, number: int) -> set[str]:
    """Return the types of the lines that are due right after the line of a type with this number, from 1."""
    places = [index for index, line in enumerate(log.lines) if line["type"] == kind]
    table = fold(log.game, log.events[: places[number - 1] + 1], library=log.library).table
    return {due.line.__name__ for due in log.game.due(table)}


def test_a_set_up_in_listed_order_has_one_step_due_at_a_time(begin: Begin) -> None:
    """With `setup_order = as_listed` no flip is due before the last cut, and no starting hand before the last flip."""
    log = begin(rulings=IN_ORDER, A=[], B=[], C=[])
    flip = next(index for index, line in enumerate(log.lines) if line["type"] == "first-player.chosen")
    log.lines.insert(flip, dict(log.lines[flip]))
    assert due_after(log, "deck.cut", 2) == {"DeckShuffled"}
    assert due_after(log, "deck.cut", 3) == {"FirstPlayerChosen"}
    assert due_after(log, "first-player.chosen", 1) == {"FirstPlayerChosen"}
    assert due_after(log, "first-player.chosen", 2) == {"StartingHandDrawn"}


def test_a_set_up_in_any_order_has_several_steps_due(begin: Begin) -> None:
    """By default a starting hand may be drawn while other decks are not cut yet."""
    log = begin(A=[], B=[])
    assert due_after(log, "deck.cut", 1) == {"DeckShuffled", "FirstPlayerChosen", "StartingHandDrawn"}
