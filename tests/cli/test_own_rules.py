"""Rules without programming at the command line: the tutorial, `rules check` and `rules new`."""

import json
import re
from pathlib import Path

import pytest

from tests.cli.conftest import Tabletape

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "rules-without-programming.md"
BLOCKS = re.findall(r"```(?:text|toml)\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
CHAT, GAME, MAP, AUDITED = BLOCKS[:4]


@pytest.fixture
def tutorial(tabletape: Tabletape, tmp_path: Path) -> Tabletape:
    """Do what the tutorial says, up to the import."""
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "lanterns.toml").write_text(GAME)
    (tmp_path / "friday.txt").write_text(CHAT)
    (tmp_path / "friday.map.toml").write_text(MAP)
    assert tabletape("import", "friday.txt").exit_code == 0
    return tabletape


def test_the_tutorial_says_what_the_commands_say(tutorial: Tabletape) -> None:
    """From the chat of the page to the cited finding of the page, word by word."""
    result = tutorial("audit")
    assert [line.rstrip() for line in AUDITED.strip().splitlines()] == result.stdout.splitlines()[:4]


def test_check_counts_how_often_each_rule_was_kept_and_broken(tutorial: Tabletape, tmp_path: Path) -> None:
    """A rule that accuses many games is perhaps not played so, and uncited sentences of the rulebook are named."""
    head = json.loads('{"type":"game.started","game":"lanterns","edition":"v1","id":"","players":[]}')
    seats = [{"id": "A", "name": "Ann"}, {"id": "B", "name": "Ben"}]
    lines = [
        line
        for number in range(3)
        for line in (head | {"id": f"g{number}", "players": seats}, {"type": "move.clue", "player": "A", "to": "A"})
    ]
    (tmp_path / "more.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert tutorial("import", "more.jsonl").exit_code == 0
    (tmp_path / "rulebook.md").write_text("# Lanterns\n\nA clue is given to another player.\n\nWho is last has lost.\n")
    assert tutorial("rulebook", "add", "lanterns", "rulebook.md").exit_code == 0
    checked = tutorial("rules", "check", "lanterns").stdout
    assert "accuses 4 of 4 games: perhaps it is not played so" in checked
    assert "L5 Who is last has lost." in checked
    assert "L3 A clue is given" not in checked
    (rule,) = json.loads(tutorial("rules", "check", "lanterns", "--json").stdout)["rules"]
    assert rule == {"rule": "lanterns.clue.to", "kept": 2, "broken": 4, "broken_in_games": 4}


def test_a_file_with_mistakes_is_checked_with_all_of_them(tutorial: Tabletape, tmp_path: Path) -> None:
    """Every mistake comes with its line, and nothing is counted."""
    (tmp_path / "games" / "lanterns.toml").write_text(
        GAME.replace('cite = "L17"', 'cit = "L17"') + "[end.x]\nthat = 1\n"
    )
    result = tutorial("rules", "check", "lanterns")
    assert result.exit_code == 1
    assert "lanterns.toml:3: [move.clue.fields.to.cit] `cit` is not known here; did you mean `cite`?" in result.stderr
    assert "lanterns.toml:4: [end.x] has no `says`" in result.stderr


def test_new_asks_in_words_and_writes_a_file_that_works(tabletape: Tabletape, tmp_path: Path) -> None:
    """The answers make a game with a rule that has its sentence; a file that is there is left as it is."""
    answers = b'Harvest Moon\n2-3\nsow\nhand\nfield\n2 seeds\nSowing costs "two" seeds.\nL7\n'
    assert tabletape("rules", "new", "harvest", stdin=answers).exit_code == 0
    written = (tmp_path / "games" / "harvest.toml").read_text()
    checked = tabletape("rules", "check", "harvest")
    assert checked.exit_code == 0
    assert 'Sowing costs "two" seeds.' in checked.stdout
    assert tabletape("rules", "new", "harvest", stdin=answers).exit_code == 1
    assert (tmp_path / "games" / "harvest.toml").read_text() == written


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("check",), "name the game"),
        (("check", "nope"), "`tabletape rules new nope` writes one"),
        (("new", "../x"), "no name for a new game"),
        (("new", "splicers"), "no name for a new game"),
        (("splicers.evolve.unexhausted", "splicers"), "only `check GAME` and `new GAME` take a game"),
    ],
)
def test_what_cannot_be_checked_or_made_says_why(tabletape: Tabletape, arguments: tuple[str, ...], said: str) -> None:
    """No traceback, nothing written, and what to do."""
    result = tabletape("rules", *arguments)
    assert result.exit_code != 0
    assert said in " ".join(result.stderr.split())


def test_bots_play_the_examples_from_the_command_line(tabletape: Tabletape, tmp_path: Path) -> None:
    """A copied example is played into the log and audited without a finding."""
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "whist.toml").write_text((PAGE.parents[1] / "own-games" / "whist.toml").read_text())
    assert tabletape("simulate", "whist", "--players", "4", "--games", "2", "--import").exit_code == 0
    assert tabletape("audit").exit_code == 0
    assert '"move.lay"' in tabletape("schema", "whist").stdout
    assert "GameFile" in tabletape("schema", "game").stdout
