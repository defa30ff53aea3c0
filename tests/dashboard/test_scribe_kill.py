"""A battery that dies while a log is kept: what was shown is in the log, whole and verified, and the game goes on."""

import subprocess
import sys
import time
from pathlib import Path
from random import Random

from events.integrity import verify
from events.log import Log
from events.shared import NoteAdded
from projector.scribing.beginning import Beginning, Seating, begin, decks_of
from projector.scribing.scribe import Scribe

KILLS = 6
KEEPER = """
import sys
from events.log import Log
from events.shared import NoteAdded
from projector.scribing.scribe import Scribe
with Log.open(sys.argv[1]) as log:
    scribe = Scribe(log, sys.argv[2])
    while True:
        scribe.write([NoteAdded(text=f"line {scribe.last_seq + 1}")], scribe.last_seq)
        print(scribe.last_seq, flush=True)
"""


def test_a_killed_keeper_loses_no_line_that_was_shown(tmp_path: Path) -> None:
    """Killed again and again in the middle of writing, the log holds every line that was shown, and takes the next."""
    place = tmp_path / "t.db"
    luck = Random(1)  # noqa: S311 - any moments
    with Log.open(place, create=True) as log:
        decks = list(decks_of(log, "crystal"))
        players = tuple(Seating(name=name, deck=deck) for name, deck in zip(("Ann", "Ben"), decks, strict=False))
        game_id = begin(log, Beginning(game="crystal", players=players))
    for _ in range(KILLS):
        keeper = subprocess.Popen(  # noqa: S603 - our own script
            [sys.executable, "-c", KEEPER, str(place), game_id], stdout=subprocess.PIPE, text=True
        )
        assert keeper.stdout is not None
        first = keeper.stdout.readline()
        time.sleep(luck.random() / 4)
        keeper.kill()
        shown = [first, *keeper.stdout.read().splitlines()]
        keeper.wait()
        with Log.open(place) as log:
            scribe = Scribe(log, game_id)
            assert scribe.last_seq >= int(shown[-1])
            assert list(verify(log)) == []
            scribe.write([NoteAdded(text="back again")], scribe.last_seq)
