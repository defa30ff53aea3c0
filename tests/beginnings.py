"""Name the beginning of each recording that begins as another one, in place of repeating it.

    python -m tests.beginnings

Recordings that tests and documents name as a file stay whole, since they import it; so do those that most others begin
with. What the recordings say stays the same to the letter; it stops with a `ValueError` where it does not.
"""

import json
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from tabletape.projector.archive.recordings import recorded_lines

ROOT: Final = Path(__file__).parents[1]
RECORDINGS: Final = ROOT / "tests" / "recordings"
WORTH: Final = 8
"""Lines that a recording has to spare others, to be one that they begin with."""

TEXTS: Final = {".py", ".md"}

Lines = Sequence[str]


def shared(one: Lines, other: Lines) -> int:
    """Return how many lines two recordings have in common from their beginning on."""
    return next(
        (at for at, (mine, its) in enumerate(zip(one, other, strict=False)) if mine != its), min(len(one), len(other))
    )


def beginnings(logs: Mapping[str, Lines], whole: set[str]) -> dict[str, tuple[str, int]]:
    """Return what each recording begins with, and how far, beyond the `whole` ones and those that spare the most."""
    in_common = {(one, other): shared(logs[one], logs[other]) for one in logs for other in logs}
    best: dict[str, tuple[str, int]] = dict.fromkeys(logs, ("", 0))

    def take(whole_one: str) -> None:
        best.pop(whole_one)
        for name, (_, lines) in best.items():
            if in_common[whole_one, name] > lines:
                best[name] = (whole_one, in_common[whole_one, name])

    def spared(name: str) -> int:
        others = sum(max(0, in_common[name, other] - lines) for other, (_, lines) in best.items() if other != name)
        return others - best[name][1]

    for name in sorted(whole):
        take(name)
    while best and spared(most := max(best, key=spared)) >= WORTH:
        take(most)
    return {name: begins for name, begins in best.items() if begins[1] > 1}


def named() -> set[str]:
    """Return the recordings that are named as a file anywhere but in what is generated."""
    files = [path for folder in ("tests", "docs", "cli") for path in (ROOT / folder).rglob("*") if path.suffix in TEXTS]
    texts = [path.read_text(encoding="utf-8") for path in files if "generated" not in path.parts]
    return {name for text in texts for name in re.findall(r"([\w-]+)\.jsonl", text)}


def shorten(folder: Path) -> tuple[int, int]:
    """Write the recordings of a game with their beginnings named; return how many lines there were and are."""
    logs = {path.stem: recorded_lines(path) for path in sorted(folder.glob("*.jsonl"))}
    begun = beginnings(logs, named() & logs.keys())
    for name in sorted(logs, key=begun.__contains__):
        path, lines = folder / f"{name}.jsonl", logs[name]
        if name in begun:
            other, number = begun[name]
            lines = [json.dumps({"begins": other, "lines": number}), *lines[number:]]
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    if {name: recorded_lines(folder / f"{name}.jsonl") for name in logs} != logs:
        raise ValueError(f"{folder}: a recording is not what it was")
    before = sum(map(len, logs.values()))
    return before, before - sum(number - 1 for _, number in begun.values())


if __name__ == "__main__":
    for games in sorted(path for path in RECORDINGS.iterdir() if any(path.glob("*.jsonl"))):
        lines, left = shorten(games)
        sys.stdout.write(f"{games.name}: {lines} lines, now {left}\n")
