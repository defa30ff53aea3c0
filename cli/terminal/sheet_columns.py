"""The columns of a sheet whose headings are not known: which says who played, who won, asked in a terminal."""

from collections.abc import Sequence

import typer

from tabletape.cli.terminal.output import is_at_terminal, say
from tabletape.events.importing.maps.proposing.said_columns import QUESTIONS, askable_columns, survey_by_columns
from tabletape.events.importing.maps.proposing.survey import Survey


def asked_columns(content: bytes, heading_row: int) -> Survey | None:
    """Ask which column of a sheet says what, and return it as results; None where nobody is there to be asked.

    None also for another file, and where who played and who won does not come out of the answers.
    """
    asked = askable_columns(content, heading_row) if is_at_terminal() else None
    if asked is None:
        return None
    for number, heading in enumerate(asked.headings, 1):
        say(f"{number:>3}  {heading}")
    said = {
        name: _asked(question, asked.headings, asked.likely.get(name, "")) for name, (question, _) in QUESTIONS.items()
    }
    return survey_by_columns(asked.rows, said, heading_row)


def _asked(question: str, headings: Sequence[str], likely: str) -> str:
    """Return the column that somebody says, by its number or its heading; empty for a dash, which is none."""
    numbered = {str(number): each for number, each in enumerate(headings, 1)}
    by_answer = {"-": "", **numbered, **{each: each for each in headings}}
    answer = ""
    while answer not in by_answer:
        answer = str(typer.prompt(f"{question} Its number, - for none", default=likely or "-")).strip()
    return by_answer[answer]
