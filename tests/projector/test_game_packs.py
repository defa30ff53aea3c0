"""Game packs: the games of a log as Parquet, from which the same datasets are built."""

import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tabletape.events.importing import import_paths
from tabletape.events.log import Log
from tabletape.events.log.rows import CardTexts, StoredGame
from tabletape.projector import parallel
from tabletape.projector.archive.stored import import_options
from tabletape.projector.datasets import game_packs, manifest, plans
from tabletape.projector.datasets.build import build
from tabletape.projector.datasets.freshness import outdated
from tabletape.projector.datasets.game_packs import GamePacks, PackError, PackWriter, as_stored
from tabletape.projector.datasets.manifest import FILE, FOLDER, DatasetError, Manifest, read_manifest, write_manifest
from tabletape.projector.datasets.plans import Request
from tabletape.projector.games import game, games
from tabletape.projector.selfplay.simulate import Plan, simulate
from tests.attack.inputs import RECORDINGS

GUESSED = "`reed-herron` was taken for `reed-heron`, the only known name that is written almost so"


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Log]:
    """Return a log with recorded games of all kinds, and with games of bots."""
    folder = tmp_path_factory.mktemp("log")
    with Log.open(folder / "tabletape.db", create=True) as opened:
        recorded = [file for slug in games() for file in sorted((RECORDINGS / slug).glob("*.jsonl"))[:4]]
        import_paths(opened, recorded, import_options(folder))
        one = game("splicers")
        for match in simulate(one, one.cards, Plan(), 3):
            opened.append(match.game_id, match.events, expected_last_seq=0)
        yield opened


def write_packs(log: Log, where: str) -> None:
    """Write all games of a log into packs at a path or an address."""
    with PackWriter(where) as writer:
        for stored, bodies in log.bodies(log.games()):
            assert isinstance(bodies, Sequence)
            writer.add(stored, bodies, log.card_texts(stored), log.changed_lines(stored))


def packed(log: Log, where: Path) -> Path:
    """Write all games of a log into packs in a folder; return it."""
    write_packs(log, str(where))
    return where


def parquet(workspace: Path) -> dict[str, bytes]:
    """Return the files of the datasets."""
    folder = workspace / FOLDER
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*.parquet")}


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make groups, files, parts and packs of a few games each."""
    monkeypatch.setattr(game_packs, "GROUP_EVENTS", 40)
    monkeypatch.setattr(game_packs, "FILE_EVENTS", 100)
    monkeypatch.setattr(parallel, "PACK_EVENTS", 60)
    monkeypatch.setattr(plans, "PACK_EVENTS", 150)
    monkeypatch.setattr(manifest, "GAME_EVENTS", 0)


@pytest.mark.usefixtures("small")
def test_every_game_comes_back_as_it_was(log: Log, tmp_path: Path) -> None:
    """In any order of reading, a game's events, cards and metadata are those of the log."""
    packs = GamePacks(str(packed(log, tmp_path / "packs")), str(tmp_path))
    assert len(packs.contents.files) > 2
    theirs = log.games()
    mine = packs.games()
    same = ("number", "cards")
    assert [without_fields(each, same) for each in mine] == [without_fields(each, same) for each in theirs]
    pairs = list(zip(mine, theirs, strict=True))
    random.Random(1).shuffle(pairs)  # noqa: S311 - no secret
    for one, other in pairs:
        assert [events for _, events in packs.each([one])] == [log.events(other)]
        assert packs.card_texts(one) == log.card_texts(other)


def without_fields(stored: StoredGame, names: Sequence[str]) -> dict[str, Any]:
    """Return the fields of a stored game without some."""
    return {key: value for key, value in stored._asdict().items() if key not in names}


@pytest.mark.usefixtures("small")
def test_the_datasets_are_those_of_the_log(log: Log, tmp_path: Path) -> None:
    """The files are equal byte for byte; a second build does nothing, and an empty log there has no outdated games."""
    build(log)
    packs = GamePacks(str(packed(log, tmp_path / "packs")), str(tmp_path))
    built = build(packs)
    assert built.projected == len(log.games())
    assert parquet(tmp_path) == parquet(log.workspace)
    ours, theirs = (read_manifest(each / FOLDER) for each in (tmp_path, log.workspace))
    assert (ours.packs, ours.catalogue) == (theirs.packs, theirs.catalogue)
    assert build(packs).projected == 0
    with Log.open(tmp_path / "tabletape.db", create=True) as empty:
        assert outdated(empty) == 0


def test_datasets_keep_their_source_unless_built_fresh(log: Log, tmp_path: Path) -> None:
    """Datasets of packs are not replaced by those of a log or of other packs, unless `fresh` says so."""
    first, second = (GamePacks(str(packed(log, tmp_path / name)), str(tmp_path)) for name in ("one", "two"))
    build(first)
    with Log.open(tmp_path / "tabletape.db", create=True) as empty:
        with pytest.raises(DatasetError, match=r"were built from the game packs at .*one: .*--packs"):
            build(empty)
        with pytest.raises(DatasetError, match="--fresh"):
            build(second)
        assert build(second, Request(fresh=True)).projected == len(log.games())
        assert build(empty, Request(fresh=True)).removed == 0
    assert read_manifest(tmp_path / FOLDER).packed_at == ""


def test_a_password_in_the_address_of_packs_is_not_stored(
    log: Log, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The manifest has the address without it; a manifest that does contain one still matches its packs."""
    packs = GamePacks(str(packed(log, tmp_path / "packs")), str(tmp_path))
    monkeypatch.setattr(packs, "where", "s3://ann:secret@bucket/packs")
    folder = build(packs).folder
    made = read_manifest(folder)
    assert made.packed_at == "s3://bucket/packs"
    write_manifest(folder, msgspec.structs.replace(made, packed_at="s3://ann:secret@bucket/packs"))
    assert build(packs).projected == 0
    assert b"secret" not in (folder / FILE).read_bytes()
    write_manifest(folder, msgspec.structs.replace(made, packed_at="s3://ben:secret@other/packs"))
    with pytest.raises(DatasetError, match="s3://other/packs") as refused:
        build(packs)
    assert "secret" not in str(refused.value)


def fail_to_pack(log: Log, where: str) -> None:
    """Write packs, and fail before they are complete."""
    with PackWriter(where) as writer:
        for stored, bodies in log.bodies(log.games()):
            assert isinstance(bodies, Sequence)
            writer.add(stored, bodies, None)
        raise RuntimeError


@pytest.mark.usefixtures("small")
def test_packs_are_complete_or_unreadable(log: Log, tmp_path: Path) -> None:
    """Incomplete packs are taken away, packs are never overwritten, and what is no pack is reported."""
    where = tmp_path / "packs"
    with pytest.raises(RuntimeError):
        fail_to_pack(log, str(where))
    assert not where.exists()
    with pytest.raises(PackError, match=r"no game packs at .*tabletape pack"):
        GamePacks(str(where), str(tmp_path))
    packed(log, where)
    with pytest.raises(PackError, match="already: name another folder"):
        PackWriter(str(where))
    (where / "packs.json").write_text("{")
    with pytest.raises(PackError, match="cannot be read"):
        GamePacks(str(where), str(tmp_path))
    with pytest.raises(PackError, match="leads nowhere"):
        PackWriter("nowhere://at/all")


def test_a_game_without_a_log_is_packed_as_one_in_a_log() -> None:
    """A game of bots is packed with the same fingerprint and canonical events as a log would store."""
    one = game("crystal")
    (match,) = simulate(one, one.cards, Plan(), 1)
    with Log.open("sqlite://", create=True) as kept:
        theirs = kept.append(match.game_id, match.events, expected_last_seq=0, cards=CardTexts("a", "b"))
        mine, bodies = as_stored(match.events)
        same = ("number", "cards", "recorded_at")
        assert without_fields(mine, same) == without_fields(theirs, same)
        assert [(theirs, bodies)] == [*kept.bodies([theirs])]


def test_an_older_manifest_is_one_of_a_log(tmp_path: Path) -> None:
    """A manifest without a source is read as that of datasets built from a log."""
    (tmp_path / FILE).write_text('{"schema":"x","packs":[]}')
    assert read_manifest(tmp_path) == Manifest(schema="x")


@pytest.mark.usefixtures("small")
def test_packs_that_are_not_what_was_written_are_refused(log: Log, tmp_path: Path) -> None:
    """A flipped bit, a lost file and a changed list are named, with what helps; packs without digests are read."""
    where = packed(log, tmp_path / "packs")
    packs = GamePacks(str(where), str(tmp_path))
    stored = packs.games()
    last = packs.contents.files[-1].name
    before = packs.bodies_of(stored[-1])
    content = (where / last).read_bytes()
    for place in range(0, len(content), max(len(content) // 20, 1)):
        (where / last).write_bytes(content[:place] + bytes([content[place] ^ 4]) + content[place + 1 :])
        with pytest.raises(PackError, match=rf"{last} is not what was written; `tabletape pack`"):
            GamePacks(str(where), str(tmp_path)).games()
    (where / last).unlink()
    with pytest.raises(PackError, match=f"{last} is not there"):
        GamePacks(str(where), str(tmp_path)).games()
    (where / last).write_bytes(content)
    sealed = (where / "packs.json").read_bytes()
    (where / "packs.json").write_bytes(sealed.replace(b'"form":1', b'"form":2'))
    with pytest.raises(PackError, match=r"packs.json is not what was written"):
        GamePacks(str(where), str(tmp_path))
    files = tuple(msgspec.structs.replace(each, written=None) for each in packs.contents.files)
    older = msgspec.json.encode(msgspec.structs.replace(packs.contents, files=files))
    (where / "packs.json").write_bytes(older)
    again = GamePacks(str(where), str(tmp_path))
    assert again.games() == stored
    assert again.bodies_of(stored[-1]) == before


def test_what_was_guessed_at_import_is_told_by_packs_as_well(tmp_path: Path) -> None:
    """A misspelt card is taken for the one that is meant: that stands beside its line wherever the game is read."""
    file = tmp_path / "evening.jsonl"
    lines = (RECORDINGS / "splicers/worked-game.jsonl").read_text().splitlines()
    played = next(here for here, line in enumerate(lines) if '"seed.played"' in line and "reed-heron" in line)
    lines[played] = lines[played].replace("reed-heron", "reed-herron")
    file.write_text("\n".join(lines))
    with Log.open(tmp_path / "tabletape.db", create=True) as opened:
        import_paths(opened, [file], import_options(tmp_path))
        packs = GamePacks(str(packed(opened, tmp_path / "packs")), str(tmp_path))
        (mine,), (theirs,) = packs.games(), opened.games()
        assert packs.changed_lines(mine) == opened.changed_lines(theirs) == {played + 1: GUESSED}


def test_older_packs_tell_of_no_guesses(log: Log, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They do not have that column, and are read as before."""
    monkeypatch.setattr(game_packs, "SCHEMA", game_packs.SCHEMA.remove(len(game_packs.SCHEMA) - 1))
    packs = GamePacks(str(packed(log, tmp_path / "packs")), str(tmp_path))
    assert {each.game_id: dict(packs.changed_lines(each)) for each in packs.games()} == {
        each.game_id: {} for each in log.games()
    }
