"""Copying datasets to where others ask them: another folder, or an address (`s3://…`, `gs://…`, `hdfs://…`).

No file ever changes and each has a name of its own, so that what is there already is not copied again; the manifest
comes last. Who asks meanwhile is answered from the old manifest, whose files are taken away after that: he then asks
once more (see `dashboard.questions.database`).
"""

from collections.abc import Callable, Mapping
from pathlib import Path

import msgspec
import pyarrow.fs as pf

from tabletape.events.log.game_source import GameSource
from tabletape.events.log.schema import LogError
from tabletape.events.whole_files import made_folder, write_whole
from tabletape.projector.datasets.game_packs import packed_at
from tabletape.projector.datasets.manifest import FILE, DatasetError, Manifest, content_of, manifest_of, read_manifest
from tabletape.projector.datasets.places import PlaceError, place_of, reason, shown
from tabletape.projector.datasets.proofs import FileProof, UnsoundError, problems_in


class Copied(msgspec.Struct, frozen=True):
    """How many files were copied, and how many that nobody needs any more were taken away."""

    files: int
    swept: int


def copy_datasets(
    source: GameSource,
    folder: Path,
    where: str,
    *,
    fresh: bool = False,
    progress: Callable[[int, int], object] = lambda _files, _of: None,
) -> Copied:
    """Copy the datasets of a source to a path or an address; `progress` is called with the files done and all to do.

    One at a time may write to a place. Raises `DatasetError` where it cannot be written, and, unless it shall begin
    anew (`fresh`), where the datasets of other games lie there.
    """
    try:
        files, place = place_of(where)
        return _copied(source, folder, _Target(files, place, shown(where)), fresh=fresh, progress=progress)
    except PlaceError as error:
        raise DatasetError(str(error)) from None
    except OSError as error:
        raise DatasetError(f"{shown(where)} cannot be written to: {reason(error)}") from None


class _Target(msgspec.Struct, frozen=True):
    """A folder on a filesystem, and how it is called."""

    files: pf.FileSystem
    folder: str
    name: str

    def at(self, file: str) -> str:
        return f"{self.folder}/{file}"

    def manifest(self, *, fresh: bool) -> Manifest | None:
        """Return the manifest that is there; None without one.

        Raises `DatasetError` where it cannot be read, unless it shall be replaced whatever it is (`fresh`).
        """
        if self.files.get_file_info(self.at(FILE)).type is pf.FileType.NotFound:
            return None
        try:
            with self.files.open_input_stream(self.at(FILE)) as stream:
                return manifest_of(stream.read())
        except (msgspec.MsgspecError, UnsoundError) as error:
            if fresh:
                return None
            raise DatasetError(f"{self.name}/{FILE} cannot be read ({error}); --fresh replaces it") from None

    def sizes(self) -> dict[str, int]:
        """Return the sizes of the files that are there, by their names."""
        infos = self.files.get_file_info(pf.FileSelector(self.folder, recursive=True, allow_not_found=True))
        return {each.path.removeprefix(f"{self.folder}/"): each.size for each in infos}

    def lacks(self, files: Mapping[str, FileProof | None], old: Manifest | None, *, fresh: bool) -> list[str]:
        """Return which files are not there as they were written.

        On other computers only their sizes are looked at, and the manifest that is there (`old`), unless all shall be
        written anew (`fresh`): who reads them checks their content.
        """
        if self.files.type_name == "local":
            return [*problems_in(Path(self.folder), files)]
        if fresh:
            return [*files]
        sizes, theirs = self.sizes(), old.proofs() if old else {}
        return [
            name
            for name, proof in files.items()
            if proof is None or sizes.get(name) != proof.size or theirs.get(name, proof) != proof
        ]

    def write(self, file: str, content: bytes) -> None:
        """Write a file under another name first, where a half one could be seen: object storage has only whole ones."""
        if self.files.type_name == "local":
            with made_folder(Path(self.at(file)).parent):
                write_whole(Path(self.at(file)), content)
            return
        with self.files.open_output_stream(self.at(file), compression=None) as stream:
            stream.write(content)


def _copied(
    source: GameSource, folder: Path, target: _Target, *, fresh: bool, progress: Callable[[int, int], object]
) -> Copied:
    manifest = read_manifest(folder)
    old = target.manifest(fresh=fresh)
    if old is not None and not fresh:
        _require_same(source, old, target.name)
    there = target.sizes()
    files = dict(sorted(manifest.proofs().items()))
    todo = target.lacks(files, old, fresh=fresh)
    for name in todo:
        target.write(name, content_of(folder, manifest, name))
        progress(1, len(todo))
    if todo or old != manifest:
        target.write(FILE, (folder / FILE).read_bytes())
    swept = sorted((old or Manifest()).all_files() - {*files})
    for name in swept:
        if name in there:
            target.files.delete_file(target.at(name))
    return Copied(len(todo), len(swept))


def _require_same(source: GameSource, old: Manifest, name: str) -> None:
    """Raise `DatasetError` where the datasets at a place were built from another log, or from other packs."""
    try:
        if old.reached is not None and shown(old.packed_at) == packed_at(source):
            source.since(old.reached.head)
            return
    except LogError:
        pass
    raise DatasetError(
        f"the datasets at {name} are those of another log: name another place, or replace them with --fresh"
    )
