"""The readers that come with Tabletape: a recorded file of each program, its lines, and what is not read."""

import json
from pathlib import Path
from typing import Any

import pytest

from tabletape.events.importing import Options, import_paths
from tabletape.events.importing.maps.fates import LineFate
from tabletape.events.importing.programs import eighteen_xx, hearthstone, shipped_readers
from tabletape.events.importing.programs.eighteen_xx import standing
from tabletape.events.importing.readers import ReadLog, read_log
from tabletape.events.log import Log

RECORDED = Path(__file__).parents[1] / "recordings" / "programs"
NAMES = sorted(path.name for path in RECORDED.iterdir())


@pytest.mark.parametrize("name", NAMES)
def test_a_recorded_file_gives_its_lines(name: str) -> None:
    """Every file is read by its reader, line by line with its place, and what is not read is counted by kind."""
    (file,) = (RECORDED / name).glob("input.*")
    expected = json.loads((RECORDED / name / "expected.json").read_text(encoding="utf-8"))
    found = [*(shipped_readers()[expected["reader"]](file.read_bytes()) or ())]
    assert [[place, line] for place, line in (each for each in found if not isinstance(each, LineFate))] == [
        list(each) for each in expected["lines"]
    ]
    fates = {each.sentence: [each.fate, each.lines] for each in found if isinstance(each, LineFate)}
    assert fates == expected["fates"]


def test_every_shipped_reader_has_a_recorded_file() -> None:
    """Saves of Tabletop Simulator have tests of their own; each other reader is tried on a recorded file."""
    tried = {json.loads((RECORDED / name / "expected.json").read_text(encoding="utf-8"))["reader"] for name in NAMES}
    assert tried | {"tabletop-simulator"} == set(shipped_readers())


@pytest.mark.parametrize("name", NAMES)
def test_a_recorded_file_is_imported_without_a_line_left_over(name: str, tmp_path: Path) -> None:
    """What a reader makes of a file is right as it is: nothing is mended, nothing goes to quarantine."""
    (file,) = (RECORDED / name).glob("input.*")
    with Log.open(tmp_path / "one.db", create=True) as log:
        report = import_paths(log, [file], Options())
    assert report.clean
    assert len(report.files[0].games) == 1
    assert any("not read" in each for each in report.files[0].remarks)


@pytest.mark.parametrize("name", NAMES)
def test_a_file_that_breaks_off_is_read_as_far_as_it_goes_or_not_at_all(name: str) -> None:
    """No reader fails at the beginning of a file of its kind, wherever it breaks off."""
    (file,) = (RECORDED / name).glob("input.*")
    content = file.read_bytes()
    told: list[str] = []
    for end in range(0, len(content), 97):
        found = read_log(content[:end], told.append)
        assert found is None or isinstance(found, ReadLog)
    assert not [text for text in told if "cannot read it" in text]


def test_what_is_undone_can_be_done_again_until_something_else_is_done() -> None:
    """Talk is never undone; a redo without anything undone changes nothing."""

    def after(*kinds: str) -> list[str]:
        actions = [{"type": kind, "id": number} for number, kind in enumerate(kinds, 1)]
        return [str(each["type"]) for each in standing(actions) if each is not None]

    assert after("bid", "message", "undo") == ["message"]
    assert after("bid", "par", "undo", "undo", "redo", "redo") == ["bid", "par"]
    assert after("bid", "undo", "pass", "redo") == ["pass"]


def test_an_undoing_goes_back_to_where_it_says_or_is_not_read() -> None:
    """To 0 is to the beginning, to null is one action back; an unknown number takes nothing back and is counted."""
    acted = [{"type": kind, "id": number, "entity": 1, "entity_type": "player"} for number, kind in enumerate("ab", 1)]

    def after(back_to: Any) -> list[str]:
        undo = {"type": "undo", "id": 3, "action_id": back_to}
        return [each["type"] for each in standing([*acted, undo]) if each is not None]

    assert (after(0), after(None), after(1), after(9)) == ([], ["a"], ["a"], ["a", "b", "undo"])
    actions = [*acted, 5, {"type": "undo", "action_id": 9, "auto_actions": ["x"]}]
    game = {"title": "18X", "players": [{"id": 1, "name": "Ann"}], "actions": actions}
    fates = [each for each in eighteen_xx.read(json.dumps(game).encode()) or () if isinstance(each, LineFate)]
    assert {each.sentence: each.lines for each in fates} == {eighteen_xx.UNKNOWN_UNDO: 1, "no action": 1}


DUEL = """CREATE_GAME
GameEntity EntityID=1
Player EntityID=2 PlayerID=1 GameAccountId=[hi=1 lo=1]
Player EntityID=3 PlayerID=2 GameAccountId=[hi=1 lo=2]
TAG_CHANGE Entity=2 tag=CURRENT_PLAYER value=1
TAG_CHANGE Entity=2 tag=FIRST_PLAYER value=1
TAG_CHANGE Entity=1 tag=STEP value=MAIN_READY
"""


def _read_duels(*duels: str) -> tuple[list[Any], dict[str, int]]:
    lines = [f"[Power] GameState.DebugPrintPower() - {line}" for duel in duels for line in duel.splitlines()]
    names = [each.replace("Power() - PlayerID", "Game() - PlayerID") for each in lines]
    found = [*(hearthstone.read("\n".join(names).encode()) or ())]
    fates = {each.sentence: each.lines for each in found if isinstance(each, LineFate)}
    return [each[1] for each in found if not isinstance(each, LineFate)], fates


def test_two_games_without_a_time_are_two() -> None:
    """Games of the same players are told apart by how they begin, and the same ones by their number in the file."""
    won = f"{DUEL}TAG_CHANGE Entity=2 tag=PLAYSTATE value=WON\n"
    other = DUEL.replace("Entity=2 tag", "Entity=3 tag")
    ids = [line["id"] for line in _read_duels(won, other, won)[0] if "id" in line]
    assert len({*ids}) == 3
    assert ids[2] == f"{ids[0]}-2"


def test_what_a_duel_leaves_out_is_counted() -> None:
    """A card without an owner, and a game of two players of one name that its lines go by, are counted."""
    play = "BLOCK_START BlockType=PLAY Entity=[entityName=Owl id=9 zone=HAND cardId=OWL] EffectCardId= Index=0\n"
    lines, fates = _read_duels(DUEL + play)
    assert [line["type"] for line in lines] == ["game.started", "first-player.chosen", "turn.started"]
    assert fates[hearthstone.NOBODYS] == 1
    named = "PlayerID=1, PlayerName=Ann\nPlayerID=2, PlayerName=Ann\n"
    told, _ = _read_duels(DUEL + named + "TAG_CHANGE Entity=Ann tag=PLAYSTATE value=WON\n")
    assert [line["type"] for line in told] == ["game.started", "first-player.chosen", "turn.started"]
    late = named.replace("\n", "\nTAG_CHANGE Entity=Ann tag=PLAYSTATE value=WON\n", 1)
    lines, fates = _read_duels(DUEL, DUEL + late)
    assert len([line for line in lines if "id" in line]) == 1
    assert fates[hearthstone.SHARED_NAME] > 1


def test_a_game_that_nobody_begins_is_no_duel() -> None:
    """In Mercenaries somebody wins, but nobody is on turn: a winner alone makes no duel."""
    others = "".join(line for line in DUEL.splitlines(keepends=True) if "_PLAYER" not in line and "STEP" not in line)
    lines, fates = _read_duels(DUEL, f"{others}TAG_CHANGE Entity=2 tag=PLAYSTATE value=WON\n")
    assert [line["type"] for line in lines] == ["game.started", "first-player.chosen", "turn.started"]
    assert fates[hearthstone.UNTOLD_GAME] > 0
