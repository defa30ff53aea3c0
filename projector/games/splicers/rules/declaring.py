"""How a rule is declared that has no function of its own: another one looks at it together with others."""

from projector.model.rules import Rule


def declare(name: str, section: str, lines: str, text: str) -> Rule:
    """Declare a rule: its id without the game, where it stands, what it says in our words."""
    return Rule(id=f"splicers.{name}", section=section, lines=lines, text=text)
