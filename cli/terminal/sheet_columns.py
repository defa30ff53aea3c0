"""The columns of a sheet whose headings are not known: which says who played, who won, asked in a terminal."""

import typer

from tabletape.cli.terminal.output import is_at_terminal, say
from tabletape.events.importing.maps.documents.trees import ForeignError
from tabletape.events.importing.maps.proposing.said_columns import (
    NEEDED,
    QUESTIONS,
    columns_of,
    likely_columns,
    survey_by_columns,
)
from tabletape.events.importing.maps.proposing.survey import Survey


def asked_columns(content: bytes, heading_row: int) -> Survey | None:
    """Ask which column of a sheet says what, and return it as results; None where nobody is there to be asked.

    None also for another file, and where who played and who won does not come out of the answers.
    """
    if not is_at_terminal():
        return None
    try:
        rows, headings = columns_of(content, heading_row)
    except ForeignError:
        return None
    if len(headings) < len(NEEDED) or not rows:
        return None
    likely = likely_columns(rows, headings)
    for number, heading in enumerate(headings, 1):
        say(f"{number:>3}  {heading}")
    said = {name: _asked(question, headings, likely.get(name, "")) for name, (question, _) in QUESTIONS.items()}
    return survey_by_columns(rows, said, heading_row)


def _asked(question: str, headings: list[str], likely: str) -> str:
    """Return the column that somebody says: its number or its heading, a dash for none."""
    answer = str(typer.prompt(f"{question} Its number, - for none", default=likely or "-")).strip()
    if answer == "-" or answer in headings:
        return answer.removeprefix("-") if answer not in headings else answer
    if answer.isdecimal() and 1 <= int(answer) <= len(headings):
        return headings[int(answer) - 1]
    return _asked(question, headings, likely)
