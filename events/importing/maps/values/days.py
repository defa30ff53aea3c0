"""Days whose figures say themselves in which order they stand: 3.5.2026, 2026-05-03, 3 May 2026, Sunday, May 3, 2026.

`strptime` needs the format, and trying a dozen of them takes long; here a text is read once.
"""

import calendar
import re
from collections.abc import Iterable, Mapping
from datetime import date
from typing import Final

_DAY: Final = re.compile(
    r"(?:(?P<weekday>[^\W\d_]+),? )?"
    r"(?:(?P<y1>\d{4})(?P<sign>[-/])(?P<m1>\d{1,2})(?P=sign)(?P<d1>\d{1,2})"
    r"|(?P<d2>\d{1,2})\.(?P<m2>\d{1,2})\.(?P<y2>\d{4}|\d\d)"
    r"|(?P<d3>\d{1,2})(?P<gap>[ -])(?P<m3>[^\W\d_]+)(?P=gap)(?P<y3>\d{4}|(?<=-)\d\d)"
    r"|(?P<m4>[^\W\d_]+) (?P<d4>\d{1,2}),? (?P<y4>\d{4})"
    r"|(?P<d5>\d{1,2})(?:\.|er|\xba)? (?:de )?(?P<m5>[^\W\d_]+)\.? (?:de )?(?P<y5>\d{4}))",
)
"""With points between the figures the day comes first, with hyphens or strokes behind four figures the year; a month
may be a word: 17 May, 17. Mai, 1er mai, 17 de mayo de."""

_WORDS: Final = (
    "jan januar jänner janvier janv gennaio gen enero ene janeiro januari",
    "feb februar février fevrier févr febbraio febrero fevereiro fev februari",
    "mar märz mär maerz mars marzo março maart mrt",
    "apr avril avr aprile abril abr",
    "mai maggio mag mayo maio mei",
    "jun juni juin giugno giu junio junho",
    "jul juli juillet juil luglio lug julio julho",
    "aug août aout agosto ago augustus",
    "sep sept septembre settembre set septiembre setembro",
    "okt oktober octobre ottobre ott octubre outubro out",
    "nov novembre noviembre novembro",
    "dez dezember décembre decembre déc dicembre dic diciembre dezembro",
)
"""The months as German, French, Italian, Spanish, Portuguese and Dutch call them, from January."""

_WEEKDAY_WORDS: Final = (
    "montag lundi lunedì lunes maandag",
    "dienstag mardi martedì martes dinsdag",
    "mittwoch mercredi mercoledì miércoles woensdag",
    "donnerstag jeudi giovedì jueves donderdag",
    "freitag vendredi venerdì viernes vrijdag",
    "samstag sonnabend samedi sabato sábado zaterdag",
    "sonntag dimanche domenica domingo zondag",
)


def _numbered(words: Iterable[str], *names: Iterable[str], start: int = 0) -> Mapping[str, int]:
    """Return words and the names of the calendar, in small letters, by their numbers."""
    listed = {word: number for number, each in enumerate(words, start) for word in each.split()}
    return listed | {name.casefold(): number for each in names for number, name in enumerate(each)}


_MONTHS: Final = _numbered(_WORDS, calendar.month_name, calendar.month_abbr, start=1)
WEEKDAYS: Final = _numbered(_WEEKDAY_WORDS, calendar.day_name, calendar.day_abbr)
"""The days of the week in the seven languages, in small letters, from Monday, 0."""


def plain_day(text: str) -> date | None:
    """Return the day that a text is, None where it is none, or where its figures leave open which is the month.

    Nor is it one where the day of the week that it names is another: see `other_weekday`.
    """
    read = _read(text)
    return read[0] if read is not None and read[1] in {None, read[0].weekday()} else None


def other_weekday(text: str) -> str:
    """Return which day of the week a day is that a text calls by another; empty for any other text."""
    read = _read(text)
    return calendar.day_name[read[0].weekday()] if read is not None and plain_day(text) is None else ""


def _read(text: str) -> tuple[date, int | None] | None:
    """Return the day that a text is, with the day of the week that it names."""
    match = _DAY.fullmatch(text)
    if match is None or (match["weekday"] and match["weekday"].casefold() not in WEEKDAYS):
        return None
    year, month, day = (next(filter(None, (match[f"{part}{way}"] for way in range(1, 6)))) for part in "ymd")
    try:
        number = int(month) if month.isdigit() else _MONTHS.get(month.casefold(), 0)
        # Two figures stand for the century around 2000, as `strptime` reads them.
        full = int(year) if len(year) > 2 else int(year) + (2000 if int(year) < 69 else 1900)
        return date(full, number, int(day)), WEEKDAYS.get((match["weekday"] or "").casefold())
    except ValueError:
        return None


def day_of_heading(line: str) -> date | None:
    """Return the day that a line is, or that stands behind a sign at its end: `Whist, Friday 27 November 2026`.

    None for a line that has figures before it too (`1 May - 3 May 2026`), or other words: `Exported on 3 May 2026`.
    """
    figure = re.search(r"\d", line)
    before = line[: figure.start()] if figure is not None else ""
    return plain_day(line[max(map(before.rfind, ",(-\u2013\u2014")) + 1 :].strip(" )."))
