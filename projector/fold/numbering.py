"""The numbers of events: those that a log writes down, or their order."""

from collections.abc import Sequence
from typing import Any

from msgspec import UNSET, UnsetType

from tabletape.events.vocabulary import Event


def numbered(events: Sequence[Event], last: int) -> list[int]:
    """Return the numbers of events that come after number `last`; those without a number of their own count on."""
    seqs: list[Any] = [event.seq for event in events]
    kinds = {*map(type, seqs)}
    if kinds == {int}:
        return seqs
    if kinds == {UnsetType}:
        return [*range(last + 1, last + 1 + len(seqs))]
    for index, seq in enumerate(seqs):
        last = seqs[index] = last + 1 if seq is UNSET else seq
    return seqs
