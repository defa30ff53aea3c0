"""Building the datasets: only what changed is rebuilt, and an interrupted build leaves the old datasets intact."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tabletape.events.log import Log
from tabletape.projector import parallel
from tabletape.projector.archive.recordings import recorded_lines
from tabletape.projector.archive.stored import RulesetOverride
from tabletape.projector.datasets import build as building
from tabletape.projector.datasets import manifest, packs, plans
from tabletape.projector.datasets.build import build
from tabletape.projector.datasets.columns import DATASETS, OWN_SCHEMAS
from tabletape.projector.datasets.freshness import folder_of, outdated
from tabletape.projector.datasets.manifest import FILE, DatasetError, read_manifest
from tests.projector.counting import built, fail_for, rows
from tests.written_games import ANN_WINS, played

Store = Callable[..., Path]


def test_a_second_build_does_nothing(store: Store) -> None:
    """If nothing changed, no file is written."""
    place = store("g", *ANN_WINS)
    assert (built(place).projected, built(place).unchanged) == (1, 1)
    folder = place.parent / ".tabletape" / "datasets"
    before = {file: file.stat().st_mtime_ns for file in folder.rglob("*.parquet")} | {
        folder / FILE: (folder / FILE).stat().st_mtime_ns
    }
    built(place)
    assert {file: file.stat().st_mtime_ns for file in before} == before
    with Log.open(place) as log:
        assert outdated(log) == 0


def test_only_a_game_that_changed_is_projected(store: Store) -> None:
    """A game that got longer is projected again; the rows of the others are kept, in whatever pack they are."""
    for number in range(4):
        place = store(f"g{number}", *ANN_WINS[:2])
    built(place)
    store("g2", *ANN_WINS)
    with Log.open(place) as log:
        assert outdated(log) == 1
    again = built(place)
    assert (again.projected, again.unchanged, again.events) == (1, 3, 9)
    assert {row["game_id"]: row["events"] for row in rows(place, "games")} == {"g0": 7, "g1": 7, "g2": 9, "g3": 7}
    assert len(rows(place, "events")) == 7 * 3 + 9


def test_packs_are_filled_and_a_full_one_is_not_rewritten(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Games share a pack up to its size; a new game does not rewrite a full pack."""
    monkeypatch.setattr(plans, "PACK_EVENTS", 20)
    monkeypatch.setattr(manifest, "GAME_EVENTS", 0)
    for number in range(5):
        place = store(f"g{number}", *ANN_WINS)
    built(place)
    folder = place.parent / ".tabletape" / "datasets"
    packs_before = {pack.name: pack.games for pack in read_manifest(folder).packs}
    assert sorted(packs_before.values()) == [2, 3]
    store("g5", *ANN_WINS)
    built(place)
    packs_after = {pack.name: pack.games for pack in read_manifest(folder).packs}
    assert sum(packs_after.values()) == 6
    assert sum(name in packs_before for name in packs_after) >= 1
    assert {row["game_id"] for row in rows(place, "games")} == {f"g{number}" for number in range(6)}


def test_a_game_is_never_split_over_row_groups(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Row groups end where a game ends, so that a game is in one row group."""
    monkeypatch.setattr(packs, "GROUP", 10)
    for number in range(5):
        place = store(f"g{number}", *ANN_WINS)
    built(place)
    folder = place.parent / ".tabletape" / "datasets"
    for dataset in OWN_SCHEMAS:
        (name,) = read_manifest(folder).files(dataset)
        file = pq.ParquetFile(folder / name)
        groups = [set(file.read_row_group(n)["game_id"].to_pylist()) for n in range(file.num_row_groups)]
        assert sum(len(group) for group in groups) == len(set().union(*groups)), dataset
    assert pq.ParquetFile(folder / read_manifest(folder).files("events")[0]).num_row_groups == 3


@pytest.mark.parametrize("written", range(len(OWN_SCHEMAS)))
def test_an_interrupted_build_leaves_the_old_datasets_intact(
    store: Store, monkeypatch: pytest.MonkeyPatch, written: int
) -> None:
    """At whatever file a build is interrupted, the datasets are unchanged, and the next build completes them."""
    place = store("g0", *ANN_WINS)
    built(place)
    before = {dataset: rows(place, dataset) for dataset in DATASETS}
    store("g1", *ANN_WINS)
    done = 0
    write_table = packs.write_table

    def interrupt(file: Path, table: pa.Table) -> None:
        nonlocal done
        if done == written:
            file.with_suffix(".parquet.half").write_bytes(b"half a file")
            raise KeyboardInterrupt
        done += 1
        write_table(file, table)

    monkeypatch.setattr(packs, "write_table", interrupt)
    with pytest.raises(KeyboardInterrupt):
        built(place)
    assert {dataset: rows(place, dataset) for dataset in DATASETS} == before
    monkeypatch.undo()
    assert built(place).projected == 1
    assert {row["game_id"] for row in rows(place, "games")} == {"g0", "g1"}
    folder = place.parent / ".tabletape" / "datasets"
    files_on_disk = {str(file.relative_to(folder)) for file in folder.rglob("*.parquet*")}
    assert files_on_disk == read_manifest(folder).all_files()


def test_a_build_that_is_interrupted_before_its_manifest_changes_nothing(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The manifest is replaced last: until then the old files count, even if all new ones are written."""
    place = store("g0", *ANN_WINS)
    built(place)
    store("g1", *ANN_WINS)

    def interrupt(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(building, "write_manifest", interrupt)
    with pytest.raises(KeyboardInterrupt):
        built(place)
    assert {row["game_id"] for row in rows(place, "games")} == {"g0"}


def test_rows_of_another_ruleset_are_added(store: Store) -> None:
    """A build under another edition adds rows with that ruleset, and later builds keep them up to date."""
    place = store("g", *ANN_WINS, played("A", "one"))
    built(place)
    assert built(place, reading=RulesetOverride("second", {})).projected == 1
    as_played = {row["ruleset"]: row["as_played"] for row in rows(place, "games")}
    assert len(as_played) == 2
    assert as_played.pop("first") is True
    assert list(as_played.values()) == [False]
    store("h", *ANN_WINS)
    assert (built(place).projected, len(rows(place, "games"))) == (1, 3)
    built(place, fresh=True)
    assert {row["ruleset"] for row in rows(place, "games")} == {"first"}


def test_a_reading_that_is_the_ruleset_of_the_game_adds_nothing(store: Store) -> None:
    """A reading that gives the same ruleset as the game's own adds no rows."""
    place = store("g", *ANN_WINS)
    built(place)
    assert built(place, reading=RulesetOverride("first", {"ties": "first_card"})).projected == 0
    assert len(rows(place, "games")) == 1


def test_games_of_bots_are_recognised_by_their_ids(store: Store) -> None:
    """A game whose id begins with `bot-` was played by bots."""
    store("bot-higher-1-1", *ANN_WINS)
    place = store("evening", *ANN_WINS)
    built(place)
    folder = place.parent / ".tabletape" / "datasets"
    (file,) = read_manifest(folder).files("games")
    sources = {row["game_id"]: row["source"] for row in pq.read_table(folder / file).to_pylist()}
    assert sources == {"bot-higher-1-1": "bots", "evening": "people"}


def test_a_game_that_no_rulebook_can_read_is_left_out_with_the_reason(store: Store) -> None:
    """A ruling that the rulebook does not have leaves the game out with the reason; the others are built."""
    store("bad", *ANN_WINS, rulings={"tise": "first_card"})
    place = store("good", *ANN_WINS)
    report = built(place)
    assert [each.game_id for each in report.skipped] == ["bad"]
    assert "did you mean ties" in report.skipped[0].reason
    assert {row["game_id"] for row in rows(place, "games")} == {"good"}


def test_a_game_whose_rows_cannot_be_made_does_not_stop_the_others(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An error in the code of one game is reported for that game, and the build continues."""
    store("bad", *ANN_WINS)
    place = store("good", *ANN_WINS)

    fail_for("bad", monkeypatch)
    report = built(place)
    assert [(each.game_id, "ZeroDivisionError" in each.reason) for each in report.skipped] == [("bad", True)]
    assert (report.projected, {row["game_id"] for row in rows(place, "games")}) == (1, {"good"})


def test_two_builds_at_once_are_refused(store: Store) -> None:
    """The second of two builds is refused with a message."""
    place = store("g", *ANN_WINS)
    with Log.open(place) as log, building._alone(folder_of(log)), pytest.raises(DatasetError, match="another build"):
        build(log)


def test_an_unreadable_manifest_is_reported_with_a_remedy(store: Store) -> None:
    """A damaged manifest is an error with the command that helps, and that command helps."""
    place = store("g", *ANN_WINS)
    built(place)
    (place.parent / ".tabletape" / "datasets" / FILE).write_text("{")
    with pytest.raises(DatasetError, match="--fresh"):
        built(place)
    assert built(place, fresh=True).projected == 1
    assert len(rows(place, "games")) == 1


RECORDED = Path(__file__).parents[1] / "recordings"


def test_several_processes_build_the_same_as_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The datasets are the same, however many processes build them."""
    monkeypatch.setattr(plans, "PACK_EVENTS", 100)
    monkeypatch.setattr(manifest, "GAME_EVENTS", 0)
    place = tmp_path / "tabletape.db"
    from tabletape.projector.games import game, games  # noqa: PLC0415 - the games of the product, not the test game

    with Log.open(place, create=True) as log:
        for slug in games():
            for number, file in enumerate(sorted((RECORDED / slug).glob("*.jsonl"))[:3]):
                lines = [json.loads(line) for line in recorded_lines(file)]
                lines[0]["id"] = f"{slug}-{number}"
                events = [game(slug).vocabulary.decode(json.dumps(line)) for line in lines]
                log.append(f"{slug}-{number}", events, expected_last_seq=0)
    one_process = built(place)
    alone = {dataset: rows(place, dataset) for dataset in DATASETS}
    monkeypatch.setattr(parallel, "WORTH_PROCESSES", 0)
    monkeypatch.setattr(parallel, "PACK_EVENTS", 30)
    several = built(place, fresh=True)
    assert several == one_process
    assert {dataset: rows(place, dataset) for dataset in DATASETS} == alone
