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
    """How often each rule was kept, named by a finding, or was the reason of one; the endings and types of events."""

    kept: Counter[str]
    named: Counter[str]
    contradicted: Counter[str]
    endings: set[str]
    types: set[type[Event]]


@pytest.fixture(scope="session")
def exercised(recorded: Callable[[str], Any]) -> dict[str, Exercised]:
    """Return the counts of all recordings, by game."""
    counts = {}
    for slug in games():
        found = counts[slug] = Exercised(Counter(), Counter(), Counter(), set(), set())
        for path in sorted((RECORDINGS / slug).glob("*.jsonl")):
            replay = recorded(f"{slug}/{path.stem}").replay
            found.kept.update({rule.id: replay.kept[rule.number] for rule in game(slug).rules})
            found.named.update(finding.rule for finding in replay.findings)
            found.contradicted.update(finding.because for finding in replay.findings if finding.because)
            found.types.update(map(type, replay.events))
            if not replay.findings:
                found.endings.add(replay.table.reason)
    return counts


def rules(*how: str) -> list[Any]:
    """Return the rules of all games that are checked in one of these ways, as parameters."""
    found = [(slug, rule) for slug in games() for rule in game(slug).rules if rule.how in how]
    return [pytest.param(slug, rule, id=rule.id) for slug, rule in found]


@pytest.mark.parametrize(("slug", "rule"), rules("checked"))
def test_a_checked_rule_is_broken_by_a_recording(exercised: dict[str, Exercised], slug: str, rule: Rule) -> None:
    """In at least one recording a finding names the rule."""
    assert exercised[slug].named[rule.id]


@pytest.mark.parametrize(("slug", "rule"), rules("checked", "derived"))
def test_a_rule_is_kept_by_a_recording(exercised: dict[str, Exercised], slug: str, rule: Rule) -> None:
    """In at least one recording the rule applies and is kept."""
    assert exercised[slug].kept[rule.id]


@pytest.mark.parametrize(("slug", "rule"), rules("derived"))
def test_a_derived_rule_is_contradicted_by_a_recording(exercised: dict[str, Exercised], slug: str, rule: Rule) -> None:
    """A recording contradicts it: a finding gives it as the reason, or names the specific rule that reports it."""
    is_generic = rule.reported_as in {f"{slug}.state.consequence", f"{slug}.state.observed"}
    found = exercised[slug]
    assert found.contradicted[rule.id] or (not is_generic and found.named[rule.reported_as])


@pytest.mark.parametrize(("slug", "rule"), rules("derived", "unchecked"))
def test_a_rule_without_a_check_says_why(slug: str, rule: Rule) -> None:
    """A rule that no finding names gives the reason, and a derived rule also the rule that reports it."""
    assert rule.reason
    assert rule.how == "unchecked" or rule.reported_as in game(slug).by_id


@pytest.mark.parametrize("slug", games())
def test_every_ending_is_recorded(exercised: dict[str, Exercised], slug: str) -> None:
    """Each ending of a game occurs in a recording without findings."""
    assert set(game(slug).endings) <= exercised[slug].endings


@pytest.mark.parametrize("slug", games())
def test_every_event_type_is_recorded(exercised: dict[str, Exercised], slug: str) -> None:
    """Each event type of a vocabulary occurs in a recording."""
    assert set(game(slug).vocabulary.types.values()) <= exercised[slug].types
