"""Flipped bits in the files of datasets: whatever is read of them is right, or an error that names file and command."""

import random
import shutil
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final, TypeAlias

import pyarrow as pa

from tabletape.dashboard.questions import database
from tabletape.dashboard.questions.database import QuestionError
from tabletape.events.log import Log
from tabletape.projector.datasets import manifest
from tabletape.projector.datasets.build import build
from tabletape.projector.datasets.columns import DATASETS
from tabletape.projector.datasets.freshness import folder_of
from tabletape.projector.datasets.integrity import dataset_damages
from tabletape.projector.datasets.manifest import DatasetError
from tabletape.projector.games import game
from tabletape.projector.selfplay.simulate import Plan, simulate

COMMAND: Final = "`tabletape build"

Found: TypeAlias = pa.Table | str
"""Rows, or the message with which reading them fails."""


def built_datasets(
    folder: Path, slugs: Iterable[str] = ("crystal", "duelyst", "evolve", "phylogenome", "splicers")
) -> Path:
    """Build the datasets of two games of bots of each kind in a folder; return where they lie."""
    with Log.open(folder / "tabletape.db", create=True) as log:
        for slug in slugs:
            one = game(slug)
            for match in simulate(one, one.cards, Plan(seed=4), 2):
                log.append(match.game_id, match.events, expected_last_seq=0)
        build(log)
        return folder_of(log)


def content_of(folder: Path, datasets: Iterable[str] = DATASETS) -> dict[str, Found]:
    """Return all rows of some datasets in a folder, by their names, or the message with which reading one fails."""
    database.close()
    manifest._read.cache_clear()
    found: dict[str, Found] = {}
    for dataset in datasets:
        try:
            found[dataset] = database.run(f"FROM {dataset} ORDER BY ALL", folder, seconds=60, rows=10**9).table
        except (QuestionError, DatasetError) as error:
            found[dataset] = str(error)
    return found


def flip(file: Path, bit: int) -> None:
    """Flip a bit of a file."""
    content = bytearray(file.read_bytes())
    content[bit // 8] ^= 1 << bit % 8
    file.write_bytes(content)


def wrong_flips(original: Path, copy: Path, seeds: Iterable[int]) -> list[str]:
    """Flip a bit of any file of a copy of some datasets for each seed; return those after which a read is wrong.

    A read is right with the rows of before, or with an error that names the file and the command that mends it;
    `verify` has to find every flip. The folder of the copy has the name that a build gives it. What is read is the
    dataset of the file and another one by luck; where the file belongs to no dataset, every one is.
    """
    before = content_of(original)
    shutil.copytree(original, copy)
    files = sorted(file.relative_to(original) for file in original.rglob("*.*") if file.name != ".lock")
    wrong = []
    for seed in seeds:
        dice = random.Random(seed)  # noqa: S311 - no secret
        file = copy / dice.choice(files)
        kept = file.read_bytes()
        bit = dice.randrange(len(kept) * 8)
        flip(file, bit)
        read = {file.parent.name, dice.choice([*DATASETS])} if file.suffix == ".parquet" else DATASETS
        found = {**content_of(copy, read), "verify": "; ".join(each.message for each in dataset_damages(copy))}
        wrong += [f"{file.name}, bit {bit}: {each}" for each in _wrong(found, before, file)]
        file.write_bytes(kept)
    return wrong


def _wrong(found: Mapping[str, Found], before: Mapping[str, Found], file: Path) -> Iterator[str]:
    for what, rows in found.items():
        is_plain = isinstance(rows, str) and file.name in rows and COMMAND in rows
        if not is_plain and (isinstance(rows, str) or rows != before[what]):
            yield f"{what}: {rows if isinstance(rows, str) else 'other rows'}"
    dataset = file.parent.name
    if file.suffix == ".parquet" and found[dataset] == before[dataset]:
        yield "nothing was said, although its dataset was read"
