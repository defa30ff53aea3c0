"""Mutated inputs: recorded games with something wrong in them, written in every format that can be imported."""

import csv
import gzip
import io
import json
import random
import re
from collections.abc import Callable
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

import xlsxwriter
import zstandard

from tabletape.projector.archive.recordings import recorded_lines

RECORDINGS: Final = Path(__file__).parents[1] / "recordings"
GAMES: Final = ("crystal", "duelyst", "evolve", "phylogenome", "splicers")
FORMATS: Final = ("jsonl", "csv", "xlsx", "jsonl.gz", "jsonl.zst")

HOSTILE: Final = (
    "<img src=x onerror=alert(1)>",
    "=HYPERLINK(1)",
    "a__b",
    "\x1b[2J",
    "\u202e",
    "\x00",
    r"\ud800",
    "'; DROP TABLE event; --",
    "x" * 5000,
    "",
    " ",
    "null",
    "A:?1",
    "../../etc/passwd",
)
NUMBERS: Final = ("-1", "0", "1e400", "2147483648", "9" * 30, "9" * 5000, "0.5", "true", "null", "[]", "{}", "NaN")

Dice = random.Random


class Attack(NamedTuple):
    """A file to import: its name and its content."""

    name: str
    content: bytes


@cache
def recorded(game: str) -> tuple[Path, ...]:
    """Return the recordings of a game."""
    return tuple(sorted((RECORDINGS / game).glob("*.jsonl")))


def attack(seed: int) -> Attack:
    """Return the mutated input of a seed; the same seed gives the same input."""
    dice = Dice(seed)
    lines = [*recorded_lines(dice.choice(recorded(dice.choice(GAMES))))]
    for _ in range(dice.randint(1, 4)):
        lines = dice.choice(MUTATIONS)(dice, lines)
    extension = FORMATS[seed % len(FORMATS)]
    content = WRITERS[extension](lines)
    if dice.random() < 0.2:
        content = damage(dice, content)
    return Attack(f"attack-{seed}.{extension}", content)


# -- mutations of the lines --------------------------------------------------------------------------------------------


def _at_random(dice: Dice, lines: list[str], change: Callable[[str], str]) -> list[str]:
    place = dice.randrange(len(lines))
    return [*lines[:place], change(lines[place]), *lines[place + 1 :]]


def remove_line(dice: Dice, lines: list[str]) -> list[str]:
    """Return the lines without one of them."""
    place = dice.randrange(len(lines))
    return [*lines[:place], *lines[place + 1 :]] or lines


def repeat_line(dice: Dice, lines: list[str]) -> list[str]:
    """Return the lines with one of them several times."""
    place = dice.randrange(len(lines))
    return [*lines[:place], *[lines[place]] * dice.randint(2, 20), *lines[place + 1 :]]


def swap_lines(dice: Dice, lines: list[str]) -> list[str]:
    """Return the lines with two of them swapped."""
    one, other = dice.randrange(len(lines)), dice.randrange(len(lines))
    changed = list(lines)
    changed[one], changed[other] = lines[other], lines[one]
    return changed


def change_numbers(dice: Dice, lines: list[str]) -> list[str]:
    """Return the lines with other numbers in one of them."""
    return _at_random(dice, lines, lambda line: re.sub(r"(?<=: )-?\d+", lambda _: dice.choice(NUMBERS), line))


def insert_hostile_text(dice: Dice, lines: list[str]) -> list[str]:
    """Return the lines with a hostile text in place of another one."""

    def change(line: str) -> str:
        texts = re.findall(r': ("[^"]*")', line)
        hostile = json.dumps(dice.choice(HOSTILE)).replace("\\\\ud800", "\\ud800")
        return line.replace(dice.choice(texts), hostile, 1) if texts else line

    return _at_random(dice, lines, change)


def cut_line(dice: Dice, lines: list[str]) -> list[str]:
    """Return the lines with one of them cut off in its middle."""
    return _at_random(dice, lines, lambda line: line[: dice.randrange(len(line) + 1)])


def nest_deeply(dice: Dice, lines: list[str]) -> list[str]:
    """Return the lines with a deeply nested list in place of a text."""
    depth = dice.choice((2, 100, 5000))
    return _at_random(dice, lines, lambda line: re.sub(r': ("[^"]*")', f": {'[' * depth}{']' * depth}", line, count=1))


def insert_nonsense(dice: Dice, lines: list[str]) -> list[str]:
    """Return the lines with something that is no event in place of one of them."""
    return _at_random(
        dice, lines, lambda _: dice.choice(("", "{", "[]", "null", "\x00", "{}", '{"type": 5}', "x" * 100_000))
    )


def repeat_key(dice: Dice, lines: list[str]) -> list[str]:
    """Return the lines with a key twice in one of them."""
    return _at_random(dice, lines, lambda line: re.sub(r'("\w+": "[^"]*")', r"\1, \1", line, count=1))


def repeat_game(_dice: Dice, lines: list[str]) -> list[str]:
    """Return the lines of the game twice, one after the other."""
    return lines * 2 if len(lines) < 2000 else lines


MUTATIONS: Final = (
    remove_line,
    repeat_line,
    swap_lines,
    change_numbers,
    insert_hostile_text,
    cut_line,
    nest_deeply,
    insert_nonsense,
    repeat_key,
    repeat_game,
)


def damage(dice: Dice, content: bytes) -> bytes:
    """Return the content of a file with some bits flipped, and sometimes without its end."""
    changed = bytearray(content)
    for _ in range(dice.randint(1, 5)):
        changed[dice.randrange(len(changed))] ^= 1 << dice.randrange(8)
    return bytes(changed[: dice.randrange(len(changed))] if dice.random() < 0.3 else changed)


# -- the formats of the files ------------------------------------------------------------------------------------------


def as_jsonl(lines: list[str]) -> bytes:
    """Return lines as JSON Lines."""
    return "\n".join(lines).encode(errors="surrogatepass")


def _rows(lines: list[str]) -> tuple[list[str], list[dict[str, str]]]:
    rows = []
    for line in lines:
        try:
            found = json.loads(line)
        except (ValueError, RecursionError):
            found = {"type": line[:1000]}
        fields: dict[str, Any] = found if isinstance(found, dict) else {"type": str(found)}
        rows.append({key: value if isinstance(value, str) else json.dumps(value) for key, value in fields.items()})
    names = dict.fromkeys(name for row in rows for name in row)
    return list(names) or ["type"], rows


def as_csv(lines: list[str]) -> bytes:
    """Return lines as CSV."""
    names, rows = _rows(lines)
    stream = io.StringIO()
    writer = csv.DictWriter(stream, names)
    writer.writeheader()
    writer.writerows(rows)
    return stream.getvalue().encode(errors="replace")


def as_workbook(lines: list[str]) -> bytes:
    """Return lines as a workbook."""
    names, rows = _rows(lines)
    stream = io.BytesIO()
    with xlsxwriter.Workbook(stream, {"strings_to_formulas": False, "strings_to_urls": False}) as book:
        book.set_properties({"created": datetime(2026, 1, 1, tzinfo=UTC)})  # not the present time
        page = book.add_worksheet("log")
        for place, cells in enumerate([names, *([row.get(name, "") for name in names] for row in rows)]):
            for column, cell in enumerate(cells):
                page.write_string(place, column, cell.encode(errors="replace").decode()[:32_000])
    return stream.getvalue()


WRITERS: Final[dict[str, Callable[[list[str]], bytes]]] = {
    "jsonl": as_jsonl,
    "csv": as_csv,
    "xlsx": as_workbook,
    "jsonl.gz": lambda lines: gzip.compress(as_jsonl(lines), mtime=0),
    "jsonl.zst": lambda lines: zstandard.compress(as_jsonl(lines)),
}
