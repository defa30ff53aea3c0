"""A log that is exported and imported again is the same log."""

from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from tabletape.events.log import Log
from tabletape.events.log.rows import as_lines
from tabletape.events.vocabulary import vocabulary
from tabletape.events.vocabulary.shared import NoteAdded
from tests.events.conftest import game, head, import_file


def export(log: Log, path: Path) -> Path:
    """Write every game of a log into one file."""
    with path.open("wb") as file:
        for _, events in log.each(log.games()):
            file.write(as_lines(events))
    return path


def test_an_exported_log_has_the_same_hashes(log: Log, tmp_path: Path) -> None:
    """Every game of the export has the fingerprint that it has in the log."""
    for game_id in ("a", "b"):
        events = [vocabulary("splicers").decode(each) for each in game(game_id)]
        log.append(game_id, events, expected_last_seq=0)
    path = export(log, tmp_path / "all.jsonl")
    with Log.open("sqlite://", create=True) as other:
        assert import_file(other, path).quarantined == 0
        assert [each.fingerprint for each in other.games()] == [each.fingerprint for each in log.games()]
        assert export(other, tmp_path / "again.jsonl").read_bytes() == path.read_bytes()


@settings(deadline=None, max_examples=30)
@given(st.lists(st.tuples(st.text(), st.datetimes(timezones=st.timezones())), max_size=6))
def test_any_text_and_any_time_survives(notes: list[tuple[str, object]]) -> None:
    """Line ends, quotes, letters of all scripts and time zones do not change."""
    events = [vocabulary("splicers").decode(head())]
    events += [NoteAdded(text=text, at=at) for text, at in notes]  # type: ignore[arg-type]
    with Log.open("sqlite://", create=True) as log, Log.open("sqlite://", create=True) as other:
        stored = log.append("g", events, expected_last_seq=0)
        lines = as_lines(log.events(stored)).splitlines()
        assert len(lines) == len(events)
        again = other.append("g", [vocabulary("splicers").decode(each) for each in lines], expected_last_seq=0)
        assert again.fingerprint == stored.fingerprint
