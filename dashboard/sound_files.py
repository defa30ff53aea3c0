"""Which files of the datasets a question reads, and whether they are what was written: asked once in a process.

Only what a question names is hashed, so that nobody waits for the proof of datasets that he does not ask.
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import Final

from tabletape.projector.datasets.columns import DATASETS, SUMMARIES
from tabletape.projector.datasets.manifest import Folder, Manifest, not_whole
from tabletape.projector.datasets.proofs import FileProof, UnsoundError, problems_in
from tabletape.projector.datasets.summaries import summary_sql

_WORD: Final = re.compile(r"\w+")

FILE_FUNCTIONS: Final = re.compile(r"query|read_|scan|parquet|csv|json|glob|summary|histogram")
"""The functions of DuckDB that may read a file, or a dataset, by a name that is put together in a text."""

SOUND: Final[set[tuple[Path, str, FileProof | None]]] = set()
"""The files that were what was written."""


@lru_cache(maxsize=512)
def datasets_of(sql: str, *, summed_up: bool) -> frozenset[str]:
    """Return the datasets that some SQL may read: those whose names stand in it, all where they could be put together.

    `summed_up`: a summary is made of the datasets that its own SQL names.
    """
    text = sql.casefold()
    if FILE_FUNCTIONS.search(text):
        return frozenset(DATASETS)
    named = DATASETS.keys() & {*_WORD.findall(text)}
    sources = [summary_sql(each) for each in named & {*SUMMARIES}] if summed_up else []
    return frozenset(named.union(*(datasets_of(each, summed_up=False) for each in sources)))


def require_sound(folder: Folder, manifest: Manifest, datasets: Iterable[str]) -> None:
    """Raise `UnsoundError` with a whole sentence where a file of some datasets is not what was written.

    What lies under an address is proven when it is read (see `remote_files`).
    """
    if isinstance(folder, Path):
        _require_files(folder, manifest, manifest.proofs(datasets))


def require_readable(folder: Folder, manifest: Manifest) -> None:
    """Raise as `require_sound` does for the files that DuckDB learns the columns of the datasets from."""
    if isinstance(folder, Path):
        first = {file: proof for each in DATASETS for file, proof in [*manifest.proofs([each]).items()][:1]}
        _require_files(folder, manifest, first)


def _require_files(folder: Path, manifest: Manifest, files: dict[str, FileProof | None]) -> None:
    unknown = {file: proof for file, proof in files.items() if (folder, file, proof) not in SOUND}
    problems = problems_in(folder, unknown)
    SOUND.update((folder, file, proof) for file, proof in unknown.items() if file not in problems)
    if problems:
        raise UnsoundError(not_whole(folder, manifest, problems))
