"""What a build has to do: which games' rows are wanted, which of them are there, and how the others share out."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, TypeAlias

import msgspec

from tabletape.events.log.game_source import GameSource
from tabletape.events.log.rows import CardTexts, StoredGame
from tabletape.events.vocabulary import UnknownGameError
from tabletape.projector.archive.card_versions import TODAY, texts_of, version_of
from tabletape.projector.archive.stored import AS_PLAYED, RulesetOverride, usable_cards, workspace
from tabletape.projector.datasets.entries import DatasetEntry, read_entries
from tabletape.projector.datasets.manifest import Manifest, Pack, size_of
from tabletape.projector.datasets.origin import code_of
from tabletape.projector.datasets.scope import Scope
from tabletape.projector.fold.folding import ruleset_of
from tabletape.projector.games import game
from tabletape.projector.model.cards import CardError
from tabletape.projector.model.game import Game
from tabletape.projector.model.rulebook import RulesetError

PACK_EVENTS: Final = 300_000
"""Events after which a pack is full: many games a file, so that questions open few files."""

MUCH_LARGER: Final = 4
"""A pack is left alone if it has this many times the events that would be added to it."""

Copied: TypeAlias = tuple[Pack, tuple[DatasetEntry, ...]]
"""An old pack, and those of its games whose rows are copied."""


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """What a build is asked for: every game as it was played, and those of `game` (empty: all) also by `reading`."""

    reading: RulesetOverride = AS_PLAYED
    game: str = ""
    decision_load: bool = False
    fresh: bool = False

    @property
    def is_plain(self) -> bool:
        """Whether nothing is asked for but what is new, as it was played."""
        return self.reading == AS_PLAYED and not (self.decision_load or self.fresh)


class Skipped(msgspec.Struct, frozen=True):
    """A game that has no rows in the datasets, and why."""

    game_id: str
    reason: str


class GameRequest(msgspec.Struct, frozen=True):
    """A stored game and what its rows have to be built from."""

    stored: StoredGame
    entry: DatasetEntry

    @property
    def events(self) -> int:
        """How much there is to do, in events."""
        return size_of(self.stored.events, 1)

    @property
    def reading(self) -> RulesetOverride:
        """How the game is to be read."""
        return RulesetOverride(self.entry.edition, self.entry.rulings, self.entry.cards)


class PackPlan(msgspec.Struct, frozen=True):
    """A pack to be made: games to project, and games of old packs whose rows are copied."""

    game: str
    projected: tuple[GameRequest, ...]
    copied: tuple[Copied, ...]


def game_requests(source: GameSource, asked: Request, scope: Scope) -> tuple[list[GameRequest], list[Skipped]]:
    """Return what the datasets should hold of the games that are looked at, and those that no rulebook can read.

    A game that stands in the datasets by another reading than its table's goes on to do so.
    """
    others: dict[str, list[RulesetOverride]] = {}
    for entry in scope.standing():
        if entry.edition or entry.rulings or entry.cards:
            others.setdefault(entry.game_id, []).append(RulesetOverride(entry.edition, entry.rulings, entry.cards))
    kinds = _Kinds(source)
    wanted: dict[tuple[str, str], GameRequest] = {}
    skipped: list[Skipped] = []
    for stored in scope.games:
        concerned = asked.game in {"", stored.game}
        readings = [AS_PLAYED, *others.get(stored.game_id, []), *([asked.reading] if concerned else [])]
        for reading in readings:
            try:
                entry = kinds.entry(stored, reading, decision_load=asked.decision_load and concerned)
            except (RulesetError, UnknownGameError, CardError) as error:
                reason = Skipped(stored.game_id, str(error))
                skipped += [] if reason in skipped[-1:] else [reason]
            else:
                wanted.setdefault(entry.key, GameRequest(stored, entry))
    return list(wanted.values()), skipped


class _Kinds:
    """Knows what games are built from: rules, cards and columns, asked for once for all games of a kind."""

    def __init__(self, source: GameSource) -> None:
        self._source = source
        self._workspace = workspace(source)
        self._known: dict[str, tuple[Game, CardTexts | None, str]] = {}

    def entry(self, stored: StoredGame, reading: RulesetOverride, *, decision_load: bool) -> DatasetEntry:
        """Return what the rows of a game by a reading are built from.

        Raises `UnknownGameError`, `RulesetError` and `CardError` where it cannot be read so.
        """
        one, texts, code = self._of(stored.game)
        mine = reading.of(one)
        ruleset = ruleset_of(one, stored.edition, stored.rulings, edition=mine.edition, rulings=mine.rulings)
        version = "" if mine.cards == TODAY else version_of(self._source, stored, texts)
        return DatasetEntry(
            game_id=stored.game_id,
            ruleset_id=f"{ruleset.id}-{version}" if version else ruleset.id,
            edition=mine.edition,
            rulings=mine.rulings,
            cards=mine.cards,
            version=version,
            fingerprint=stored.fingerprint,
            last_seq=stored.last_seq,
            code=code,
            decision_load=decision_load,
        )

    def _of(self, slug: str) -> tuple[Game, CardTexts | None, str]:
        kind = self._known.get(slug)
        if kind is None:
            one = game(slug)
            usable_cards(self._workspace, slug)  # A file that is none of cards is to be said with its name, and once.
            kind = self._known[slug] = one, texts_of(self._workspace, slug), code_of(self._workspace, slug)
        return kind


def plans_of(
    folder: Path, old: Manifest, scope: Scope, wanted: Sequence[GameRequest], broken: Collection[str] = ()
) -> tuple[list[Pack], list[PackPlan]]:
    """Return the packs in a folder that stay as they are, and those that have to be made.

    `broken` are the names of packs whose rows are not what was written: nothing of them is kept.
    """
    by_key = {each.entry.key: each.entry for each in wanted}
    good = {
        name: () if name in broken else tuple(_good(entries, scope, by_key)) for name, entries in scope.entries.items()
    }
    there = {entry.key for entries in good.values() for entry in entries}
    new: dict[str, list[GameRequest]] = {}
    for each in wanted:
        if each.entry.key not in there:
            new.setdefault(each.stored.game, []).append(each)
    lasting: list[Pack] = []
    copied: dict[str, list[Copied]] = {}
    for pack in old.packs:
        left = good.get(pack.name)
        if left is None or len(left) == pack.games:
            lasting.append(pack)
        elif left:
            copied.setdefault(pack.game, []).append((pack, left))
    plans: list[PackPlan] = []
    for slug in sorted({*new, *copied}):
        mine, todo = copied.get(slug, []), new.get(slug, [])
        size = sum(each.events for each in todo) + sum(pack.size for pack, _ in mine)
        for pack in _outgrown(lasting, slug, size):
            lasting.remove(pack)
            mine.append((pack, good.get(pack.name) or read_entries(folder, pack)))
        plans += _fill(slug, todo, mine)
    return lasting, plans


def _good(
    entries: Iterable[DatasetEntry], scope: Scope, wanted: Mapping[tuple[str, str], DatasetEntry]
) -> Iterator[DatasetEntry]:
    """Return the games of a pack whose rows are as good as new ones."""
    for entry in entries:
        if not scope.has(entry.game_id) or (entry.key in wanted and entry.is_as_good_as(wanted[entry.key])):
            yield entry


def _outgrown(packs: Iterable[Pack], slug: str, size: int) -> Iterator[Pack]:
    """Return the packs of a kind, the smallest first, that are not much larger than what comes to them.

    So a pack is copied a few times while it grows, not with every game, and there are never many small ones.
    """
    for pack in sorted((each for each in packs if each.game == slug), key=lambda each: (each.size, each.name)):
        if pack.size > min(MUCH_LARGER * size, PACK_EVENTS // 2):
            return
        yield pack
        size += pack.size


def _fill(slug: str, todo: Iterable[GameRequest], copied: Iterable[Copied]) -> Iterator[PackPlan]:
    """Share the games of one kind out over packs: all but the last are full."""
    old: list[Copied] = []
    new: list[GameRequest] = []
    size = 0
    items: list[GameRequest | Copied] = [*copied, *todo]
    for each in items:
        if isinstance(each, GameRequest):
            new.append(each)
            size += each.events
        else:
            old.append(each)
            size += each[0].size
        if size >= PACK_EVENTS:
            yield PackPlan(slug, tuple(new), tuple(old))
            old, new, size = [], [], 0
    if old or new:
        yield PackPlan(slug, tuple(new), tuple(old))
