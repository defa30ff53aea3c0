"""Charts of rows: the places of marks, the texts beside them, and that no text is markup."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabletape.dashboard.charts.rows import Dot, Label, dots

NUMBERS = st.integers(-1_000_000, 1_000_000).map(lambda number: number / 100)


def places(chart: str, kind: str) -> list[tuple[float, float]]:
    """Return where the marks of a kind begin and how wide they are, in percent of the track."""
    found = re.findall(rf'<i class="{kind}" style="--from:([-\d.e]+)(?:;--wide:([-\d.e]+))?', chart)
    return [(float(begin), float(width or 0)) for begin, width in found]


def test_a_share_is_drawn_at_its_value() -> None:
    """A share of 10 % with an interval from 4 to 24 % has its dot at a tenth of the track and its line from 4 to 24."""
    chart = dots([Dot("a", 0.1, 0.04, 0.24, "10 % (7 of 67; 4-24 %)", even=0.5)], share=True)
    assert places(chart, "dot") == [(10, 0)]
    assert places(chart, "interval") == [(4, 20)]
    assert places(chart, "baseline") == [(50, 0)]
    assert "10 % (7 of 67; 4-24 %)" in chart


def test_a_heading_stands_above_the_row_that_begins_a_group() -> None:
    """The worst cards are no further ones of the best."""
    labels = (Label("best", above="The best"), Label("next"), Label("worst", above="The worst"))
    chart = dots([Dot(each, 0.5, 0.4, 0.6, "") for each in labels], share=True)
    order = re.findall(r'<div class="(?:above|about)">\s*(.*?)\s*</div>', chart)
    assert order == ["The best", "best", "next", "The worst", "worst"]


def test_every_single_number_stands_at_its_value() -> None:
    """Only equal ones lie above each other, none moves aside, and the axis begins where they do."""
    numbers = (45.0, 47.0, 48.0, 48.0, 49.0, 50.0, 52.0, 48.0)
    chart = dots([Dot("2 players", 48.0, 45.0, 52.0, "", each=numbers)], share=False)
    drawn = [
        (float(at), int(level)) for at, level in re.findall(r'class="each" style="--from:([\d.]+);--level:(\d)', chart)
    ]
    assert sorted(at for at, _ in drawn) == sorted(round(100 * (each - 44) / 8, 2) for each in numbers)
    assert sorted(level for at, level in drawn if at == 50) == [0, 1, 2]
    assert {level for at, level in drawn if at != 50} == {0}
    assert places(chart, "middle") == [(50, 0)]
    assert not places(chart, "interval")


@settings(deadline=None)
@given(st.lists(st.tuples(NUMBERS, NUMBERS, NUMBERS).map(sorted), min_size=1, max_size=6))
def test_no_mark_leaves_its_track(intervals: list[list[float]]) -> None:
    """For any numbers, zero, every dot and every interval lie between the ends of the axis, in order."""
    found = [Dot(str(at), middle, low, high, "", even=0.0) for at, (low, middle, high) in enumerate(intervals)]
    chart = dots(found, share=False)
    for kind in ("dot", "interval", "baseline", "tick"):
        assert all(begin >= -0.01 and begin + width <= 100.02 for begin, width in places(chart, kind)), kind
    by_value = sorted(zip([each.value for each in found], places(chart, "dot"), strict=True))
    assert [place for _, place in by_value] == sorted(place for _, place in by_value)


def test_two_rulesets_share_a_row() -> None:
    """A and B are in one row with the same label, each with its own text."""
    found = [Dot("a", 0.1, 0, 0.2, "A: one", "A"), Dot("a", 0.3, 0.2, 0.4, "B: three", "B")]
    chart = dots(found, share=True)
    assert chart.count('class="about"') == 1
    assert chart.index("A: one") < chart.index("B: three")


def test_each_of_two_rulesets_has_its_own_mark_of_what_would_be_even() -> None:
    """A deck that sat at other tables in B would win another share there, and the mark of A is none for it."""
    found = [Dot("a", 0.2, 0, 0.6, "A", "A", even=1 / 3), Dot("a", 0, 0, 0.4, "B", "B", even=0.36)]
    assert places(dots(found, share=True), "baseline") == [(33.33, 0), (36, 0)]


@pytest.mark.parametrize("text", ["<img src=x onerror=alert(1)>", '"><script>', "a & b"])
def test_names_are_text(text: str) -> None:
    """No name, note, address or text is read as HTML."""
    chart = dots([Dot(Label(text, text, text), 0.5, 0.4, 0.6, text)], share=True)
    assert text not in chart
