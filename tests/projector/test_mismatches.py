"""The words of a finding about a consequence that the rules derive otherwise."""

import pytest

from tabletape.projector.kit.mismatches import from_difference
from tabletape.projector.model.rules import NO_LINE, Finding


@pytest.mark.parametrize(
    ("said", "due", "expected"),
    [
        ("Dana pays 5 crystals (0 left)", "Dana pays 4 crystals (1 left)", "4 crystals (1 left)"),
        ("Ben gains 2 crystals (now 21)", "Ben gains 2 crystals (now 20)", "now 20"),
        ("it costs (a b) 1 and (c d) 2", "it costs (a b) 1 and (c e) 2", "(c e) 2"),
        ("Ann's turn begins", "Ben's turn begins", "that Ben's turn begins"),
        ("Ann draws 2 cards", "Ann draws 2 cards from the deck", "that Ann draws 2 cards from the deck"),
        ("Ann draws 2 cards from the deck", "Ann draws 2 cards", "that Ann draws 2 cards"),
    ],
)
def test_only_the_difference_is_said(said: str, due: str, expected: str) -> None:
    """What the log and the rules agree on is left out; parentheses stay whole, and what is left can stand alone."""
    assert from_difference(said, due) == expected


@pytest.mark.parametrize(
    ("expected", "outcome"),
    [
        ("1", "written down wrongly: the table went on with 1"),
        (NO_LINE, "written down wrongly: the table went on without it"),
        ("Dana pays 4 crystals (1 left)", "written down wrongly: the table went on as the rules say"),
    ],
)
def test_the_outcome_says_what_the_table_went_on_with(expected: str, outcome: str) -> None:
    """A number is named; a sentence, which stands beside the finding, is not repeated."""
    found = Finding(seq=1, rule="r", kind="mismatch", message="m", expected=expected, went_on="derived")
    assert found.outcome == outcome
