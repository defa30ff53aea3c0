"""How rules are declared that one function looks at together with others."""

from typing import Any

from projector.rules import Case, Rule, Verdict

Judgement = tuple[Rule, Verdict]
"""A rule and what it says."""


def declare(name: str, section: str, lines: str, text: str) -> Rule:
    """Declare a rule: its id without the game, where it stands, what it says in our words."""
    return Rule(id=f"splicers.{name}", section=section, lines=lines, text=text)


def look_at(of: Rule | Case, table: Any, event: Any) -> Judgement:
    """Give a rule with its verdict on a line."""
    return (of.rule if isinstance(of, Case) else of), of(table, event)
