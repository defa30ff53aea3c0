"""The times of events, as far as the times in the log can be believed."""

from datetime import UTC, datetime

from msgspec import UNSET

from tabletape.events.vocabulary.shared import GameAbandoned, NoteAdded
from tabletape.projector.datasets.rows.game_context import times_of


def clock(*written: str) -> list[str]:
    """Return the times of lines that are logged with these times, in the same form ("1 23:57": the first of May)."""
    found = times_of([GameAbandoned(at=_time(each) if each else UNSET) for each in written])
    return [f"{at.day} {at:%H:%M}" if at else "" for at in found]


def _time(written: str) -> datetime:
    return datetime.strptime(f"2026 5 {written}", "%Y %m %d %H:%M").replace(tzinfo=UTC)


def test_times_in_order_are_unchanged() -> None:
    """Times that never go back, over midnight too, stay as they are; an event without a time gets none."""
    assert clock("1 23:57", "", "1 23:57", "2 00:01", "3 18:00") == ["1 23:57", "", "1 23:57", "2 00:01", "3 18:00"]


def test_a_game_past_midnight_gets_the_next_date() -> None:
    """A time that falls back by about a day is of the next day, and so are later ones until the date is right again."""
    assert clock("1 23:58", "1 00:01", "1 00:09", "2 00:12") == ["1 23:58", "2 00:01", "2 00:09", "2 00:12"]


def test_a_time_out_of_order_is_dropped() -> None:
    """A line that was written late, or by another clock, has no time; the others keep theirs."""
    assert clock("2 20:00", "2 19:58", "2 20:03", "1 02:00", "2 20:05") == ["2 20:00", "", "2 20:03", "", "2 20:05"]


def test_words_about_a_game_say_nothing_about_its_time() -> None:
    """A comment of the next day does not make the game a day long, and no later time is held against it."""
    lines = [
        GameAbandoned(at=_time("1 20:00")),
        NoteAdded(text="", at=_time("2 9:00")),
        GameAbandoned(at=_time("1 20:05")),
    ]
    assert times_of(lines) == [_time("1 20:00"), None, _time("1 20:05")]
