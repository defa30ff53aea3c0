"""Attacks that are shared out over processes: each takes every second, third … number."""

import random
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from contextlib import nullcontext
from multiprocessing import get_context
from pathlib import Path
from typing import Final, TypeVar

from tests.attack.kills import ATTACKS, kills
from tests.attack.scribe import kill_scribe
from tests.attack.uploads import uploads
from tests.events.test_heads import content, found

UPLOAD: Final = "the page's upload"
SCRIBE: Final = "the scribe"

Found = TypeVar("Found")


def in_shares(work: Callable[[range], Found], number: int, processes: int) -> list[Found]:
    """Share the numbers from 0 out over so many processes; return what each of them found."""
    shares = [range(first, number, processes) for first in range(processes)]
    with ProcessPoolExecutor(processes, get_context("spawn")) as pool:
        return [*pool.map(work, shares)]


def share_of_kills(what: str, folder: Path, seeds: range) -> list[str]:
    """Kill something once for each seed; return what was wrong."""
    with uploads() if what == UPLOAD else nullcontext({**ATTACKS, SCRIBE: kill_scribe}[what]) as attack:
        return kills(attack, seeds, folder)


def flipped_bits(made: Path, head: str, seeds: range) -> tuple[list[str], list[str]]:
    """Flip bits anywhere in the file of a log; return those that change what it tells and are not found.

    Without a kept head, and with it.
    """
    before, whole, changed = content(made), made.read_bytes(), made.with_name(f"changed-{seeds.start}.db")
    unseen: tuple[list[str], list[str]] = [], []
    for seed in seeds:
        place = random.Random(seed).randrange(len(whole) * 8)  # noqa: S311 - no secret
        flipped = bytearray(whole)
        flipped[place // 8] ^= 1 << place % 8
        changed.write_bytes(flipped)
        if content(changed) != before:
            for heads, missed in zip(((), (head,)), unseen, strict=True):
                if not found(changed, *heads):
                    missed.append(f"bit {place}, {len(heads)} kept heads")
    return unseen
