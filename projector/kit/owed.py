"""The line that has to come before any other: what is owed, by which rule, and what a finding says where it lacks."""

from typing import Any

import msgspec

from tabletape.events.vocabulary import Event, tag_of
from tabletape.projector.model.amounts import how_many
from tabletape.projector.model.phrases import name_in_words, name_of
from tabletape.projector.model.rules import Broken
from tabletape.projector.model.sentences import clause
from tabletape.projector.model.table import Table


class OwedLine(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A line that has to come next: its type and player, the rule that says so, and what the player does.

    `words` say that: `count` is the number of cards, `source` the card that it comes from.
    """

    line: type[Event]
    player: str
    rule: str
    words: str = "draws {cards} for {source}"
    count: int = 0
    source: str = ""


def what_is_owed(table: Table[Any, Any], owed: OwedLine, number: int | None = None) -> str:
    """Return what a player does, with as many cards as are owed or `number`: `draws 2 cards for Lamp`."""
    cards = how_many(owed.count if number is None else number, "card")
    return owed.words.format(cards=cards, source=name_in_words(table, owed.source))


def comes_first(table: Table[Any, Any], owed: OwedLine) -> str:
    """Return the words that a line comes first: `Ann first draws 2 cards for Lamp`."""
    return f"{name_of(table, owed.player)} first {what_is_owed(table, owed)}"


def missing(table: Table[Any, Any], owed: OwedLine, event: Event, because: str = "") -> Broken:
    """Return the verdict that a line which is owed is missing; `because` is the derived rule behind it."""
    due = f"{name_of(table, owed.player)} {what_is_owed(table, owed)}"
    message = f"no line says that {due}, and the log goes on: {clause(table, event)}"
    return Broken(message, f"{tag_of(owed.line)} by {name_of(table, owed.player)}", "missing", because)


# -- draws that nobody wrote down: the table has `missed`, `decks` and `hands` -----------------------------------------


def go_on_undrawn(table: Any, due: OwedLine, number: int) -> None:
    """Leave the line of a draw out, which was most likely made: the hand holds so many unseen cards more."""
    table.draw((), number, table.decks[due.player], table.hands[due.player])
    if number:
        table.set(table, "missed", (*table.missed, msgspec.structs.replace(due, count=number)))


def missed_draw(table: Any, player: str) -> Any:
    """Return the draw of a player that the log has gone on without, and may still write; None where there is none."""
    return next((due for due in table.missed if due.player == player), None)


def make_up(table: Any, late: OwedLine) -> None:
    """Take back that a draw was made which has just been written down late."""
    table.set(table, "missed", tuple([due for due in table.missed if due is not late]))
    table.draw((), late.count, table.hands[late.player], table.decks[late.player])
