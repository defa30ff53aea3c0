"""Threads that come to a game at the same time, as pages of a server do just after it began: each gets all of it."""

import shutil
import sys
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from threading import Barrier, Thread
from typing import Any

import msgspec
import pytest

from tabletape.events.log import Log
from tabletape.events.vocabulary import open_vocabulary
from tabletape.events.vocabulary.open_games import games_of, look_in, open_games
from tabletape.events.vocabulary.shared import GameStarted, NoteAdded, Seat
from tabletape.projector.fold.folding import fold
from tabletape.projector.games import game, open_game
from tabletape.projector.scribing.scribe import Scribe

RULES = Path(__file__).parents[2] / "docs" / "own-games" / "whist.toml"
SEATS = (Seat(id="A", name="Ann"), Seat(id="B", name="Ben"))
AT_ONCE = 8


@pytest.fixture
def often_switched() -> Iterator[None]:
    """Have the threads take turns after each step."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def by_another_thread(do: Callable[[], Any]) -> Any:
    """Return what another thread gets."""
    found: list[Any] = []
    thread = Thread(target=lambda: found.append(do()))
    thread.start()
    thread.join()
    return found[0]


def at_once(do: Callable[[], Any]) -> list[Any]:
    """Return what several threads get that do the same at the same time."""
    begin, found = Barrier(AT_ONCE), []

    def run() -> None:
        begin.wait()
        found.append(do())

    threads = [Thread(target=run) for _ in range(AT_ONCE)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found


def test_a_game_is_folded_to_its_end_while_its_rules_are_made_ready_for_another() -> None:
    """When half of it is ready for the first game of a kind a second one is folded, with all of its lines."""
    plain = game("tabletop")
    events = [GameStarted(game="tabletop", edition="", id="g", players=SEATS), NoteAdded(text="a"), NoteAdded(text="b")]
    asked, others = count(), []

    class Slow(dict[Any, Any]):
        """Rows by which another thread folds a game when the third of them is asked for."""

        def get(self, kind: Any, default: Any = None) -> Any:
            if next(asked) == 2:
                others.append(by_another_thread(lambda: fold(slow, events)))
            return super().get(kind, default)

    slow = msgspec.structs.replace(plain, rows=Slow(plain.rows))
    assert fold(slow, events).seqs == [1, 2, 3]
    assert [each.seqs for each in others] == [[1, 2, 3]]


@pytest.mark.usefixtures("often_switched")
@pytest.mark.parametrize("made", [open_vocabulary, open_game])
def test_what_is_made_of_a_file_is_made_once_for_all_threads(made: Callable[[Any], Any]) -> None:
    """Two that made it would have two of each type of event, and a line read by one would be none of the other's."""
    described = games_of("whist.toml", "whist", RULES.read_text(encoding="utf-8"))["whist"]
    assert len({*map(id, at_once(lambda: made(described)))}) == 1


@pytest.mark.usefixtures("often_switched")
def test_a_folder_is_read_once_for_all_threads(tmp_path: Path) -> None:
    """Whoever looks into the folder of a workspace finds the same games as all others."""
    (tmp_path / "games").mkdir()
    shutil.copy(RULES, tmp_path / "games")

    def whist() -> Any:
        look_in(tmp_path)
        return open_games()["whist"]

    assert len({*map(id, at_once(whist))}) == 1
    look_in(Path(__file__).parent)


def test_a_game_whose_file_changes_while_it_is_read_is_read_by_one_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Lines that were read by the file as it was are never folded by the rules of what it is now."""
    (tmp_path / "games").mkdir()
    file = Path(shutil.copy(RULES, tmp_path / "games"))
    with Log.open(tmp_path / "t.db", create=True) as log:
        lay = game("whist").vocabulary.convert({"type": "move.lay", "player": "A", "card": "7-clubs"})
        log.append("g", [GameStarted(game="whist", edition="", id="g", players=SEATS), lay], expected_last_seq=0)
        read = log.events

        def change_behind(stored: Any) -> Any:
            events = read(stored)
            monkeypatch.undo()
            file.write_text(file.read_text(encoding="utf-8") + "\n# changed\n", encoding="utf-8")
            look_in(tmp_path)
            return events

        monkeypatch.setattr(log, "events", change_behind)
        scribe = Scribe(log, "g")
    assert (scribe.replay.stopped, scribe.replay.seqs) == (None, [1, 2])
    look_in(Path(__file__).parent)
