"""A sheet whose headings say little: what its columns probably say, and how it is read by what somebody says."""

import pytest

from tabletape.events.importing.maps.proposing.said_columns import columns_of, likely_columns, survey_by_columns

ODD = b"when,who,best,lead,tally,length\n2026-10-23,Mara; Tom,Tom,Mara,3; 9,41\n2026-10-24,Tom; Elke,Draw,Tom,5; 5,52\n"


def test_what_is_likely_is_told_by_headings_and_cells() -> None:
    """The first column that names players of its rows says who won, the next who began; numbers of each are points."""
    rows, headings = columns_of(ODD)
    assert headings == ["when", "who", "best", "lead", "tally", "length"]
    assert likely_columns(rows, headings) == {
        "date": "when",
        "players": "who",
        "winner": "best",
        "first_player": "lead",
        "score": "tally",
        "minutes": "length",
    }


def test_what_is_said_counts_and_nothing_else_is_read() -> None:
    """A column that nobody said is not read, though its heading is known; the headings stay those of the sheet."""
    rows, _ = columns_of(ODD)
    seen = survey_by_columns(rows, {"players": "who", "winner": "lead", "score": "tally"})
    assert seen is not None
    assert seen.head["columns"] == {
        "players": {"column": "who", "split": ";"},
        "winner": "lead",
        "scores": {"column": "tally", "split": ";"},
    }


@pytest.mark.parametrize("said", [{}, {"players": "who"}, {"winner": "best"}])
def test_without_who_played_and_who_won_there_is_no_result(said: dict[str, str]) -> None:
    """Neither is guessed from the other."""
    rows, _ = columns_of(ODD)
    assert survey_by_columns(rows, said) is None
