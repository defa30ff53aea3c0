"""Whether datasets say what the log says. Who only asks that does not wait for what a build needs."""

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from events.game_source import GameSource
from events.log import Log
from events.log_schema import LogError
from projector.datasets.columns import SCHEMA
from projector.datasets.manifest import FOLDER, Manifest, Pack, Reached, read_manifest
from projector.datasets.origin import code_of
from projector.datasets.plans import GameRequest, Request, wanted_of
from projector.reading.archive import workspace

AS_IT_IS = Request()
"""Every game as it was played."""

MANY: Final = 1000
"""So many games are asked for by their ids; where more are new, all are looked at."""


def folder_of(source: GameSource) -> Path:
    """Return the folder of the datasets of a log, or of game packs."""
    return workspace(source) / FOLDER


def outdated(log: Log) -> int:
    """Count the games of a log whose rows are missing or were built from something else.

    As long as rules, cards and columns are those of the last build, only what was recorded after it is looked at.
    """
    old = of_today(read_manifest(folder_of(log)))
    recorded = _recorded_after(log, old.reached)
    if old.reached is None or recorded is None:
        left: tuple[str, ...] = ()
        stored = log.games()
    else:
        left = tuple(each for each in old.reached.missing if each not in recorded)
        stored = log.games(ids=sorted(recorded)) if recorded else []
    wanted, _ = wanted_of(log, AS_IT_IS, old, stored) if stored else ([], [])
    return len(left) + len(missing_of(wanted, old.packs if wanted else ()))


def _recorded_after(log: Log, reached: Reached | None) -> set[str] | None:
    """Return the ids of the games with something new since a build; None where every game has to be looked at."""
    if reached is None or any(code_of(workspace(log), slug) != code for slug, code in reached.codes.items()):
        return None
    try:
        recorded = {each.game_id for each in log.since(reached.head)}
    except LogError:
        # Another log, or one that was empty.
        return None
    return recorded if len(recorded) <= MANY else None


def missing_of(wanted: Iterable[GameRequest], packs: Iterable[Pack]) -> list[GameRequest]:
    """Return the games whose rows are not in the packs, or were built from something else."""
    have = {entry.key: entry for pack in packs for entry in pack.entries}
    return [each for each in wanted if not (each.entry.key in have and have[each.entry.key].is_as_good_as(each.entry))]


def of_today(manifest: Manifest) -> Manifest:
    """Return a manifest, or an empty one where its files have other columns than today's."""
    return manifest if manifest.schema == SCHEMA else Manifest()
