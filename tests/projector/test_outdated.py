"""The number of games that the datasets lack or have otherwise: counting what is new gives the count over all."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tabletape.events.log import Log
from tabletape.projector.archive.stored import RulesetOverride
from tabletape.projector.datasets import freshness, origin
from tabletape.projector.datasets.build import build
from tabletape.projector.datasets.freshness import folder_of, outdated, why_outdated
from tabletape.projector.datasets.manifest import read_manifest, write_manifest
from tabletape.projector.datasets.plans import Request
from tabletape.projector.datasets.scope import Scope
from tests.projector.counting import built, fail_for
from tests.written_games import ANN_WINS

Store = Callable[..., Path]


def counted(place: Path) -> tuple[int, int]:
    """Return the games that are outdated: counted over what is new, and over all games."""
    with Log.open(place) as log:
        found = outdated(log)
        folder = folder_of(log)
        manifest = read_manifest(folder)
        write_manifest(folder, msgspec.structs.replace(manifest, reached=None))
        whole = outdated(log)
        write_manifest(folder, manifest)
    return found, whole


def test_counting_what_is_new_gives_the_count_over_all_games(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """New games, games that went on, games that cannot be made or read, games by several readings."""
    fail_for("bad", monkeypatch)
    for name in ("bad", "short", "long"):
        place = store(name, *ANN_WINS[:2])
    store("unreadable", *ANN_WINS, rulings={"tise": "first_card"})
    built(place)
    assert counted(place) == (1, 1)
    built(place, reading=RulesetOverride("", {"ties": "second_card"}))
    assert counted(place) == (1, 1)
    store("long", *ANN_WINS)
    assert counted(place) == (3, 3)
    store("bad", *ANN_WINS)
    store("new", *ANN_WINS)
    assert counted(place) == (4, 4)
    with Log.open(place) as log:
        assert why_outdated(log) == {"new": 2, "recorded": 2}, "the long one stands in the datasets by two readings"
    built(place)
    assert counted(place) == (1, 1)


def test_other_cards_make_all_games_of_theirs_outdated(store: Store) -> None:
    """Where the rules or cards are others than at the last build every game is looked at."""
    place = store("g", *ANN_WINS)
    built(place)
    cards = place.parent / "cards" / "higher.toml"
    cards.parent.mkdir()
    cards.write_text('[[card]]\nid = "seven"\nname = "Seven"\nkind = "number"\nvalue = 7\n', encoding="utf-8")
    assert counted(place) == (1, 1)
    with Log.open(place) as log:
        assert why_outdated(log) == {"read": 1}


@pytest.mark.parametrize("package", ["datasets", "fold", "kit", "model"])
def test_other_code_makes_all_games_outdated(
    store: Store, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, package: str
) -> None:
    """Whichever module changes that decides what is found, every game is looked at."""
    place = store("g", *ANN_WINS)
    built(place)
    folder_of_package = origin._folder
    copied = shutil.copytree(folder_of_package(f"tabletape.projector.{package}"), tmp_path / package)
    (copied / "new_module.py").write_text('"""One more."""\n', encoding="utf-8")

    def folder(name: str) -> Path:
        return copied if name == f"tabletape.projector.{package}" else folder_of_package(name)

    monkeypatch.setattr(origin, "_folder", folder)
    forget_code()
    try:
        assert counted(place) == (1, 1)
    finally:
        forget_code()


def forget_code() -> None:
    """Have the code of the games hashed anew."""
    origin._code_of.cache_clear()
    origin._shared_code.cache_clear()


def test_another_log_in_the_same_place_is_noticed(store: Store) -> None:
    """The log of another evening under the same name has none of its games in the datasets."""
    place = store("g", *ANN_WINS)
    built(place)
    place.unlink()
    place = store("other", *ANN_WINS)
    assert counted(place) == (1, 1)


def test_only_what_is_new_is_looked_at(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """The count costs as much as what was recorded since the last build."""
    for number in range(4):
        place = store(f"g{number}", *ANN_WINS[:2])
    built(place)
    store("g2", *ANN_WINS)
    looked_at: list[str] = []
    game_requests = vars(freshness)["game_requests"]

    def noted(log: Log, asked: Request, scope: Scope) -> Any:
        looked_at.extend(each.game_id for each in scope.games)
        return game_requests(log, asked, scope)

    monkeypatch.setattr(freshness, "game_requests", noted)
    with Log.open(place) as log:
        assert outdated(log) == 1
        assert looked_at == ["g2"]
        build(log)
        looked_at.clear()
        assert outdated(log) == 0
    assert looked_at == []
