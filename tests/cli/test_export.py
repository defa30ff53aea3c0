"""Games for other programs: an export can be read back, and unknown values are not made up."""

import io
import json
from datetime import datetime
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from msgspec import UNSET
from python_calamine import CalamineWorkbook

from tabletape.events.importing import Options, import_paths
from tabletape.events.log import Log
from tabletape.events.vocabulary import games
from tabletape.events.vocabulary.shared import ResultRecorded
from tabletape.projector.archive.samples import sample_folder
from tabletape.projector.archive.stored import replays
from tabletape.projector.exporting.exports import bgstats, ocel
from tabletape.projector.exporting.workbook import SHEETS
from tests.cli.conftest import Tabletape
from tests.events.test_lenient_reader import KNOWN

SHEET = """\
game,version,date,players,decks,first player,winner,minutes,score,together,places
tabletop,v1,,Ann; Ben,moss; fern,Ben,Ann,31,4; 9,,
tabletop,v1,,Ann; Ben; Cem,,,Ann; Cem,,,,1; 3; 1
tabletop,v1,,Ann; Ben,,,draw,,,,
tabletop,v1,,Ann; Ben,,,Ann; Ben,,23,yes,
tabletop,v1,,Ann; Ben,,,nobody,,,yes,
"""


def test_results_survive_a_round_trip_through_bg_stats(tmp_path: Path) -> None:
    """All of a result is the same afterwards; a draw stays a draw, and what all have lost together stays lost."""
    (tmp_path / "results.csv").write_text(SHEET)
    with Log.open(tmp_path / "one.db", create=True) as log:
        assert import_paths(log, [tmp_path / "results.csv"], Options()).clean
        (tmp_path / "plays.json").write_text(json.dumps(bgstats(replays(log, log.games()))))
        before = [log.events(each) for each in log.games()]
    with Log.open(tmp_path / "two.db", create=True) as log:
        assert import_paths(log, [tmp_path / "plays.json"], Options()).clean
        after = [log.events(each) for each in log.games()]
    for mine, others in zip(before, after, strict=True):
        for name in ("players", "edition"):
            assert getattr(mine[0], name) == getattr(others[0], name)
        assert mine[1:] == others[1:]
    lost = before[-1][-1]
    assert isinstance(lost, ResultRecorded)
    assert (lost.winners, lost.cooperative, lost.score) == ((), True, UNSET)
    won = before[-2][-1]
    assert isinstance(won, ResultRecorded)
    assert (won.winners, won.cooperative, won.score) == (("A", "B"), True, 23)


def test_a_game_without_an_end_is_no_draw_in_bg_stats(tmp_path: Path) -> None:
    """An abandoned game gets no comment that calls it a draw, and is asked about; one only begun is no play."""
    seats = [{"id": "A", "name": "Ann"}, {"id": "B", "name": "Ben"}]
    head = {"type": "game.started", "game": "tabletop", "edition": "x", "players": seats}
    ends: dict[str, list[dict[str, Any]]] = {
        "open": [],
        "stopped": [{"type": "game.abandoned"}],
        "drawn": [{"type": "game.ended", "winner": None, "reason": "score"}],
    }
    lines = [json.dumps(each) for name, more in ends.items() for each in ({**head, "id": name}, *more)]
    (tmp_path / "g.jsonl").write_text("\n".join(lines))
    with Log.open(tmp_path / "one.db", create=True) as log:
        import_paths(log, [tmp_path / "g.jsonl"], Options())
        plays = bgstats(replays(log, log.games()))
    assert {each["uuid"]: each["comments"] for each in plays["plays"]} == {"stopped": "", "drawn": "draw"}
    (tmp_path / "plays.json").write_text(json.dumps(plays))
    with Log.open(tmp_path / "two.db", create=True) as log:
        report = import_paths(log, [tmp_path / "plays.json"], Options())
        assert [each.game_id for each in log.games()] == ["drawn"]
    assert sum("may be a draw" in entry.message for entry in report.files[0].entries) == 1


def test_every_event_of_a_log_is_in_its_ocel_with_its_objects(tmp_path: Path) -> None:
    """Each event has its type, its game and players; every object that an event names is in the document."""
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
    object_ids = {each["id"] for each in found["objects"]}
    related_ids = {each["objectId"] for event in found["events"] for each in event["relationships"]}
    assert related_ids <= object_ids
    assert {"g", "g/A", "g/A:lamp"} == object_ids
    assert [event["time"] for event in found["events"]] == sorted({event["time"] for event in found["events"]})
    related = {each["id"]: [to["objectId"] for to in each["relationships"]] for each in found["objects"]}
    assert related == {"g": [], "g/A": ["g"], "g/A:lamp": ["g/A"]}
    assert {each["name"] for each in found["eventTypes"]} == {"game.started", "card.moved"}


def test_a_workbook_has_the_games_seats_cards_and_findings(evening: Path, tabletape: Tabletape) -> None:
    """Every sheet begins with the names of its columns; the finding of the recorded mistake is a row of its own."""
    assert tabletape("export", "--xlsx", "games.xlsx").exit_code == 0
    book = CalamineWorkbook.from_filelike(io.BytesIO((evening.parent / "games.xlsx").read_bytes()))
    assert book.sheet_names == [*SHEETS, "columns"]
    sheets = {name: book.get_sheet_by_name(name).to_python() for name in SHEETS}
    rows = {name: [dict(zip(found[0], row, strict=True)) for row in found[1:]] for name, found in sheets.items()}
    assert [(each["game"], each["game_id"]) for each in rows["games"]] == [("higher", "g")]
    assert [each["name"] for each in rows["seats"]] == ["Ann", "Ben"]
    audited = map(json.loads, tabletape("audit", "--format", "jsonl").stdout.splitlines())
    expected = [(each["seq"], each["rule"], each["kind"]) for each in audited]
    assert [(each["seq"], each["rule"], each["kind"]) for each in rows["findings"]] == expected != []
    meanings = book.get_sheet_by_name("columns").to_python()[1:]
    assert {(sheet, column) for sheet, column, _ in meanings} == {
        (name, each) for name in SHEETS for each in rows[name][0]
    }
    assert all(meaning for _, _, meaning in meanings)


def test_xes_has_every_event_and_marks_a_time_that_nobody_wrote(evening: Path, tabletape: Tabletape) -> None:
    """Each game is a trace, each line an event in the same order, also by its times; the player is the resource."""
    assert tabletape("export", "--xes", "games.xes").exit_code == 0
    space = "{http://www.xes-standard.org/}"
    (trace,) = ET.parse(evening.parent / "games.xes").getroot().findall(f"{space}trace")  # noqa: S314 - our own file
    events = [{each.get("key"): each.get("value") for each in event} for event in trace.findall(f"{space}event")]
    lines = [json.loads(line) for line in evening.read_text().splitlines()]
    assert [event["concept:name"] for event in events] == [line["type"] for line in lines]
    assert [event.get("player") for event in events] == [line.get("player") for line in lines]
    assert [event.get("time:written") != "false" for event in events] == ["at" in line for line in lines]
    times = [datetime.fromisoformat(event["time:timestamp"] or "") for event in events]
    assert times == sorted({*times})
    names = {"A": "Ann", "B": "Ben"}
    assert [event.get("org:resource") for event in events] == [names.get(line.get("player")) for line in lines]


def test_an_existing_file_is_not_overwritten(evening: Path, tabletape: Tabletape) -> None:
    """Without --force an export leaves a file as it is and says so."""
    kept = evening.parent / "games.xlsx"
    kept.write_text("mine")
    assert tabletape("export", "--xlsx", "games.xlsx").exit_code == 1
    assert kept.read_text() == "mine"
    assert tabletape("export", "--xlsx", "games.xlsx", "--force").exit_code == 0


HEAD = {
    "type": "game.started",
    "game": "tabletop",
    "edition": "draft 2",
    "id": "friday",
    "players": [{"id": "A", "name": "ann", "deck": "moss"}, {"id": "B", "name": "Ben"}],
}
LINES = """
{"type": "deck.declared", "player": "A", "cards": ["lamp", "lamp", "reed-heron"]}
{"type": "first-player.chosen", "player": "B", "method": "coin"}
{"type": "deck.shuffled", "player": "A"}
{"type": "round.started", "round": 1}
{"type": "turn.started", "player": "B", "at": "2026-05-01T19:30:00+02:00"}
{"type": "cards.drawn", "player": "B", "count": 5, "from": "market"}
{"type": "cards.drawn", "player": "A", "cards": ["A:lamp", "A:lamp#2", "A:reed-heron"]}
{"type": "card.moved", "player": "A", "card": "A:lamp", "from": "hand", "to": "table", "note": "Ben: really?"}
{"type": "card.moved", "player": "A", "card": "A:lamp#2", "to": "B/hand"}
{"type": "card.used", "player": "A", "card": "A:lamp", "what": "shines"}
{"type": "choice.made", "player": "A", "what": "house", "choice": "the old mill"}
{"type": "counter.changed", "player": "A", "counter": "score", "to": 2.5}
{"type": "counter.changed", "player": "A", "counter": "score", "by": -2}
{"type": "counter.changed", "counter": "doom", "by": 1}
{"type": "die.rolled", "player": "B", "die": "d6", "result": "4"}
{"type": "die.rolled", "result": "heads"}
{"type": "note.added", "text": "the cat sat on the table"}
{"type": "question.raised", "player": "A", "text": "may I?"}
{"type": "question.raised", "text": "and now?", "on": 4}
{"type": "moment.marked", "player": "B", "felt": "surprised", "on": 12, "text": "wow: again"}
{"type": "moment.marked", "felt": "confused"}
{"type": "turn.ended", "player": "B"}
{"type": "game.ended", "winner": "A", "reason": "score"}
{"type": "feedback.given", "player": "A", "fun": 4, "length": "too long", "again": false, "answers": {"theme": "5"}}
{"type": "feedback.given", "fair": 2, "text": "the lamp, again"}
"""


def test_a_transcript_is_read_back_as_the_same_game(tabletape: Tabletape, tmp_path: Path) -> None:
    """Every event of a game without rules is a sentence that the packaged map reads: nothing is lost or added."""
    (tmp_path / "friday.jsonl").write_text(json.dumps(HEAD) + LINES)
    assert tabletape("import", "friday.jsonl").exit_code == 0
    assert tabletape("export", "--text", "transcript.txt").exit_code == 0
    result = tabletape("import", "transcript.txt", "--db", "again.db")
    assert result.exit_code == 0, result.output
    with Log.open(tmp_path / "tabletape.db") as one, Log.open(tmp_path / "again.db") as two:
        ((mine,), (other,)) = one.games(), two.games()
        assert (mine.game_id, mine.edition, mine.players) == (other.game_id, other.edition, other.players)
        assert two.events(other)[1:] == one.events(mine)[1:]


def assert_read_back(tabletape: Tabletape, folder: Path) -> None:
    """Export all games as a transcript, import it into another log, and assert that both have the same events."""
    assert tabletape("export", "--text", "transcript.txt").exit_code == 0
    result = tabletape("import", "transcript.txt", "--db", "again.db")
    assert result.exit_code == 0, result.output
    with Log.open(folder / "tabletape.db") as one, Log.open(folder / "again.db") as two:
        games, others = one.games(), two.games()
        assert [game.game_id for game in games] == [game.game_id for game in others]
        for game, other in zip(games, others, strict=True):
            assert [event.body for event in two.stored(other)] == [event.body for event in one.stored(game)]


def test_observations_shown_and_unseen_cards_are_read_back(tabletape: Tabletape, tmp_path: Path) -> None:
    """An event whose sentence does not say every field follows as JSON; the other lines are sentences alone."""
    more = [
        {"type": "cards.drawn", "player": "A", "cards": ["A:?1", "A:?2"]},
        {"type": "card.moved", "player": "A", "card": "A:?1", "from": "hand", "to": "table"},
        {"type": "card.shown", "player": "A", "card": "A:lamp", "was": "A:?1"},
        {"type": "state.observed", "player": "A", "counters": {"score": 3}, "zones": {"hand": 4}},
        {"type": "result.recorded", "winners": [], "scores": {"A": 1.5}},
        {"type": "log.gap", "lines": 2, "text": "what is this"},
        {"type": "turn.ended", "player": "B", "note": "two\nlines"},
    ]
    lines = LINES.strip().splitlines()
    (tmp_path / "friday.jsonl").write_text(
        "\n".join([json.dumps(HEAD), *lines[:4], *map(json.dumps, more), *lines[4:]])
    )
    assert tabletape("import", "friday.jsonl").exit_code == 0
    assert_read_back(tabletape, tmp_path)
    transcript = (tmp_path / "transcript.txt").read_text(encoding="utf-8")
    assert '    = {"card":"A:lamp","player":"A","type":"card.shown","was":"A:?1"}' in transcript
    assert "\n    = " not in transcript[transcript.index("Ben begins (coin)") : transcript.index("shuffles the deck")]


@pytest.mark.parametrize("slug", [slug for slug in games() if slug != "higher"])
def test_a_transcript_of_every_game_is_read_back(tabletape: Tabletape, tmp_path: Path, slug: str) -> None:
    """A game with rules is read back event for event, because JSON follows the sentences that leave something open."""
    with sample_folder(slug) as folder:
        assert folder is not None
        samples = min(folder.glob("*.jsonl")).read_text(encoding="utf-8")
    (tmp_path / "friday.jsonl").write_text(samples, encoding="utf-8")
    assert tabletape("import", "friday.jsonl").exit_code == 0
    assert_read_back(tabletape, tmp_path)


def test_a_transcript_without_its_json_lines_is_a_game_with_gaps(evening: Path, tabletape: Tabletape) -> None:
    """The map does not know the sentences of a game with rules, and nothing is guessed from them."""
    assert evening.exists()
    assert tabletape("export", "--text", "transcript.txt").exit_code == 0
    transcript = Path("transcript.txt").read_text(encoding="utf-8").splitlines()
    Path("bare.txt").write_text(
        "\n".join(line for line in transcript if not line.startswith("    =")), encoding="utf-8"
    )
    tabletape("import", "bare.txt", "--db", "again.db")
    log = tabletape("log", "g", "--jsonl", "--db", "again.db").stdout.splitlines()
    assert {json.loads(line)["type"] for line in log} <= {"game.started", "log.gap"}
