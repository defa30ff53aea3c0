"""Files that are imported again with other lines: contradictions, revisions, and lines that were mended."""

from pathlib import Path
from typing import Any

import pytest

from tabletape.events.importing import import_paths
from tabletape.events.log import Log
from tabletape.events.log.integrity import verify
from tests.events.conftest import game, head, import_file, line, write_lines


def contradicted(log: Log, tmp_path: Path, **options: Any) -> Any:
    """Import a game, then the same game with another third event; return the second result."""
    import_file(log, write_lines(tmp_path / "first.jsonl", game()))
    other = [*game()[:2], line("seed.played", player="A", card="A:tin-wasp", biom="moss-parish"), *game()[3:]]
    (result,) = import_file(log, write_lines(tmp_path / "second.jsonl", other), **options).games
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


def test_a_revision_is_stored_on_request(log: Log, tmp_path: Path) -> None:
    """The new version becomes the next revision; the old one is kept, and importing either again changes nothing."""
    assert contradicted(log, tmp_path, revise=True).status == "revised"
    assert [each.revision for each in log.games(all_revisions=True)] == [1, 2]
    assert import_file(log, tmp_path / "first.jsonl").unchanged
    assert import_file(log, tmp_path / "second.jsonl").unchanged
    assert list(verify(log)) == []


def test_a_missing_event_is_a_difference(log: Log, tmp_path: Path) -> None:
    """A log that leaves an event out in the middle contradicts the stored one."""
    import_file(log, write_lines(tmp_path / "first.jsonl", game()))
    (result,) = import_file(log, write_lines(tmp_path / "second.jsonl", [*game()[:4], *game()[5:]])).games
    assert (result.status, result.difference.seq if result.difference else 0) == ("refused", 5)


BAD_LINE = line("seed.plyd", player="A", card="A:reed-heron", biom="moss-parish")


def spoilt(tmp_path: Path, *more: str) -> Path:
    """Write a file whose game has an unreadable third line, and more lines after the game."""
    return write_lines(tmp_path / "g.jsonl", [*game()[:2], BAD_LINE, *game()[3:], *more])


def test_a_refused_file_leaves_the_quarantine_as_it_was(log: Log, tmp_path: Path) -> None:
    """Until the file is accepted its old entries stay in quarantine, and the raw file is not kept."""
    import_file(log, spoilt(tmp_path))
    before = (log.quarantine(), log.raw_files())
    other = write_lines(tmp_path / "g.jsonl", [*game(turns=1), "oops"])
    report = import_file(log, other)
    assert (len(report.refused), report.quarantined, report.kept) == (1, 1, False)
    assert (log.quarantine(), log.raw_files()) == before
    assert import_file(log, other, revise=True).kept
    assert [(entry.line, entry.raw) for entry in log.quarantine()] == [(len(game(turns=1)) + 1, "oops")]
    assert list(verify(log)) == []


def test_a_file_that_contradicts_only_its_quarantined_lines_is_accepted(log: Log, tmp_path: Path) -> None:
    """A file with every stored event, and new lines only in place of quarantined ones, is the game's next revision."""
    import_file(log, spoilt(tmp_path))
    report = import_file(
        log, write_lines(tmp_path / "g.jsonl", [*game(), line("note.added", text="and more at the end")])
    )
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
def test_any_other_change_is_a_contradiction(log: Log, tmp_path: Path, lines: list[str]) -> None:
    """A file that adds, removes or changes more than its quarantined lines contradicts the log."""
    import_file(log, spoilt(tmp_path))
    (result,) = import_file(log, write_lines(tmp_path / "g.jsonl", lines)).refused
    assert result.contradiction.startswith("game 'g' contradicts the log: event ")


def test_a_refused_game_of_an_accepted_file_is_in_quarantine(log: Log, tmp_path: Path) -> None:
    """If other games of the file are new, the refused one gets an entry that names `import --revise`."""
    import_file(log, spoilt(tmp_path))
    both = write_lines(tmp_path / "g.jsonl", [*game(turns=1), *game("new"), "oops"])
    assert [each.status for each in import_file(log, both).games] == ["refused", "new"]
    assert [(entry.line, entry.code) for entry in log.quarantine()] == [(13, "not-json"), (1, "contradicts")]
    assert "contradicts the log: event " in log.quarantine()[1].message
    assert "import --revise" in log.quarantine()[1].suggestion
    import_file(log, both, revise=True)
    assert [entry.code for entry in log.quarantine()] == ["not-json"]


def test_lines_mended_in_one_game_are_not_counted_for_another(log: Log, tmp_path: Path) -> None:
    """In a file of several games each has its own quarantined lines."""
    import_file(log, spoilt(tmp_path, head("two"), BAD_LINE, line("turn.ended", player="A")))
    lines = [*game(), head("two"), BAD_LINE, line("turn.passed", player="B"), line("turn.ended", player="A")]
    first, second = import_file(log, write_lines(tmp_path / "g.jsonl", lines)).games
    assert first.status == "revised"
    assert "contradicts the log" in second.contradiction


def test_the_same_game_in_two_files(log: Log, tmp_path: Path) -> None:
    """Two files of the same game are joined if they agree, and the second is refused if they do not."""
    paths = [
        write_lines(tmp_path / "1.jsonl", game()[:4]),
        write_lines(tmp_path / "2.jsonl", game()),
        write_lines(tmp_path / "3.jsonl", [*game()[:4], line("game.abandoned")]),
    ]
    assert [each.status for each in import_paths(log, paths).games] == ["new", "grown", "refused"]


def test_one_contradicting_game_does_not_spoil_the_others(log: Log, tmp_path: Path) -> None:
    """The other games of the file are imported."""
    import_file(log, write_lines(tmp_path / "1.jsonl", game("a")))
    report = import_file(log, write_lines(tmp_path / "2.jsonl", [*game("a", turns=3), *game("b")]))
    assert [(each.game_id, each.status) for each in report.games] == [("a", "refused"), ("b", "new")]
