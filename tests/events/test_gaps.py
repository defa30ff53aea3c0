"""Lines in quarantine are gaps in their games: their numbers, files imported again, and unreadable heads."""

import json
from pathlib import Path

import pytest

from tabletape.events.importing.games import gaps
from tabletape.events.log import Log
from tabletape.events.log.integrity import verify
from tabletape.events.vocabulary.shared import LogGap
from tests.events.conftest import game, head, import_file, line, write_lines

BAD = line("seed.plyd", player="A", card="A:reed-heron", biom="moss-parish")
NOTE = line("note.added", text="tea")


def numbered_types(log: Log, game_id: str = "g") -> list[tuple[int, str]]:
    """Return the numbers and types of the events of a game."""
    return [(row.seq, row.type) for row in log.stored(log.game(game_id))]


def numbered(lines: list[str], *seqs: int | None) -> list[str]:
    """Return lines with numbers of their own."""
    given = [{} if seq is None else {"seq": seq} for seq in seqs]
    return [json.dumps({**json.loads(text), **seq}) for text, seq in zip(lines, given, strict=True)]


def test_lines_beside_each_other_are_one_gap_that_shows_the_first(log: Log, tmp_path: Path) -> None:
    """The gap says how many lines it stands for; the next event has the number that it has in the file."""
    import_file(log, write_lines(tmp_path / "g.jsonl", [head(), NOTE, BAD, "oops", NOTE]))
    gap = next(event for event in log.events(log.game("g")) if isinstance(event, LogGap))
    assert (gap.seq, gap.lines, gap.text) == (4, 2, BAD)
    assert numbered_types(log) == [(1, "game.started"), (2, "note.added"), (4, "log.gap"), (5, "note.added")]


def test_an_unreadable_remark_leaves_no_gap(log: Log, tmp_path: Path) -> None:
    """A note or a question changes nothing at the table; its number stays free."""
    bad = [line("note.added", txt="tea"), line("question.raised", text=5)]
    assert import_file(log, write_lines(tmp_path / "g.jsonl", [head(), *bad, NOTE])).quarantined == 2
    assert numbered_types(log) == [(1, "game.started"), (4, "note.added")]


def test_two_events_in_one_line_are_a_gap(log: Log, tmp_path: Path) -> None:
    """Behind a duplicate key may be an event that was played, whichever type the line names last."""
    import_file(log, write_lines(tmp_path / "g.jsonl", [head(), BAD[:-1] + ', "type": "note.added"}', NOTE]))
    assert numbered_types(log)[1] == (2, "log.gap")


def test_a_file_with_numbers_gives_the_gap_the_free_one(log: Log, tmp_path: Path) -> None:
    """The gap stands where the unreadable line stood."""
    lines = numbered([head(), NOTE, BAD, NOTE], 1, 2, 3, 4)
    import_file(log, write_lines(tmp_path / "g.jsonl", lines))
    assert numbered_types(log) == [(1, "game.started"), (2, "note.added"), (3, "log.gap"), (4, "note.added")]


def test_where_no_number_is_free_the_next_line_is_part_of_the_gap(log: Log, tmp_path: Path) -> None:
    """No number is free between two successive ones: one more line in quarantine is better than an accusation."""
    lines = [*numbered([head(), NOTE], 1, 2), "oops", *numbered([NOTE, NOTE], 3, 4)]
    import_file(log, write_lines(tmp_path / "g.jsonl", lines))
    assert [(entry.line, entry.code) for entry in log.quarantine()] == [(3, "not-json"), (4, "seq-order")]
    assert "no number is left for line 3" in log.quarantine()[1].message
    assert numbered_types(log) == [(1, "game.started"), (2, "note.added"), (3, "log.gap"), (4, "note.added")]


def test_a_file_that_breaks_off_and_goes_on_later_has_only_grown(log: Log, tmp_path: Path) -> None:
    """Half a line at the end of a file is no gap, because nothing follows it."""
    path = tmp_path / "g.jsonl"
    path.write_text("\n".join([*game()[:4], game()[4][:20]]), encoding="utf-8")
    assert "log.gap" not in [tag for _, tag in (import_file(log, path), numbered_types(log))[1]]
    assert [each.status for each in import_file(log, write_lines(path, game())).games] == ["grown"]


@pytest.mark.parametrize("right", [[], ["oops", "oops2"], [BAD]], ids=["taken-away", "two", "another"])
def test_an_unreadable_line_that_changes_is_no_contradiction(log: Log, tmp_path: Path, right: list[str]) -> None:
    """Removed, split or replaced: a line that could not be read contradicts nothing, and the game is revised."""
    import_file(log, write_lines(tmp_path / "g.jsonl", [*game()[:3], "oops", *game()[3:]]))
    (again,) = import_file(log, write_lines(tmp_path / "g.jsonl", [*game()[:3], *right, *game()[3:]])).games
    assert again.status == "revised"
    assert list(verify(log)) == []


def test_a_line_that_becomes_unreadable_contradicts_the_log(log: Log, tmp_path: Path) -> None:
    """The log keeps the event that it has, and refuses the file."""
    import_file(log, write_lines(tmp_path / "g.jsonl", game()))
    (again,) = import_file(log, write_lines(tmp_path / "g.jsonl", [*game()[:3], "oops", *game()[4:]])).refused
    assert "the file has a line that could not be read" in again.contradiction


def test_a_log_of_a_version_without_gaps_gets_them(log: Log, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Importing the file again gives a new revision of a game whose quarantined lines had left no gap."""
    path = write_lines(tmp_path / "g.jsonl", [*game()[:3], "oops", *game()[3:]])
    with monkeypatch.context() as before:
        before.setattr(gaps.Gaps, "leave", lambda *_: None)
        import_file(log, path)
    assert [tag for _, tag in numbered_types(log)] == [json.loads(text)["type"] for text in game()]
    assert [each.status for each in import_file(log, path).games] == ["revised"]
    assert numbered_types(log)[3] == (4, "log.gap")
    assert import_file(log, path).unchanged


# -- the game of a line ------------------------------------------------------------------------------------------------

OVER = [*game(), line("game.ended", winner="A", reason="concession")]
HEADLESS = ["oops", *game("h")[1:]]


def test_lines_after_the_end_of_a_game_belong_to_another_game(log: Log, tmp_path: Path) -> None:
    """After the end of a game an unreadable line may have begun the next one, whose lines wait until it is mended."""
    import_file(log, write_lines(tmp_path / "g.jsonl", [*OVER, NOTE, *HEADLESS]))
    (entry,) = log.quarantine()
    assert (entry.line, f"the {len(HEADLESS) - 1} lines after it" in entry.message) == (len(OVER) + 2, True)
    assert [tag for _, tag in numbered_types(log)][-2:] == ["game.ended", "note.added"]


def test_a_deck_that_is_declared_again_begins_another_game(log: Log, tmp_path: Path) -> None:
    """If no line ends a game, the next one is recognized by its deck list; the first game has no gap."""
    import_file(log, write_lines(tmp_path / "g.jsonl", [*game(), *HEADLESS]))
    assert [tag for _, tag in numbered_types(log)] == [json.loads(text)["type"] for text in game()]
    assert [(entry.line, entry.code) for entry in log.quarantine()] == [(8, "not-json"), (9, "no-head")]
