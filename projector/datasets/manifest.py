"""The manifest: which files of the datasets count, and how far the build has come that wrote them.

It is replaced as a whole and last of all, so that a build that dies half-way leaves the old datasets as they were. It
says of each file what proves it (see `proofs`), and carries its own digest.
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Final, TypeAlias

import msgspec

from tabletape.events.errors import TabletapeError
from tabletape.events.plans import planned
from tabletape.events.whole_files import write_whole
from tabletape.events.workspace_files import content_of as read_bounded
from tabletape.projector.datasets.columns import DATASETS, SCHEMA, SUMMARIES
from tabletape.projector.datasets.places import PlaceError, RemoteFolder, is_address, shown
from tabletape.projector.datasets.proofs import (
    MISSING_FILE,
    NO_PROOF,
    OTHER,
    FileProof,
    UnsoundError,
    require_whole,
    sealed,
    unsealed,
)

FOLDER: Final = Path(".tabletape") / "datasets"
"""Where the datasets lie in a workspace."""

GAME_EVENTS: Final = 100
"""How many events are added to a game's own for its size: however short, it has rows of cards, rules and players."""

FILE: Final = "manifest.json"
ENTRIES: Final = "entries"

MOST_BYTES: Final = 200_000_000
"""The largest manifest: that of a hundred million events has a hundredth of it."""

Folder: TypeAlias = Path | RemoteFolder
"""Where datasets are read: in a folder of this computer, or under an address. They are built in the former."""

WRITTEN_BY: Final = "`tabletape build --datasets` writes them there, the manifest last"


class DatasetError(TabletapeError):
    """The datasets cannot be read or written; the message says what to do."""


class Pack(msgspec.Struct, frozen=True, kw_only=True):
    """Games of one kind whose rows lie together: one file a dataset, `<dataset>/<name>.parquet`.

    `rows` counts those of each dataset that it has: a small pack has no summaries (see `packs`). What the games
    were built from lies beside them (see `entries`). `written` proves its files, by dataset, and that of its entries.
    """

    name: str
    game: str
    rows: Mapping[str, int]
    written: Mapping[str, FileProof] = {}

    @property
    def games(self) -> int:
        """How many games it has, each as often as rulesets that it was read by."""
        return self.rows["games"]

    @property
    def events(self) -> int:
        """How many events its games have."""
        return self.rows["events"]

    @property
    def size(self) -> int:
        """How much there is in it, in events."""
        return size_of(self.events, self.games)

    @property
    def has_summaries(self) -> bool:
        """Whether it has summaries, be they empty."""
        return not self.rows.keys().isdisjoint(SUMMARIES)


class Reached(msgspec.Struct, frozen=True, kw_only=True):
    """How far a build has come: the log's head (hexadecimal) when it began, and the rules, cards and columns of then.

    `codes` are by game; `missing` are the ids of games that have no rows as they were played, `unread` those of games
    that no rulebook can read: the next build tries both again.
    """

    head: str
    codes: Mapping[str, str]
    missing: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()


@planned
class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """All packs that count, the file of what the games have (cards, rules, endings), and how far the build has come.

    `packed_at` is where the game packs lie that the datasets were built from (never with a password), empty where it
    was a log.
    """

    schema: str = SCHEMA
    packs: tuple[Pack, ...] = ()
    catalogue: str = ""
    catalogue_written: FileProof | None = None
    reached: Reached | None = None
    packed_at: str = ""

    def files(self, dataset: str) -> list[str]:
        """Return the files of a dataset, relative to its folder."""
        if dataset == "catalogue":
            return [self.catalogue] if self.catalogue else []
        return [path_in(dataset, pack.name) for pack in self.packs if dataset in pack.rows]

    def files_without_summaries(self, dataset: str) -> list[str]:
        """Return the files of a dataset that belong to packs without summaries, relative to its folder."""
        return [path_in(dataset, pack.name) for pack in self.packs if not pack.has_summaries]

    def all_files(self) -> set[str]:
        """Return every file that counts."""
        return {file for dataset in DATASETS for file in self.files(dataset)}

    def proofs(self, datasets: Iterable[str] = DATASETS) -> dict[str, FileProof | None]:
        """Return what proves the files of some datasets, by their names; None for one that has no proof."""
        proofs = {path_in(each, pack.name): pack.written.get(each) for pack in self.packs for each in pack.rows}
        if self.catalogue:
            proofs[self.catalogue] = self.catalogue_written
        return {file: proofs[file] for dataset in datasets for file in self.files(dataset)}

    def proofs_of_entries(self) -> dict[str, FileProof | None]:
        """Return what proves the files of what games were built from, which are not copied to other places."""
        return {entries_in(pack.name): pack.written.get(ENTRIES) for pack in self.packs}


def size_of(events: int, games: int) -> int:
    """Return how much so many games with so many events are, in events."""
    return events + GAME_EVENTS * games


def path_in(dataset: str, pack: str) -> str:
    """Return the place of a pack's file in the folder of the datasets."""
    return f"{dataset}/{pack}.parquet"


def entries_in(pack: str) -> str:
    """Return the place of what a pack's games were built from in the folder of the datasets."""
    return f"{ENTRIES}/{pack}.json"


def stamp_of(folder: Folder) -> str:
    """Return what changes whenever the manifest of a folder does; empty where nothing has been built.

    Raises `DatasetError` where an address has no datasets, or does not answer.
    """
    if isinstance(folder, RemoteFolder):
        try:
            return folder.stamp(FILE)
        except PlaceError as error:
            raise DatasetError(str(error)) from None
        except FileNotFoundError:
            raise DatasetError(f"there are no datasets at {folder}: {WRITTEN_BY}") from None
    try:
        stat = (folder / FILE).stat()
    except FileNotFoundError:
        return ""
    return f"{stat.st_mtime_ns} {stat.st_size} {stat.st_ino}"


def read_manifest(folder: Folder) -> Manifest:
    """Read the manifest of a folder of datasets; an empty one where nothing has been built.

    Raises `DatasetError` where it cannot be read, also as `stamp_of` does.
    """
    stamp = stamp_of(folder)
    return _read(folder, stamp) if stamp else Manifest()


@lru_cache(maxsize=8)
def _read(folder: Folder, _stamp: str) -> Manifest:
    try:
        return manifest_of(
            folder.read(FILE) if isinstance(folder, RemoteFolder) else read_bounded(folder / FILE, MOST_BYTES)
        )
    except (msgspec.MsgspecError, UnsoundError) as error:
        way = "`tabletape build --fresh` builds all datasets anew" if _is_built_here(folder) else WRITTEN_BY
        problem = f"{error}" if isinstance(error, UnsoundError) else f"cannot be read ({error})"
        raise DatasetError(f"{folder}/{FILE} {problem}; {way}") from None
    except PlaceError as error:
        raise DatasetError(str(error)) from None
    except OSError as error:
        raise DatasetError(f"{folder}/{FILE}: {error.strerror}; `tabletape build --fresh` builds all anew") from None


def manifest_of(content: bytes) -> Manifest:
    """Return a manifest that was read; one of an older version is known by its `schema`.

    Raises `UnsoundError` where it is not the one that was written, `msgspec.MsgspecError` where it is none.
    """
    inner, is_sealed = unsealed(content)
    written = msgspec.json.decode(inner, type=Manifest)
    if not is_sealed and written.schema == SCHEMA:
        raise UnsoundError(NO_PROOF)
    return written


def _is_built_here(folder: Folder) -> bool:
    """Return whether a folder is one that a build writes to, and no copy of it elsewhere."""
    return isinstance(folder, Path) and folder.absolute().parts[-2:] == FOLDER.parts


def not_whole(folder: Folder, manifest: Manifest, problems: Mapping[str, str]) -> str:
    """Return in one sentence which files of datasets are not what was written, by their names, and what mends them."""
    (file, problem), *others = problems.items()
    more = f" (and {len(others):,} other files)" if others else ""
    place = "at" if isinstance(folder, RemoteFolder) else "in"
    first = f"take {file} away there, and " if isinstance(folder, RemoteFolder) and problem in {OTHER, NO_PROOF} else ""
    return f"the datasets {place} {folder} are not whole: {file} {problem}{more}; {first}{_way(folder, manifest)}"


def _way(folder: Folder, manifest: Manifest) -> str:
    """Return what mends the files of a folder that are not what was written."""
    if _is_built_here(folder):
        packs = f" --packs {shown(manifest.packed_at)}" if manifest.packed_at else ""
        return f"`tabletape build{packs}` builds it anew"
    return f"`tabletape build --datasets {folder}` copies it again"


def content_of(folder: Path, manifest: Manifest, file: str) -> bytes:
    """Return a whole file of a manifest. Raises `DatasetError` where it is not what was written."""
    try:
        content = (folder / file).read_bytes()
        require_whole(content, manifest.proofs()[file])
    except FileNotFoundError:
        raise DatasetError(not_whole(folder, manifest, {file: MISSING_FILE})) from None
    except UnsoundError as error:
        raise DatasetError(not_whole(folder, manifest, {file: str(error)})) from None
    return content


def named_folder(where: str) -> Folder:
    """Return the folder of datasets that a path or an address names.

    Raises `DatasetError` where there are none, or where it cannot be read.
    """
    folder = folder_at(where)
    if isinstance(folder, Path) and not (folder / FILE).exists():
        raise DatasetError(f"there are no datasets in {folder}: {WRITTEN_BY}")
    read_manifest(folder)
    return folder


def folder_at(where: str) -> Folder:
    """Return the folder that a path or an address names, whatever is there."""
    return RemoteFolder(where) if is_address(where) else Path(where)


def name_of(folder: Folder) -> str:
    """Return the path or address that `folder_at` makes the same folder of; an address may hold a password."""
    return folder.address if isinstance(folder, RemoteFolder) else str(folder)


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Replace the manifest of a folder, at once and durably."""
    write_whole(folder / FILE, sealed(msgspec.json.encode(manifest), manifest.schema))


def sweep(folder: Path, manifest: Manifest) -> int:
    """Delete the files that a manifest does not name; return how many."""
    keep = {*manifest.all_files(), *manifest.proofs_of_entries()}
    swept = 0
    for kind in (*DATASETS, ENTRIES):
        for file in (folder / kind).glob("*.*"):
            if f"{kind}/{file.name}" not in keep:
                file.unlink(missing_ok=True)
                swept += 1
    return swept
