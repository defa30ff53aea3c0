"""What is due in the set-up of Crystal Factions."""

from collections.abc import Callable
from typing import Any

from projector.fold.folding import fold

Begin = Callable[..., Any]
IN_ORDER = {"setup_order": "as_listed", "first_priority": "winner_stays"}


def due_after(log: Any, kind: str, number: int) -> set[str]:
    """Return the types of the lines that are due once so many lines of a type are written."""
    places = [index for index, line in enumerate(log.lines) if line["type"] == kind]
    table = fold(log.game, log.events[: places[number - 1] + 1], library=log.library).table
    return {due.line.__name__ for due in log.game.due(table)}


def test_a_table_that_goes_by_the_list_is_asked_for_each_step_in_its_turn(begin: Begin) -> None:
    """No flip is due before all decks are cut, and no starting hand before the last flip of three players."""
    log = begin(rulings=IN_ORDER, A=[], B=[], C=[])
    flip = next(index for index, line in enumerate(log.lines) if line["type"] == "first-player.chosen")
    log.lines.insert(flip, dict(log.lines[flip]))
    assert due_after(log, "deck.cut", 2) == {"DeckShuffled"}
    assert due_after(log, "deck.cut", 3) == {"FirstPlayerChosen"}
    assert due_after(log, "first-player.chosen", 1) == {"FirstPlayerChosen"}
    assert due_after(log, "first-player.chosen", 2) == {"StartingHandDrawn"}


def test_a_table_that_takes_its_steps_in_any_order_is_asked_for_all_of_them(begin: Begin) -> None:
    """By the usual ruling whoever has cut may draw while others have not."""
    log = begin(A=[], B=[])
    assert due_after(log, "deck.cut", 1) == {"DeckShuffled", "FirstPlayerChosen", "StartingHandDrawn"}
