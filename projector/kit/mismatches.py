"""A written consequence beside what the rules make of the lines before it, in words that are the same in all games.

What a line says is the sentence of its type in the vocabulary. A game adds why the rules make something else or nothing
of the kind.
"""

from itertools import takewhile
from typing import Any

from tabletape.events.vocabulary import Consequence
from tabletape.projector.model.rules import NO_LINE, Broken
from tabletape.projector.model.sentences import clause
from tabletape.projector.model.table import Table

SHORT = 5
"""A sentence of at most this many words is quoted whole, unless only its last words differ."""

MOST_NAMED = 3
"""How many lines that are due are named in a message."""


def contradiction(table: Table[Any, Any], event: Consequence, expected: Consequence, why: str = "") -> Broken:
    """Return what a written consequence says beside the derived one that it contradicts; `why` stands behind that."""
    stated, due = clause(table, event), clause(table, expected)
    return Broken(f"the log says that {stated}; the rules say {from_difference(stated, due)}{why}", due)


def from_difference(stated: str, due: str) -> str:
    """Return a clause from the first word on by which it differs from another: `4 crystals (1 left)`.

    It is `that` and all of it where it is short and differs in the middle, where they begin with other words, or one is
    the beginning of the other.
    """
    words, others = due.split(), stated.split()
    if len(words) <= SHORT and words[-1:] == others[-1:]:
        return f"that {due}"
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(words, others, strict=False)))
    while same and same < len(others) and (rest := " ".join(words[same:])):
        if all(rest.count(opens) == rest.count(closes) for opens, closes in ("()", "[]")):
            return rest[1:-1] if rest.startswith("(") and rest.find(")") == len(rest) - 1 else rest
        same -= 1
    return f"that {due}"


def unexpected(table: Table[Any, Any], event: Consequence, reason: str, why: str = "") -> Broken:
    """Return why the rules make nothing like a written consequence, and what they make of its type or card instead."""
    message = f"the log says that {clause(table, event)}, but {reason or 'nothing brings that about'}{why}"
    due = "; ".join(each for each in _due(table, event) if each != clause(table, event))
    return Broken(f"{message}; due is: {due}", due) if due else Broken(message, NO_LINE)


def _due(table: Table[Any, Any], event: Consequence) -> list[str]:
    """Return what the log has still to say of the type of a line, or of its card."""
    card = getattr(event, "card", "")
    due = [each.event for each in table.derived]
    alike = [each for each in due if type(each) is type(event) or (card and getattr(each, "card", "") == card)]
    return [clause(table, each) for each in alike[:MOST_NAMED]]


def rule_behind(table: Table[Any, Any], expected: Consequence | None) -> str:
    """Return the id of the rule by which a line was derived; empty where none was."""
    return next((each.rule for each in table.derived if each.event is expected), "")
