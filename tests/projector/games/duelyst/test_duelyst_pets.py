"""Battle Pets: boards with what the pet may do on them (the catalogue's vectors)."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec import UNSET

from events.games.duelyst import PetActed
from events.vocabulary import vocabulary
from projector.fold.replay import Traced, fold
from projector.games.duelyst.pets import choices_of
from projector.games.duelyst.rules.pets import judge_choice
from projector.games.duelyst.state import Duelyst, Tile
from projector.games.duelyst.tiles import TILES
from projector.model.game import game
from projector.model.rules import Broken, Kept
from projector.reading.view import EVERYTHING, View

Lay = Callable[..., Duelyst]
RECORDINGS = Path(__file__).parents[3] / "recordings" / "duelyst"
LINES = Path(__file__).with_name("pets.jsonl").read_text(encoding="utf-8").splitlines()
BOARDS = [json.loads(line) for line in LINES]


def laid(lay: Lay, board: dict[str, Any], **rulings: str) -> Duelyst:
    """Lay the board of a vector."""
    return lay({each["unit"]: tuple(each["tile"]) for each in board["board"]}, **rulings)


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board["name"])
def test_a_pet_may_do_what_the_board_permits_and_nothing_else(lay: Lay, board: dict[str, Any]) -> None:
    """Each permitted choice is kept, each other one breaks the rule of the step that the pet is in."""
    table = laid(lay, board)
    permitted = {(tuple(each["to"]) if "to" in each else None, each.get("target")) for each in board["permitted"]}
    choices = choices_of(table, table.cards[board["pet"]])
    assert choices.permitted == permitted
    assert choices.rule == board["rule"]
    names = [unit.name for unit in table.zones["board"].cards if unit.owner == "A"]
    for tile in (None, *TILES):
        for target in (None, *names):
            to = UNSET if tile is None else tile
            event = PetActed(unit=board["pet"], to=to, target=UNSET if target is None else target)
            verdict = judge_choice(table, event, choices)
            assert isinstance(verdict, Kept if (tile, target) in permitted else Broken)
    assert len(BOARDS) == 46


def test_a_broken_choice_says_what_was_permitted(lay: Lay) -> None:
    """The finding names the whole permitted set in the words of the table."""
    board = next(each for each in BOARDS if each["name"] == "two-in-row-or-column")
    table = laid(lay, board)
    event = PetActed(unit=board["pet"], to=(1, 1))
    verdict = judge_choice(table, event, choices_of(table, table.cards[board["pet"]]))
    assert isinstance(verdict, Broken)
    assert verdict.message == "Yun goes to [1, 1] and attacks nobody"
    assert verdict.expected == "one of: stays and attacks Silverguard Squire 1; stays and attacks Silverguard Squire 2"


@pytest.mark.parametrize(
    ("name", "step", "told"),
    [
        ("pet-kept", 26, "Yun stays and attacks Argeon Highmayne; nothing else was permitted"),
        ("vespyr-tokens-kept", 23, "the token could appear on one of [2, 1], [2, 3], [3, 3], [4, 1], [4, 3]"),
        ("vespyr-tokens-kept", 24, "luck could pick one of Komodo Charger 1"),
    ],
)
def test_the_replay_shows_what_luck_could_have_picked(name: str, step: int, told: str) -> None:
    """The why of a step says the permitted set also where the rule is kept."""
    lines = (RECORDINGS / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    replay = fold(game("duelyst"), [vocabulary("duelyst").decode(line) for line in lines], traced=True)
    assert isinstance(replay, Traced)
    kept = [why.message for why in View(replay).step(step, EVERYTHING).why if why.verdict == "kept"]
    assert told in kept


def test_several_choices_are_all_named(lay: Lay) -> None:
    """Where luck has several choices the replay names each of them."""
    board = next(each for each in BOARDS if each["name"] == "two-in-row-or-column")
    table = laid(lay, board)
    event = PetActed(unit=board["pet"], target="A:silverguard-squire#1")
    verdict = judge_choice(table, event, choices_of(table, table.cards[board["pet"]]))
    assert isinstance(verdict, Kept)
    assert verdict.told == (
        "Yun stays and attacks Silverguard Squire 1;"
        " permitted were: stays and attacks Silverguard Squire 1; stays and attacks Silverguard Squire 2"
    )


@pytest.mark.parametrize(("field", "value"), [("exhausted", True), ("stunned", True), ("building", 1)])
def test_a_pet_that_can_do_nothing_stays(lay: Lay, field: str, value: Any) -> None:
    """Exhausted, stunned or being built, a pet has a line with its name alone."""
    table = lay({"B:yun#1": (3, 2)})
    table.set(table.cards["B:yun#1"], field, value)
    assert choices_of(table, table.cards["B:yun#1"]).permitted == {(None, None)}


@pytest.mark.parametrize(
    ("ruling", "targets"),
    [
        ("manhattan", {"A:silverguard-squire#1"}),
        ("king_step", {"A:silverguard-squire#1", "A:silverguard-squire#2"}),
    ],
)
def test_the_distance_of_a_pet_is_read_as_ruled(lay: Lay, ruling: str, targets: set[str]) -> None:
    """With `king_step` a diagonal neighbour is as close as one in the row."""
    units: dict[str, Tile] = {
        "B:yun#1": (3, 5),
        "A:silverguard-squire#1": (3, 6),
        "A:silverguard-squire#2": (2, 4),
    }
    table = lay(units, pet_distance=ruling)
    assert {target for _, target in choices_of(table, table.cards["B:yun#1"]).permitted} == targets


@pytest.mark.parametrize(("ruling", "idle"), [("allowed", False), ("forbidden", True)])
def test_a_pet_without_attack_is_read_as_ruled(lay: Lay, ruling: str, idle: bool) -> None:
    """A pet with attack 0 acts all the same, or does nothing where attacking without attack is forbidden."""
    table = lay({"B:yun#1": (3, 2)}, zero_attack=ruling)
    table.set(table.cards["B:yun#1"], "blinded", "A")
    permitted: set[Any] = set(choices_of(table, table.cards["B:yun#1"]).permitted)
    assert permitted == ({(None, None)} if idle else {(None, "A:argeon-highmayne")})
