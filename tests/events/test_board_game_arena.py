"""Replays of Board Game Arena: what the frame of the packets says is read, and what it leaves open stays open."""

import copy
import json
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabletape.events.importing import Options, import_paths
from tabletape.events.importing.maps.documents.trees import ForeignError
from tabletape.events.importing.maps.fates import LineFate
from tabletape.events.importing.programs.board_game_arena import MOST_UNDONE, OPEN_TURN, read
from tabletape.events.log import Log
from tabletape.events.vocabulary import vocabulary


def _packet(move: int, *data: Any, table: int = 41) -> dict[str, Any]:
    return {"channel": f"/table/t{table}", "table_id": table, "move_id": str(move), "time": "1780000000", "data": data}


def _told(sentence: str, name: str = "Ines", **beside: Any) -> dict[str, Any]:
    ids = {"Ines": "7", "Olek": "9"}
    return {"type": "playCard", "log": sentence, "args": {"player_name": name, "player_id": ids[name], **beside}}


def _asked(who: int, state: int = 10, kind: str = "activeplayer", **beside: Any) -> dict[str, Any]:
    return {"type": "gameStateChange", "log": "", "args": {"id": state, "type": kind, "active_player": who, **beside}}


SETUP = _asked(7, 1, "manager", name="gameSetup", reflexion={"total": {"7": "180", "9": "180"}})
NAMES = (_told("${player_name} sits down"), _told("${player_name} sits down", "Olek"))


def _result(*rows: Sequence[Any], **table: Any) -> dict[str, Any]:
    keys = ("player", "name", "score", "rank")
    result = [dict(zip(keys, row, strict=True)) for row in rows]
    return _asked(9, 99, "manager", args={"result": result, "table": table})


def _lines(document: Any) -> list[Any]:
    found = read(document if isinstance(document, bytes) else json.dumps(document).encode())
    return [] if found is None else [each[1] for each in found if not isinstance(each, LineFate)]


def _types(document: Any) -> list[str]:
    return [line["type"] for line in _lines(document)]


def test_of_a_replay_that_was_cut_nobody_is_said_to_have_begun() -> None:
    """Moves that are not in the file are a gap with their number, unless so few may have been taken back."""
    turns = (_asked(7), _asked(9), _asked(7))
    whole = _types([_packet(1, SETUP, *NAMES), _packet(2 + MOST_UNDONE, *turns)])
    assert ("log.gap" in whole, "first-player.chosen" in whole, whole.count("turn.started")) == (False, True, 3)
    cut = _lines([_packet(1, SETUP, *NAMES), _packet(3 + MOST_UNDONE, *turns)])
    assert [line["lines"] for line in cut if line["type"] == "log.gap"] == [MOST_UNDONE + 1]
    assert "first-player.chosen" not in {line["type"] for line in cut}
    assert "first-player.chosen" not in _types([_packet(1, *NAMES, *turns)])


def test_where_all_are_asked_at_once_nobody_has_a_turn() -> None:
    """Whoever is asked alone now and then answers something; setting up is no turn either."""
    together = _asked(7, 20, "multipleactiveplayer")
    at_once = _types([_packet(1, SETUP, *NAMES, together, together, _asked(9))])
    assert not {"turn.started", "first-player.chosen"} & {*at_once}
    lines = _lines([_packet(1, SETUP, *NAMES, _asked(7, 5), _asked(9), _asked(7), _asked(9, 6), _asked(9))])
    assert [line["player"] for line in lines if line["type"] == "first-player.chosen"] == ["B"]
    assert [line["player"] for line in lines if line["type"] == "turn.started"] == ["B", "A", "B"]


def test_where_the_same_player_is_asked_again_as_the_next_one_is_turns_are_left_open() -> None:
    """It may be another turn or a second action. Who is asked again on another way goes on with the same turn."""
    following = _asked(7, 20, "game")
    start = (SETUP, *NAMES, _asked(7), following, _asked(9))
    packets = [_packet(1, *start, following, _asked(9), following, _asked(7))]
    lines = _lines(packets)
    fates = [each for each in read(json.dumps(packets).encode()) or () if isinstance(each, LineFate)]
    assert [each.lines for each in fates if each.sentence == OPEN_TURN] == [4]
    assert [line["player"] for line in lines if line["type"] == "first-player.chosen"] == ["A"]
    assert "turn.started" not in {line["type"] for line in lines}
    assert sum("where turns begin is left open" in line.get("text", "") for line in lines) == 1
    goes_on = _lines([_packet(1, *start, _asked(9, 30), _asked(9), following, _asked(7))])
    assert [line["player"] for line in goes_on if line["type"] == "turn.started"] == ["A", "B", "A"]
    assert not any("left open" in line.get("text", "") for line in goes_on)


@pytest.mark.parametrize(
    ("ending", "told"),
    [
        ((_result((7, "Ines", "5", 1), (9, "Olek", "3", 2)),), {"winner": "A", "reason": "finished"}),
        ((_result((7, "Ines", "5", 1), (9, "Olek", "5", 1)), _told("End of game (tie)")), {"reason": "tie"}),
        ((_result((7, "Ines", "1", 1), (9, "Olek", "1", 1)),), {"text": "may be won or lost: A 1, B 1"}),
        ((_result((7, "Ines", "0", 1), (9, "Olek", "0", 1), disagreement=True),), {"type": "game.abandoned"}),
        ((_told("End of game : ${player_name} wins!", "Olek"),), {"winner": "B", "reason": "finished"}),
        ((_told("${player_name} takes the last trick"),), {"type": "note.added"}),
    ],
)
def test_who_has_won_is_what_the_site_says(ending: Sequence[Any], told: dict[str, str]) -> None:
    """The first of several has won. All may be first in a draw, or win or lose together: only a tie is called so."""
    line = _lines([_packet(1, SETUP, *NAMES, *ending)])[-1]
    assert all(value in line[key] for key, value in told.items())
    assert line["type"] == "game.ended" or "winner" not in line
    assert line.get("winner") != "A" or line["scores"] == {"A": 5, "B": 3}


def test_packets_are_found_wherever_they_were_saved() -> None:
    """In the answer of the site, in a list, in the page of a replay; each table is a game, and names do without ids."""
    packets = [_packet(1, SETUP, *NAMES)]
    answer = {"status": 1, "data": {"valid": 1, "data": packets}}
    page = f"<html><script>g_archive_mode = true; g_gamelogs = {json.dumps(answer)};\n</script></html>".encode()
    kept = {"packets": packets, "players": {"7": {"name": "Ines"}, "9": "Olek"}}
    assert _lines(answer) == _lines(packets) == _lines(page) == _lines(kept)
    assert _types([*packets, _packet(1, *NAMES, table=42)]).count("game.started") == 2
    bare = [_packet(2, {"type": "a", "log": "${player_name} nods", "args": {"player_name": each}}) for each in "XY"]
    assert [each["name"] for each in _lines(bare)[0]["players"]] == ["X", "Y"]


def test_packets_without_a_sentence_or_a_player_are_no_game() -> None:
    """The reason is said, and nothing is made up of numbers."""
    with pytest.raises(ForeignError, match="no sentence"):
        _lines({"players": {"7": "Ines"}, "packets": [_packet(1, {"type": "filled", "args": {"points": 4}})]})
    with pytest.raises(ForeignError, match="0 players"):
        _lines([_packet(1, {"type": "note", "log": "The bag is full", "args": []})])
    assert not _lines({"data": [{"move_id": 1}, 5]})


def test_a_map_beside_the_replay_is_preferred(tmp_path: Path) -> None:
    """Whoever has said what the sentences of a game mean gets its events; without a map the frame is read."""
    (tmp_path / "tide.json").write_text(json.dumps({"data": [_packet(1, *NAMES)]}), encoding="utf-8")
    own = (
        'map = 1\ngame = "tabletop"\nshape = "json"\nid = "own"\nrows = "data"\nunfold = "data"\ntext = "data.log"\n'
        'fill = "data.args"\n[players]\nInes = {}\nOlek = {}\n[[line]]\nis = "{player} sits down"\n'
        'event = "cards.drawn"\nwith = { count = 1 }\n'
    )
    formats = []
    for name in ("one", "two"):
        with Log.open(tmp_path / f"{name}.db", create=True) as log:
            report = import_paths(log, [tmp_path / "tide.json"], Options())
        formats.append(report.files[0].format.split()[:2])
        (tmp_path / "tide.map.toml").write_text(own, encoding="utf-8")
    assert formats == [["reader", "board-game-arena"], ["map", "tide"]]


RECORDED = json.loads(
    (Path(__file__).parents[1] / "recordings" / "programs" / "board-game-arena" / "input.json").read_text()
)
JUNK: tuple[Any, ...] = (None, 0, -1, 1e300, True, "", "²", [], {}, [None], {"total": [1]}, "9" * 12, "7", 7)


def _places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [place for key, each in inner for place in ((*path, key), *_places(each, (*path, key)))]


@settings(max_examples=25)
@given(st.lists(st.tuples(st.sampled_from(_places(RECORDED)), st.sampled_from(JUNK)), min_size=1, max_size=3))
def test_whatever_stands_in_a_replay_it_is_read_or_refused(changes: list[tuple[tuple[Any, ...], Any]]) -> None:
    """Every line is one of a game, and nothing but the refusal of a reader is raised."""
    replay = copy.deepcopy(RECORDED)
    for (*above, last), junk in changes:
        here = replay
        with suppress(KeyError, IndexError, TypeError):
            for key in above:
                here = here[key]
            here[last] = copy.deepcopy(junk)
    with suppress(ForeignError):
        for line in _lines(replay):
            vocabulary("tabletop").convert(dict(line))
