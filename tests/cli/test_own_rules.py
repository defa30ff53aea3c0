"""Rules without programming at the command line: the tutorial, `rules check` and `rules new`."""

import json
import re
import tomllib
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tabletape.cli.main import app
from tests.cli.conftest import Tabletape

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "rules-without-programming.md"
BLOCKS = re.findall(r"```(?:text|toml)\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
CHAT, GAME, AUDITED = BLOCKS[:3]
ENTER = b"\n" * 4
"""Whoever maps the chat of the page accepts each proposal."""


@pytest.fixture
def tutorial(tabletape: Tabletape, tmp_path: Path) -> Tabletape:
    """Do what the tutorial says, up to the import."""
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "lanterns.toml").write_text(GAME)
    (tmp_path / "friday.txt").write_text(CHAT)
    assert tabletape("map", "friday.txt", stdin=ENTER).exit_code == 0
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
    answers = b'Harvest Moon\n2-3\nsow\nhand\nfield\nnobody\n2 seeds\nSowing costs "two" seeds.\nL7\n'
    assert tabletape("rules", "new", "harvest", stdin=answers).exit_code == 0
    written = (tmp_path / "games" / "harvest.toml").read_text()
    checked = tabletape("rules", "check", "harvest")
    assert checked.exit_code == 0
    assert 'Sowing costs "two" seeds.' in checked.stdout
    assert tabletape("rules", "new", "harvest", stdin=answers).exit_code == 1
    assert (tmp_path / "games" / "harvest.toml").read_text() == written


def test_new_writes_the_rule_of_the_tutorial(tabletape: Tabletape, tmp_path: Path) -> None:
    """Whoever answers for the game of the page gets its finding; a sentence about nothing is kept as words."""
    answers = b"Lanterns\n2-4\nclue\nnothing\nanother player\nnothing\nA clue is given to another player.\nL17\n"
    assert tabletape("rules", "new", "lanterns", stdin=answers).exit_code == 0
    (tmp_path / "friday.txt").write_text(CHAT)
    assert tabletape("map", "friday.txt", stdin=ENTER).exit_code == 0
    assert tabletape("import", "friday.txt").exit_code == 0
    assert [line.rstrip() for line in AUDITED.strip().splitlines()] == tabletape("audit").stdout.splitlines()[:4]
    open_one = b"Quiet\n2-4\nhum\nnothing\nnobody\nnothing\nOne hums.\nL1\n"
    assert tabletape("rules", "new", "quiet", stdin=open_one).exit_code == 0
    assert "# One hums. (L1)" in (tmp_path / "games" / "quiet.toml").read_text()
    assert tabletape("rules", "check", "quiet").exit_code == 0


def test_new_asks_again_where_an_answer_cannot_be_used(tabletape: Tabletape, tmp_path: Path) -> None:
    """Each answer is checked at once, with what it has to be; none of the others is lost."""
    said = (
        "Millpond",
        "many",
        "2-2",
        "play, rest, give",
        "play",
        "play",
        "hand",
        "pond",
        "the frog",
        "nobody",
        "water",
    )
    answers = "\n".join((*said, "1 water", "It costs.", "L5", "")).encode()
    made = tabletape("rules", "new", "millpond", stdin=answers)
    assert made.exit_code == 0, made.stderr
    assert [line.partition(": ")[2][:24] for line in made.stderr.splitlines() if "Error" in line] == [
        "how many play is a numbe",
        "one word for one move, n",
        "a place of cards is not ",
        "one names another player",
        "a cost is a number and w",
    ]
    assert "costs = { water = 1, says" in (tmp_path / "games" / "millpond.toml").read_text()


def test_each_mistake_has_a_line_of_its_own(tabletape: Tabletape, tmp_path: Path) -> None:
    """Two mistakes are two lines on the screen."""
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "lanterns.toml").write_text(GAME.replace("cite =", "cit =") + "[end.x]\nthat = 1\n")
    told = tabletape("rules", "check", "lanterns").stderr.splitlines()
    assert [bool(re.match(r"Error: .*lanterns.toml:\d", line)) for line in told] == [True, True, False]
    assert told[2].endswith("; 1 more: `tabletape rules check lanterns`.")


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


FIVE_PAIRS = ("--pairs", "5", "--bot", "random")


def test_every_command_takes_a_game_of_a_file(tabletape: Tabletape, tmp_path: Path) -> None:
    """A copied example is played by bots that search, audited, mended, counted, compared, branched, changed, shared."""
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "market.toml").write_text((PAGE.parents[1] / "own-games" / "market.toml").read_text())
    assert '"move.buy"' in tabletape("schema", "market").stdout
    assert tabletape("simulate", "market", "--players", "2", "--games", "3", "--import").exit_code == 0
    searched = tabletape(
        "simulate", "market", "--players", "2", "--bot", "search", "--iterations", "2", "--limit", "40"
    )
    assert '"type":"move.' in searched.stdout
    assert "no findings" in tabletape("audit").stdout
    lines = tabletape("log", "bot-market-1-1", "--jsonl").stdout.splitlines()
    lost = next(number for number, line in enumerate(lines) if '"move.show"' in line)
    mine = [json.loads(line) for line in (*lines[:lost], *lines[lost + 1 :])]
    head = {**mine[0], "id": "mine"}
    rest = [{key: value for key, value in line.items() if key != "seq"} for line in mine[1:]]
    (tmp_path / "mine.jsonl").write_text("".join(json.dumps(line) + "\n" for line in (head, *rest)))
    assert tabletape("import", "mine.jsonl").exit_code == 0
    for words, said in (
        (("audit", "mine"), "market."),
        (("mend", "mine"), "this is probably missing: Random bot"),
        (("build",), "0 unchanged"),
        (("build",), "0 games projected"),
        (("coverage", "--game", "market", "--bots"), "cards: 3 of 3"),
        (("rules", "market.buy.price", "--bots"), "A good costs its price."),
        (("stats", "first-player", "--bots"), "market"),
        (("compare", "--game", "market", "--edition", "unknown"), "4 games read twice"),
        (("whatif", "market", "--set", "tables.price.silver=+1,counters.coins.start=5", *FIVE_PAIRS),
         "Tables.price.silver=+1 and counters.coins.start=5: "),
        (("branch", "bot-market-1-1", "--step", "12", "--games", "2"), "A branch is no game"),
        (("report", "--out", "report.html"), "report.html"),
        (("share", "mine", "--out", "share.html"), "1 game"),
    ):  # fmt: skip
        result = tabletape(*words)
        assert said in " ".join(result.output.split()), words
        assert result.exit_code in {0, 1}
    for wrong, said in (
        ("tables.price.gold=1", "has no number at"),
        ("tables.price.silver.x=1", "has no number at"),
        ("tables", "write tables.price.silver=+1"),
        ("players.0=4,players.1=4", "Market is for 4 players, as its file says (`players`), not for 2"),
    ):
        assert said in " ".join(tabletape("whatif", "market", "--set", wrong).stderr.split())
    refused = tabletape("simulate", "market", "--players", "6")
    assert "Market is for 2 to 4 players, as its file says (`players`), not for 6" in " ".join(refused.stderr.split())
    assert refused.exit_code == 1


def test_the_schema_knows_every_key_of_the_examples() -> None:
    """The schema for editors is a valid one, takes every example, and refuses a misspelt key wherever it stands."""
    validating = pytest.importorskip("jsonschema").Draft202012Validator
    schema = json.loads(CliRunner().invoke(app, ["schema", "game"]).stdout)
    validating.check_schema(schema)
    validator = validating(schema)
    for file in sorted((PAGE.parents[1] / "own-games").glob("*.toml")):
        assert [*validator.iter_errors(tomllib.loads(file.read_text()))] == []
    for wrong in ("[moves.x]", "[move.x]\ncost = {}", '[move.x.needs.y]\nthat = "1"', "[counters]\na = { begin = 1 }"):
        assert [*validator.iter_errors(tomllib.loads('title = "X"\n' + wrong))], wrong
