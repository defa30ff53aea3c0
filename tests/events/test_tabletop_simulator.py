"""Saves of Tabletop Simulator: the cards in the hands become the beginning of a game, and nothing else does."""

import json
from pathlib import Path
from typing import Any

from tabletape.events.importing import Options, import_paths
from tabletape.events.importing.programs.tabletop_simulator import read
from tabletape.events.log import Log
from tabletape.events.vocabulary import tag_of


def card(name: str, x: float, z: float) -> dict[str, Any]:
    """Return a card of a save that lies at a place."""
    return {"Name": "Card", "Nickname": name, "Transform": {"posX": x, "posZ": z}}


SAVE = {
    "SaveName": "Moss evening",
    "GameMode": "Moss",
    "ObjectStates": [
        {"Name": "HandTrigger", "FogColor": "White", "Transform": {"posX": 0, "posZ": -20, "scaleX": 12, "scaleZ": 4}},
        card("Fen Otter", -2, -20),
        card("Fen Otter", 2, -21),
        card("", 0, -20),
        card("Reed Heron", 0, 0),
        {"Name": "DeckCustom", "Transform": {"posX": 5, "posZ": 0}, "ContainedObjects": [card("Marsh Lamp", 0, 0)]},
        card("Glass Moth", 20, 5),
    ],
    "Hands": {
        "HandTransforms": [
            {"Color": "Red", "Transform": {"posX": 20, "posZ": 0, "rotY": 90, "scaleX": 12, "scaleZ": 4}},
            {"Color": "Blue", "Transform": {"posX": -20, "posZ": 0, "scaleX": 12, "scaleZ": 4}},
        ]
    },
}


def test_the_hands_of_a_save_are_the_beginning_of_a_game(tmp_path: Path) -> None:
    """A turned hand has its cards, an empty one no player; what has no name or no owner is counted."""
    (tmp_path / "TS_Save_1.json").write_text(json.dumps(SAVE), encoding="utf-8")
    with Log.open(tmp_path / "one.db", create=True) as log:
        report = import_paths(log, [tmp_path / "TS_Save_1.json"], Options())
        (game,) = log.games()
        events: list[Any] = [*log.events(game)]
    assert report.clean
    assert [tag_of(type(event)) for event in events] == ["game.started", *["cards.drawn"] * 3, "note.added"]
    assert [seat.name for seat in events[0].players] == ["White", "Red"]
    assert events[1].cards == ("A:fen-otter", "A:fen-otter#2")
    assert (events[2].player, events[2].count) == ("A", 1)
    assert events[3].cards == ("B:glass-moth",)
    assert "decks 1, other cards 1" in events[4].text


def test_other_documents_are_no_saves() -> None:
    """Nothing is made of another document, or of one that is no save at all."""
    for content in (b"{}", b'{"ObjectStates": 4}', b'{"ObjectStates"', b'["ObjectStates"]'):
        assert read(content) is None


def test_a_save_with_empty_hands_is_refused_with_the_reason(tmp_path: Path) -> None:
    """What knows a file and reads nothing of it is named beside the refusal: it says why."""
    (tmp_path / "TS_Save_2.json").write_text('{"ObjectStates": [1, null]}', encoding="utf-8")
    with Log.open(tmp_path / "one.db", create=True) as log:
        (file,) = import_paths(log, [tmp_path / "TS_Save_2.json"], Options()).files
    assert file.problem is not None
    assert any("tabletop-simulator" in text and "in the hands of 0 players" in text for text in file.remarks)
