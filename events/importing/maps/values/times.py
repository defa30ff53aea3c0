"""When something happened, as a foreign file says it; neither the zone nor the order of day and month is guessed.

A day alone needs no zone: it is the day by the clock of its table, wherever that was.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, date, datetime, time, timedelta, timezone
from typing import Any, Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from tabletape.events.errors import TabletapeError
from tabletape.events.importing.maps.values.days import WEEKDAYS, other_weekday, plain_day
from tabletape.events.importing.quarantine.bad_lines import UNREAD_TIME, DoubtError

_TODAY: Final = ("today", "heute", "aujourd'hui", "hoy", "oggi", "hoje", "vandaag")
_YESTERDAY: Final = ("yesterday", "gestern", "hier", "ayer", "ieri", "ontem", "gisteren")

_WORD: Final = r"[^\W\d_]{3,12}\.?"
_NAMED_DAY: Final = rf"(?i:{'|'.join((*_TODAY, *_YESTERDAY, *sorted(WEEKDAYS)))})\.?"
_DATE: Final = (
    rf"(?:(?:{_NAMED_DAY},? )?(?:\d{{1,4}}[./-]\d{{1,2}}[./-]\d{{1,4}}\.?|\d{{1,2}}[./]\d{{1,2}}\.?"
    rf"|\d{{1,2}}[. -]{{1,2}}(?:de )?{_WORD}(?:(?: de)?[ -]\d{{2,4}})?|{_WORD} \d{{1,2}}(?:,? \d{{4}})?)|{_NAMED_DAY})"
)
_CLOCK: Final = (
    r"(?P<hour>\d{1,2})[:.h](?P<minute>\d{2})(?:[:.](?P<second>\d{2})(?:[.,]\d{1,6})?)?"
    r"(?:\s?(?P<half>[AaPp])\.?\s?[Mm]\.?|\s?Uhr|(?P<zone>Z|[+-]\d{2}:?\d{2}))?"
)
_AT: Final = "at|um|\u00e0s?|a las|alle(?: ore)?|om|klo?\\.?"
LOOKS: Final = re.compile(rf"(?:(?P<day>{_DATE})(?:T|,? (?:{_AT}|-)? ?|,))?{_CLOCK}|\d+(?:\.\d+)?|\d{{4}}-\d\d-\d\d")
"""How a time looks: a clock of 12 or 24 hours, maybe behind a day in figures or words; a number; a day alone."""


FIGURES: Final = re.compile(r"\d{1,2}[/-]\d{1,2}[/-](?:\d{4}|\d\d)")
"""How a day looks of which nothing says in which order its figures stand."""


_FORM: Final = re.compile(
    r"(?P<moment>\d{4}/\d\d?/\d\d? \d\d?:\d\d:\d\d [AP]M) GMT(?:(?P<sign>[+-])(?P<hours>\d\d?)(?::(?P<minutes>\d\d))?)?"
)
"""How Google Forms writes when an answer came: `2026/11/20 10:42:11 PM GMT+1`."""


_CLOCK_PART: Final = re.compile(
    r"T?(?<![\d:])\d{1,2}(?:[:h]\d\d(?::\d\d(?:[.,]\d+)?)?|\.\d\d(?=\s?Uhr))"
    r"(?:\s?[AaPp]\.?\s?[Mm]\b\.?|\s?Uhr|Z|\s?(?:GMT|UTC)(?:[+-]\d{1,2})?(?::\d\d)?|[+-]\d\d:?\d\d)?"
)
"""What a time says of its clock, wherever it stands."""


_OF_CLOCK: Final = re.compile(r"%-?[HIpMSfXcTRsr]")
"""What of a format is a time of the day."""


_COUNTED: Final = re.compile(r"\d{10}(?:\.\d+)?|\d{13}")
"""Seconds since 1970, or thousandths of them, as programs write them."""


LEAP_YEAR: Final = 2000
"""A year that has every day, to find out whether a text is one."""


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
    return " ".join(_CLOCK_PART.sub(" ", text).replace(",", " ").split())


NO_ZONE_REMARK: Final = "the times say no time zone, so they are left out: `--zone Europe/Berlin`, or `zone` in the map"
"""What is said of times without a zone."""

NO_DAY: Final = 'the times have no day or no year, so they are left out: write `date = "2026-05-01"` in the map'

MOST_SHOWN: Final = 40
"""How many characters are shown of a time that cannot be read."""


class Clock:
    """Reads the times of one file: those with a zone of their own, the others in `zone`.

    Without one a day is read as its midnight in UTC, which says that day and no more; a time of the day says nothing,
    or its day where `days` are all that is asked for. `formats` are those of `strptime` for times, or for their days
    alone, that are not ISO 8601; `day` is the date of times without one, `of_given_day` whether one was read by it.
    `unread_day` is a day of which nothing says in which order its figures stand, `unread` are texts that are no time
    that can be read, `misdated` days with the day of the week that they are and do not say.
    """

    def __init__(
        self, zone: ZoneInfo | None, formats: Sequence[str] = (), day: str = "", *, days: bool = False
    ) -> None:
        self._zone = zone
        self._days = days
        self._formats = formats
        self._day = date.fromisoformat(day) if day else None
        self.without_zone = False
        self.without_day = self.of_given_day = False
        self.unread_day = ""
        self.unread: list[str] = []
        self.misdated: dict[str, str] = {}

    def read(self, given: Any, begins: datetime | None = None) -> datetime | None:
        """Return the time that is meant, None where it says too little; a number is seconds after `begins`."""
        if isinstance(given, datetime):
            return self._zoned(given)
        if isinstance(given, date):
            return self._begun(given)
        if isinstance(given, str) and _COUNTED.fullmatch(given.strip()):
            return _since_1970(float(given))
        if isinstance(given, int | float) and not isinstance(given, bool):
            if (moment := _since_1970(given)) is not None:
                return moment
            return begins + timedelta(seconds=given) if begins is not None and 0 <= given < 1e7 else None
        return self._text(given.strip()) if isinstance(given, str) and given else None

    def left_out(self) -> Iterator[str]:
        """Yield which times of a map's file were left out, and what brings them in."""
        if self.without_zone:
            yield NO_ZONE_REMARK
        if self.unread_day:
            how = 'write `dates = "%d/%m/%Y"` (day first), or `"%m/%d/%Y"`, in the map'
            yield f"which figure of {self.unread_day} is the day nothing says, so its times are left out: {how}"
        if unread := list(dict.fromkeys(self.unread)):
            times = "1 time is" if len(self.unread) == 1 else f"{len(self.unread)} times are"
            shown = ", ".join(f"`{text[:MOST_SHOWN]}`" for text in unread[:3])
            yield f"{times} none that can be read, and left out: {shown}"
        if misdated := [f"`{text[:MOST_SHOWN]}` is a {weekday}" for text, weekday in self.misdated.items()]:
            yield f"days that are another day of the week than they say are left out: {', '.join(misdated[:3])}"
        if self.without_day:
            yield NO_DAY

    def _text(self, text: str) -> datetime | None:
        if (moment := _whole(text, self._formats)) is not None:
            return self._zoned(moment)
        if (day := self._read_day(text)) is not None:
            return self._begun(day)
        if self._days and (day := _in_year(text, self._day.year if self._day else LEAP_YEAR)) is not None:
            self.without_day |= self._day is None
            return self._begun(day) if self._day else None
        looks = LOOKS.fullmatch(text)
        if looks is not None and looks["hour"]:
            return self._of_day(looks)
        if FIGURES.fullmatch(text):
            self.unread_day = text
        elif looks is None and text not in self.misdated:
            self.unread.append(text)
        return None

    def _of_day(self, match: re.Match[str]) -> datetime | None:
        """Return a time of which the day and the clock are read each by itself."""
        try:
            clock = time(_hours(int(match["hour"]), match["half"]), int(match["minute"]), int(match["second"] or 0))
            clock = clock.replace(tzinfo=_offset(match["zone"])) if match["zone"] else clock
        except ValueError:
            return None
        day = self._day if match["day"] is None else self._day_said(match["day"])
        if day is not None:
            self.of_given_day |= match["day"] is None
            return self._zoned(datetime.combine(day, clock))
        if match["day"] is None or not any(map(str.isdigit, match["day"])) or _in_year(match["day"], LEAP_YEAR):
            self.without_day = True
        elif match["day"] not in self.misdated:
            self.unread_day = match["day"]
        return None

    def _day_said(self, text: str) -> date | None:
        """Return the day of a time; today, and one without a year, are those of the map's `date`."""
        day, word = self._read_day(text), text.casefold()
        if day is not None or self._day is None:
            return day
        if word in _TODAY or word in _YESTERDAY:
            return self._day - timedelta(days=word in _YESTERDAY)
        return _in_year(text, self._day.year)

    def _read_day(self, text: str) -> date | None:
        for shape in self._formats:
            with suppress(ValueError):
                return datetime.strptime(text, shape).date()  # noqa: DTZ007 - a day has no zone
        with suppress(ValueError):
            return date.fromisoformat(text)
        if weekday := other_weekday(text):
            self.misdated[text] = weekday
        return plain_day(text)

    def _begun(self, day: date) -> datetime:
        """Return the time at which a day begins, which stands for the whole of it."""
        return datetime.combine(day, time(), self._zone or UTC)

    def _zoned(self, moment: datetime) -> datetime | None:
        if moment.tzinfo is not None:
            return moment
        if self._zone is None and self._days:
            return self._begun(moment.date())
        if self._zone is None:
            self.without_zone = True
            return None
        return moment.replace(tzinfo=self._zone)


def _whole(text: str, formats: Iterable[str]) -> datetime | None:
    """Return a time that says its day and its clock, as a form, a map or ISO 8601 writes it; None for any other."""
    if (form := _FORM.fullmatch(text)) is not None:
        ahead = f"{form['sign'] or '+'}{int(form['hours'] or 0):02}{form['minutes'] or '00'}"
        with suppress(ValueError):
            return datetime.strptime(f"{form['moment']} {ahead}", "%Y/%m/%d %I:%M:%S %p %z")
    for shape in filter(_OF_CLOCK.search, formats):
        with suppress(ValueError):
            return datetime.strptime(text, shape)  # noqa: DTZ007 - the zone is put to it at once
    with suppress(ValueError):
        return None if len(text) <= len("2026-W18-5") else datetime.fromisoformat(text)
    return None


def _offset(zone: str) -> timezone:
    """Return the zone that `Z` or `+01:00` says. Raises `ValueError` for one of more than a day."""
    if zone == "Z":
        return UTC
    ahead = timedelta(hours=int(zone[1:3]), minutes=int(zone[-2:]))
    return timezone(-ahead if zone[0] == "-" else ahead)


def _since_1970(number: float) -> datetime | None:
    """Return the moment that programs count in seconds since 1970, or in thousandths; None for a smaller number."""
    seconds = number / 1000 if 1e12 <= number < 1e13 else number
    return datetime.fromtimestamp(seconds, UTC) if 1e9 <= seconds < 1e10 else None


def _in_year(text: str, year: int) -> date | None:
    """Return the day that a text without a year is in one: `20.11.`, `20 Nov`, `Nov 20`; None for other texts.

    In which year it would be the day of the week that it names is not asked.
    """
    first, _, rest = text.partition(" ")
    text = rest if first.rstrip(",.").casefold() in WEEKDAYS else text
    point = "." if text[-1:].isdigit() and text[:1].isdigit() else ""
    return plain_day(f"{text}{point}{year}") or plain_day(f"{text.rstrip('.')} {year}") or plain_day(f"{text}, {year}")


_KNOWING_CLOCK: Final = Clock(zone_called("UTC"), day="2000-01-01")
"""Reads every date and time, also those that say no zone or no day."""


def time_meant(value: Any, clock: Clock) -> dict[str, Any]:
    """Return the field `at` with its zone; none where the text is no time that can be read, which costs no event."""
    if not isinstance(value, str | int | float):
        return {"at": value}
    moment = clock.read(value)
    return {} if moment is None else {"at": moment.isoformat()}


def time_doubt(fields: Mapping[str, Any]) -> DoubtError | None:
    """Return the question about a line's time that is none, None where there is no such time."""
    text = fields.get("at")
    if not isinstance(text, str | int | float) or (isinstance(text, str) and _KNOWING_CLOCK.read(text)):
        return None
    message = f"`at`: `{text}` is no time that can be read; the line was taken without it"
    return DoubtError(UNREAD_TIME, ("at",), message, "write it as 2026-05-01 or 2026-05-01 19:30")
