"""Whether datasets say what the log says. This module loads nothing that only a build needs."""

from pathlib import Path
from typing import Final

from tabletape.events.log import Log
from tabletape.events.log.game_source import GameSource
from tabletape.projector.archive.stored import workspace
from tabletape.projector.datasets.columns import SCHEMA
from tabletape.projector.datasets.manifest import FOLDER, Manifest, read_manifest
from tabletape.projector.datasets.plans import Request, game_requests
from tabletape.projector.datasets.scope import scope_of_new, whole_scope

AS_IT_IS: Final = Request()
"""Every game as it was played."""


def folder_of(source: GameSource) -> Path:
    """Return the folder of the datasets of a log, or of game packs."""
    return workspace(source) / FOLDER


def outdated(log: Log) -> int:
    """Count the games of a log whose rows are missing or were built from something else.

    As long as rules, cards and columns are those of the last build, only what was recorded after it is looked at.
    """
    folder = folder_of(log)
    old = of_today(read_manifest(folder))
    new = scope_of_new(log, folder, old, again=False)
    scope = new or whole_scope(log, folder, old)
    left = [each for each in old.reached.missing if not scope.has(each)] if new and old.reached else []
    if not scope.games:
        return len(left)
    wanted, _ = game_requests(log, AS_IT_IS, scope)
    have = {entry.key: entry for entry in scope.standing()}
    return len(left) + sum(
        not (each.entry.key in have and have[each.entry.key].is_as_good_as(each.entry)) for each in wanted
    )


def of_today(manifest: Manifest) -> Manifest:
    """Return a manifest, or an empty one where its files have other columns than today's."""
    return manifest if manifest.schema == SCHEMA else Manifest()
