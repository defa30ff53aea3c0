"""The check of datasets: all files of the manifest are there, as they were written."""

from collections.abc import Iterator
from pathlib import Path

from tabletape.events.log.integrity.rows import Damage, damage
from tabletape.projector.datasets.columns import SCHEMA
from tabletape.projector.datasets.manifest import DatasetError, not_whole, read_manifest
from tabletape.projector.datasets.proofs import problems_in


def dataset_damages(folder: Path) -> Iterator[Damage]:
    """Check the datasets in a folder that a build writes to; return what is wrong, each file by itself.

    Nothing is wrong where none were built, nor with those of an older version: a build makes them anew.
    """
    try:
        manifest = read_manifest(folder)
    except DatasetError as error:
        yield damage("dataset", str(error))
        return
    if manifest.schema == SCHEMA:
        for file, problem in problems_in(folder, {**manifest.proofs(), **manifest.proofs_of_entries()}).items():
            yield damage("dataset", not_whole(folder, manifest, {file: problem}))
