"""Which rules a line fails on the table as it is: one judge for the audit, for what is offered and for doubts."""

from collections.abc import Iterable, Iterator
from typing import Any

from tabletape.events.vocabulary import Event
from tabletape.projector.model.rules import Case, FirstOf, GroupCheck, Judgement, Rows, Rule, SelectRule, Stop, Test
from tabletape.projector.model.table import Table
from tabletape.projector.model.verdicts import NOT_APPLICABLE, AllPassed


def legal_among(rows: Rows, table: Table[Any, Any], proposed: Iterable[Event]) -> list[Event]:
    """Return those of the proposed decisions that keep all rules of their rows for certain.

    A game proposes whatever a player might do; the rules themselves say which of it is legal.
    """
    return [event for event in proposed if keeps_all(rows[type(event)], table, event)]


def failing_rules(tests: Iterable[Test], table: Table[Any, Any], event: Event) -> Iterator[str]:
    """Yield the ids of the rules that an event does not keep for certain, in the order of the tests."""
    for test in tests:
        yield from _failing(test, table, event)


def _failing(test: Test, table: Table[Any, Any], event: Event) -> Iterator[str]:
    if isinstance(test, Stop):
        yield from _failing(test.test, table, event)
    elif isinstance(test, FirstOf):
        yield from failing_rules(test.tests, table, event)
    elif isinstance(test, GroupCheck):
        yield from (rule.id for rule, verdict in test.judge(table, event) if not _is_kept(verdict))
    else:
        rule: Any = test.choose(table, event) if isinstance(test, SelectRule) else test
        if not _is_kept(rule.check(table, event)):
            yield rule.rule.id if isinstance(rule, Case) else rule.id


def keeps_all(tests: Iterable[Test], table: Table[Any, Any], event: Event) -> bool:
    """Return whether an event keeps for certain all rules that its tests look at: `failing_rules` has none.

    What is offered to players is put to this again and again, and most of it fails: it stops at the first rule.
    """
    for test in tests:
        kind: Any = type(test)  # to ask `isinstance` of a struct takes longer than all the rest
        each: Any = test
        if kind is Stop:
            each = each.test
            kind = type(each)
        if kind is SelectRule:
            each = each.choose(table, event)
            kind = type(each)
        if kind is Rule or kind is Case:
            check = each.check
            verdict = check(table, event)
            if verdict is not None and verdict is not NOT_APPLICABLE:
                return False
        elif kind is GroupCheck:
            glance, judge = each.at_a_glance, each.judge
            if (glance is None or glance(table, event) is None) and not are_kept(judge(table, event)):
                return False
        elif not keeps_all(each.tests, table, event):
            return False
    return True


def are_kept(judged: Iterable[Judgement]) -> bool:
    """Return whether all verdicts are that a rule is kept; of what was found so beforehand none is looked at."""
    if type(judged) is AllPassed:
        return True
    for _, verdict in judged:  # noqa: SIM110 - `all` would have to be given a generator, for every line that is offered
        if verdict is not None and verdict is not NOT_APPLICABLE:
            return False
    return True


def _is_kept(verdict: Any) -> bool:
    return verdict is None or verdict is NOT_APPLICABLE
