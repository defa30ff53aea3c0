"""Measure how long 10,000 lines take through maps that are written to be slow, with RE2 and without.

    python tests/benchmarks/hostile_maps.py               10,000 lines each
    python tests/benchmarks/hostile_maps.py --lines 1000  fewer
    python tests/benchmarks/hostile_maps.py --only words  one of them

No map and no lines may take more than two seconds of processor time for 10,000 lines; a map that could take more is
refused when it is read.
"""

import argparse
import random
import string
import sys
import time
from collections.abc import Iterator
from typing import Any, Final

from tabletape.events.importing.maps import patterns
from tabletape.events.importing.maps.map import Map, MapError, read_map
from tabletape.events.importing.maps.notation import FileReading, MappedLog
from tabletape.events.vocabulary import vocabulary
from tests.benchmarks.hostile import Hostile
from tests.benchmarks.hostile_documents import DOCUMENTS

HEAD: Final = 'map = 1\ngame = "tabletop"\nshape = "lines"\n'
SEATS: Final = '[[line]]\nis = "{player} sits"\nseats = true\n'
USED: Final = 'event = "card.used"\nwith = { what = "x", card = "y", player = "a" }\n'


def _entries(*sentences: str, key: str = "is", quote: str = '"') -> str:
    return HEAD + SEATS + "".join(f"[[line]]\n{key} = {quote}{each}{quote}\n{USED}" for each in sentences)


def _matching(*source: str) -> str:
    return _entries(*source, key="matches", quote="'")


def _letters(dice: random.Random, letters: str, count: int) -> str:
    return "".join(dice.choices(letters, k=count))


def _words(dice: random.Random, count: int, kinds: int = 1000) -> str:
    return " ".join(f"w{dice.randrange(kinds)}" for _ in range(count))


def _names(dice: random.Random) -> str:
    return f"a plays {_letters(dice, string.ascii_lowercase, 12)}"


def _nearly(dice: random.Random) -> str:
    """Return the name of a random known card with a random letter inserted."""
    name = f"Card {dice.randrange(1000, 1000 + len(CARDS))} of the Very Long Name"
    return name[: (place := dice.randrange(12, len(name)))] + dice.choice(string.ascii_lowercase) + name[place:]


def _seat_or_start(dice: random.Random) -> str:
    return "go on" if dice.random() < 0.5 else f"{_letters(dice, string.ascii_lowercase, 6)} sits"


CARDS: Final = {f"Card {n} of the Very Long Name": f"card-{n}-of-the-very-long-name" for n in range(1000, 5000)} | {
    f"b{n}, c and d": f"b{n}-c-and-d" for n in range(200)
}
HOLES: Final = " a ".join(f"{{x{n}}}" for n in range(8))
MANY: Final = [f"{HOLES} a {n}z" for n in range(200)]
NAMED: Final = (
    HEAD
    + SEATS
    + f'[[line]]\nis = "a plays {{card}}"\n{USED.replace(chr(34) + "y" + chr(34), chr(34) + "{card}" + chr(34))}'
)
LISTED: Final = HEAD + SEATS + '[[line]]\nis = "a draws {cards}"\nevent = "cards.drawn"\nwith = { player = "a" }\n'
BELOW: Final = (
    HEAD + SEATS + '[[line]]\nis = "a draws"\nevent = "cards.drawn"\nwith = { player = "a", count = 0 }\n'
    '[[line]]\nunder = "* {cards}"\n'
)
ALSO: Final = f"[[line.also]]\n{USED}"

HOSTILE: Final = {
    "nested repetition": Hostile(_matching("(a+)+b"), lambda _: "a" * 4000),
    "repeated choice": Hostile(_matching("(a|aa)*b"), lambda _: "a" * 4000),
    "two repetitions": Hostile(_matching(".*a.*b"), lambda _: "a" * 4000),
    "three repetitions": Hostile(_matching(".*a.*a.*b"), lambda _: "a" * 4000),
    "two repetitions, as long as allowed": Hostile(_matching(".*a.*b"), lambda _: "a" * 440),
    "four repetitions, as long as allowed": Hostile(_matching(".*a.*a.*a.*b"), lambda _: "a" * 38),
    "200 expressions": Hostile(_matching(*(f".*a.*{n}b" for n in range(200))), lambda _: "a" * 440),
    "200 entries of eight holes": Hostile(_entries(*MANY), lambda _: "a " * 2000),
    "200 entries of eight holes, all but fitting": Hostile(
        _entries(*MANY), lambda _: "x" + " a x" * 900 + "".join(f" a {n}z" for n in range(30)) + "!"
    ),
    "200 sentences of one entry": Hostile(
        HEAD + SEATS + "[[line]]\nis = [" + ",".join(f'"{each}"' for each in MANY) + f"]\n{USED}", lambda _: "a " * 2000
    ),
    "words": Hostile(
        HEAD
        + "[words]\nw = ["
        + ",".join(f'"{"a" * n}"' for n in range(1, 400))
        + "]\n"
        + SEATS
        + f'[[line]]\nis = "{{w}}{{w}}{{w}}b"\n{USED}',
        lambda _: "a" * 1200 + "b!",
    ),
    "numbers": Hostile(_entries("{a:number} {b:number} {c:number} z"), lambda _: "1 " * 2000 + "z"),
    "prefixes": Hostile(
        HEAD + "prefix = [" + ",".join(f'"{{x}}{n} {{y}}: "' for n in range(100)) + "]\n" + SEATS, lambda _: "a" * 4000
    ),
    "cards of all kinds": Hostile(NAMED, _names),
    "cards of all kinds, and lines left over": Hostile(
        NAMED, lambda dice: _names(dice) if dice.random() < 0.5 else _letters(dice, string.ascii_lowercase + " ", 4000)
    ),
    "lines left over": Hostile(HEAD + SEATS, lambda dice: _words(dice, 600)),
    "quotes and numbers left over": Hostile(HEAD + SEATS, lambda _: '"1,' * 1300),
    "tags": Hostile(HEAD + 'clean = ["tags", "blanks", "quotes"]\n' + SEATS, lambda _: "<" * 4000),
    "lists of cards": Hostile(
        LISTED,
        lambda dice: "a draws " + ", ".join(_letters(dice, "abc and", 8) for _ in range(300)),
    ),
    "additions below": Hostile(BELOW, lambda _: "* x"),
    "short lists of cards": Hostile(LISTED, lambda _: "a draws " + ", ".join("bcd"[n % 3] for n in range(60))),
    "lists of nearly known cards": Hostile(
        LISTED, lambda dice: "a draws " + ", ".join(_nearly(dice) for _ in range(8))
    ),
    "long lists of nearly known cards": Hostile(
        LISTED, lambda dice: "a draws " + ", ".join(_nearly(dice) for _ in range(40))
    ),
    "lists with names that look like lists": Hostile(
        LISTED + NAMED.removeprefix(HEAD + SEATS),
        lambda dice: (
            f"a plays {_letters(dice, 'bc', 3)}, {_letters(dice, 'bc', 3)}"
            if dice.random() < 0.2
            else "a draws " + ", ".join(_letters(dice, "bc", 3) for _ in range(38))
        ),
    ),
    "nearly known cards": Hostile(NAMED, lambda dice: f"a plays {_nearly(dice)}"),
    "long names": Hostile(NAMED, lambda dice: f"a plays {_letters(dice, string.ascii_letters, 3900)}"),
    "blanks in names": Hostile(NAMED, lambda _: f"a plays x{' ' * 3900}x"),
    "blanks in lists": Hostile(LISTED, lambda _: f"a draws x{' ' * 3900}x"),
    "additions below, of lists": Hostile(BELOW, lambda _: "* " + ", ".join("xyz"[n % 3] for n in range(40))),
    "additions below what is left over": Hostile(BELOW.replace("count = 0", 'count = "x"'), lambda _: "* x"),
    "many further events": Hostile(
        HEAD + SEATS + f'[[line]]\nis = "a waits"\n{USED}' + ALSO * 300, lambda _: "a waits"
    ),
    "many further events of a list": Hostile(
        HEAD + SEATS + f'[[line]]\nis = "a draws {{cards}}"\n{USED}' + ALSO.replace('"y"', '"{cards}"') * 100,
        lambda _: "a draws b, c, d, e, f",
    ),
    "many events at the start": Hostile(
        HEAD + SEATS + f'[[line]]\nis = "a waits"\n{USED}' + ALSO.replace("also", "at_start") * 300, lambda _: "a waits"
    ),
    "a field that says the same a thousand times": Hostile(
        HEAD
        + SEATS
        + f'[[line]]\nis = "a says {{x}}"\n{USED.replace(chr(34) + "x" + chr(34), chr(34) + "{x}" * 1000 + chr(34))}',
        lambda _: "a says " + "x" * 3900,
    ),
    "what a line sets grows with every line": Hostile(
        HEAD
        + SEATS
        + '[[line]]\nis = "a begins"\nsets = { x = "xxxx" }\n[[line]]\nis = "a waits"\nsets = { x = "{x}{x}" }\n',
        lambda dice: "a waits" if dice.random() < 0.9 else "a begins",
    ),
    "a thousand things that a line sets": Hostile(
        HEAD
        + SEATS
        + '[[line]]\nis = "a waits"\n[line.sets]\n'
        + "".join(f'{name} = "x"\n' for name in (f"x{_letters(random.Random(n), 'abcdef', 9)}" for n in range(1000))),  # noqa: S311 - no secret
        lambda _: "a waits",
    ),
    "1,000 entries": Hostile(_entries(*(f"{n} waits {{x}}" for n in range(1000))), lambda _: "x waits"),
    "1,000 suffixes": Hostile(
        HEAD + "suffix = [" + ",".join(f'"{n}!"' for n in range(1000)) + "]\n" + SEATS, lambda _: "a waits"
    ),
    "2,000 players": Hostile(
        HEAD
        + "".join(f"[players.p{n}]\n" for n in range(2000))
        + f'[[line]]\nis = "{{player}} waits"\n{USED.replace(", player = " + chr(34) + "a" + chr(34), "")}',
        lambda dice: _words(dice, 100),
    ),
    "200 entries, and a game at every second line": Hostile(
        HEAD + 'starts = "go {x}"\n' + SEATS + _entries(*MANY).removeprefix(HEAD + SEATS), _seat_or_start
    ),
    "200 seats, and a game at every second line": Hostile(
        HEAD + 'starts = "go {x}"\n' + "".join(SEATS.replace("sits", f"sits {n}z") for n in range(200)) + SEATS,
        _seat_or_start,
    ),
    "many players, and lines left over": Hostile(
        HEAD + 'starts = "go {x}"\n' + SEATS,
        lambda dice: ("go on", f"{_letters(dice, 'bcd', 3)} sits", "bc cd " * 50)[dice.randrange(3)],
    ),
    "values": Hostile(
        HEAD
        + "[values.what]\n"
        + "".join(f'v{n} = "x{n}"\n' for n in range(2000))
        + SEATS
        + f'[[line]]\nis = "a uses {{what}}"\n{USED.replace(chr(34) + "x" + chr(34), chr(34) + "{what}" + chr(34))}',
        lambda dice: f"a uses v{dice.randrange(4000)}",
    ),
    "entities": Hostile(
        HEAD + 'clean = ["entities"]\n' + SEATS, lambda dice: f"&{_letters(dice, string.ascii_letters, 31)};" * 120
    ),
    "causes": Hostile(
        HEAD + SEATS + f'[[line]]\nis = "a draws"\n{USED}[[line]]\nunder = "* {{x}}"\n{USED}', lambda _: "* x"
    ),
    "a game at every line": Hostile(HEAD + 'starts = "go {x}"\n' + SEATS, lambda _: "go on"),
    "brackets": Hostile(_entries("{x}(((", ")))){y}"), lambda _: "(" * 4000),
    **DOCUMENTS,
}


def content(hostile: Hostile, lines: int) -> bytes:
    """Return the file of a case with this many lines, after those in which the players sit down."""
    dice = random.Random(7)  # noqa: S311 - no secret
    return hostile.layout.file(hostile.line(dice) for _ in range(lines))


def read(source: str, *, own: bool) -> Map:
    """Return a map that is read with RE2 or, with `own`, for Python's own engine. Raise `MapError` if it is refused."""
    engines: Any = patterns
    before, engines.re2 = engines.re2, None if own else engines.re2
    try:
        return read_map(source, "hostile.map.toml", vocabulary)
    finally:
        engines.re2 = before


def seconds(hostile: Hostile, lines: int, *, own: bool, cards: dict[str, str] | None = None) -> float | None:
    """Return the processor time of one map over its lines, or None if the map is refused."""
    try:
        used = read(hostile.map, own=own)
    except MapError:
        return None
    file = content(hostile, lines)
    began = time.process_time()
    for _ in MappedLog("chat.txt", used, file, FileReading(lambda _: cards)).batches():
        pass
    return time.process_time() - began


def measure(lines: int, only: str) -> Iterator[tuple[str, list[str]]]:
    """Yield the time of each case: with RE2, without it, and with RE2 in a game that knows its cards."""
    for name, hostile in HOSTILE.items():
        if only in name:
            found = [
                seconds(hostile, lines, own=False),
                seconds(hostile, lines, own=True),
                seconds(hostile, lines, own=False, cards=CARDS),
            ]
            yield name, ["refused" if each is None else f"{each:.2f} s" for each in found]


def main() -> None:
    """Print a line for each hostile map."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lines", type=int, default=10_000)
    parser.add_argument("--only", default="")
    arguments = parser.parse_args()
    sys.stdout.write(f"{'':45}{'RE2':>10}{'re':>10}{'cards':>10}\n")
    for name, cells in measure(arguments.lines, arguments.only):
        sys.stdout.write(f"{name:45}" + "".join(f"{each:>10}" for each in cells) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
