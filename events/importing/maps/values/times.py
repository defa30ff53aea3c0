"""When something happened, as a foreign file says it; neither the zone nor the order of day and month is guessed."""

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import date, datetime, time, timedelta
from typing import Any, Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from tabletape.events.errors import TabletapeError
from tabletape.events.importing.maps.values.days import plain_day
from tabletape.events.importing.quarantine.bad_lines import UNREAD_TIME, DoubtError

_WORD: Final = r"[^\W\d_]{3,12}\.?"
_DATE: Final = (
    r"(?:\d{1,4}[./-]\d{1,2}[./-]\d{1,4}\.?"
    rf"|\d{{1,2}}[. -]{{1,2}}(?:de )?{_WORD}(?: de)?[ -]\d{{2,4}}|{_WORD} \d{{1,2}},? \d{{4}}|{_WORD})"
)
_CLOCK: Final = (
    r"(?P<hour>\d{1,2})[:.h](?P<minute>\d{2})(?:[:.](?P<second>\d{2})(?:[.,]\d{1,6})?)?"
    r"(?:\s?(?P<half>[AaPp])\.?\s?[Mm]\.?|\s?Uhr|Z|[+-]\d{2}:?\d{2})?"
)
LOOKS: Final = re.compile(
    rf"(?:(?P<day>{_DATE})(?:T|,? (?:at|um|\u00e0|a las|alle|-)? ?|,))?{_CLOCK}|\d+(?:\.\d+)?|\d{{4}}-\d\d-\d\d"
)
"""How a time looks: a clock of 12 or 24 hours, maybe behind a day in figures or words; a number; a day alone."""


FIGURES: Final = re.compile(r"\d{1,2}[/-]\d{1,2}[/-](?:\d{4}|\d\d)")
"""How a day looks of which nothing says in which order its figures stand."""


_FORM: Final = re.compile(
    r"(?P<moment>\d{4}/\d\d?/\d\d? \d\d?:\d\d:\d\d [AP]M) GMT(?:(?P<sign>[+-])(?P<hours>\d\d?)(?::(?P<minutes>\d\d))?)?"
)
"""How Google Forms writes when an answer came: `2026/11/20 10:42:11 PM GMT+1`."""


_OF_CLOCK: Final = re.compile(
    r"T?(?<![\d:])\d{1,2}(?:[:h]\d\d(?::\d\d(?:[.,]\d+)?)?|\.\d\d(?=\s?Uhr))"
    r"(?:\s?[AaPp]\.?\s?[Mm]\b\.?|\s?Uhr|Z|\s?(?:GMT|UTC)(?:[+-]\d{1,2})?(?::\d\d)?|[+-]\d\d:?\d\d)?"
)
"""What a time says of its clock, wherever it stands."""


class ZoneError(TabletapeError):
    """A time zone that does not exist; the message says so."""


def zone_called(name: str) -> ZoneInfo | None:
    """Return a time zone by its name, `Europe/Berlin`; None for an empty one. Raises `ZoneError` for others."""
    if not name:
        return None
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise ZoneError(f"there is no time zone {name!r}; write it as Europe/Berlin or UTC") from None


def _hours(hour: int, half: str | None) -> int:
    """Return the hour of a day of 24 hours; `half` is the letter of am or pm. Raises `ValueError` for no such hour."""
    if not half:
        return hour
    if not 1 <= hour <= 12:
        raise ValueError(hour)
    return hour % 12 + 12 * (half in "pP")


def day_said(text: str) -> str:
    """Return what a time says of its day, as it is written: `20 Nov` of `20 Nov 19:30`."""
    return " ".join(_OF_CLOCK.sub(" ", text).replace(",", " ").split())


class Clock:
    """Reads the times of one file: those with a zone of their own, the others in `zone`; without one they say nothing.

    `formats` are those of `strptime` for times, or for their days alone, that are not ISO 8601; `day` is the date of
    times without one. `unread_day` is a day of which nothing says in which order its figures stand, `unread`
    are texts that are no time that can be read.
    """

    def __init__(self, zone: ZoneInfo | None, formats: Sequence[str] = (), day: str = "") -> None:
        self._zone = zone
        self._formats = formats
        self._day = date.fromisoformat(day) if day else None
        self.without_zone = False
        self.without_day = False
        self.unread_day = ""
        self.unread: list[str] = []

    def read(self, given: Any, begins: datetime | None = None) -> datetime | None:
        """Return the time that is meant, None where it says too little; a number is seconds after `begins`."""
        if isinstance(given, datetime):
            return self._zoned(given)
        if isinstance(given, date):
            return self._zoned(datetime.combine(given, time()))
        if isinstance(given, int | float) and not isinstance(given, bool):
            return begins + timedelta(seconds=given) if begins is not None and 0 <= given < 1e7 else None
        return self._text(given.strip()) if isinstance(given, str) and given else None

    def _text(self, text: str) -> datetime | None:
        if (form := _FORM.fullmatch(text)) is not None:
            ahead = f"{form['sign'] or '+'}{int(form['hours'] or 0):02}{form['minutes'] or '00'}"
            with suppress(ValueError):
                return datetime.strptime(f"{form['moment']} {ahead}", "%Y/%m/%d %I:%M:%S %p %z")
        for shape in self._formats:
            try:
                return self._zoned(datetime.strptime(text, shape))  # noqa: DTZ007 - the zone is put to it at once
            except ValueError:
                continue
        try:
            return self._zoned(datetime.fromisoformat(text))
        except ValueError:
            pass
        if (day := self._read_day(text)) is not None:
            return self._zoned(datetime.combine(day, time()))
        looks = LOOKS.fullmatch(text)
        if looks is not None and looks["hour"]:
            return self._of_day(looks)
        if FIGURES.fullmatch(text):
            self.unread_day = text
        elif looks is None:
            self.unread.append(text)
        return None

    def _of_day(self, found: re.Match[str]) -> datetime | None:
        """Return a time of which the day and the clock are read each by itself."""
        try:
            clock = time(_hours(int(found["hour"]), found["half"]), int(found["minute"]), int(found["second"] or 0))
        except ValueError:
            return None
        day = self._day if found["day"] is None else self._read_day(found["day"])
        if day is not None:
            return self._zoned(datetime.combine(day, clock))
        if found["day"] is None or not any(map(str.isdigit, found["day"])):
            self.without_day = True
        else:
            self.unread_day = found["day"]
        return None

    def can_read(self, text: str) -> bool:
        """Return whether a text is a date or a time that this clock reads."""
        return self.read(text) is not None

    def _read_day(self, text: str) -> date | None:
        for shape in self._formats:
            try:
                return datetime.strptime(text, shape).date()  # noqa: DTZ007 - a day has no zone
            except ValueError:
                continue
        return plain_day(text)

    def _zoned(self, moment: datetime) -> datetime | None:
        if moment.tzinfo is not None:
            return moment
        if self._zone is None:
            self.without_zone = True
            return None
        return moment.replace(tzinfo=self._zone)


_KNOWING: Final = Clock(zone_called("UTC"), day="2000-01-01")
"""Reads every date and time, also those that say no zone or no day."""


def time_meant(value: Any, clock: Clock) -> dict[str, Any]:
    """Return the field `at` with its zone; none where the text is no time that can be read, which costs no event."""
    if not isinstance(value, str | int | float):
        return {"at": value}
    found = clock.read(value)
    return {} if found is None else {"at": found.isoformat()}


def time_doubt(fields: Mapping[str, Any]) -> DoubtError | None:
    """Return the question about a line's time that is none, None where there is no such time."""
    text = fields.get("at")
    if not isinstance(text, str | int | float) or (isinstance(text, str) and _KNOWING.can_read(text)):
        return None
    message = f"`at`: `{text}` is no time that can be read; the line was taken without it"
    return DoubtError(UNREAD_TIME, ("at",), message, "write it as 2026-05-01 or 2026-05-01 19:30")
