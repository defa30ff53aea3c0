"""Building again: every kind of change is noticed, and nothing else is read or written."""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tabletape.events.log import Log
from tabletape.projector.archive.stored import RulesetOverride
from tabletape.projector.datasets import plans, scope
from tabletape.projector.datasets.columns import DATASETS
from tabletape.projector.datasets.freshness import folder_of, outdated
from tabletape.projector.datasets.manifest import ENTRIES, read_manifest
from tests.projector.counting import built, fail_for, rows
from tests.written_games import ANN_WINS

Store = Callable[..., Path]


def packs(place: Path) -> set[str]:
    """Return the names of the packs."""
    with Log.open(place) as log:
        return {pack.name for pack in read_manifest(folder_of(log)).packs}


def new_revision(place: Path, game_id: str) -> None:
    """Store a second revision of a game, which ends a line earlier."""
    with Log.open(place) as log:
        log.append(game_id, log.events(log.game(game_id))[:-1], expected_last_seq=0, revision=2)


def test_a_new_game_costs_only_its_own_projection(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """No other game is read from the log, no entries of packs are read, and no existing pack is rewritten."""
    for number in range(6):
        place = store(f"g{number}", *ANN_WINS)
    built(place)
    before = packs(place)
    store("new", *ANN_WINS)

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


def test_small_packs_are_merged(store: Store) -> None:
    """After many builds there are few packs, and packs are rarely rewritten."""
    rewritten = 0
    for number in range(24):
        place = store(f"g{number}", *ANN_WINS)
        before = packs(place)
        built(place)
        rewritten += len(before - packs(place))
    assert len(packs(place)) <= 3
    assert rewritten < 24
    assert {row["game_id"] for row in rows(place, "games")} == {f"g{number}" for number in range(24)}


@pytest.mark.parametrize("seed", range(3))
def test_many_builds_give_the_same_rows_as_one(store: Store, seed: int) -> None:
    """New games, longer games and new revisions in any order, with builds between them, give the same rows."""
    dice = random.Random(seed)  # noqa: S311 - no secret
    place = store("g0", *ANN_WINS[:1])
    length = {"g0": 1}
    revised: set[str] = set()
    for step in range(18):
        name = f"g{dice.randrange(6)}"
        if length.get(name) == len(ANN_WINS) and name not in revised:
            new_revision(place, name)
            revised.add(name)
        elif name not in revised:
            length[name] = min(length.get(name, 0) + dice.randrange(1, 4), len(ANN_WINS))
            store(name, *ANN_WINS[: length[name]])
        if step % 3 == 0:
            built(place)
    report = built(place)
    assert report.unchanged + report.projected == len(length)
    again = {dataset: rows(place, dataset) for dataset in DATASETS}
    built(place, fresh=True)
    fresh = {dataset: rows(place, dataset) for dataset in DATASETS}
    for dataset in DATASETS:
        assert sorted(map(repr, again[dataset])) == sorted(map(repr, fresh[dataset])), dataset


def test_rows_of_another_reading_are_kept_up_to_date(store: Store) -> None:
    """A game that got longer is read again under every reading that the datasets have of it."""
    store("other", *ANN_WINS)
    place = store("g", *ANN_WINS[:2])
    built(place, reading=RulesetOverride("second", {}))
    store("g", *ANN_WINS)
    report = built(place)
    assert (report.projected, report.unchanged) == (2, 2)
    assert {row["events"] for row in rows(place, "games") if row["game_id"] == "g"} == {9}


def test_a_game_that_was_left_out_is_tried_again(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every build reports the games that it leaves out, also when they were left out before."""
    store("unread", *ANN_WINS, rulings={"tise": "first_card"})
    store("bad", *ANN_WINS)
    place = store("good", *ANN_WINS)

    fail_for("bad", monkeypatch)
    for _ in range(2):
        assert sorted(each.game_id for each in built(place).skipped) == ["bad", "unread"]
    monkeypatch.undo()
    report = built(place)
    assert (report.projected, [each.game_id for each in report.skipped]) == (1, ["unread"])
    assert {row["game_id"] for row in rows(place, "games")} == {"bad", "good"}


def test_changed_cards_are_noticed_after_builds_that_did_nothing(store: Store) -> None:
    """A build that has nothing to do still remembers the cards that the games were built with."""
    place = store("g", *ANN_WINS)
    for _ in range(3):
        built(place)
    own = place.parent / "cards" / "higher.toml"
    own.parent.mkdir()
    own.write_text('[[card]]\nid = "seven"\nname = "Seven"\nkind = "number"\nvalue = 7\n', encoding="utf-8")
    assert built(place).projected == 1


def test_games_whose_entries_are_lost_are_built_again(store: Store) -> None:
    """If the entries of a pack are lost, a game of it that got longer is still in the datasets only once."""
    store("g", *ANN_WINS[:2])
    place = store("h", *ANN_WINS)
    built(place)
    with Log.open(place) as log:
        (file,) = (folder_of(log) / ENTRIES).iterdir()
    file.unlink()
    store("g", *ANN_WINS)
    assert built(place).projected == 2
    assert [row["events"] for row in rows(place, "games")] == [9, 9]


def test_unreadable_entries_are_built_anew(store: Store) -> None:
    """Damaged entries are named, and their games are built again."""
    store("g", *ANN_WINS[:2])
    place = store("h", *ANN_WINS)
    built(place)
    with Log.open(place) as log:
        (file,) = (folder_of(log) / ENTRIES).iterdir()
    size = file.stat().st_size
    file.write_text("{")
    store("g", *ANN_WINS)
    report = built(place)
    assert report.mended == {f"{ENTRIES}/{file.name}": "has 1 bytes instead of " + str(size)}
    assert report.projected == 2
    assert built(place).mended == {}


def test_entries_of_old_packs_are_deleted(store: Store) -> None:
    """There is one file of entries for each pack of the manifest."""
    for number in range(3):
        place = store(f"g{number}", *ANN_WINS)
        built(place)
    with Log.open(place) as log:
        with_entries = {file.stem for file in (folder_of(log) / ENTRIES).iterdir()}
    assert with_entries == packs(place)
