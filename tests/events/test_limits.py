"""Numbers, lists, lines and games of a log have upper limits, so that no log can make a loop of ours endless."""

from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import inspect

from tabletape.events.log import Log
from tabletape.events.log.rows import Chain, UnfitError
from tabletape.events.vocabulary import MAX_EVENTS, games, vocabulary
from tabletape.events.vocabulary.shared import NoteAdded
from tests.events.conftest import game, head, import_file, line, write_lines

HUGE = 2**31


def open_ended(found: Any) -> list[Any]:
    """Return the numbers and lists within a type that have no upper limit."""
    if isinstance(found, inspect.Metadata):
        return open_ended(found.type)
    if isinstance(found, inspect.IntType | inspect.FloatType):
        return [] if found.le is not None and found.ge is not None else [found]
    inner = []
    if isinstance(found, inspect.VarTupleType | inspect.ListType):
        inner = [found.item_type]
    elif isinstance(found, inspect.TupleType):
        inner = list(found.item_types)
    elif isinstance(found, inspect.DictType):
        inner = [found.key_type, found.value_type]
    elif isinstance(found, inspect.UnionType):
        inner = list(found.types)
    elif isinstance(found, inspect.StructType):
        inner = [field.type for field in found.fields]
    without_end = isinstance(found, inspect.VarTupleType | inspect.ListType) and found.max_length is None
    return [*([found] if without_end else []), *(each for one in inner for each in open_ended(one))]


@pytest.mark.parametrize("slug", games())
def test_every_number_and_list_of_a_vocabulary_is_limited(slug: str) -> None:
    """The type of each number has bounds and that of each list a length, so that the schema has them, too."""
    for event_type in vocabulary(slug).types.values():
        for field in msgspec.structs.fields(event_type):
            assert open_ended(inspect.type_info(field.type)) == [], f"{event_type.__name__}.{field.name}"


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (line("cards.drawn", player="A", count=HUGE, reason="ability"), "`count`: at most 1000 is expected"),
        (line("state.observed", player="A", actions=HUGE), "`actions`: at most 1000000 is expected"),
        (line("state.observed", player="A", actions=-HUGE), "`actions`: at least -1000000 is expected"),
        (
            line("mulligan.taken", player="A", returned=["A:tin-wasp"] * 1001, drawn=[]),
            "at most 1000 entries are expected, not 1,001",
        ),
        (line("turn.ended", player="A", seq=MAX_EVENTS + 1), "`seq`: at most 1000000 is expected"),
        (line("note.added", text="x" * (1 << 20)), "the line is longer than 1,048,576 bytes"),
    ],
)
def test_a_value_over_its_limit_costs_its_line(log: Log, tmp_path: Path, bad: str, message: str) -> None:
    """A line with too large a number, list or text goes to quarantine with the limit; the rest is imported."""
    report = import_file(log, write_lines(tmp_path / "g.jsonl", [*game(), bad, line("note.added", text="after")]))
    (entry,) = report.entries
    assert message in entry.message
    assert entry.line == len(game()) + 1
    assert len(entry.raw) < 100_000
    assert [event.type for event in log.stored(log.game("g"))][-2:] == ["log.gap", "note.added"]


def test_a_line_that_is_too_long_for_one_block_is_cut_between_letters(log: Log, tmp_path: Path) -> None:
    """The part that the quarantine keeps is valid text, even if its characters take several bytes."""
    report = import_file(log, write_lines(tmp_path / "g.jsonl", [*game(), line("note.added", text="ä" * (2 << 20))]))
    assert "ä…" in report.entries[0].raw
    assert report.remarks == []


def test_a_sheet_is_read_up_to_a_line_that_is_too_long(log: Log, tmp_path: Path) -> None:
    """A row of a CSV file over the limit ends the reading there, and an entry says so."""
    rows = ["type,game,edition,id,players,text", 'game.started,splicers,0.2a,g,"[{""id"":""A"",""name"":""Ann""}]",']
    report = import_file(log, write_lines(tmp_path / "g.csv", [*rows, f"note.added,,,,,{'x' * (1 << 21)}"]))
    assert report.events == 1
    assert "longer than 1,048,576 bytes" in report.entries[0].message


def test_the_length_of_a_game_is_limited() -> None:
    """One event too many is refused, even if it has no number of its own."""
    chain = Chain(["A"], MAX_EVENTS, b"")
    with pytest.raises(UnfitError, match="at most 1,000,000 events"):
        chain.add(NoteAdded(text="one more"))


@pytest.mark.parametrize("digits", [25, 5000])
def test_an_extremely_large_number_is_reported_as_such(log: Log, tmp_path: Path, digits: int) -> None:
    """A number of 25 or 5,000 digits is reported as too large, at its place."""
    bad = f'{{"type": "turn.ended", "player": "A", "seq": {"9" * digits}}}'
    (entry,) = import_file(log, write_lines(tmp_path / "g.jsonl", [*game(), bad])).entries
    assert (entry.code, entry.column) == ("wrong-type", 46)
    assert "at most 1000000" in entry.message or "out of any range" in entry.message


@pytest.mark.parametrize(
    ("bad", "key"),
    [
        ('{"type": "turn.ended", "player": "A", "player": "B"}', "player"),
        ('{"type":"note.added","text":"one","at":"2026-05-01T19:02:11Z","text":"two"}', "text"),
        ('{"type": "turn.ended", "player" : "A", "type": "turn.ended"}', "type"),
        ('{"type": "turn.ended", "player"  : "A", "type": "turn.ended"}', "type"),
        ('{"type": "turn.ended", "player"\r: "A", "player": "A"}', "player"),
        ('{"type": "result.recorded", "winners": ["A"], "winners": ["B"], "reason": "a", "scores": {}}', "winners"),
        (head("h").replace('"id": "A",', '"id": "A", "id": "B",'), "id"),
    ],
)
def test_a_duplicate_key_is_reported(log: Log, tmp_path: Path, bad: str, key: str) -> None:
    """It is unclear which of two values is meant, so the line goes to quarantine."""
    (entry,) = import_file(log, write_lines(tmp_path / "g.jsonl", [*game(), bad])).entries
    assert (entry.code, entry.line) == ("doubled-key", len(game()) + 1)
    assert f"`{key}` stands twice" in entry.message


def test_a_key_within_a_text_is_no_key(log: Log, tmp_path: Path) -> None:
    """A text in a note that looks like a key is no duplicate."""
    fine = [line("note.added", text='{"text": "a", "text": 1}'), '{"type" : "note.added" , "text" : "x"}']
    assert import_file(log, write_lines(tmp_path / "g.jsonl", [*game(), *fine])).quarantined == 0


def test_a_nul_costs_its_line(log: Log, tmp_path: Path) -> None:
    """A file with a NUL is not binary data if it begins as a log; the line with the NUL goes to quarantine."""
    report = import_file(
        log, write_lines(tmp_path / "g.jsonl", [*game(), line("note.added", text="a\0b").replace("\\u0000", "\0")])
    )
    assert [(entry.code, entry.line) for entry in report.entries] == [("not-json", len(game()) + 1)]
    assert [event.type for event in log.stored(log.game("g"))][-1] == "log.gap"
