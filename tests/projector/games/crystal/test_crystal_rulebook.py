"""The rulebook of Crystal Factions as data: rules, rulings and the edition are all there and hang together."""

import csv
from pathlib import Path

import pytest

from projector.model.game import game
from projector.model.rulebook import RulesetError

GAME = game("crystal")
CATALOGUE = Path(__file__).parents[4].parent / "shared" / "catalogues" / "crystal"
needs_catalogue = pytest.mark.skipif(not CATALOGUE.exists(), reason="the catalogue lies beside the repository only")


@needs_catalogue
def test_every_rule_of_the_catalogue_is_in_the_product() -> None:
    """There are all 59 ids and no others, each with the lines that the catalogue names."""
    with (CATALOGUE / "rules.csv").open(encoding="utf-8") as file:
        rows = {row["id"]: row for row in csv.DictReader(file)}
    assert {rule.id for rule in GAME.rules} == set(rows)
    for rule in GAME.rules:
        assert rule.lines == rows[rule.id]["source"].strip("\N{EN DASH}"), rule.id
        assert rule.how != "unchecked" or rule.reason


@needs_catalogue
def test_every_ruling_of_the_catalogue_is_declared() -> None:
    """All 37 rulings with their options, the default first."""
    with (CATALOGUE / "rulings.csv").open(encoding="utf-8") as file:
        rows = {row["key"]: row["options"].replace(" (default)", "").split(" | ") for row in csv.DictReader(file)}
    declared = {ruling.key: [option.name for option in ruling.options] for ruling in GAME.rulebook.rulings}
    assert declared == rows


def test_every_option_is_explained_and_every_default_is_built() -> None:
    """A designer reads in plain words what each reading means, and nobody plays by one that is not built."""
    for ruling in GAME.rulebook.rulings:
        assert ruling.question.endswith(("?", ".")), ruling.key
        assert ruling.options[0].built
        assert all(option.text for option in ruling.options)


def test_an_option_that_is_not_built_is_refused_by_name() -> None:
    """The hand limit of seven is known, but the rulebook does not say what it means."""
    with pytest.raises(RulesetError, match="hand_limit = seven is declared but not built"):
        GAME.rulebook.ruleset("2025", {"hand_limit": "seven"})


def test_the_rulebooks_own_mistakes_are_marked() -> None:
    """A flip that is told twice, a lane with two names, two wordings of fifty, one word for two things."""
    defects = {ruling.key for ruling in GAME.rulebook.rulings if ruling.defect}
    assert {
        "second_flip",
        "research_lane",
        "fifty_wording",
        "turn_word",
        "tech_limit_time",
        "first_priority",
    } <= defects
