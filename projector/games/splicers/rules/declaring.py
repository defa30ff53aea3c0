"""How rules are declared that one function looks at together with others."""

from collections.abc import Iterable
from typing import Any

from projector.rules import Case, Check, Judgement, Rule, is_broken


def declare(name: str, section: str, lines: str, text: str) -> Rule:
    """Declare a rule: its id without the game, where it stands, what it says in our words."""
    return Rule(id=f"splicers.{name}", section=section, lines=lines, text=text)


Checked = tuple[Rule, Check]
"""A rule and how it is checked in one kind of line."""


def checked(*tests: Rule | Case) -> tuple[Checked, ...]:
    """Give rules with their checks, for a function that looks at several."""
    pairs = ((test.rule if isinstance(test, Case) else test, test.check) for test in tests)
    return tuple((rule, check) for rule, check in pairs if check is not None)


def look_at(tests: Iterable[Checked], table: Any, event: Any) -> list[Judgement]:
    """Give the verdicts of rules on a line, up to the first that is broken."""
    said: list[Judgement] = []
    for of, check in tests:
        verdict = check(table, event)
        said.append((of, verdict))
        if verdict is not None and is_broken(verdict):
            break
    return said
