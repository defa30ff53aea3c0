"""Making packs: folding games, turning them into rows, writing the files; in several processes where that pays."""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Final

import msgspec

from events.log import Log
from events.vocabulary import Event
from projector.datasets.manifest import Entry, Pack
from projector.datasets.origin import name_of
from projector.datasets.packs import carried, tables_of, together, write_pack
from projector.datasets.plans import GameRequest, PackPlan, Skipped
from projector.datasets.rows import GameRows, rows_of_game
from projector.reading.archive import replay

WORTH_PROCESSES: Final = 100_000
"""Events from which on starting further processes costs less than it saves."""


class PackResult(msgspec.Struct, frozen=True):
    """A pack that was written, or none where no game of its plan could be projected."""

    pack: Pack | None
    skipped: tuple[Skipped, ...]


def make(log: Log, folder: Path, plans: Sequence[PackPlan], progress: Callable[[int], object]) -> list[PackResult]:
    """Make the packs of some plans in a folder; `progress` is told how many games were done since the last call."""
    events = sum(each.stored.events for plan in plans for each in plan.projected)
    processes = min(os.cpu_count() or 1, len(plans))
    if processes < 2 or events < WORTH_PROCESSES:
        return [make_pack(log, folder, plan, progress) for plan in plans]
    address = log.url.render_as_string(hide_password=False)
    made = []
    # Spawned, not forked: the same on every system, and a fork would share the log's connection.
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        futures = [pool.submit(_make_apart, address, folder, plan) for plan in plans]
        try:
            for plan, future in zip(plans, futures, strict=True):
                made.append(future.result())
                progress(len(plan.projected))
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    return made


def _make_apart(address: str, folder: Path, plan: PackPlan) -> PackResult:
    """Make a pack in a process of its own."""
    with Log.open(address) as log:
        return make_pack(log, folder, plan, lambda _games: None)


def make_pack(log: Log, folder: Path, plan: PackPlan, progress: Callable[[int], object]) -> PackResult:
    """Project the games of a plan, put the rows that are copied beside them, and write the files."""
    games: list[GameRows] = []
    entries: list[Entry] = []
    skipped: list[Skipped] = []
    for each, (_, events) in zip(plan.projected, log.each(one.stored for one in plan.projected), strict=True):
        found = _rows(log, each, events)
        if isinstance(found, Skipped):
            skipped.append(found)
        else:
            games.append(found)
            entries.append(each.entry)
        progress(1)
    copied = [carried(folder, pack.name, frozenset(entry.key for entry in mine)) for pack, mine in plan.copied]
    entries = [*(entry for _, mine in plan.copied for entry in mine), *entries]
    if not entries:
        return PackResult(None, tuple(skipped))
    tables = together([*copied, tables_of(games)])
    name = name_of([repr(entry) for entry in entries])
    rows = write_pack(folder, name, tables)
    return PackResult(Pack(name=name, game=plan.game, entries=tuple(entries), rows=rows), tuple(skipped))


def _rows(log: Log, wanted: GameRequest, events: Sequence[Event]) -> GameRows | Skipped:
    """Return the rows of a game, or why it has none."""
    try:
        replayed = replay(log, wanted.stored, events, reading=wanted.reading)
        if not replayed.events:
            return Skipped(wanted.stored.game_id, replayed.stopped.reason if replayed.stopped else "it has no events")
        entry = wanted.entry
        as_played = not (entry.edition or entry.rulings or entry.cards)
        return rows_of_game(replayed, cards=entry.version, as_played=as_played, decision_load=entry.decision_load)
    except Exception as error:  # noqa: BLE001 - one bad game must not take the datasets of a thousand down
        return Skipped(wanted.stored.game_id, f"its rows could not be made ({type(error).__name__}: {error})")
