"""Every rule of every game is exercised by a recording: it is kept and broken, or applied and contradicted."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tabletape.events.vocabulary import Event
from tabletape.projector.games import game, games
from tabletape.projector.model.rules import Rule

RECORDINGS = Path(__file__).parents[1] / "recordings"


class Exercised(NamedTuple):
    """How often each rule of a game was kept, named, or the reason of a finding; the endings and types of events."""

    slug: str
    kept: Counter[str]
    named: Counter[str]
    contradicted: Counter[str]
    endings: set[str]
    types: set[type[Event]]


@pytest.fixture(scope="module", params=games())
def exercised(request: pytest.FixtureRequest, recorded: Callable[[str], Any]) -> Exercised:
    """Return the counts of all recordings of a game."""
    slug: str = request.param
    found = Exercised(slug, Counter(), Counter(), Counter(), set(), set())
    for path in sorted((RECORDINGS / slug).glob("*.jsonl")):
        replay = recorded(f"{slug}/{path.stem}").replay
        found.kept.update({rule.id: replay.kept[rule.number] for rule in game(slug).rules})
        found.named.update(finding.rule for finding in replay.findings)
        found.contradicted.update(finding.because for finding in replay.findings if finding.because)
        found.types.update(map(type, replay.events))
        if not replay.findings:
            found.endings.add(replay.table.reason)
    return found


def rules(slug: str, *how: str) -> list[Rule]:
    """Return the rules of a game that are checked in one of these ways."""
    return [rule for rule in game(slug).rules if rule.how in how]


def test_each_checked_rule_is_broken_by_a_recording(exercised: Exercised) -> None:
    """In at least one recording a finding names the rule."""
    assert [rule.id for rule in rules(exercised.slug, "checked") if not exercised.named[rule.id]] == []


def test_each_rule_is_kept_by_a_recording(exercised: Exercised) -> None:
    """In at least one recording the rule applies and is kept."""
    assert [rule.id for rule in rules(exercised.slug, "checked", "derived") if not exercised.kept[rule.id]] == []


def test_each_derived_rule_is_contradicted_by_a_recording(exercised: Exercised) -> None:
    """A recording contradicts it: a finding gives it as the reason, or names the specific rule that reports it."""
    generic = {f"{exercised.slug}.state.consequence", f"{exercised.slug}.state.observed"}
    assert [
        rule.id
        for rule in rules(exercised.slug, "derived")
        if not exercised.contradicted[rule.id]
        and (rule.reported_as in generic or not exercised.named[rule.reported_as])
    ] == []


def test_every_ending_is_recorded(exercised: Exercised) -> None:
    """Each ending of a game occurs in a recording without findings."""
    assert set(game(exercised.slug).endings) <= exercised.endings


def test_every_event_type_is_recorded(exercised: Exercised) -> None:
    """Each event type of a vocabulary occurs in a recording."""
    assert set(game(exercised.slug).vocabulary.types.values()) <= exercised.types


@pytest.mark.parametrize("slug", games())
def test_a_rule_without_a_check_says_why(slug: str) -> None:
    """A rule that no finding names gives the reason, and a derived rule also the rule that reports it."""
    for rule in rules(slug, "derived", "unchecked"):
        assert rule.reason, rule.id
        assert rule.how == "unchecked" or rule.reported_as in game(slug).by_id, rule.id
