"""Rules without programming at the command line: the tutorial, and `rules check`."""

import json
import re
import tomllib
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tabletape.cli.main import app
from tabletape.events.vocabulary.open_games import games_of
from tests.cli.conftest import Tabletape

DOCS = Path(__file__).parents[2] / "docs"
HOW_TO = (DOCS / "how-to" / "rules-without-programming.md").read_text(encoding="utf-8")
SENTENCES = re.findall(r"^\| [^|]+ \| `(\".*\")` \| `(\[[^`]+\])` \|$", HOW_TO, re.MULTILINE)
PONDS = """title = "Millpond"
zones = { deck = "shared hidden", hand = "own", pond = "open" }
cards = { kind = ["reed", "frog", "pike", "heron"], copies = 6 }
turn = { actions = 1, says = "One thing in a turn.", cite = "L4" }
[move.play]
fields.cards = "cards of hand"
does = ["cards -> pond"]
[move.swap]
fields.cards = "cards of hand"
"""
"""A file to which each sentence of the page may be added."""

GAME = """title = "Lanterns"
[move.clue]
fields.to = { is = "other player", says = "A clue is given to another player.", cite = "L17" }
"""
CHAT = """Ann sits down
Ben sits down
Ann clues Ben: red
Ben clues Ann: 5
Ben clues Ben: green
"""
FOUND = """friday  lanterns unknown, Ann, Ben
     4  Ben: clue Ben  (friday.txt:5)
        illegal  A clue is given to another player. Here Ben is the player who moves.
          lanterns.clue.to - Clue, L17"""
ENTER = b"\n" * 4
"""Whoever maps the chat of the page accepts each proposal."""


@pytest.fixture
def tutorial(tabletape: Tabletape, tmp_path: Path) -> Tabletape:
    """Write a game of one rule, and import a chat of it."""
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "lanterns.toml").write_text(GAME)
    (tmp_path / "friday.txt").write_text(CHAT)
    assert tabletape("map", "friday.txt", stdin=ENTER).exit_code == 0
    assert tabletape("import", "friday.txt").exit_code == 0
    return tabletape


def test_one_rule_is_enough_for_a_cited_finding(tutorial: Tabletape) -> None:
    """From a chat and a file with one rule to its finding, word by word."""
    assert FOUND.splitlines() == tutorial("audit").stdout.splitlines()[:4]


def test_each_sentence_of_the_page_may_be_copied() -> None:
    """Every line of the table, with a sentence and its place, is a rule of the file on the page."""
    assert len(SENTENCES) == 7
    for that, header in SENTENCES:
        rule = f'{header}\nthat = {that}\nsays = "So it is."\ncite = "L1"\n'
        (found,) = games_of("millpond.toml", "millpond", PONDS + rule).values()
        assert "millpond." + header[6:-1].replace("needs.", "") in {
            need.id for move in found.rules.moves.values() for need in move.needs
        }


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
    assert "broken in 4 of 4 games: perhaps it is not played so" in checked
    assert "   1  L5 Who is last has lost." in checked
    assert "Which move is it about?" in tutorial("rules", "check", "lanterns", "1", stdin=b"\n").stdout
    assert "2 is no number of a sentence" in tutorial("rules", "check", "lanterns", "2").output
    assert "L3 A clue is given" not in checked
    (rule,) = json.loads(tutorial("rules", "check", "lanterns", "--json").stdout)["rules"]
    accused = rule.pop("accused")
    assert (rule.pop("unbreakable"), rule["kept"]) == (False, 2)
    assert rule == {"rule": "lanterns.clue.to", "kept": 2, "broken": 4, "broken_in_games": 4}
    assert (len(accused), accused[0]) == (4, {"where": "friday, line 5", "line": "Ben: clue Ben"})
    assert "of 1 rule 1 broken (4 lines), 0 always kept" in checked
    assert "  friday, line 5  Ben: clue Ben" in checked
    assert "  and 1 more: `tabletape audit` shows them" in checked


UNSURE = """title = "Lanterns"
zones = { deck = "shared hidden", hand = "own", table = "shared" }
counters = { oil = { start = 3, each = true } }
CARDS
[turn]
actions = 1
says = "In turn."
cite = "L2"
[move.light]
fields.card = "card of hand"
needs.room = { that = "size(table) < 9", says = "Nine at most.", cite = "L3" }
does = ["card -> table"]
"""


def test_what_was_not_judged_is_said_with_its_reason(tabletape: Tabletape, tmp_path: Path) -> None:
    """A line whose place in the turn is open is only held against a row: `audit` and `rules check` say so."""
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "lanterns.toml").write_text(UNSURE.replace("CARDS", ""))
    seats = [{"id": each, "name": each} for each in "ABC"]
    lines: list[dict[str, object]] = [
        {"type": "game.started", "game": "lanterns", "edition": "v1", "id": "one", "players": seats},
        {"type": "move.light", "player": "A", "card": "A:wick"},
        {"type": "counter.changed", "player": "A", "counter": "oil", "by": 1},
        {"type": "move.light", "player": "A", "card": "A:wicks"},
    ]
    (tmp_path / "one.jsonl").write_text("".join(json.dumps(each) + "\n" for each in lines))
    assert tabletape("import", "one.jsonl").exit_code == 0
    rules = "lanterns.light.card"
    said = f"at event 4 1 of 2 lines `light` not held against {rules}, because lanterns.turn"
    assert f"not judged: {said}" in " ".join(tabletape("audit").stdout.split())
    assert said in json.loads(tabletape("audit", "--format", "json").stdout)[0]["unjudged"][0]
    file = UNSURE.replace("CARDS", 'cards = { kind = ["wick"], copies = 4 }').replace(
        "[move.light]", "[move.hum]\ndoes = []\n[move.light]"
    )
    (tmp_path / "games" / "lanterns.toml").write_text(
        f'{file}[move.hum.needs.oil]\nthat = "oil > 0"\nsays = "Oil."\ncite = "L4"\n'
    )
    again = tabletape("audit", "one").stdout
    assert "illegal" not in again
    assert (
        "never at stake: no line of the games says hum, so it accuses nobody. Do the chats say it in another word? "
        '`called = ["that word"]` under [move.hum]'
    ) in tabletape("rules", "check", "lanterns").stdout
    assert "Next: `tabletape rules check lanterns`" not in tabletape("audit").stderr


CANYON = """title = "Canyon"
zones = { deck = "shared hidden", hand = "own", table = "shared", gone = "shared" }
cards = { kind = ["wolf", "owl"], copies = "any" }
[move.shout]
fields.cards = "cards of hand"
needs.voice = { that = "no(cards where it.kind = top(table).kind)", says = "Never the same voice.", cite = "L1" }
needs.wolf = { if = "any(cards where it.kind = 'wolf')", that = "top(table).kind != 'owl'", says = "No.", cite = "L2" }
does = ["cards -> table"]
[move.throw]
does = ["table -> gone"]
"""


def test_a_rule_about_some_cards_counts_only_their_lines(tabletape: Tabletape, tmp_path: Path) -> None:
    """Of four shouts two are of a wolf, one of which has nothing to compare with: that one rule judged 1 of 2 lines."""
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "canyon.toml").write_text(CANYON)
    seats = [{"id": each, "name": each} for each in "AB"]
    lines: list[dict[str, object]] = [
        {"type": "game.started", "game": "canyon", "edition": "v1", "id": "one", "players": seats},
        {"type": "move.shout", "player": "A", "cards": ["wolf#1"]},
        {"type": "move.shout", "player": "B", "cards": ["owl#1"]},
        {"type": "move.throw", "player": "A"},
        {"type": "move.shout", "player": "B", "cards": ["owl#2"]},
        {"type": "move.shout", "player": "A", "cards": ["wolf#2"]},
    ]
    (tmp_path / "one.jsonl").write_text("".join(json.dumps(each) + "\n" for each in lines))
    assert tabletape("import", "one.jsonl").exit_code == 0
    said = " ".join(tabletape("audit").output.split())
    assert "only some lines were judged by canyon.shout.voice 2 of 4, canyon.shout.wolf 1 of 2" in said


def test_a_file_with_mistakes_is_checked_with_all_of_them(tutorial: Tabletape, tmp_path: Path) -> None:
    """Every mistake comes with its line, and nothing is counted."""
    (tmp_path / "games" / "lanterns.toml").write_text(
        GAME.replace('cite = "L17"', 'cit = "L17"') + "[end.x]\nthat = 1\n"
    )
    result = tutorial("rules", "check", "lanterns")
    assert result.exit_code == 1
    assert "lanterns.toml:3: [move.clue.fields.to.cit] `cit` is not known here; did you mean `cite`?" in result.stderr
    assert "lanterns.toml:4: [end.x] has no `says`" in result.stderr


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
        (("new", "inn", "nowhere.txt"), "nowhere.txt cannot be read"),
        (("new", "inn", "."), "cannot be read"),
        (("new", "inn", "one.jsonl"), "no name begins several of its lines"),
        (("new", "inn", "one.jsonl", "nowhere.md"), "nowhere.md"),
        (("splicers.evolve.unexhausted", "splicers"), "only `check GAME` and `new GAME` take a game"),
    ],
)
def test_what_cannot_be_checked_or_made_says_why(
    tabletape: Tabletape, tmp_path: Path, arguments: tuple[str, ...], said: str
) -> None:
    """No traceback, nothing written, and what to do."""
    (tmp_path / "one.jsonl").write_text('{"a": 1}\n')
    result = tabletape("rules", *arguments)
    assert [each.name for each in tmp_path.iterdir()] == ["one.jsonl"]
    assert result.exit_code != 0
    assert said in " ".join(result.stderr.split())


FIVE_PAIRS = ("--pairs", "5", "--bot", "random")


def test_every_command_takes_a_game_of_a_file(tabletape: Tabletape, tmp_path: Path) -> None:
    """A copied example is played by bots that search, audited, mended, counted, compared, branched, changed, shared."""
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "market.toml").write_text((DOCS / "own-games" / "market.toml").read_text())
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
         "tables.price.silver=+1 and counters.coins.start=5: "),
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


@pytest.mark.parametrize(
    ("slug", "players", "change"),
    [
        ("battler", "2", "tables.power.wolf=+1"),
        ("climbing", "4", "deal.count=7"),
        ("expeditions", "2", "deal.count=6"),
        ("fireworks", "3", "counters.tokens.start=4"),
        ("whist", "4", "deal.count=10"),
    ],
)
def test_every_example_is_audited_mended_shown_counted_and_changed(
    tabletape: Tabletape, tmp_path: Path, slug: str, players: str, change: str
) -> None:
    """Each verb says something of a game that bots have played by the file, and none fails."""
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / f"{slug}.toml").write_text((DOCS / "own-games" / f"{slug}.toml").read_text())
    assert tabletape("simulate", slug, "--players", players, "--games", "1", "--import").exit_code == 0
    played = f"bot-{slug}-1-1"
    for words, said in (
        (("audit",), "no findings"),
        (("replay", played, "--step", "9"), "Event 9"),
        (("mend", played), "Nothing is wrong"),
        (("coverage", "--game", slug, "--bots"), "rules: "),
        (("rules", "check", slug, "--bots"), f"games/{slug}.toml, 1 stored game"),
        (("compare", "--game", slug, "--edition", "unknown"), "read twice"),
        (("share", played, "--out", "share.html"), "1 game"),
        (("whatif", slug, "--set", change, "--pairs", "1", "--bot", "random"), f"{change}: "),
    ):
        result = tabletape(*words)
        assert result.exit_code == 0, (words, result.output)
        assert said in " ".join(result.output.split()), words


def test_the_schema_knows_every_key_of_the_examples() -> None:
    """The schema for editors is a valid one, takes every example, and refuses a misspelt key wherever it stands."""
    validating = pytest.importorskip("jsonschema").Draft202012Validator
    schema = json.loads(CliRunner().invoke(app, ["schema", "game"]).stdout)
    validating.check_schema(schema)
    validator = validating(schema)
    for file in sorted((DOCS / "own-games").glob("*.toml")):
        assert [*validator.iter_errors(tomllib.loads(file.read_text()))] == []
    unknown = ("[moves.x]", "[move.x]\ncost = {}", "[counters]\na = { begin = 1 }")
    for wrong in (*unknown, '[move.x.needs.y]\nthat = "1"', "cards.rank = 5"):
        assert [*validator.iter_errors(tomllib.loads('title = "X"\n' + wrong))], wrong


def test_moves_without_a_rule_are_not_said_to_keep_any(tabletape: Tabletape, tmp_path: Path) -> None:
    """Where a file describes moves and states no rule, nothing is said to be without mistake, and no card is missed."""
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "moor.toml").write_text(
        'title = "Moor"\nzones = { deck = "shared hidden", hand = "own" }\n'
        'cards = { kind = ["heron", "toad"], copies = "any" }\n'
        '[move.play]\nfields.cards = "cards of hand"\n[move.pay]\nfields.cards = "cards of hand"\n'
    )
    seats = [{"id": "A", "name": "Ann"}, {"id": "B", "name": "Ben"}]
    lines = [
        {"type": "game.started", "game": "moor", "id": "friday", "edition": "unknown", "players": seats},
        {"type": "move.play", "player": "A", "cards": ["heron"]},
        {"type": "log.gap", "lines": 3, "text": "draw 2, play Toad"},
        {"type": "game.ended", "reason": "won", "winner": "A"},
    ]
    (tmp_path / "friday.jsonl").write_text("".join(json.dumps(each) + "\n" for each in lines))
    assert tabletape("import", "friday.jsonl").exit_code == 0
    audited = tabletape("audit").stdout
    assert "no findings in the book-keeping; 0 games without findings, 1 game of which no rule is stated" in audited
    assert "3 lines of the log could not be read" in audited
    assert tabletape("build").exit_code == 0
    report = tabletape("report").stdout
    assert report.splitlines()[2] == "1 game of Moor, finished, played by 2 people. Ann won."
    assert "| Moor |" not in report
    assert report.count("No rule of this game is stated yet, so nobody can tell whether one was broken") == 2
    assert report.count("3 lines of the log could not be read") == 2
    assert "No mistake" not in report
    assert "nobody has seen" not in report
    assert "lies where" not in report


HERONS = """title = "Herons"
zones = { deck = "shared hidden", hand = "own", somewhere = "shared hidden", row = "shared", discards = "shared" }
cards = { kind = ["heron", "toad"], copies = "any" }
[move.echo]
[move.lay]
fields.cards = "cards of somewhere"
does = ["cards -> row"]
needs.other = { that = "no(cards where it.kind = top(row).kind)", says = "Never two of a kind.", cite = "L1" }
[move.clear]
does = ["row -> discards"]
"""


def test_a_file_that_says_little_is_asked_for_no_more(tabletape: Tabletape, tmp_path: Path) -> None:
    """A game without turns or an end: what explains a mistake is a move that is described, and no bot plays it."""
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "herons.toml").write_text(HERONS)
    seats = [{"id": "A", "name": "Ann"}, {"id": "B", "name": "Ben"}]
    lines = [
        {"type": "game.started", "game": "herons", "id": "friday", "edition": "unknown", "players": seats},
        {"type": "move.lay", "player": "A", "cards": ["heron"]},
        {"type": "move.lay", "player": "B", "cards": ["heron"]},
        {"type": "game.ended", "reason": "won", "winner": "A"},
    ]
    (tmp_path / "friday.jsonl").write_text("".join(json.dumps(each) + "\n" for each in lines))
    assert tabletape("import", "friday.jsonl").exit_code == 0
    mended = tabletape("mend").stdout
    assert "this is probably missing: Ann: clear" in mended
    assert "echo" not in mended
    assert "set-up" not in tabletape("replay", "friday").stdout + tabletape("replay", "friday", "--step", "3").stdout
    assert "(friday), event 3: Ben: lay Heron" in tabletape("report").stdout
    (tmp_path / "elsewhere" / "games").mkdir(parents=True)
    there = ("--db", "elsewhere/tabletape.db")
    assert tabletape("export", "--text", "friday.txt").exit_code == 0
    missing = "and no file games/herons.toml says what herons is"
    assert missing in " ".join(tabletape("import", "friday.txt", *there).output.split())
    (tmp_path / "elsewhere" / "games" / "herons.toml").write_text(HERONS)
    assert "1 new (4 new events)" in tabletape("import", "friday.txt", *there).output
    here = tabletape("log", "friday", "--jsonl").stdout
    assert tabletape("log", "friday", "--jsonl", *there).stdout == here
    untried = tabletape("coverage").stdout
    assert ("move.echo" in untried, "card.moved" in untried, "tabletop." in untried) == (True, False, False)
    for words in (
        ("simulate", "herons"),
        ("whatif", "herons", "--never", "move.echo"),
        ("branch", "friday", "--step", "2"),
    ):
        refused = tabletape(*words)
        assert "no sentence says how Herons ends: `[end.NAME]` in its file does" in " ".join(refused.stderr.split())
        assert refused.exit_code == 1
