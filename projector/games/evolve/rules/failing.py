"""Which rules a line fails on the table as it is: one judge for the audit, for what is offered and for doubts."""

from collections.abc import Iterable, Iterator
from typing import Any

from events.vocabulary import Event
from projector.games.evolve.state import Evolve
from projector.model.rules import NOT_APPLICABLE, CallsFor, Case, FirstOf, GroupCheck, Rule, SelectRule, Stop, Test


def failing_rules(tests: Iterable[Test], table: Evolve, event: Event) -> Iterator[str]:
    """Yield the ids of the rules that an event does not keep for certain, in the order of the tests."""
    for test in tests:
        yield from _failing(test, table, event)


def _failing(test: Test, table: Evolve, event: Event) -> Iterator[str]:
    if isinstance(test, Stop):
        yield from _failing(test.test, table, event)
    elif isinstance(test, FirstOf):
        yield from failing_rules(test.tests, table, event)
    elif isinstance(test, CallsFor):
        yield from failing_rules(test.choose(table, event), table, event)
    elif isinstance(test, GroupCheck):
        yield from (rule.id for rule, verdict in test.judge(table, event) if not _is_kept(verdict))
    else:
        rule: Any = test.choose(table, event) if isinstance(test, SelectRule) else test
        if not _is_kept(rule.check(table, event)):
            yield _id_of(rule)


def _is_kept(verdict: Any) -> bool:
    return verdict is None or verdict is NOT_APPLICABLE


def _id_of(rule: Rule | Case) -> str:
    return rule.rule.id if isinstance(rule, Case) else rule.id
