"""The recordings of Splicers exercise every rule: each is kept somewhere and broken somewhere."""

import json
from collections import Counter
from functools import cache
from pathlib import Path

from events.vocabulary import vocabulary
from projector.fold import Replay, fold
from projector.game import Game, game

RECORDINGS = Path(__file__).parents[3] / "recordings" / "splicers"

SHOWN_BY_ANOTHER = {"splicers.old.splice-event-passes": "old-splice-event-passes"}
"""Derived rules of which a finding names the newer one behind it, and the recording with it."""

NEEDS_OTHER_CARDS = {"splicers.req.roam-blocked", "splicers.kw.probe"}
"""Rules that no sample card can break; test_splicers_cards.py breaks them with cards of its own."""

WITHOUT_OCCASION = {"splicers.splicer.no-discard", "splicers.state.conservation"}
"""Derived rules that hold all the time, so that there is no moment at which they are carried out."""


@cache
def replays() -> dict[str, Replay]:
    """Fold all recordings, by their names."""
    found = {}
    for path in sorted(RECORDINGS.glob("*.jsonl")):
        expected = json.loads(path.with_suffix("").with_suffix(".expected.json").read_text(encoding="utf-8"))
        ruleset = expected.get("ruleset", {})
        events = [vocabulary("splicers").decode(line) for line in path.read_text(encoding="utf-8").splitlines()]
        edition, rulings = ruleset.get("edition", ""), ruleset.get("rulings")
        found[path.stem] = fold(game("splicers"), events, edition=edition, rulings=rulings)
    return found


def test_every_checked_rule_is_broken_by_a_recording(splicers: Game) -> None:
    """A check that nothing breaks would be no check."""
    broken = {finding.rule for replay in replays().values() for finding in replay.findings}
    checked = {rule.id for rule in splicers.rules if rule.how == "checked"}
    assert checked - broken == NEEDS_OTHER_CARDS


def test_every_checked_rule_is_kept_by_a_recording(splicers: Game) -> None:
    """A check that nothing passes would be no check either."""
    kept: Counter[str] = Counter()
    for replay in replays().values():
        kept.update({rule.id: replay.kept[rule.number] for rule in splicers.rules})
    assert {rule.id for rule in splicers.rules if rule.how == "checked" and not kept[rule.id]} == set()
    derived = {rule.id for rule in splicers.rules if rule.how == "derived"}
    assert {rule for rule in derived if not kept[rule]} == WITHOUT_OCCASION


def test_every_derived_rule_is_contradicted_by_a_recording(splicers: Game) -> None:
    """What the fold carries out is found where a log says otherwise, and the finding names the rule."""
    because = {finding.because for replay in replays().values() for finding in replay.findings}
    derived = {rule.id for rule in splicers.rules if rule.how == "derived"}
    assert derived - because == set(SHOWN_BY_ANOTHER)
    for rule, name in SHOWN_BY_ANOTHER.items():
        assert replays()[name].findings, rule


def test_every_way_to_end_is_recorded(splicers: Game) -> None:
    """There is a recording for each of the game's endings in which nobody breaks a rule."""
    reasons = {replay.table.reason for replay in replays().values() if not replay.findings}
    assert set(splicers.endings) <= reasons


def test_every_event_type_is_recorded(splicers: Game) -> None:
    """All types of the vocabulary occur."""
    seen = {type(event) for replay in replays().values() for event in replay.events}
    assert set(splicers.vocabulary.types.values()) == seen
