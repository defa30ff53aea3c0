"""The rules of the Duelyst-style game: all declared, and the rulebook's own mistakes marked."""

import csv
from pathlib import Path

import pytest

from projector.model.game import game

GAME = game("duelyst")
ROOT = Path(__file__).parents[4]
CATALOGUE = ROOT.parent / "shared" / "catalogues" / "duelyst" / "rules.csv"


def test_the_rulebooks_own_mistakes_are_marked() -> None:
    """Contradictions and gaps without which nobody can play are marked as defects."""
    defects = {ruling.key for ruling in GAME.rulebook.rulings if ruling.defect}
    assert defects == {"globe_tiles", "facing", "bloodbound_schedule", "globe_effect", "start_capacity"}


@pytest.mark.skipif(not CATALOGUE.exists(), reason="the catalogue lies beside the working folder only")
def test_all_rules_of_the_catalogue_are_there() -> None:
    """Ids, sections, lines and sentences are those of the catalogue; one rule is added for a ruling."""
    with CATALOGUE.open(encoding="utf-8") as file:
        wanted = {row["id"]: row for row in csv.DictReader(file)}
    assert set(GAME.by_id) - set(wanted) == {"duelyst.attack.some-attack"}
    for name, row in wanted.items():
        rule = GAME.by_id[name]
        cited = [row[key].replace("\N{EN DASH}", "") for key in ("section", "source", "rule")]
        assert [rule.section, rule.lines, rule.text] == cited
