"""Remarks that stand beside moves and results in the lines of a file: which of them are counted."""

from tabletape.events.vocabulary.shared import FeedbackGiven, NoteAdded, ResultRecorded
from tabletape.events.vocabulary.tabletop import GameEnded
from tabletape.projector.archive.audit import beside_in_words, beside_moves, remarks_of


def test_rests_of_lines_that_nobody_judges_are_counted_with_two_of_them() -> None:
    """A remark in the line of a move is the rest of it; one in a line of its own, or of no file, is not."""
    places = {4: "evening.txt:7", 5: "evening.txt:7", 6: "evening.txt:8", 7: "evening.txt:8", 8: "evening.txt:8"}
    beside = beside_moves({5: "my boat", 6: "hm", 7: "again", 8: "late", 9: "typed"}, places)
    assert beside == [
        "\u201cmy boat\u201d (evening.txt:7)",
        *(f"\u201c{it}\u201d (evening.txt:8)" for it in ("again", "late")),
    ]
    assert beside_in_words(beside) == f"3 rests of lines, kept as remarks: {beside[0]}, {beside[1]} and 1 more"
    assert beside_in_words(beside, every=True).endswith(f"remarks: {', '.join(beside)}")


def test_what_a_sheet_says_beside_a_result_is_no_rest_of_a_line() -> None:
    """A remark in the line of a move is one, whatever came before."""
    note, felt = NoteAdded(text="long"), FeedbackGiven(player="A", fun=3)
    result, over = ResultRecorded(winners=("A",)), GameEnded(winner="A", reason="points")
    assert remarks_of(enumerate((result, felt, note, note))) == {}
    assert remarks_of(enumerate((note, over, note, result, note))) == {0: "long", 2: "long"}
