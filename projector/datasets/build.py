"""Bringing the datasets up to date with the log: only games that changed are projected, and nothing is half-written."""

import fcntl
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import msgspec

from events.game_source import GameSource
from projector.datasets.catalogue import write_catalogue
from projector.datasets.freshness import AS_IT_IS, folder_of, missing_of, of_today
from projector.datasets.game_packs import GamePacks
from projector.datasets.manifest import (
    DatasetError,
    Manifest,
    Reached,
    read_manifest,
    sweep,
    write_manifest,
)
from projector.datasets.origin import code_of
from projector.datasets.pack_builder import Engine, by_processes
from projector.datasets.plans import GameRequest, PackPlan, Request, Skipped, plans_of, wanted_of
from projector.reading.archive import AS_PLAYED, workspace


class Built(msgspec.Struct, frozen=True, kw_only=True):
    """What a build did, in games: projected anew, left as they were, taken out because the log has them no more."""

    projected: int
    events: int
    unchanged: int
    removed: int
    skipped: tuple[Skipped, ...]
    folder: Path


def build(
    source: GameSource,
    asked: Request = AS_IT_IS,
    *,
    progress: Callable[[int], object] = lambda _games: None,
    engine: Engine = by_processes,
) -> Built:
    """Bring the datasets of a log, or of game packs, up to date.

    `progress` is told how many games were done since the last call. Raises `DatasetError` where another build is
    running, where the folder cannot be written, or where its datasets are those of other games.
    """
    folder = folder_of(source)
    with _alone(folder):
        old = Manifest() if asked.fresh else of_today(read_manifest(folder))
        packed_at = source.where if isinstance(source, GamePacks) else ""
        _require_same(old, packed_at)
        head, stored = source.head(), source.games()
        wanted, skipped = wanted_of(source, asked, old, stored)
        kept, plans = plans_of(old, wanted)
        made = engine(source, folder, plans, progress)
        packs = sorted((*kept, *(each.pack for each in made if each.pack)), key=lambda pack: (pack.game, pack.name))
        codes = {pack.game: code_of(workspace(source), pack.game) for pack in packs}
        reached = Reached(
            head=head,
            codes={slug: code_of(workspace(source), slug) for slug in sorted({each.game for each in stored})},
            missing=tuple(each.stored.game_id for each in missing_of(wanted, packs) if each.reading == AS_PLAYED),
        )
        catalogue = write_catalogue(folder, codes, workspace(source))
        new = Manifest(packs=tuple(packs), catalogue=catalogue, reached=reached, packed_at=packed_at)
        if asked.fresh or new != read_manifest(folder):
            write_manifest(folder, new)
        sweep(folder, new)
    skipped += [each for one in made for each in one.skipped]
    removed = {entry.key for entry in old.entries()} - {each.entry.key for each in wanted}
    return _report(wanted, plans, skipped, removed=len(removed), folder=folder)


def _require_same(old: Manifest, packed_at: str) -> None:
    """Raise `DatasetError` where datasets hold the games of other packs, or packs and a log take turns."""
    if old.packs and old.packed_at != packed_at:
        theirs, mine = (f"the game packs at {each}" if each else "the log" for each in (old.packed_at, packed_at))
        way = f"`tabletape build --packs {old.packed_at}`" if old.packed_at else "`tabletape build`"
        raise DatasetError(
            f"the datasets here were built from {theirs}: {way} brings them up to date, "
            f"--fresh throws them away and builds them from {mine}"
        )


def _report(
    wanted: Sequence[GameRequest], plans: Sequence[PackPlan], skipped: Sequence[Skipped], *, removed: int, folder: Path
) -> Built:
    projected = [each for plan in plans for each in plan.projected]
    failed = {each.game_id for each in skipped}
    done = [each for each in projected if each.stored.game_id not in failed]
    return Built(
        projected=len(done),
        events=sum(each.stored.events for each in done),
        unchanged=len(wanted) - len(projected),
        removed=removed,
        skipped=tuple(skipped),
        folder=folder,
    )


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Keep other builds out; the lock ends with the process, however it ends."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        stream = (folder / ".lock").open("w")
    except OSError as error:
        raise DatasetError(f"the datasets cannot be written to {folder}: {error.strerror}") from None
    with stream:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise DatasetError(f"another build is writing to {folder}; wait for it and try again") from None
        yield
