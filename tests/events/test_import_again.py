"""Files that come again with other lines: contradictions, revisions, and lines that were mended."""

from pathlib import Path
from typing import Any

import pytest

from events.importing import import_paths
from events.integrity import verify
from events.log import Log
from tests.events.conftest import game, head, line, take, written


def contradicted(log: Log, tmp_path: Path, **options: Any) -> Any:
    """Import a game, then the same game with another third event; return what became of it."""
    take(log, written(tmp_path / "first.jsonl", game()))
    other = [*game()[:2], line("seed.played", player="A", card="A:tin-wasp", biom="moss-parish"), *game()[3:]]
    (result,) = take(log, written(tmp_path / "second.jsonl", other), **options).games
    return result


def test_a_contradicting_log_is_refused_with_the_first_difference(log: Log, tmp_path: Path) -> None:
    """The stored game stays, and the report names the event and both versions of it."""
    result = contradicted(log, tmp_path)
    assert (result.status, result.events, result.difference.seq) == ("refused", 0, 3)
    assert "reed-heron" in result.difference.stored
    assert "tin-wasp" in result.difference.file
    assert str(result.difference) == (
        'event 3 differs: the log has `seed.played` with card "A:reed-heron", '
        'the file has `seed.played` with card "A:tin-wasp"'
    )
    assert [each.revision for each in log.games(all_revisions=True)] == [1]


def test_a_revision_is_taken_on_request(log: Log, tmp_path: Path) -> None:
    """The new version becomes the next revision; the old one is kept, and comes unchanged."""
    assert contradicted(log, tmp_path, revise=True).status == "revised"
    assert [each.revision for each in log.games(all_revisions=True)] == [1, 2]
    assert take(log, tmp_path / "first.jsonl").unchanged
    assert take(log, tmp_path / "second.jsonl").unchanged
    assert list(verify(log)) == []


def test_a_missing_event_is_a_difference(log: Log, tmp_path: Path) -> None:
    """A log that leaves an event out in the middle contradicts the stored one."""
    take(log, written(tmp_path / "first.jsonl", game()))
    (result,) = take(log, written(tmp_path / "second.jsonl", [*game()[:4], *game()[5:]])).games
    assert (result.status, result.difference.seq if result.difference else 0) == ("refused", 5)


BAD_LINE = line("seed.plyd", player="A", card="A:reed-heron", biom="moss-parish")


def spoilt(tmp_path: Path, *more: str) -> Path:
    """Write a file whose game has an unreadable third line, and more lines behind the game."""
    return written(tmp_path / "g.jsonl", [*game()[:2], BAD_LINE, *game()[3:], *more])


def test_a_refused_file_leaves_the_quarantine_as_it_was(log: Log, tmp_path: Path) -> None:
    """What is still missing from the log stays in quarantine until the file is taken, and the raw file is not kept."""
    take(log, spoilt(tmp_path))
    before = (log.quarantine(), log.raw_files())
    other = written(tmp_path / "g.jsonl", [*game(turns=1), "oops"])
    report = take(log, other)
    assert (len(report.refused), report.quarantined, report.kept) == (1, 1, False)
    assert (log.quarantine(), log.raw_files()) == before
    assert take(log, other, revise=True).kept
    assert [(entry.line, entry.raw) for entry in log.quarantine()] == [(len(game(turns=1)) + 1, "oops")]
    assert list(verify(log)) == []


def test_a_file_that_contradicts_nothing_but_its_quarantined_lines_is_taken(log: Log, tmp_path: Path) -> None:
    """Where the file has every stored event and between them what was in quarantine, it is the game's next revision."""
    take(log, spoilt(tmp_path))
    report = take(log, written(tmp_path / "g.jsonl", [*game(), line("note.added", text="and more at the end")]))
    assert [(taken.status, taken.revision) for taken in report.games] == [("revised", 2)]
    assert log.quarantine() == []
    assert [row.type for row in log.stored(log.game("g"))][2] == "seed.played"
    assert list(verify(log)) == []


@pytest.mark.parametrize(
    "lines",
    [
        [*game()[:4], line("turn.passed", player="B"), *game()[4:]],
        [*game()[:2], game()[2], game()[2], *game()[3:]],
        [*game()[:3], *game()[4:]],
        [*game()[:3], line("turn.ended", player="B"), *game()[4:]],
        [*game()[:2], BAD_LINE, line("turn.passed", player="B"), *game()[3:]],
    ],
    ids=["another-line", "two-lines-for-one", "a-line-gone", "another-player", "still-unreadable"],
)
def test_whatever_else_was_changed_is_a_contradiction(log: Log, tmp_path: Path, lines: list[str]) -> None:
    """A file that adds, leaves out or alters more than what was in quarantine contradicts the log."""
    take(log, spoilt(tmp_path))
    (result,) = take(log, written(tmp_path / "g.jsonl", lines)).refused
    assert result.contradiction.startswith("game 'g' contradicts the log: event ")


def test_a_game_left_out_of_a_file_that_is_taken_is_in_quarantine(log: Log, tmp_path: Path) -> None:
    """Where other games of the file are new, the refused one has an entry that names the command that takes it."""
    take(log, spoilt(tmp_path))
    both = written(tmp_path / "g.jsonl", [*game(turns=1), *game("new"), "oops"])
    assert [each.status for each in take(log, both).games] == ["refused", "new"]
    assert [(entry.line, entry.code) for entry in log.quarantine()] == [(13, "not-json"), (1, "contradicts")]
    assert "contradicts the log: event " in log.quarantine()[1].message
    assert "import --revise" in log.quarantine()[1].suggestion
    take(log, both, revise=True)
    assert [entry.code for entry in log.quarantine()] == ["not-json"]


def test_lines_mended_in_one_game_are_not_counted_for_another(log: Log, tmp_path: Path) -> None:
    """In a file of several games each has its own quarantined lines."""
    take(log, spoilt(tmp_path, head("two"), BAD_LINE, line("turn.ended", player="A")))
    lines = [*game(), head("two"), BAD_LINE, line("turn.passed", player="B"), line("turn.ended", player="A")]
    first, second = take(log, written(tmp_path / "g.jsonl", lines)).games
    assert first.status == "revised"
    assert "contradicts the log" in second.contradiction


def test_the_same_game_in_two_files(log: Log, tmp_path: Path) -> None:
    """Two files that tell one game are joined where they agree and refused where they do not."""
    paths = [
        written(tmp_path / "1.jsonl", game()[:4]),
        written(tmp_path / "2.jsonl", game()),
        written(tmp_path / "3.jsonl", [*game()[:4], line("game.abandoned")]),
    ]
    assert [each.status for each in import_paths(log, paths).games] == ["new", "grown", "refused"]


def test_one_contradicting_game_does_not_spoil_the_others(log: Log, tmp_path: Path) -> None:
    """The other games of the file are taken."""
    take(log, written(tmp_path / "1.jsonl", game("a")))
    report = take(log, written(tmp_path / "2.jsonl", [*game("a", turns=3), *game("b")]))
    assert [(each.game_id, each.status) for each in report.games] == [("a", "refused"), ("b", "new")]
