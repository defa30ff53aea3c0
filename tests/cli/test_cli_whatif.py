"""`tabletape whatif`: what a changed card or ruling would do, in the terminal."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Tabletape


def test_a_changed_card_is_shown_with_its_interval_and_its_pairs(tabletape: Tabletape) -> None:
    """The headline has difference, interval, games and bots; a table and the games that differ follow."""
    result = tabletape(
        "whatif", "crystal", "--card", "sporeling", "--set", "mining=60", "--pairs", "10", "--bot", "random"
    )
    assert result.exit_code == 0
    first = result.stdout.splitlines()[0]
    assert first.startswith(
        "Sporeling with mining=60: no difference is shown. In 10 games of random bots, each played twice, the "
        "side that holds sporeling "
    )
    assert " of a hundred more (likely " in first
    assert first.endswith(" to 59 more)")
    assert "This speaks of bots" in result.stdout
    assert "copies played of those in a hand" in result.stdout
    assert "Pair " in result.stdout


def test_without_a_change_no_pair_differs(tabletape: Tabletape) -> None:
    """The control experiment has no difference."""
    result = tabletape("whatif", "higher", "--pairs", "4", "--bot", "greedy")
    headline = "No change: no difference is shown. In 4 games of greedy bots, each played twice, whoever begins won "
    assert headline in result.stdout, result.stderr
    assert "0 of 4 games came out otherwise" in result.stdout


def test_json_holds_the_numbers(tabletape: Tabletape) -> None:
    """The JSON has one object for each kind of bot."""
    result = tabletape("whatif", "higher", "--ruling", "ties=first_card", "--pairs", "4", "--json")
    assert [each["bot"] for each in json.loads(result.stdout)] == ["greedy", "random"]
    assert json.loads(result.stdout)[0]["found"]["n"] == 4


def test_what_a_card_is_worth_to_bots_begins_its_effect_among_people(tabletape: Tabletape, tmp_path: Path) -> None:
    """The JSON of restricted play goes into `stats card-effects --lab`, which says so; no other question takes it."""
    asked = ("whatif", "crystal", "--without", "trooper", "--pairs", "8", "--bot", "random", "--json")
    outcomes = json.loads((printed := tabletape(*asked)).stdout)
    (tmp_path / "trooper.json").write_text(printed.stdout)
    assert [(each["game"], each["without"]) for each in outcomes] == [("crystal", "trooper")]
    assert 0 < outcomes[0]["at_play"]["n"] <= 8
    tabletape("simulate", "crystal", "--games", "4", "--out", "games.jsonl")
    (tmp_path / "club.jsonl").write_text((tmp_path / "games.jsonl").read_text().replace("bot-crystal", "club-crystal"))
    tabletape("import", "club.jsonl")
    tabletape("build")
    result = tabletape("stats", "card-effects", "--lab", "trooper.json")
    assert "Before the first game bots were asked: trooper " in result.stdout + result.stderr
    assert "unaided" in result.stdout
    assert "unaided" not in tabletape("stats", "card-effects").stdout
    refused = tabletape("stats", "first-player", "--lab", "trooper.json")
    assert (refused.exit_code, "--lab is for card-effects" in refused.stderr) == (1, True)


def test_it_stops_when_the_difference_is_known_well_enough(tabletape: Tabletape) -> None:
    """--until stops as soon as the interval that holds at every look is narrow enough."""
    asked = ("--card", "sporeling", "--set", "mining=60", "--bot", "random", "--json")
    result = tabletape("whatif", "crystal", *asked, "--pairs", "200", "--until", "50", "--processes", "1")
    assert 20 <= json.loads(result.stdout)[0]["found"]["n"] < 200


def test_games_of_people_stand_beside_those_of_bots(tabletape: Tabletape, tmp_path: Path) -> None:
    """If the log has games of people, their lengths and the wins of who begins stand beside those of bots."""
    tabletape("simulate", "higher", "--games", "2", "--out", "games.jsonl")
    text = (tmp_path / "games.jsonl").read_text().replace("bot-higher", "club-higher")
    (tmp_path / "club.jsonl").write_text(text)
    tabletape("import", "club.jsonl")
    assert "people" in tabletape("whatif", "higher", "--pairs", "2", "--bot", "random").stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--card", "sporelin", "--set", "cost=+1"), "did you mean sporeling?"),
        (("--card", "sporeling"), "give both or none"),
        (("--set", "cost=+1"), "give both or none"),
        (("--card", "sporeling", "--card", "cinder-drill", "--set", "cost=0"), "write --card before each --set"),
        (("--card", "sporeling", "--set", "cost=0", "--set", "cost=2"), "cost of sporeling is changed twice"),
        (("--ruling", "draw_mandatory=perhaps"), "perhaps"),
        (("--card", "sporeling", "--set", "cost=1.5"), "is a whole number"),
    ],
)
def test_an_impossible_change_is_refused(tabletape: Tabletape, arguments: tuple[str, ...], message: str) -> None:
    """A wrong argument ends the command with a plain sentence and exit code 1."""
    result = tabletape("whatif", "crystal", *arguments, "--pairs", "2")
    assert result.exit_code == 1
    assert message in result.stderr


def test_several_changes_are_written_one_after_the_other(tabletape: Tabletape) -> None:
    """Each --set belongs to the --card before it, commas separate several numbers; rulings are changed as well."""
    cards = ("--card", "sporeling", "--set", "cost=+1,mining=3", "--card", "cinder-drill", "--set", "cost=0")
    result = tabletape(
        "whatif", "crystal", *cards, "--ruling", "draw_mandatory=optional", "--pairs", "4", "--bot", "random"
    )
    assert result.exit_code == 0, result.stderr
    assert result.stdout.startswith(
        "Sporeling with cost=+1, mining=3 and cinder-drill with cost=0 and draw_mandatory=optional: "
    )
    assert "copies of cinder-drill that could never be played" in result.stdout
