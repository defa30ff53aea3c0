"""Building again: what changed is looked at, whatever it is, and nothing else is read or written."""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from events.log import Log
from projector.datasets import plans, scope
from projector.datasets.columns import DATASETS
from projector.datasets.freshness import folder_of, outdated
from projector.datasets.manifest import ENTRIES, DatasetError, read_manifest
from projector.reading.archive import Reading
from tests.projector.counting import WON, built, fail_for, rows

Store = Callable[..., Path]


def packs(place: Path) -> set[str]:
    """Return the names of the packs."""
    with Log.open(place) as log:
        return {pack.name for pack in read_manifest(folder_of(log)).packs}


def new_revision(place: Path, game_id: str) -> None:
    """Store a second revision of a game, which ends a line earlier."""
    with Log.open(place) as log:
        log.append(game_id, log.events(log.game(game_id))[:-1], expected_last_seq=0, revision=2)


def test_a_new_game_costs_what_it_costs_alone(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """No other game is read, neither from the log nor from what the packs were built of, and no large pack written."""
    for number in range(6):
        place = store(f"g{number}", *WON)
    built(place)
    before = packs(place)
    store("new", *WON)

    def refused(*_: Any) -> Any:
        raise AssertionError

    monkeypatch.setattr(scope, "read_entries", refused)
    monkeypatch.setattr(scope, "whole_scope", refused)
    monkeypatch.setattr(plans, "read_entries", refused)
    report = built(place)
    assert (report.projected, report.events, report.unchanged, report.removed) == (1, 9, 6, 0)
    assert before < packs(place)
    with Log.open(place) as log:
        assert outdated(log) == 0


def test_small_packs_are_put_together(store: Store) -> None:
    """However many builds there were, there are few packs, and a pack is copied seldom."""
    copied = 0
    for number in range(24):
        place = store(f"g{number}", *WON)
        before = packs(place)
        built(place)
        copied += len(before - packs(place))
    assert len(packs(place)) <= 3
    assert copied < 24
    assert {row["game_id"] for row in rows(place, "games")} == {f"g{number}" for number in range(24)}


@pytest.mark.parametrize("seed", range(3))
def test_many_builds_come_to_what_one_build_makes(store: Store, seed: int) -> None:
    """New games, games that go on and new revisions, in any order, with builds between them: the rows are the same."""
    dice = random.Random(seed)  # noqa: S311 - no secret
    place = store("g0", *WON[:1])
    length = {"g0": 1}
    revised: set[str] = set()
    for step in range(18):
        name = f"g{dice.randrange(6)}"
        if length.get(name) == len(WON) and name not in revised:
            new_revision(place, name)
            revised.add(name)
        elif name not in revised:
            length[name] = min(length.get(name, 0) + dice.randrange(1, 4), len(WON))
            store(name, *WON[: length[name]])
        if step % 3 == 0:
            built(place)
    report = built(place)
    assert report.unchanged + report.projected == len(length)
    again = {dataset: rows(place, dataset) for dataset in DATASETS}
    built(place, fresh=True)
    fresh = {dataset: rows(place, dataset) for dataset in DATASETS}
    for dataset in DATASETS:
        assert sorted(map(repr, again[dataset])) == sorted(map(repr, fresh[dataset])), dataset


def test_a_game_by_another_reading_is_kept_up_to_date_by_it(store: Store) -> None:
    """A game that goes on is read again by every reading that it stands in the datasets by."""
    store("other", *WON)
    place = store("g", *WON[:2])
    built(place, reading=Reading("second", {}))
    store("g", *WON)
    report = built(place)
    assert (report.projected, report.unchanged) == (2, 2)
    assert {row["events"] for row in rows(place, "games") if row["game_id"] == "g"} == {9}


def test_a_game_that_has_no_rows_is_tried_again(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every build says which games it leaves out and why, also when they were left out before."""
    store("unread", *WON, rulings={"tise": "first_card"})
    store("bad", *WON)
    place = store("good", *WON)

    fail_for("bad", monkeypatch)
    for _ in range(2):
        assert sorted(each.game_id for each in built(place).skipped) == ["bad", "unread"]
    monkeypatch.undo()
    report = built(place)
    assert (report.projected, [each.game_id for each in report.skipped]) == (1, ["unread"])
    assert {row["game_id"] for row in rows(place, "games")} == {"bad", "good"}


def test_other_cards_are_noticed_however_many_builds_did_nothing(store: Store) -> None:
    """What the games were built by is remembered by a build that has nothing to do."""
    place = store("g", *WON)
    for _ in range(3):
        built(place)
    own = place.parent / "cards" / "higher.toml"
    own.parent.mkdir()
    own.write_text('[[card]]\nid = "seven"\nname = "Seven"\nkind = "number"\nvalue = 7\n', encoding="utf-8")
    assert built(place).projected == 1


def test_games_whose_entries_are_lost_are_built_again(store: Store) -> None:
    """Where nobody knows any more what a pack was built from, a game of it that goes on stands there once."""
    store("g", *WON[:2])
    place = store("h", *WON)
    built(place)
    with Log.open(place) as log:
        (file,) = (folder_of(log) / ENTRIES).iterdir()
    file.unlink()
    store("g", *WON)
    assert built(place).projected == 2
    assert [row["events"] for row in rows(place, "games")] == [9, 9]


def test_entries_that_cannot_be_read_are_named_with_the_way_out(store: Store) -> None:
    """Damaged entries are an error with the command that helps, and that command helps."""
    store("g", *WON[:2])
    place = store("h", *WON)
    built(place)
    with Log.open(place) as log:
        (file,) = (folder_of(log) / ENTRIES).iterdir()
    file.write_text("{")
    store("g", *WON)
    with pytest.raises(DatasetError, match=rf"{file.name} cannot be read.*--fresh"):
        built(place)
    assert built(place, fresh=True).projected == 2


def test_what_is_swept_are_the_entries_of_old_packs_too(store: Store) -> None:
    """As many files of entries lie there as there are packs."""
    for number in range(3):
        place = store(f"g{number}", *WON)
        built(place)
    with Log.open(place) as log:
        there = {file.stem for file in (folder_of(log) / ENTRIES).iterdir()}
    assert there == packs(place)
