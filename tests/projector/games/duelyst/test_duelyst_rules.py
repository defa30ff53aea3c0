"""The rules of the Duelyst-style game: all declared, each broken and kept by a recorded game."""

import csv
import json
from functools import cache
from pathlib import Path

import pytest

from events.vocabulary import vocabulary
from projector.fold import Replay, fold
from projector.game import game
from projector.rulebook import written_rules

GAME = game("duelyst")
ROOT = Path(__file__).parents[4]
RECORDINGS = sorted((ROOT / "tests/recordings/duelyst").glob("*.jsonl"))
CATALOGUE = ROOT.parent / "shared" / "catalogues" / "duelyst" / "rules.csv"


@cache
def replays() -> tuple[Replay, ...]:
    """Fold all recorded games."""
    found = []
    for path in RECORDINGS:
        expected = json.loads(path.with_suffix(".expected.json").read_text(encoding="utf-8"))
        events = [vocabulary("duelyst").decode(line) for line in path.read_text(encoding="utf-8").splitlines()]
        found.append(fold(GAME, events, rulings=expected.get("ruleset", {}).get("rulings")))
    return tuple(found)


def test_every_checked_rule_is_broken_by_a_recorded_game() -> None:
    """No rule is called checked without a game that shows that it is."""
    broken = {rule.id for replay in replays() for rule, times in zip(GAME.rules, replay.broken, strict=True) if times}
    assert {rule.id for rule in GAME.rules if rule.how == "checked"} == broken


def test_every_rule_that_a_log_can_show_is_kept_by_a_recorded_game() -> None:
    """Opportunities are counted for every rule that is checked or carried out."""
    kept = {rule.id for replay in replays() for rule, times in zip(GAME.rules, replay.kept, strict=True) if times}
    assert {rule.id for rule in GAME.rules if rule.how != "unchecked"} == kept


def test_a_rule_without_a_finding_of_its_own_says_where_it_shows_and_why() -> None:
    """A derived rule names another one that is checked; what no log can show has a reason."""
    for rule in GAME.rules:
        if rule.how == "derived":
            assert GAME.by_id[rule.reported_as].how == "checked", rule.id
    for rule in written_rules(GAME.rulebook):
        assert rule.reason.endswith("."), rule.id


def test_the_rulebooks_own_mistakes_are_marked() -> None:
    """Contradictions and gaps without which nobody can play are marked as defects."""
    defects = {ruling.key for ruling in GAME.rulebook.rulings if ruling.defect}
    assert defects == {"globe_tiles", "facing", "bloodbound_schedule", "globe_effect", "start_capacity"}


def test_every_way_to_end_is_recorded() -> None:
    """There is a recorded game for each ending."""
    assert {replay.table.reason for replay in replays()} - {""} == set(GAME.endings)


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
