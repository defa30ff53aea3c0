"""How rules are declared that one function looks at together with others."""

from projector.rules import Rule, Verdict

Judgement = tuple[Rule, Verdict]
"""A rule and what it says."""


def declare(name: str, section: str, lines: str, text: str) -> Rule:
    """Declare a rule: its id without the game, where it stands, what it says in our words."""
    return Rule(id=f"splicers.{name}", section=section, lines=lines, text=text)
