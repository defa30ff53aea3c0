"""Which stored games have to be looked at: those with something new since the last build, or all of them."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import msgspec

from tabletape.events.log.game_source import GameSource
from tabletape.events.log.rows import Recording, StoredGame
from tabletape.events.log.schema import LogError
from tabletape.projector.archive.stored import workspace
from tabletape.projector.datasets.entries import DatasetEntry, read_entries
from tabletape.projector.datasets.manifest import Manifest, Reached
from tabletape.projector.datasets.origin import code_of

MAX_IDS: Final = 1000
"""How many games are asked for by their ids; where more are new, all are looked at."""


class Scope(msgspec.Struct, frozen=True):
    """The stored games that have to be looked at, and what stands in the datasets of them.

    `ids` are the ids of the games, None for all that there are; `entries` are by the names of the packs that one of
    them stands in.
    """

    games: Sequence[StoredGame]
    ids: frozenset[str] | None
    entries: Mapping[str, tuple[DatasetEntry, ...]]

    def has(self, game_id: str) -> bool:
        """Return whether a game is one of those that are looked at."""
        return self.ids is None or game_id in self.ids

    def standing(self) -> list[DatasetEntry]:
        """Return the entries of the games that are looked at."""
        return [entry for entries in self.entries.values() for entry in entries if self.has(entry.game_id)]


def whole_scope(source: GameSource, folder: Path, old: Manifest) -> Scope:
    """Return all games of a source, with all that stands in a folder of datasets."""
    return Scope(source.games(), None, {pack.name: read_entries(folder, pack) for pack in old.packs})


def scope_of_new(source: GameSource, folder: Path, old: Manifest, *, again: bool) -> Scope | None:
    """Return the games with something new since the build of a manifest; None where every game has to be looked at.

    With `again` also those that it could not build, or not read.
    """
    recorded = _recorded_after(source, old.reached)
    if old.reached is None or recorded is None:
        return None
    ids = frozenset(each.game_id for each in recorded)
    if again:
        ids |= {*old.reached.missing, *old.reached.unread}
    if len(ids) > MAX_IDS:
        return None
    games = source.games(ids=sorted(ids)) if ids else []
    if _all_new(games, recorded):
        return Scope(games, ids, {})
    entries = {pack.name: read_entries(folder, pack) for pack in old.packs}
    if any(len(entries[pack.name]) != pack.games for pack in old.packs):
        return None
    mine = {name for name, each in entries.items() if not ids.isdisjoint(entry.game_id for entry in each)}
    return Scope(games, ids, {name: entries[name] for name in mine})


def _recorded_after(source: GameSource, reached: Reached | None) -> list[Recording] | None:
    """Return what was recorded since a build; None where it had other rules or cards, or another log."""
    if reached is None or any(code_of(workspace(source), slug) != code for slug, code in reached.codes.items()):
        return None
    try:
        return source.since(reached.head)
    except LogError:
        # Another log, or one that was empty.
        return None


def _all_new(games: Sequence[StoredGame], recorded: Sequence[Recording]) -> bool:
    """Return whether nothing of some games was there before these recordings, so that no pack can have them."""
    first = {(each.game_id, each.revision): 0 for each in recorded}
    for each in recorded:
        first[each.game_id, each.revision] += each.events
    return all(each.revision == 1 and first.get((each.game_id, 1)) == each.events for each in games)
