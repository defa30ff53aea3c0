"""An edit of a log: some of its lines, and what should stand in their place."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal

import msgspec
from msgspec import UNSET

from tabletape.events.vocabulary import Event
from tabletape.events.vocabulary.shared import MomentMarked, NoteAdded, PlayTakenBack, QuestionRaised

Change = Literal["insert", "delete", "swap", "replace"]

RANKS: Final[Mapping[str, int]] = {"repeat": 0, "swap": 1, "replace": 2, "insert": 3, "delete": 4}
"""How readily a slip is believed, the readiest first: a line written twice, two in the wrong order, one with a wrong
word, one forgotten; that a line was written of something that never happened is believed last."""


class Edit(msgspec.Struct, frozen=True):
    """One edit: the `length` lines from index `start` become `events`.

    `repeats`: the lines that it deletes say again what others say.
    """

    change: Change
    start: int
    length: int
    events: tuple[Event, ...]
    repeats: bool = False

    @property
    def rank(self) -> int:
        """How readily such a slip is believed, 0 the readiest."""
        return RANKS["repeat" if self.repeats else self.change]

    @property
    def is_slip(self) -> bool:
        """Whether a log keeper may have slipped so; what was played and stands there once is not to be left out."""
        return self.change != "delete" or self.repeats


def bare(event: Event) -> Event:
    """Return an event without its envelope of number, time, cause and note: what it says happened."""
    return msgspec.structs.replace(event, seq=UNSET, at=UNSET, cause=UNSET, note=UNSET)


def in_envelope_of(event: Event, other: Event) -> Event:
    """Return another event with the number, time, cause and note of an event."""
    return msgspec.structs.replace(other, seq=event.seq, at=event.at, cause=event.cause, note=event.note)


def content_of(edit: Edit) -> tuple[bytes, ...]:
    """Return what the new lines of an edit say."""
    return tuple(msgspec.json.encode(bare(each)) for each in edit.events)


def key_of(edit: Edit, events: Sequence[Event]) -> object:
    """Return the same for two edits that make the same log: a run of equal lines is edited at its first one."""
    start, length = edit.start, edit.length
    single = edit.events if edit.change == "insert" else events[start : start + length]
    if edit.change in {"insert", "delete"} and len(single) == 1:
        while start and bare(events[start - 1]) == bare(single[0]):
            start -= 1
    return start, length, content_of(edit)


def apply(edit: Edit, events: Sequence[Event]) -> list[Event]:
    """Return the log with an edit carried out, its events numbered anew.

    `events` have their numbers; what refers to a number (`cause`, `play.taken-back.to`) goes on to mean the same line.
    """
    end = edit.start + edit.length
    edited = [*events[: edit.start], *edit.events, *events[end:]]
    origins = [*range(edit.start), *_sources(edit, events), *range(end, len(events))]
    number = {events[old].seq: new for new, old in enumerate(origins, 1) if old is not None}
    for old in range(edit.start, end):  # A line that is gone is referred to by the one before it.
        number.setdefault(events[old].seq, edit.start)
    return [_numbered(event, new, number) for new, event in enumerate(edited, 1)]


def _sources(edit: Edit, events: Sequence[Event]) -> list[int | None]:
    """Return for each event of an edit the index of the line that it was, or None for a new one."""
    left = {id(events[index]): index for index in range(edit.start, edit.start + edit.length)}
    replaced = edit.start if edit.change == "replace" else None
    return [left.get(id(event), replaced) for event in edit.events]


OTHER_NUMBERS: Final[Mapping[type[Event], tuple[str, ...]]] = {
    PlayTakenBack: ("to",),
    **dict.fromkeys((NoteAdded, QuestionRaised, MomentMarked), ("on",)),
}
"""Fields besides `cause` that name another line by its number."""


def _numbered(event: Event, seq: int, number: Mapping[Any, int]) -> Event:
    names = ("cause", *OTHER_NUMBERS.get(type(event), ()))
    refers = {name: number[value] for name in names if (value := getattr(event, name)) in number}
    return msgspec.structs.replace(event, seq=seq, **refers)
