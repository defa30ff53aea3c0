"""The rulebook of Splicers as data: rules, rulings and editions are all there and hang together."""

import csv
import re
from pathlib import Path

import pytest

import projector.games.splicers as package
from projector.model.game import Game

CATALOGUE = Path(__file__).parents[4].parent / "shared" / "catalogues" / "splicers"
needs_catalogue = pytest.mark.skipif(not CATALOGUE.exists(), reason="the catalogue lies beside the repository only")


@needs_catalogue
def test_every_rule_of_the_catalogue_is_in_the_product(splicers: Game) -> None:
    """Id, lines and sentence of all 170 rules are those of the catalogue; beside them there are only historic ids."""
    with (CATALOGUE / "rules.csv").open(encoding="utf-8") as file:
        rows = {row["id"]: row for row in csv.DictReader(file)}
    assert len(rows) == 170
    assert {rule.id for rule in splicers.rules} - rows.keys() == {
        "splicers.old.splice-play-now",
        "splicers.old.splice-ting-evolved-exhausted",
        "splicers.old.splice-event-shown",
        "splicers.old.splice-event-passes",
    }
    for name, row in rows.items():
        rule = splicers.by_id[name]
        assert (rule.text, rule.lines or "\u2013") == (row["rule"], row["source"])


@needs_catalogue
def test_every_ruling_of_the_catalogue_is_declared(splicers: Game) -> None:
    """All 114 keys are there, the catalogue's default first; only options are missing that no log can tell apart."""
    with (CATALOGUE / "rulings.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 114
    for row in rows:
        ruling = splicers.rulebook.by_key[row["key"]]
        options = [option.strip() for option in row["options"].split("|")]
        default = next(option for option in options if option.endswith("(default)")).removesuffix(" (default)")
        assert ruling.default == default
        assert {option.name for option in ruling.options} <= {each.removesuffix(" (default)") for each in options}


def test_every_ruling_says_what_it_is_about(splicers: Game) -> None:
    """A question, a reason, words for each option, and a default that is built."""
    for ruling in splicers.rulebook.rulings:
        assert ruling.question
        assert ruling.reason
        assert ruling.options[0].built
        assert all(option.text for option in ruling.options)


def test_rules_that_are_carried_out_say_where_a_contradiction_shows(splicers: Game) -> None:
    """A derived rule names the checked rule that reports it; a rule that no log can show says why."""
    for rule in splicers.rules:
        if rule.how == "derived":
            assert splicers.by_id[rule.reported_as].how == "checked", rule.id
        if rule.how != "checked":
            assert rule.reason, rule.id


def test_code_names_only_rules_that_exist(splicers: Game) -> None:
    """Every rule id that the game's code carries out or cites is declared."""
    source = "\n".join(path.read_text(encoding="utf-8") for path in Path(package.__path__[0]).rglob("*.py"))
    named = set(re.findall(r'"(splicers\.[a-z]+\.[a-z-]+)"', source))
    assert named - set(splicers.by_id) == set()


def test_the_second_edition_plays_what_a_splice_finds(splicers: Game) -> None:
    """The older text settles one ruling, and its historic ids are in force only there."""
    newer, older = splicers.rulebook.editions
    assert (newer.label, older.label) == ("0.2a", "0.2a-2016-08-27")
    assert older.rulings == {"splice_destination": "play_now"}
    assert splicers.by_id["splicers.splice.to-hand"].editions == (newer.label,)
    assert splicers.by_id["splicers.old.splice-play-now"].editions == (older.label,)
