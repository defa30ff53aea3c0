"""Every rule of Evolve is exercised: kept and broken, or carried out and contradicted, by a game that is recorded."""

from functools import cache
from pathlib import Path

import pytest

from events.vocabulary import vocabulary
from projector.fold import Replay, fold
from projector.game import game

RECORDINGS = Path(__file__).parents[3] / "recordings" / "evolve"
GAME = game("evolve")

PRINTED = {
    "evolve.card.food-label",
    "evolve.card.phylum-tier",
    "evolve.status.subtypes",
    "evolve.tier.three",
    "evolve.tier3.evolve-cost",
    "evolve.duplicate.extra",
    "evolve.evolve.transfer",
    "evolve.main.own-consume-replaces",
}
"""Rules about what is printed on cards: the sample cards never break them (see `test_evolve_cards.py`)."""

CHECKED = sorted({rule.id for rule in GAME.rules if rule.how == "checked"} - PRINTED)
DERIVED = sorted({rule.id for rule in GAME.rules if rule.how == "derived"} - PRINTED)


@cache
def replays() -> tuple[Replay, ...]:
    """Fold all recordings."""
    types = vocabulary("evolve")
    texts = (path.read_text(encoding="utf-8").splitlines() for path in sorted(RECORDINGS.glob("*.jsonl")))
    return tuple(fold(GAME, [types.decode(line) for line in lines]) for lines in texts)


@pytest.mark.parametrize("rule", CHECKED)
def test_a_checked_rule_is_broken_by_a_recording(rule: str) -> None:
    """Somebody breaks the rule, and the finding names it."""
    assert any(finding.rule == rule for replay in replays() for finding in replay.findings)


@pytest.mark.parametrize("rule", [*CHECKED, *DERIVED])
def test_a_rule_is_kept_by_a_recording(rule: str) -> None:
    """Somebody keeps the rule, so that it has an opportunity."""
    assert any(replay.kept[GAME.by_id[rule].number] for replay in replays())


@pytest.mark.parametrize("rule", DERIVED)
def test_a_derived_rule_is_contradicted_by_a_recording(rule: str) -> None:
    """A log that says otherwise is a finding under the rule that reports it, with this rule as the reason."""
    reported = GAME.by_id[rule].reported_as
    findings = [finding for replay in replays() for finding in replay.findings]
    whole = reported in {"evolve.state.consequence", "evolve.state.observed"}
    assert any(finding.because == rule or (finding.rule == reported and not whole) for finding in findings)


def test_an_unchecked_rule_says_why() -> None:
    """Whoever reads the rules learns why no log can show one."""
    assert all(rule.reason for rule in GAME.rules if rule.how != "checked")


def test_all_rules_of_the_catalogue_are_there() -> None:
    """The draft has 149 rules in our reading, each with a sentence of its own."""
    assert len(GAME.rules) == 149
    assert all(rule.text for rule in GAME.rules)


def test_every_ending_is_recorded() -> None:
    """Each way to end has a game."""
    assert {replay.table.reason for replay in replays()} == {*GAME.endings, ""}


def test_every_event_type_is_recorded() -> None:
    """Each event type of the vocabulary stands in a recorded game, except three that other tests write."""
    seen = {type(event) for replay in replays() for event in replay.events}
    missing = {name for name, kind in vocabulary("evolve").types.items() if kind not in seen}
    assert missing <= {"card.shown", "play.taken-back", "question.raised"}
