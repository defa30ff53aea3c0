"""Every rule of every game is exercised by a recorded game: kept and broken, or carried out and contradicted."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from events.vocabulary import Event
from projector.games import game, games
from projector.model.rules import Rule

RECORDINGS = Path(__file__).parents[1] / "recordings"


class Exercised(NamedTuple):
    """How often each rule was kept, named by a finding, and contradicted as the reason of one; how games ended."""

    kept: Counter[str]
    named: Counter[str]
    contradicted: Counter[str]
    endings: set[str]
    types: set[type[Event]]


@pytest.fixture(scope="session")
def exercised(recorded: Callable[[str], Any]) -> dict[str, Exercised]:
    """Count what all recordings do, by game."""
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
    """Somebody breaks the rule, and a finding names it."""
    assert exercised[slug].named[rule.id]


@pytest.mark.parametrize(("slug", "rule"), rules("checked", "derived"))
def test_a_rule_is_kept_by_a_recording(exercised: dict[str, Exercised], slug: str, rule: Rule) -> None:
    """Somebody keeps the rule, so that it has an opportunity."""
    assert exercised[slug].kept[rule.id]


@pytest.mark.parametrize(("slug", "rule"), rules("derived"))
def test_a_derived_rule_is_contradicted_by_a_recording(exercised: dict[str, Exercised], slug: str, rule: Rule) -> None:
    """A log that says otherwise is a finding, which gives this rule as the reason or is the one that reports it."""
    generic = rule.reported_as in {f"{slug}.state.consequence", f"{slug}.state.observed"}
    found = exercised[slug]
    assert found.contradicted[rule.id] or (not generic and found.named[rule.reported_as])


@pytest.mark.parametrize(("slug", "rule"), rules("derived", "unchecked"))
def test_a_rule_without_a_check_says_why(slug: str, rule: Rule) -> None:
    """A rule that no finding can name has a reason, and a derived one the rule that reports it."""
    assert rule.reason
    assert rule.how == "unchecked" or rule.reported_as in game(slug).by_id


@pytest.mark.parametrize("slug", games())
def test_every_way_to_end_is_recorded(exercised: dict[str, Exercised], slug: str) -> None:
    """For each of a game's endings there is a recording in which nobody breaks a rule."""
    assert set(game(slug).endings) <= exercised[slug].endings


@pytest.mark.parametrize("slug", games())
def test_every_event_type_is_recorded(exercised: dict[str, Exercised], slug: str) -> None:
    """All event types of a vocabulary occur in a recording."""
    assert set(game(slug).vocabulary.types.values()) <= exercised[slug].types
