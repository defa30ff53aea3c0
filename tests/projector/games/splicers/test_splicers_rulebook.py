"""The rulebook of Splicers as data: rules, rulings and editions fit together."""

import re
from pathlib import Path

import tabletape.projector.games.splicers as package
from tabletape.projector.model.game import Game


def test_a_rule_without_a_check_says_where_a_contradiction_shows(splicers: Game) -> None:
    """A derived rule names the checked rule that reports it; a rule that no log can show says why."""
    for rule in splicers.rules:
        if rule.how == "derived":
            assert splicers.by_id[rule.reported_as].how == "checked", rule.id
        if rule.how != "checked":
            assert rule.reason, rule.id


def test_code_names_only_rules_that_exist(splicers: Game) -> None:
    """Every rule id in the code of the game is declared."""
    source = "\n".join(path.read_text(encoding="utf-8") for path in Path(package.__path__[0]).rglob("*.py"))
    named = set(re.findall(r'"(splicers\.[a-z]+\.[a-z-]+)"', source))
    assert named - set(splicers.by_id) == set()


def test_a_spliced_card_enters_play_in_the_second_edition(splicers: Game) -> None:
    """The older edition settles one ruling, and each edition has a rule of its own for what a splice finds."""
    newer, older = splicers.rulebook.editions
    assert (newer.label, older.label) == ("0.2a", "0.2a-2016-08-27")
    assert older.rulings == {"splice_destination": "play_now"}
    assert splicers.by_id["splicers.splice.to-hand"].editions == (newer.label,)
    assert splicers.by_id["splicers.old.splice-play-now"].editions == (older.label,)
