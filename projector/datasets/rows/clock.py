"""The clock of a table: when each event happened, as far as what was written down can be believed."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final

from tabletape.events.vocabulary import Event

A_DAY: Final = timedelta(days=1)
HALF_A_DAY: Final = A_DAY / 2


def times_of(events: Iterable[Event]) -> list[datetime | None]:
    """Return when each event of a game happened; None where nobody wrote it down, or where it cannot have been then.

    A clock that falls back by about a day has passed midnight, and nobody turned the date: the game goes on the next
    day. A time that is earlier than one before it for any other reason says nothing.
    """
    times: list[datetime | None] = []
    latest: datetime | None = None
    for event in events:
        at = event.at
        if not isinstance(at, datetime):
            times.append(None)
            continue
        if latest is not None and HALF_A_DAY < latest - at < HALF_A_DAY + A_DAY:
            at += A_DAY
        fits = latest is None or at >= latest
        times.append(at if fits else None)
        latest = at if fits else latest
    return times
