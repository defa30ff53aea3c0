"""Making packs: folding games, turning them into rows, writing the files; in several processes where that pays."""

from collections.abc import Callable, Sequence
from itertools import chain
from pathlib import Path
from typing import Protocol

import msgspec
import pyarrow as pa

from tabletape.events.errors import said_by
from tabletape.events.log.game_source import GameSource
from tabletape.events.vocabulary import Event
from tabletape.projector.archive.stored import AS_PLAYED, replay
from tabletape.projector.datasets.entries import DatasetEntry, write_entries
from tabletape.projector.datasets.manifest import ENTRIES, Pack
from tabletape.projector.datasets.origin import name_of
from tabletape.projector.datasets.packs import carried, tables_of, write_pack
from tabletape.projector.datasets.plans import GameRequest, PackPlan, Skipped
from tabletape.projector.datasets.rows.game_rows import GameRows, rows_of_game
from tabletape.projector.parallel import packs_of, work_in_order, worth_processes


class PackResult(msgspec.Struct, frozen=True):
    """A pack that was written, or none where no game of its plan could be projected.

    `missing` are the ids of those `skipped` games that have no rows as they were played.
    """

    pack: Pack | None
    skipped: tuple[Skipped, ...]
    missing: tuple[str, ...]


class PartResult(msgspec.Struct, frozen=True):
    """What some games of a plan gave: their rows, a table a dataset, what these were built from, who has none."""

    tables: dict[str, pa.Table]
    entries: tuple[DatasetEntry, ...]
    skipped: tuple[Skipped, ...]
    missing: tuple[str, ...]


class Engine(Protocol):
    """What makes the packs of some plans from the games of a source, in a folder; in the order of the plans."""

    def __call__(
        self, source: GameSource, folder: Path, plans: Sequence[PackPlan], progress: Callable[[int], object]
    ) -> list[PackResult]:
        """Make the packs; `progress` is called with how many games were done since the last call."""


def by_processes(
    source: GameSource, folder: Path, plans: Sequence[PackPlan], progress: Callable[[int], object]
) -> list[PackResult]:
    """Make the packs of some plans in a folder; `progress` is called with how many games were done since the last call.

    The games are projected in parts, by several processes where that pays; this one puts the parts together.
    """
    parts = [packs_of(plan.projected) for plan in plans]
    processes = worth_processes(chain.from_iterable(plan.projected for plan in plans))
    done = work_in_order(source, [*chain.from_iterable(parts)], project, processes)
    made = []
    for plan, mine in zip(plans, parts, strict=True):
        results = []
        for part in mine:
            results.append(next(done))
            progress(len(part))
        made.append(_written(folder, plan, results))
    return made


def alone(
    source: GameSource, folder: Path, plans: Sequence[PackPlan], progress: Callable[[int], object]
) -> list[PackResult]:
    """Make the packs of some plans in this process: in a script without a main guard no other one can be started."""
    made = []
    for plan in plans:
        made.append(make_whole(source, folder, plan))
        progress(len(plan.projected))
    return made


def make_whole(source: GameSource, folder: Path, plan: PackPlan) -> PackResult:
    """Make the pack of a plan alone, from its first game to its files."""
    return _written(folder, plan, [project(source, part) for part in packs_of(plan.projected)])


def project(source: GameSource, part: Sequence[GameRequest]) -> PartResult:
    """Fold some games and return their rows."""
    games: list[GameRows] = []
    entries: list[DatasetEntry] = []
    skipped: list[Skipped] = []
    missing: list[str] = []
    for each, (_, events) in zip(part, source.each(one.stored for one in part), strict=True):
        rows = _rows(source, each, events)
        if isinstance(rows, Skipped):
            skipped.append(rows)
            missing += [rows.game_id] if each.reading == AS_PLAYED else []
        else:
            games.append(rows)
            entries.append(each.entry)
    return PartResult(tables_of(games), tuple(entries), tuple(skipped), tuple(missing))


def _written(folder: Path, plan: PackPlan, parts: Sequence[PartResult]) -> PackResult:
    """Put the parts of a plan and the rows that are copied together, and write the files."""
    skipped = tuple(chain.from_iterable(part.skipped for part in parts))
    missing = tuple(chain.from_iterable(part.missing for part in parts))
    copied = [carried(folder, pack, frozenset(entry.key for entry in mine)) for pack, mine in plan.copied]
    entries = tuple(chain(*(mine for _, mine in plan.copied), *(part.entries for part in parts)))
    if not entries:
        return PackResult(None, skipped, missing)
    name = name_of([repr(entry) for entry in entries])
    pack = write_pack(folder, name, plan.game, [*copied, *(part.tables for part in parts)])
    proofs = {**pack.written, ENTRIES: write_entries(folder, name, entries)}
    return PackResult(msgspec.structs.replace(pack, written=proofs), skipped, missing)


def _rows(source: GameSource, wanted: GameRequest, events: Sequence[Event]) -> GameRows | Skipped:
    """Return the rows of a game, or why it has none."""
    try:
        replayed = replay(source, wanted.stored, events, reading=wanted.reading)
        if not replayed.events:
            return Skipped(wanted.stored.game_id, replayed.stopped.reason if replayed.stopped else "it has no events")
        entry = wanted.entry
        as_played = not (entry.edition or entry.rulings or entry.cards)
        return rows_of_game(replayed, cards=entry.version, as_played=as_played, decision_load=entry.decision_load)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001 - one bad game must not take the datasets of a thousand down
        return Skipped(wanted.stored.game_id, f"its rows could not be made ({said_by(error)})")
