"""Whether datasets say what the log says. This module loads nothing that only a build needs."""

from collections import Counter
from pathlib import Path
from typing import Final, Literal

from tabletape.events.log import Log
from tabletape.events.log.game_source import GameSource
from tabletape.projector.archive.stored import workspace
from tabletape.projector.datasets.columns import SCHEMA
from tabletape.projector.datasets.entries import DatasetEntry
from tabletape.projector.datasets.manifest import FOLDER, Manifest, read_manifest
from tabletape.projector.datasets.plans import Request, game_requests
from tabletape.projector.datasets.scope import scope_of_new, whole_scope

AS_IT_IS: Final = Request()
"""Every game as it was played."""

Why = Literal["new", "recorded", "read"]
"""A game is not in the datasets yet, its log has other lines since, or rules, cards or program read it otherwise."""


def folder_of(source: GameSource) -> Path:
    """Return the folder of the datasets of a log, or of game packs."""
    return workspace(source) / FOLDER


def outdated(log: Log) -> int:
    """Count the games of a log whose rows are missing or were built from something else."""
    return why_outdated(log).total()


def why_outdated(log: Log) -> Counter[Why]:
    """Count the games of a log whose rows are missing or were built from something else, by the reason.

    As long as rules, cards and columns are those of the last build, only what was recorded after it is looked at.
    """
    folder = folder_of(log)
    old = of_today(read_manifest(folder))
    new = scope_of_new(log, folder, old, again=False)
    scope = new or whole_scope(log, folder, old)
    left = [each for each in old.reached.missing if not scope.has(each)] if new and old.reached else []
    counts: Counter[Why] = Counter("new" for _ in left)
    if scope.games:
        wanted, _ = game_requests(log, AS_IT_IS, scope)
        standing = scope.standing()
        of_game, by_key = {each.game_id: each for each in standing}, {each.key: each for each in standing}
        counts.update(
            _why(of_game.get(each.game_id), each)
            for each in (request.entry for request in wanted)
            if not (each.key in by_key and by_key[each.key].is_as_good_as(each))
        )
    return counts


def _why(have: DatasetEntry | None, wanted: DatasetEntry) -> Why:
    """Return why the rows of a game are not those that are wanted."""
    if have is None:
        return "new"
    mine, theirs = (have.fingerprint, have.last_seq), (wanted.fingerprint, wanted.last_seq)
    return "read" if mine == theirs else "recorded"


def of_today(manifest: Manifest) -> Manifest:
    """Return a manifest, or an empty one where its files have other columns than today's."""
    return manifest if manifest.schema == SCHEMA else Manifest()
