"""Measure how long a text log takes through a map of 20 entries: events derived only, and imported into a new log.

    python tests/benchmarks/map_speed.py               1,000,000 lines
    python tests/benchmarks/map_speed.py --lines 10000

The log is a chat of many games of two players, 500 lines each; most lines fit one of the 20 entries of the map. Seconds
are processor time, which other programs change little.
"""

import argparse
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from tabletape.events.importing import Options, import_paths
from tabletape.events.importing.maps.map import Map, read_map
from tabletape.events.importing.maps.notation import FileReading, MappedLog
from tabletape.events.log import Log
from tabletape.events.vocabulary import vocabulary

LINES_A_GAME = 500

MOVES = {
    "{player} plays {card}": 'event = "card.moved"\nwith = { from = "hand", to = "table" }',
    "{player} plays {card} from the discard": 'event = "card.moved"\nwith = { from = "discard", to = "table" }',
    "{player} discards {card}": 'event = "card.moved"\nwith = { to = "discard" }',
    "{player} returns {card} to hand": 'event = "card.moved"\nwith = { to = "hand" }',
    "{player} draws {count:number} {cardword}": 'event = "cards.drawn"',
    "{player} draws {card}": 'event = "cards.drawn"\nwith = { cards = ["{card}"] }',
    "{player} uses {card}: {what}": 'event = "card.used"',
    "{player} attacks with {card}": 'event = "card.used"\nwith = { what = "attack" }',
    "{player} gains {by:number} {counter}": 'event = "counter.changed"',
    "{player} loses {n:number} {counter}": 'event = "counter.changed"\nwith = { by = "-{n}" }',
    "{player} now has {to:number} {counter}": 'event = "counter.changed"',
    "{player} rolls a {result:number}": 'event = "die.rolled"',
    "{player} shuffles": 'event = "deck.shuffled"',
    "{player} chooses {choice} as {what}": 'event = "choice.made"',
    "{player} ends the turn": 'event = "turn.ended"',
    "It is {player}'s turn": 'event = "turn.started"',
    "{player}: {words}": "skip = true",
}
OTHER_ENTRIES = """
[[line]]
is = "{player} sits down with {deck}"
seats = true
[[line]]
is = "--- new game ---"
skip = true
[[line]]
is = "{player} wins"
event = "game.ended"
with = { winner = "{player}", reason = "points" }
"""
CARDS = ("Paper Lamp", "Tea, Cake and Rain", "Moss Golem", "Old Bridge", "Fern Witch", "Red Kite", "Song of the Wild")


def the_map() -> Map:
    """Return the map of 20 entries."""
    head = 'map = 1\ngame = "tabletop"\nshape = "lines"\nid = "{file}-{n}"\nprefix = "[{at:time}] "\n'
    head += 'starts = "--- new game ---"\ndate = "2026-05-01"\nzone = "UTC"\n[words]\ncardword = ["cards", "card"]\n'
    moves = "".join(f'[[line]]\nis = "{sentence}"\n{entry}\n' for sentence, entry in MOVES.items())
    return read_map(head + OTHER_ENTRIES + moves, "speed.map.toml", vocabulary)


def chat(lines: int) -> Iterator[str]:
    """Return the lines of the chat."""
    dice = random.Random(7)  # noqa: S311 - no secret
    fillings = {"cardword": "cards", "counter": "points", "what": "its power", "choice": "moss", "words": "well, well"}
    for number in range(lines):
        place = number % LINES_A_GAME
        clock = f"[{19 + place // 180:02}:{place // 3 % 60:02}:00] "
        player = "Ann" if place // 8 % 2 else "Ben"
        if place == 0:
            yield clock + "--- new game ---"
        elif place in {1, 2}:
            yield f"{clock}{('Ann', 'Ben')[place - 1]} sits down with moss"
        elif place == LINES_A_GAME - 1:
            yield f"{clock}{player} wins"
        elif place % 100 == 50:
            yield f"{clock}{player} sneezes"
        else:
            sentence = dice.choice(tuple(MOVES))
            for hole in ("{count:number}", "{by:number}", "{n:number}", "{to:number}", "{result:number}"):
                sentence = sentence.replace(hole, str(dice.randint(1, 6)))
            fields = {"player": player, "card": dice.choice(CARDS), **fillings}
            yield clock + sentence.format(**fields)


def main() -> None:
    """Measure both, and print the speeds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lines", type=int, default=1_000_000)
    lines = parser.parse_args().lines
    used = the_map()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "chat.txt"
        with file.open("w", encoding="utf-8") as text:
            text.writelines(f"{line}\n" for line in chat(lines))
        content = file.read_bytes()
        before = time.process_time()
        log = MappedLog("chat.txt", used, content, FileReading(lambda _: None, "", "chat"))
        events = sum(len(batch) for batch in log.batches())
        _print("derived", lines, events, time.process_time() - before)
        del log, content
        before = time.process_time()
        with Log.open(Path(folder) / "tabletape.db", create=True) as stored:
            report = import_paths(stored, [file], Options(map=used))
        _print("imported", lines, report.events, time.process_time() - before)


def _print(what: str, lines: int, events: int, seconds: float) -> None:
    rate = lines / seconds
    sys.stdout.write(f"{what}: {lines:,} lines, {events:,} events, {seconds:.1f} s of one core, {rate:,.0f} lines/s\n")


if __name__ == "__main__":
    main()
