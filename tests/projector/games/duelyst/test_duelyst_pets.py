"""Battle Pets: boards and what a pet may do on them (the test vectors of the catalogue)."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import UNSET

from tabletape.events.games.duelyst import PetActed
from tabletape.events.vocabulary import vocabulary
from tabletape.projector.archive.recordings import recorded_lines
from tabletape.projector.archive.view import View
from tabletape.projector.fold.folding import fold
from tabletape.projector.fold.traced import Traced
from tabletape.projector.games import game
from tabletape.projector.games.duelyst.chapters.pets import judge_choice
from tabletape.projector.games.duelyst.pets import choices_of
from tabletape.projector.games.duelyst.state import Duelyst, Tile
from tabletape.projector.games.duelyst.tiles import TILES, reach
from tabletape.projector.model.areas import EVERYTHING
from tabletape.projector.model.rules import Broken, Kept

ANN, BEN = "A:argeon-highmayne", "B:zirix-starstrider"
TableWith = Callable[..., Duelyst]
RECORDINGS = Path(__file__).parents[3] / "recordings" / "duelyst"
LINES = Path(__file__).with_name("pets.jsonl").read_text(encoding="utf-8").splitlines()
VECTORS = [json.loads(line) for line in LINES]


def table_of(table_with: TableWith, vector: dict[str, Any]) -> Duelyst:
    """Return the table of a vector; all vectors assume `pet_approach = nearest_tile`."""
    return table_with({each["unit"]: tuple(each["tile"]) for each in vector["board"]}, pet_approach="nearest_tile")


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["name"])
def test_a_pet_may_do_what_the_board_permits_and_nothing_else(table_with: TableWith, vector: dict[str, Any]) -> None:
    """Every permitted choice keeps the rule, and every other one breaks it."""
    table = table_of(table_with, vector)
    permitted = {(tuple(each["to"]) if "to" in each else None, each.get("target")) for each in vector["permitted"]}
    choices = choices_of(table, table.cards[vector["pet"]])
    assert choices.permitted == permitted
    assert choices.rule == vector["rule"]
    names = [unit.name for unit in table.zones["board"].cards if unit.owner == "A"]
    for tile in (None, *TILES):
        for target in (None, *names):
            to = UNSET if tile is None else tile
            event = PetActed(unit=vector["pet"], to=to, target=UNSET if target is None else target)
            verdict = judge_choice(table, event, choices)
            assert isinstance(verdict, Kept if (tile, target) in permitted else Broken)
    assert len(VECTORS) == 46


def test_the_finding_of_a_wrong_choice_names_what_was_permitted(table_with: TableWith) -> None:
    """The finding names all permitted choices, in sentences."""
    vector = next(each for each in VECTORS if each["name"] == "two-in-row-or-column")
    table = table_of(table_with, vector)
    event = PetActed(unit=vector["pet"], to=(1, 1))
    verdict = judge_choice(table, event, choices_of(table, table.cards[vector["pet"]]))
    assert isinstance(verdict, Broken)
    assert verdict.message == "Ben's Yun goes to a1 and attacks nobody"
    assert verdict.expected == (
        "one of: stays and attacks Ann's Silverguard Squire 1; stays and attacks Ann's Silverguard Squire 2"
    )


@pytest.mark.parametrize(
    ("name", "step", "message"),
    [
        ("pet-kept", 26, "Ben's Yun stays and attacks Ann's Argeon Highmayne; nothing else was permitted"),
        ("vespyr-tokens-kept", 23, "the token could appear on one of b1, b3, c3, d1, d3"),
        ("vespyr-tokens-kept", 24, "luck could pick one of Ben's Komodo Charger 1"),
    ],
)
def test_the_replay_shows_what_chance_could_have_picked(name: str, step: int, message: str) -> None:
    """The reasons of a step name the permitted choices also where the rule is kept."""
    lines = recorded_lines(RECORDINGS / f"{name}.jsonl")
    replay = fold(game("duelyst"), [vocabulary("duelyst").decode(line) for line in lines], traced=True)
    assert isinstance(replay, Traced)
    kept = [why.message for why in View(replay).step(step, EVERYTHING).why if why.verdict == "kept"]
    assert message in kept


def test_all_permitted_choices_are_named(table_with: TableWith) -> None:
    """If several choices are permitted, the verdict names all of them."""
    vector = next(each for each in VECTORS if each["name"] == "two-in-row-or-column")
    table = table_of(table_with, vector)
    event = PetActed(unit=vector["pet"], target="A:silverguard-squire#1")
    verdict = judge_choice(table, event, choices_of(table, table.cards[vector["pet"]]))
    assert isinstance(verdict, Kept)
    assert verdict.text == (
        "Ben's Yun stays and attacks Ann's Silverguard Squire 1;"
        " permitted were: stays and attacks Ann's Silverguard Squire 1; stays and attacks Ann's Silverguard Squire 2"
    )


@pytest.mark.parametrize(("field", "value"), [("exhausted", True), ("stunned", True), ("building", 1)])
def test_a_pet_that_can_do_nothing_stays(table_with: TableWith, field: str, value: Any) -> None:
    """An exhausted or stunned pet, and one that is being built, neither moves nor attacks."""
    table = table_with({"B:yun#1": (3, 2)})
    table.set(table.cards["B:yun#1"], field, value)
    assert choices_of(table, table.cards["B:yun#1"]).permitted == {(None, None)}


@pytest.mark.parametrize(
    ("ruling", "targets"),
    [
        ("manhattan", {"A:komodo-charger#1"}),
        ("king_step", {"A:komodo-charger#1", "A:komodo-charger#2"}),
    ],
)
def test_the_distance_of_a_pet_follows_its_ruling(table_with: TableWith, ruling: str, targets: set[str]) -> None:
    """With `king_step` an enemy three rows and three columns away is as close as one that is three columns away."""
    units: dict[str, Tile] = {
        ANN: (5, 1),
        "B:ion#1": (2, 5),
        "A:komodo-charger#1": (1, 8),
        "A:komodo-charger#2": (5, 8),
    }
    table = table_with(units, pet_distance=ruling)
    table.set(table.cards["B:ion#1"], "keywords", frozenset({"ranged", "cannot-move"}))
    assert {target for _, target in choices_of(table, table.cards["B:ion#1"]).permitted} == targets


DISTANCES = pytest.mark.parametrize("ruling", ["manhattan", "king_step"])


@DISTANCES
def test_row_and_column_come_before_diagonals(table_with: TableWith, ruling: str) -> None:
    """Of two enemies beside a pet, the one in its row is attacked, however distances are counted (L196-L197)."""
    units: dict[str, Tile] = {ANN: (5, 1), "B:yun#1": (3, 5), "A:squire#1": (3, 6), "A:squire#2": (2, 4)}
    units = {name.replace("squire", "silverguard-squire"): tile for name, tile in units.items()}
    table = table_with(units, pet_distance=ruling)
    assert choices_of(table, table.cards["B:yun#1"]).permitted == {(None, "A:silverguard-squire#1")}


@DISTANCES
def test_a_ranged_pet_shoots_either_of_the_closest_far_away(table_with: TableWith, ruling: str) -> None:
    """Of two equally close enemies far away luck chooses: row and column count only near by (L194-L197, L210-L212)."""
    other_tile: Tile = (5, 5) if ruling == "king_step" else (2, 4)
    units: dict[str, Tile] = {
        ANN: (5, 9),
        "B:ion#1": (1, 1),
        "A:komodo-charger#1": (5, 1),
        "A:komodo-charger#2": other_tile,
    }
    table = table_with(units, pet_distance=ruling)
    table.set(table.cards["B:ion#1"], "keywords", frozenset({"ranged", "cannot-move"}))
    either = {(None, "A:komodo-charger#1"), (None, "A:komodo-charger#2")}
    assert choices_of(table, table.cards["B:ion#1"]).permitted == either


@pytest.mark.parametrize(
    ("ruling", "tiles"), [("nearest_tile_or_path", {(4, 7), (3, 8), (5, 8)}), ("nearest_tile", {(4, 7)})]
)
def test_a_pet_may_go_around_what_is_in_its_way(table_with: TableWith, ruling: str, tiles: set[Tile]) -> None:
    """If a golem stands between a pet and the enemy, the pet may take the shortest path around it (L208)."""
    table = table_with(
        {ANN: (4, 5), BEN: (4, 1), "B:yun#1": (4, 9), "B:brightmoss-golem#1": (4, 6)},
        pet_approach=ruling,
    )
    assert {tile for tile, _ in choices_of(table, table.cards["B:yun#1"]).permitted} == tiles


@settings(deadline=None)
@given(data=st.data())
def test_a_path_around_permits_all_that_the_nearest_tile_permits(table_with: TableWith, data: st.DataObject) -> None:
    """`nearest_tile_or_path` permits all that `nearest_tile` permits, and only tiles in reach of the pet."""
    tiles = data.draw(st.lists(st.sampled_from(TILES), min_size=9, max_size=9, unique=True))
    names = [ANN, BEN, "B:yun#1", *(f"{owner}:brightmoss-golem#{n}" for owner in "AB" for n in (1, 2, 3))]
    units = dict(zip(names, tiles, strict=True))
    near, around = (table_with(units, pet_approach=ruling) for ruling in ("nearest_tile", "nearest_tile_or_path"))
    permitted = [choices_of(table, table.cards["B:yun#1"]).permitted for table in (near, around)]
    assert permitted[0] <= permitted[1]
    assert {tile for tile, _ in permitted[1]} <= {None, *reach(around, around.cards["B:yun#1"])}


@pytest.mark.parametrize(("ruling", "does_nothing"), [("allowed", False), ("forbidden", True)])
def test_a_pet_without_attack_follows_its_ruling(table_with: TableWith, ruling: str, does_nothing: bool) -> None:
    """A pet with attack 0 attacks all the same, or does nothing with `zero_attack = forbidden`."""
    table = table_with({"B:yun#1": (3, 2)}, zero_attack=ruling)
    table.set(table.cards["B:yun#1"], "blinded", "A")
    permitted: set[Any] = set(choices_of(table, table.cards["B:yun#1"]).permitted)
    assert permitted == ({(None, None)} if does_nothing else {(None, "A:argeon-highmayne")})
