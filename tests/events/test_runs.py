"""Many lines that are read together give exactly the result of reading each by itself."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabletape.events.importing.lines.keys import Spacing
from tabletape.events.importing.lines.runs import BYTES_AT_ONCE, LineRun, runs
from tabletape.events.log import Log
from tabletape.events.vocabulary import vocabulary
from tests.attack.inputs import attack
from tests.events.conftest import game, head, import_file, line, write_lines

SEEDS = range(0, 400, 5)
"""Mutated inputs that are JSON Lines."""

END = '{"type":"turn.ended","player":"A"}'
DOUBLED = '{"type":"turn.ended","player":"A","player":"B"}'


def outcome(folder: Path, content: bytes) -> tuple[Any, ...]:
    """Return the report of a file, and the content of the log and its quarantine."""
    file = folder / "log.jsonl"
    file.write_bytes(content)
    with Log.open("sqlite://", create=True) as log:
        report = import_file(log, file)
        stored = [(each.game_id, row.seq, row.hash) for each in log.games() for row in log.stored(each)]
        return report.lines, report.games, report.entries, report.remarks, report.problem, stored, log.quarantine()


def read_one_by_one(patched: pytest.MonkeyPatch) -> None:
    """Make the import read every line by itself."""
    patched.setattr(LineRun, "events", lambda *_: None)


@pytest.mark.parametrize("seed", SEEDS)
def test_together_is_as_one_by_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    """For any damaged file the same lines are stored, and the same are in quarantine for the same reasons."""
    content = attack(seed).content
    together = outcome(tmp_path, content)
    read_one_by_one(monkeypatch)
    assert together == outcome(tmp_path, content)


@pytest.mark.parametrize(
    "bad",
    [
        [DOUBLED, r'{"type":"note.added","text":"\u0022: is a quotation mark and a colon"}'],
        [DOUBLED, r'{"type":"note.added","text":"\"\u003a is a quotation mark and a colon"}'],
        [DOUBLED, r'{"type":"note.added","text":"\"\u003A is a quotation mark and a colon"}'],
        [DOUBLED, '{"type":"result.recorded","winners":["A"],"scores":{}}'],
        [DOUBLED, '{"type":"note.added","text":"\\":"}'],
        ['{"type":"note.added","text":"one","text":"two: \\":"}'],
        [f"{END} {END}", '{"type":"turn.ended",', '"player":"A"}'],
        [f"{END}{END}", "", END],
        ['{"type":"turn.ended",', '"player":"A"}', f"{END}{END}"],
        ['{"type":"turn.ended","player":"C"}', END],
        ['{"type":"turn.ended","player":"A","seq":3}', END],
        ['{"type":"seed.played","player":"A","card":"A:no-card","biom":"moss-parish"}', END],
        [END + "\r", END],
    ],
)
def test_no_bad_line_is_hidden_by_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bad: list[str]) -> None:
    """A duplicate key is not offset by a line with a key too few, and each line must be exactly one event."""
    content = "\n".join([*game(turns=20), *bad, END, END]).encode()
    together = outcome(tmp_path, content)
    read_one_by_one(monkeypatch)
    assert together == outcome(tmp_path, content)


def test_usual_lines_are_read_together() -> None:
    """Usual lines need no second check: with and without blanks, with non-ASCII letters, with numbers."""
    types = vocabulary("splicers")
    lines = [END, line("note.added", text="Grüße: „so“", seq=7), line("turn.ended", player="A")]
    run = LineRun(1, "\n".join(lines).encode(), Spacing())
    events = run.events(types)
    assert events is not None
    assert [type(event).__name__ for event in events] == ["TurnEnded", "NoteAdded", "TurnEnded"]
    assert run.is_kept_by(types, events, b"\n".join(map(types.encode, events)) + b"\n", 0)


def test_canonical_lines_are_kept_whatever_they_contain() -> None:
    """If a line is encoded back to the same bytes its keys need not be counted, because nothing can be lost."""
    types = vocabulary("splicers")
    text = types.encode(types.decode(r'{"type":"note.added","text":"\u0022: and \" : and \u003a"}'))
    run = LineRun(1, text, Spacing())
    assert run.is_kept_by(types, run.events(types) or [], text + b"\n", 0)
    doubled = LineRun(1, b'{"text":"a",' + text[1:], Spacing())
    assert not doubled.is_kept_by(types, doubled.events(types) or [], text + b"\n", 0)


def test_runs_have_every_line_once() -> None:
    """Each line is in one run, with its number; a line that begins a game is in a run of its own."""
    together = BYTES_AT_ONCE // (len(END) + 1) + 1
    lines = [text.encode() for text in [END, head("a"), head("b"), *[END] * (together + 2), head("c")]]
    found = [[*run] for run in runs(5, b"\n".join(lines), Spacing())]
    assert [item for run in found for item in run] == [*enumerate(lines, 5)]
    assert [len(run) for run in found] == [1, 1, 1, together, 2, 1]


@settings(deadline=None)
@given(st.lists(st.sampled_from([b"", b" ", END.encode(), head("a").encode(), b'"game.started"']), min_size=1))
def test_any_text_is_divided_into_its_lines(lines: list[bytes]) -> None:
    """With any number of heads and blank lines, at the ends too, every line is in the runs exactly once."""
    found = [*runs(1, b"\n".join(lines), Spacing())]
    assert [item for run in found for item in run] == [*enumerate(lines, 1)]
    assert sum(run.lines for run in found) == len(lines)


def test_a_long_game_is_imported_completely(log: Log, tmp_path: Path) -> None:
    """A game of many runs keeps its order and its numbers, with a bad line between them."""
    lines = [head(), *[END] * 2500, "{", *[END] * 2500]
    assert import_file(log, write_lines(tmp_path / "g.jsonl", lines)).quarantined == 1
    (stored,) = log.games()
    assert [row.seq for row in log.stored(stored)] == [*range(1, 5003)]
