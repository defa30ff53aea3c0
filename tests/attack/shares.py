"""Attacks that are divided among processes: of n processes each takes every n-th number."""

import random
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from contextlib import nullcontext
from multiprocessing import get_context
from pathlib import Path
from typing import Final, TypeVar

from tabletape.projector.datasets.manifest import FOLDER
from tests.attack.datasets import wrong_flips
from tests.attack.kills import ATTACKS, problems_after
from tests.attack.scribe import kill_scribe
from tests.attack.uploads import uploads
from tests.events.test_heads import content, found

UPLOAD: Final = "the page's upload"
SCRIBE: Final = "the scribe"

Result = TypeVar("Result")


def in_shares(work: Callable[[range], Result], number: int, processes: int) -> list[Result]:
    """Divide the numbers below `number` among processes; return the result of each process."""
    shares = [range(first, number, processes) for first in range(processes)]
    with ProcessPoolExecutor(processes, get_context("spawn")) as pool:
        return [*pool.map(work, shares)]


def share_of_kills(what: str, folder: Path, seeds: range) -> list[str]:
    """Run one kind of attack once for each seed; return what was wrong."""
    with uploads() if what == UPLOAD else nullcontext({**ATTACKS, SCRIBE: kill_scribe}[what]) as attack:
        return problems_after(attack, seeds, folder)


def share_of_wrong_flips(original: Path, folder: Path, seeds: range) -> list[str]:
    """Flip bits in the files of a copy of some datasets; return those after which a read is wrong."""
    return wrong_flips(original, folder / f"copy-{seeds.start}" / FOLDER, seeds)


def undetected_flips(original: Path, head: str, seeds: range) -> tuple[list[str], list[str]]:
    """Flip bits anywhere in the file of a log; return those that change its content and are not detected.

    First those without a kept head, then those with it.
    """
    before, whole, changed = content(original), original.read_bytes(), original.with_name(f"changed-{seeds.start}.db")
    undetected: tuple[list[str], list[str]] = [], []
    for seed in seeds:
        place = random.Random(seed).randrange(len(whole) * 8)  # noqa: S311 - no secret
        flipped = bytearray(whole)
        flipped[place // 8] ^= 1 << place % 8
        changed.write_bytes(flipped)
        if content(changed) != before:
            for heads, missed in zip(((), (head,)), undetected, strict=True):
                if not found(changed, *heads):
                    missed.append(f"bit {place}, {len(heads)} kept heads")
    return undetected
