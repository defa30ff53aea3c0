"""How complete a log is: every action, actions with gaps between them, only how the game went, or that it began."""

from collections.abc import Iterable
from typing import Final, Literal

from tabletape.events.vocabulary import Event, Remark
from tabletape.events.vocabulary.shared import (
    DeckDeclared,
    FirstPlayerChosen,
    GameStarted,
    LogGap,
    NoteAdded,
    ResultRecorded,
)

Detail = Literal["actions", "partial", "results", "begun"]

BEGINNING: Final = (GameStarted, DeckDeclared, FirstPlayerChosen)
"""What is written down before anybody plays."""

BEFORE_PLAY: Final = (*BEGINNING, Remark)
"""What a results sheet may say besides the result: who played what, who began, remarks."""


def detail_of(events: Iterable[Event]) -> Detail:
    """Return how complete a log is: `results` where a result stands in it and no play, `partial` where it has gaps.

    Where nothing followed its beginning, it was `begun` and no more.
    """
    kinds = {*map(type, events)}
    if all(issubclass(kind, BEGINNING) for kind in kinds):
        return "begun"
    if any(issubclass(kind, ResultRecorded) for kind in kinds) and all(issubclass(kind, BEFORE_PLAY) for kind in kinds):
        return "results"
    return "partial" if any(issubclass(kind, LogGap) for kind in kinds) else "actions"


AGAINST: Final = "against the rules"
"""What a note says in its field of that name by which the table itself calls a line a mistake: no rule is stated."""


def noted_mistakes(events: Iterable[Event]) -> list[str]:
    """Return what the table itself wrote down to be against the rules, in its words."""
    return [each.text for each in events if isinstance(each, NoteAdded) and each.note == AGAINST]


def unread_lines(events: Iterable[Event]) -> int:
    """Return how many lines of the log could not be read, so that nobody knows what they say."""
    return sum(event.lines for event in events if isinstance(event, LogGap))
