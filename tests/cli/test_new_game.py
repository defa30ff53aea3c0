"""`new-game` writes a package that runs at once, and `check` says in words what of it does not hold."""

from pathlib import Path

import pytest

from tabletape.dashboard.tape.checking import checked
from tests.cli.conftest import Tabletape
from tests.installed import installed


def written(tabletape: Tabletape, folder: Path, name: str, **changes: str) -> Path:
    """Return the folder of a new game, with one text of a module replaced by another; `module` names it."""
    assert tabletape("new-game", name, "--into", str(folder)).exit_code == 0
    if changes:
        file = folder / name / name / changes["module"]
        text = file.read_text()
        assert changes["old"] in text
        file.write_text(text.replace(changes["old"], changes["new"]))
    return folder / name


def test_a_new_game_holds_what_must_hold_for_every_game(tabletape: Tabletape, tmp_path: Path) -> None:
    """Installed as it was written, nothing is found, by bots and by its recorded game; no file keeps a placeholder."""
    folder = written(tabletape, tmp_path, "rungs")
    texts = [file.read_text() for file in folder.rglob("*") if file.is_file()]
    assert len(texts) == 9
    assert not any("NAME" in text or "TITLE" in text for text in texts)
    with installed("rungs", folder, tmp_path) as game:
        found = checked(game.slug, [folder / "recordings"], games=4, players=3)
        assert [problem for each in found for problem in each.problems] == []
        assert game.title == "Rungs"


@pytest.mark.parametrize(
    ("name", "module", "old", "new", "holds"),
    [
        ("peeks", "play.py", "does=lay)", (
            "does=lay, offers=lambda table, player: [CardLaid(player=player, card=each.name) for each in "
            'zone_of(table, "hand", player).cards if table.zones["deck"].cards[0].text.number > 4])'
        ), "A bot decides by what its player may know."),
        ("sneaks", "play.py", 'table.set(table, "passed", event.player)', 'setattr(table, "passed", event.player)',
         "Stepping back leads to the table as it was."),
        ("mumbles", "events.py", "{player} lays {card}", "{player} lays {cart}",
         "Every event type has a sentence that names only fields that it has."),
        ("stumbles", "play.py", "table.next_turn(left_of(table, event.player))", "table.next_turn(table.nobody)",
         "Bots can play it."),
        ("quits", "play.py", "table.next_turn(left_of(table, event.player))", "raise SystemExit(0)",
         "Bots can play it."),
        ("dawdles", "play.py", "    if table.passed:", '    if table.passed == "nobody":',
         "Games of bots break no rule and come to an end."),
    ],
)  # fmt: skip
def test_what_does_not_hold_is_said_in_words(  # noqa: PLR0913, PLR0917 - what is planted, and what is found
    tabletape: Tabletape, tmp_path: Path, name: str, module: str, old: str, new: str, holds: str
) -> None:
    """A rule that peeks, a change past the table, a wrong sentence, an error and a game without end are each found."""
    folder = written(tabletape, tmp_path, name, module=module, old=old, new=new)
    with installed(name, folder, tmp_path) as game:
        found = {each.holds: each.problems for each in checked(game.slug, [], games=2, players=2) if each.problems}
        assert holds in found


@pytest.mark.parametrize(
    ("name", "raises"),
    [
        ("leaves", "raise SystemExit(3)"),
        ("breaks", 'raise BaseException("odd")'),
        ("babbles", 'raise type("E", (Exception,), {"__str__": lambda _: 1 / 0})()'),
    ],
)
def test_a_game_that_fails_whatever_it_raises_stops_no_other(
    tabletape: Tabletape, tmp_path: Path, name: str, raises: str
) -> None:
    """It is named with the event at which it fails, and the other games are audited, built and compared."""
    old = "table.next_turn(left_of(table, event.player))"
    folder = written(tabletape, tmp_path, name, module="play.py", old=old, new=raises)
    with installed(name, folder, tmp_path):
        assert tabletape("import", str(folder / "recordings" / "lower-card.jsonl")).exit_code == 0
        assert tabletape("simulate", "crystal", "--games", "1", "--import").exit_code == 0
        result = tabletape("audit")
        assert (result.exit_code, "could not be replayed to the end" in result.output) == (0, True)
        assert "could not be folded" in tabletape("replay", f"{name}-1").output
        for command in (["build"], ["compare", "--all"], ["mend", f"{name}-1"], ["coverage", "--game", name]):
            assert tabletape(*command).exit_code == 0


def test_an_error_outside_the_fold_names_the_package(tabletape: Tabletape, tmp_path: Path) -> None:
    """What the game raises while bots choose is no mistake of Tabletape."""
    folder = written(
        tabletape, tmp_path, "groans", module="play.py", old="    return float(sum(", new="    raise SystemExit\n    (("
    )
    with installed("groans", folder, tmp_path):
        result = tabletape("simulate", "groans", "--games", "1", "--bot", "greedy")
        assert result.exit_code == 1
        assert "the game of the package groans 1.0 has failed (SystemExit)" in " ".join(result.stderr.split())


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("crystal", "there is a game called crystal already"),
        ("json", "Python has a package called json already"),
        ("My-Game", "small letters and digits"),
        ("class", "small letters and digits"),
        ("../out", "small letters and digits"),
    ],
)
def test_a_name_that_cannot_be_is_refused(tabletape: Tabletape, tmp_path: Path, name: str, why: str) -> None:
    """The reason is said, and nothing is written."""
    result = tabletape("new-game", name, "--into", str(tmp_path / "new"))
    assert result.exit_code != 0
    assert why in " ".join(result.stderr.split())
    assert not (tmp_path / "new").exists()


def test_a_folder_that_is_there_is_left_alone(tabletape: Tabletape, tmp_path: Path) -> None:
    """It may hold somebody's game."""
    (tmp_path / "taken").mkdir()
    result = tabletape("new-game", "taken", "--into", str(tmp_path))
    assert (result.exit_code != 0, "istherealready" in "".join(result.stderr.split())) == (True, True)
    assert [*(tmp_path / "taken").iterdir()] == []


def test_the_command_says_what_holds_and_fails_where_something_does_not(tabletape: Tabletape, tmp_path: Path) -> None:
    """A recording that gives something else than expected makes the exit code 1; an unreadable one names its line."""
    head = '{"type":"game.started","game":"tabletop","edition":"1","id":"g","players":[{"id":"A","name":"Ann"}]}\n'
    log = tmp_path / "one.jsonl"
    log.write_text(head + '{"type":"turn.started","player":"A"}\n')
    assert tabletape("check", "tabletop", str(log)).exit_code == 0
    (tmp_path / "one.expected.json").write_text('{"winner": "A", "reason": "points", "findings": []}')
    result = tabletape("check", "tabletop", str(log))
    assert (result.exit_code, "the winner is None, not A" in result.stdout) == (1, True)
    log.write_text(head + "{}\n")
    assert f"{log}:2: " in tabletape("check", "tabletop", str(log)).stderr.replace("\n", "")
    assert "has no bots" in tabletape("check", "tabletop").stderr
