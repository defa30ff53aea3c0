"""Bringing the datasets up to date with the log: only games that changed are projected, and nothing is half-written."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pyarrow as pa
from filelock import FileLock, Timeout

from tabletape.events.log.game_source import GameSource
from tabletape.events.vocabulary import tag_of
from tabletape.events.vocabulary.open_games import open_games
from tabletape.events.whole_files import make_folder
from tabletape.projector.archive.stored import usable_cards, workspace
from tabletape.projector.datasets.columns import CATALOGUE
from tabletape.projector.datasets.freshness import AS_IT_IS, folder_of, of_today
from tabletape.projector.datasets.game_packs import packed_at
from tabletape.projector.datasets.manifest import (
    DatasetError,
    Manifest,
    Pack,
    Reached,
    path_in,
    read_manifest,
    sweep,
    write_manifest,
)
from tabletape.projector.datasets.origin import code_of, name_of
from tabletape.projector.datasets.pack_builder import Engine, by_processes
from tabletape.projector.datasets.packs import write_table
from tabletape.projector.datasets.places import shown
from tabletape.projector.datasets.plans import PackPlan, Request, Skipped, game_requests, plans_of
from tabletape.projector.datasets.proofs import FileProof, problems_in
from tabletape.projector.datasets.scope import scope_of_new, whole_scope
from tabletape.projector.games import game


class Built(msgspec.Struct, frozen=True, kw_only=True):
    """What a build did, in games: projected anew, left as they were, taken out because the log has them no more.

    `mended` says what was wrong with files, by their names, that were built anew for it; `older` whether all were,
    because they were those of an older version.
    """

    projected: int
    events: int
    unchanged: int
    removed: int
    skipped: tuple[Skipped, ...]
    folder: Path
    mended: Mapping[str, str] = {}
    older: bool = False


def build(
    source: GameSource,
    asked: Request = AS_IT_IS,
    *,
    progress: Callable[[int, int], object] = lambda _games, _of: None,
    engine: Engine = by_processes,
) -> Built:
    """Bring the datasets of a log, or of game packs, up to date.

    `progress` is called with how many games were done since the last call, and how many there are to do. Raises
    `DatasetError` where another build is running, where the folder cannot be written, or where its datasets are those
    of other games.
    """
    folder = folder_of(source)
    with _alone(folder):
        before = Manifest() if asked.fresh else read_manifest(folder)
        old = of_today(before)
        _require_same(old, packed_at(source))
        mended = problems_in(folder, {**old.proofs(), **old.proofs_of_entries()})
        head = source.head()
        new = scope_of_new(source, folder, old, again=True) if asked.is_plain and not mended else None
        scope = new or whole_scope(source, folder, old)
        wanted, unread = game_requests(source, asked, scope)
        lasting, plans = plans_of(folder, old, scope, wanted, _broken(old, mended))
        todo = sum(len(plan.projected) for plan in plans)
        made = engine(source, folder, plans, lambda games: progress(games, todo))
        packs = sorted((*lasting, *(each.pack for each in made if each.pack)), key=lambda pack: (pack.game, pack.name))
        kinds = {each.game for each in scope.games} | ({*old.reached.codes} if new and old.reached else set())
        reached = Reached(
            head=head,
            codes=_codes(source, kinds),
            missing=tuple(game_id for each in made for game_id in each.missing),
            unread=tuple(dict.fromkeys(each.game_id for each in unread)),
        )
        sound = {file: proof for file, proof in old.proofs().items() if file not in mended}
        manifest = _manifest(source, folder, packs, reached, sound)
        if asked.fresh or manifest != read_manifest(folder):
            write_manifest(folder, manifest)
        sweep(folder, manifest)
    skipped = (*unread, *(each for one in made for each in one.skipped))
    removed = {entry.key for entry in scope.standing()} - {each.entry.key for each in wanted}
    report = _report(plans, packs, skipped, removed=len(removed), folder=folder)
    return msgspec.structs.replace(report, mended=mended, older=before.schema != old.schema)


def _broken(manifest: Manifest, problems: Mapping[str, str]) -> frozenset[str]:
    """Return the names of the packs whose rows are not what was written."""
    return frozenset(
        pack.name for pack in manifest.packs if any(path_in(each, pack.name) in problems for each in pack.rows)
    )


def _manifest(
    source: GameSource, folder: Path, packs: Sequence[Pack], reached: Reached, sound: Mapping[str, FileProof | None]
) -> Manifest:
    """Return the manifest of some packs; the catalogue is written unless it is among the `sound` files."""
    codes = _codes(source, {pack.game for pack in packs})
    catalogue, proof = write_catalogue(folder, codes, workspace(source), sound)
    return Manifest(
        packs=tuple(packs),
        catalogue=catalogue,
        catalogue_written=proof,
        reached=reached,
        packed_at=packed_at(source),
    )


def _codes(source: GameSource, slugs: Iterable[str]) -> dict[str, str]:
    """Return what the rules, cards and columns of some games are, by game."""
    return {slug: code_of(workspace(source), slug) for slug in sorted(slugs)}


def _report(
    plans: Sequence[PackPlan], packs: Sequence[Pack], skipped: tuple[Skipped, ...], *, removed: int, folder: Path
) -> Built:
    failed = {each.game_id for each in skipped}
    done = [each.stored for plan in plans for each in plan.projected if each.stored.game_id not in failed]
    return Built(
        projected=len(done),
        events=sum(each.events for each in done),
        unchanged=sum(pack.games for pack in packs) - len(done),
        removed=removed,
        skipped=skipped,
        folder=folder,
    )


def _require_same(old: Manifest, place: str) -> None:
    """Raise `DatasetError` where datasets hold the games of other packs, or packs and a log take turns."""
    before = shown(old.packed_at)  # An older Tabletape wrote down the password of an address.
    if old.packs and before != place:
        theirs, mine = (f"the game packs at {each}" if each else "the log" for each in (before, place))
        way = f"`tabletape build --packs {before}`" if before else "`tabletape build`"
        raise DatasetError(
            f"the datasets here were built from {theirs}: {way} brings them up to date, "
            f"--fresh throws them away and builds them from {mine}"
        )


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Keep other builds out; the lock ends with the process, however it ends."""
    try:
        make_folder(folder)
        held = FileLock(folder / ".lock").acquire(blocking=False)
    except Timeout:
        raise DatasetError(f"another build is writing to {folder}; wait for it and try again") from None
    except OSError as error:
        raise DatasetError(f"the datasets cannot be written to {folder}: {error.strerror}") from None
    with held:
        yield


# -- the catalogue: what every game has, played or not -----------------------------------------------------------------


def write_catalogue(
    folder: Path, codes: Mapping[str, str], workspace: Path, there: Mapping[str, FileProof | None]
) -> tuple[str, FileProof | None]:
    """Write what some games have; return the file, relative to the folder of the datasets, and what proves it.

    Without games there is none. `codes` says for every game what its rules and cards are (see `origin`); what is among
    the files that are `there` already stays.
    """
    if not codes:
        return "", None
    name = path_in("catalogue", name_of([f"{slug} {code}" for slug, code in sorted(codes.items())]))
    if name in there:
        return name, there[name]
    rows = [row for slug in sorted(codes) for row in _rows(slug, workspace)]
    columns = [pa.array(values, pa.string()) for values in zip(*rows, strict=True)]
    return name, write_table(folder / name, pa.Table.from_arrays(columns, schema=CATALOGUE))


def _rows(slug: str, workspace: Path) -> Iterator[tuple[str, str, str, str, str]]:
    one = game(slug)
    described = open_games().get(slug)
    # Where nobody says how many cards there are, the list of them is a guess, and none of it is missed.
    guessed = described is not None and described.rules is not None and not described.rules.counted
    for card in () if guessed else usable_cards(workspace, slug)[0].library.values():
        yield slug, "card", card.id, card.name, card.kind
        yield from ((slug, "keyword", keyword, keyword, card.id) for keyword in one.cards.keywords(card))
    for rule in one.rules:
        yield slug, "rule", rule.id, rule.text, rule.how
    for kind in one.vocabulary.types.values():
        yield slug, "event", tag_of(kind), (kind.__doc__ or "").strip().partition("\n")[0], kind.CLASS
    for ending in one.endings:
        yield slug, "ending", ending, ending.replace("-", " "), ""
