"""The columns of a sheet of results on the page of imports: as what each is read."""

from collections.abc import Mapping
from typing import Any

from tabletape.events.importing.maps.proposing.survey import Survey
from tabletape.projector.model.phrases import tag_in_words


def columns_in_words(seen: Survey) -> tuple[tuple[str, str], ...]:
    """Return as what the columns of a sheet are read, and what of the file has to be known for that."""
    return tuple(
        ("dates are written", _days_in_words(column)) if what == "dates" else (tag_in_words(what), _shown(column))
        for what, column in seen.read_as.items()
    )


def _days_in_words(form: str) -> str:
    """Return how dates are written as people say it: `day/month/year`."""
    for sign, word in {"%d": "day", "%m": "month", "%Y": "year", "%y": "year (two figures)"}.items():
        form = form.replace(sign, word)
    return form


def _shown(column: Any) -> str:
    if isinstance(column, Mapping) and "column" not in column:  # What players say, each in a column of its own.
        return ", ".join(f"{name}: {_shown(each)}" for name, each in column.items())
    if isinstance(column, Mapping):
        more = (f"{key} {_listed(value)}" for key, value in column.items() if key != "column")
        return f"{column['column']} ({', '.join(more)})"
    return " and ".join(map(_shown, column)) if isinstance(column, list) else str(column)


def _listed(value: Any) -> str:
    """Return a value of a column as people read it: the signs that part names stand apart."""
    return " or ".join(map(str.strip, value)) if isinstance(value, list) else str(value)
