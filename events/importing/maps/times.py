"""When something happened, as a foreign file says it; neither the zone nor the order of day and month is guessed."""

from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError


class ZoneError(Exception):
    """A time zone that does not exist; the message says so."""


def zone_called(name: str) -> ZoneInfo | None:
    """Return a time zone by its name, `Europe/Berlin`; None for an empty one. Raises `ZoneError` for others."""
    if not name:
        return None
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise ZoneError(f"there is no time zone {name!r}; write it as Europe/Berlin or UTC") from None


class Clock:
    """Reads the times of one file: those with a zone of their own, the others in `zone`; without one they say nothing.

    `formats` are those of `strptime` for dates that are not ISO 8601; `day` is the date of times without one.
    """

    def __init__(self, zone: ZoneInfo | None, formats: Sequence[str] = (), day: str = "") -> None:
        self._zone = zone
        self._formats = formats
        self._day = date.fromisoformat(day) if day else None
        self.without_zone = False
        self.without_day = False

    def read(self, given: Any, begins: datetime | None = None) -> datetime | None:
        """Return the time that is meant, None where it says too little; a number is seconds after `begins`."""
        if isinstance(given, datetime):
            return self._zoned(given)
        if isinstance(given, date):
            return self._zoned(datetime.combine(given, time()))
        if isinstance(given, int | float) and not isinstance(given, bool):
            return begins + timedelta(seconds=given) if begins is not None and 0 <= given < 1e7 else None
        return self._text(str(given).strip()) if given else None

    def _text(self, text: str) -> datetime | None:
        for shape in self._formats:
            try:
                return self._zoned(datetime.strptime(text, shape))  # noqa: DTZ007 - the zone is put to it at once
            except ValueError:
                continue
        try:
            return self._zoned(datetime.fromisoformat(text))
        except ValueError:
            pass
        try:
            clock = time.fromisoformat(text)
        except ValueError:
            return None
        if self._day is None:
            self.without_day = True
            return None
        return self._zoned(datetime.combine(self._day, clock))

    def _zoned(self, moment: datetime) -> datetime | None:
        if moment.tzinfo is not None:
            return moment
        if self._zone is None:
            self.without_zone = True
            return None
        return moment.replace(tzinfo=self._zone)
