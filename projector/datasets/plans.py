"""What a build has to do: which games' rows are wanted, which of them are there, and how the others share out."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import msgspec

from events.game_source import GameSource
from events.log_rows import Game as StoredGame
from events.vocabulary import UnknownGameError
from projector.datasets.manifest import Entry, Manifest, Pack
from projector.datasets.origin import code_of
from projector.fold.folding import ruleset_of
from projector.model.cards import CardError
from projector.model.game import game
from projector.model.rulebook import RulesetError
from projector.reading.archive import AS_PLAYED, Reading, workspace
from projector.reading.card_versions import TODAY, texts_of, version_of

PACK_EVENTS: Final = 250_000
"""Events after which a pack is full: many games a file, so that questions open few files."""


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """What a build is asked for: every game as it was played, and those of `game` (empty: all) also by `reading`."""

    reading: Reading = AS_PLAYED
    game: str = ""
    decision_load: bool = False
    fresh: bool = False


class Skipped(msgspec.Struct, frozen=True):
    """A game that has no rows in the datasets, and why."""

    game_id: str
    reason: str


class GameRequest(msgspec.Struct, frozen=True):
    """A stored game and what its rows have to be built from."""

    stored: StoredGame
    entry: Entry

    @property
    def events(self) -> int:
        """How many events the game has."""
        return self.stored.events

    @property
    def reading(self) -> Reading:
        """How the game is to be read."""
        return Reading(self.entry.edition, self.entry.rulings, self.entry.cards)


class PackPlan(msgspec.Struct, frozen=True):
    """A pack to be made: games to project, and games of old packs whose rows are copied."""

    game: str
    projected: tuple[GameRequest, ...]
    copied: tuple[tuple[Pack, tuple[Entry, ...]], ...]


def wanted_of(
    source: GameSource, asked: Request, old: Manifest, games: Iterable[StoredGame]
) -> tuple[list[GameRequest], list[Skipped]]:
    """Return what the datasets should hold of some stored games, and those that no rulebook can read.

    A game that stands in the datasets by another reading than its table's goes on to do so.
    """
    others: dict[str, list[Reading]] = {}
    for entry in old.entries():
        if entry.edition or entry.rulings or entry.cards:
            others.setdefault(entry.game_id, []).append(Reading(entry.edition, entry.rulings, entry.cards))
    wanted: dict[tuple[str, str], GameRequest] = {}
    skipped: list[Skipped] = []
    for stored in games:
        concerned = asked.game in {"", stored.game}
        readings = [AS_PLAYED, *others.get(stored.game_id, []), *([asked.reading] if concerned else [])]
        for reading in readings:
            try:
                each = _want(source, stored, reading, decision_load=asked.decision_load and concerned)
            except (RulesetError, UnknownGameError, CardError) as error:
                reason = Skipped(stored.game_id, str(error))
                skipped += [] if reason in skipped[-1:] else [reason]
            else:
                wanted.setdefault(each.entry.key, each)
    return list(wanted.values()), skipped


def _want(source: GameSource, stored: StoredGame, reading: Reading, *, decision_load: bool) -> GameRequest:
    one = game(stored.game)
    mine = reading.of(one)
    ruleset = ruleset_of(one, stored.edition, stored.rulings, edition=mine.edition, rulings=mine.rulings)
    today = mine.cards == TODAY
    version = "" if today else version_of(source, stored, texts_of(workspace(source), stored.game))
    entry = Entry(
        game_id=stored.game_id,
        ruleset_id=f"{ruleset.id}-{version}" if version else ruleset.id,
        edition=mine.edition,
        rulings=mine.rulings,
        cards=mine.cards,
        version=version,
        fingerprint=stored.fingerprint,
        last_seq=stored.last_seq,
        code=code_of(workspace(source), stored.game),
        decision_load=decision_load,
    )
    return GameRequest(stored, entry)


def plans_of(old: Manifest, wanted: Sequence[GameRequest]) -> tuple[list[Pack], list[PackPlan]]:
    """Return the packs that stay as they are, and those that have to be made."""
    by_key = {each.entry.key: each.entry for each in wanted}
    good = {pack.name: tuple(_good(pack, by_key)) for pack in old.packs}
    there = {entry.key for entries in good.values() for entry in entries}
    todo = [each for each in wanted if each.entry.key not in there]
    growing = {each.stored.game for each in todo}
    kept, copied = [], []
    for pack in old.packs:
        small = pack.game in growing and pack.events < PACK_EVENTS // 2
        if len(good[pack.name]) == len(pack.entries) and not small:
            kept.append(pack)
        elif good[pack.name]:
            copied.append((pack, good[pack.name]))
    slugs = sorted(growing | {pack.game for pack, _ in copied})
    return kept, [plan for slug in slugs for plan in _fill(slug, todo, copied)]


def _good(pack: Pack, wanted: dict[tuple[str, str], Entry]) -> Iterator[Entry]:
    """Return the games of a pack whose rows are as good as new ones."""
    for entry in pack.entries:
        if entry.key in wanted and entry.is_as_good_as(wanted[entry.key]):
            yield entry


def _fill(
    slug: str, todo: Iterable[GameRequest], copied: Iterable[tuple[Pack, tuple[Entry, ...]]]
) -> Iterator[PackPlan]:
    """Share the games of one kind out over packs: all but the last are full."""
    old: list[tuple[Pack, tuple[Entry, ...]]] = []
    new: list[GameRequest] = []
    size = 0
    items: list[GameRequest | tuple[Pack, tuple[Entry, ...]]] = [each for each in copied if each[0].game == slug]
    items += [each for each in todo if each.stored.game == slug]
    for each in items:
        if isinstance(each, GameRequest):
            new.append(each)
            size += each.stored.events
        else:
            old.append(each)
            size += each[0].events
        if size >= PACK_EVENTS:
            yield PackPlan(slug, tuple(new), tuple(old))
            old, new, size = [], [], 0
    if old or new:
        yield PackPlan(slug, tuple(new), tuple(old))
