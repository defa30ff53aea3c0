"""Writing by the scribe: undo stays in the log, and what others write meanwhile is taken in."""

from pathlib import Path
from random import Random
from typing import Any

import pytest

from tabletape.events.log import Log
from tabletape.events.log.writing import StaleAppendError
from tabletape.events.vocabulary.shared import NoteAdded, PlayTakenBack
from tabletape.projector.model.areas import EVERYTHING
from tabletape.projector.scribing.screen import ViewerScreen
from tabletape.projector.scribing.scribe import NothingToUndoError, Scribe
from tests.projector.test_scribing import new_scribe, next_line


def test_undo_takes_back_line_by_line_and_stays_in_the_log(tmp_path: Path) -> None:
    """Each undo writes a line that takes one more line back, down to the head of the game."""
    with Log.open(tmp_path / "t.db", create=True) as log:
        scribe = new_scribe(log, "splicers")
        before = scribe.replay.table.state()
        rng = Random(1)  # noqa: S311 - any lines
        view = ViewerScreen(scribe, EVERYTHING)
        for _ in range(3):
            event = next_line(scribe, view, rng)
            assert event is not None
            scribe.write([event], scribe.last_seq)
        for _ in range(3):
            scribe.write(scribe.undone(), scribe.last_seq)
        after = scribe.replay.table.state()
        assert {key: value for key, value in after.items() if key in before} == before
        events = log.events(log.game(scribe.stored.game_id))
        assert [event.to for event in events if isinstance(event, PlayTakenBack)] == [5, 4, 3]
        scribe.write(scribe.undone(), scribe.last_seq)
        scribe.write(scribe.undone(), scribe.last_seq)
        with pytest.raises(NothingToUndoError):
            scribe.undone()


def test_of_two_devices_the_later_one_is_refused_and_sees_what_the_other_wrote(tmp_path: Path) -> None:
    """A line is not written if the log has grown since the device last read it; its table is then that of the log."""
    with Log.open(tmp_path / "t.db", create=True) as log:
        here = new_scribe(log, "crystal")
        there = Scribe(log, here.stored.game_id)
        seen = here.last_seq
        there.write([NoteAdded(text="first")], seen)
        with pytest.raises(StaleAppendError):
            here.write([NoteAdded(text="second")], seen)
        assert here.last_seq == seen + 1
        here.write([NoteAdded(text="second")], here.last_seq)
        assert there.catch_up()
        assert [event.text for event in there.replay.events if isinstance(event, NoteAdded)] == ["first", "second"]


def test_what_another_server_writes_behind_a_line_at_once_is_taken_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where another server writes before the answer, the page shows its line too, and does not take it for known."""
    with Log.open(tmp_path / "t.db", create=True) as log, Log.open(tmp_path / "t.db") as other:
        scribe = new_scribe(log, "tabletop")
        append, game_id = log.append, scribe.stored.game_id

        def append_and_wait(*about: Any, **more: Any) -> Any:
            append(*about, **more)
            other.append(game_id, [NoteAdded(text="theirs")], expected_last_seq=2)
            return log.game(game_id)

        monkeypatch.setattr(log, "append", append_and_wait)
        scribe.write([NoteAdded(text="mine")], 1)
        assert scribe.last_seq == 3
        assert [getattr(each, "text", "") for each in scribe.replay.events] == ["", "mine", "theirs"]


def test_a_line_behind_one_that_only_another_server_knew_is_shown_with_it(tmp_path: Path) -> None:
    """Who has seen another server's line may write behind it here: the page then shows both."""
    with Log.open(tmp_path / "t.db", create=True) as log:
        scribe = new_scribe(log, "tabletop")
        log.append(scribe.stored.game_id, [NoteAdded(text="theirs")], expected_last_seq=1)
        scribe.write([NoteAdded(text="mine")], 2)
        assert [getattr(each, "text", "") for each in scribe.replay.events] == ["", "theirs", "mine"]


def test_every_line_has_its_time(tmp_path: Path) -> None:
    """A line has the time at which it was written, in whole seconds."""
    with Log.open(tmp_path / "t.db", create=True) as log:
        scribe = new_scribe(log, "duelyst")
        scribe.write([NoteAdded(text="here")], scribe.last_seq)
        assert all(event.at and event.at.microsecond == 0 for event in log.events(scribe.stored))
