"""Games for other programs: what is written can be read back, and what nobody knows is not made up."""

import json
from pathlib import Path

from events.importing import Options, import_paths
from events.log import Log
from projector.reading.archive import replays
from projector.reading.exports import bgstats, ocel
from tests.events.test_forgiving import KNOWN

SHEET = """\
game,version,date,players,decks,first player,winner,minutes,score
tabletop,v1,,Ann; Ben,moss; fern,Ben,Ann,31,4; 9
tabletop,v1,,Ann; Ben; Cem,,,Ann; Cem,,
"""


def test_results_come_back_from_bg_stats_as_they_went(tmp_path: Path) -> None:
    """Players, decks, winners, who began, minutes and scores are the same after a round trip."""
    (tmp_path / "results.csv").write_text(SHEET)
    with Log.open(tmp_path / "one.db", create=True) as log:
        assert import_paths(log, [tmp_path / "results.csv"], Options()).clean
        (tmp_path / "plays.json").write_text(json.dumps(bgstats(replays(log, log.games()))))
        before = [log.events(each) for each in log.games()]
    with Log.open(tmp_path / "two.db", create=True) as log:
        assert import_paths(log, [tmp_path / "plays.json"], Options()).clean
        after = [log.events(each) for each in log.games()]
    for mine, others in zip(before, after, strict=True):
        assert mine[0].players == others[0].players  # type: ignore[attr-defined]  # a game.started
        assert mine[1:] == others[1:]


def test_every_event_of_a_log_is_in_its_ocel_with_what_it_is_about(tmp_path: Path) -> None:
    """Each event has its type, its game and players; every object that an event names is there."""
    line = {
        "type": "game.started",
        "game": "tabletop",
        "edition": "x",
        "id": "g",
        "players": [{"id": "A", "name": "Ann"}],
    }
    played = {"type": "card.moved", "player": "A", "card": "A:lamp", "from": "hand", "to": "table"}
    (tmp_path / "g.jsonl").write_text(f"{json.dumps(line)}\n{json.dumps(played)}\n")
    with Log.open(tmp_path / "one.db", create=True) as log:
        import_paths(log, [tmp_path / "g.jsonl"], Options(known=lambda _: KNOWN._replace(cards=None)))
        found = ocel(replays(log, log.games()))
    assert [event["type"] for event in found["events"]] == ["game.started", "card.moved"]
    there = {each["id"] for each in found["objects"]}
    named = {each["objectId"] for event in found["events"] for each in event["relationships"]}
    assert named <= there
    assert {"g", "g/A", "g/A:lamp"} == there
    assert {each["name"] for each in found["eventTypes"]} == {"game.started", "card.moved"}
