"""A written consequence beside what the rules make of the lines before it, in words that are the same in all games.

What a line says is the sentence of its type in the vocabulary. A game adds why the rules make something else or nothing
of the kind.
"""

from collections.abc import Callable, Mapping
from itertools import takewhile
from typing import Any

import msgspec

from tabletape.events.vocabulary import Consequence
from tabletape.projector.kit.common_rules import by_stranger
from tabletape.projector.model.game import RuleVerdict
from tabletape.projector.model.rules import NO_LINE, Broken, Rule
from tabletape.projector.model.sentences import clause
from tabletape.projector.model.table import Table

Reason = Callable[[Any, Any], str | tuple[Rule, str]]
"""Says of a table and a written consequence why the rules make nothing like it: `but …`; empty: nothing causes it.

It may say which rule the line breaks, too.
"""

RuleOf = Rule | Callable[[Any, Any, Any], Rule | RuleVerdict]
"""The rule that lines of a type break, or what chooses it by table, line and derived line (or None), or says all."""

SHORT = 5
"""A sentence of at most this many words is quoted whole, unless only its last words differ."""

MOST_NAMED = 3
"""How many lines that are due are named in a message."""


class Mismatches(msgspec.Struct, frozen=True, kw_only=True):
    """What a game says of written consequences that the rules do not make, by their types.

    * `seats` and `end` are the rules about who plays, and that nothing comes after the end.
    * `rules` are those that a line breaks, `usual` the one of all other types; `reasons` say why the rules make nothing
      like it.
    * `is_so` says whether the table is as a line says: then that is only said again.
    * `because(table, event, expected)` names the derived rule that a line contradicts, where it is not that of
      `expected`.
    * `resting_on(table, event, expected)` names the rulings that decide, to stand behind the message.
    """

    seats: Rule
    end: Rule
    rules: Mapping[type[Consequence], RuleOf]
    reasons: Mapping[type[Consequence], Reason]
    is_so: Mapping[type[Consequence], Callable[[Any, Any], bool]] = msgspec.field(default_factory=dict)
    usual: RuleOf | None = None
    because: Callable[[Any, Any, Any], str] = lambda _table, _event, _expected: ""
    resting_on: Callable[[Any, Any, Any], str] = lambda _table, _event, _expected: ""

    def explain(self, table: Table[Any, Any], event: Consequence, expected: Consequence | None) -> RuleVerdict:
        """Return which rule a written consequence breaks, and how; `expected` is the derived line in its place."""
        stranger = by_stranger(table, event, self.seats)
        if stranger is not None:
            return stranger
        found = self._rule(table, event, expected)
        rule = found if isinstance(found, Rule) else found.rule
        why, because = self.resting_on(table, event, expected), self.because(table, event, expected)
        if expected is None and self.is_so.get(type(event), _never)(table, event):
            again = Broken(f"the log says that {clause(table, event)}, which is so already", "no second line", "info")
            return RuleVerdict(rule, again, played=False)
        if expected is None and table.over:
            return RuleVerdict(self.end, self.end.check(table, event), played=False, because=because)
        if isinstance(found, RuleVerdict):
            return found
        if expected is not None:
            return RuleVerdict(rule, contradiction(table, event, expected, why), because=because)
        reason = self.reasons.get(type(event), _nothing)(table, event)
        rule, reason = reason if isinstance(reason, tuple) else (rule, reason)
        return RuleVerdict(rule, unexpected(table, event, reason, why), because=because)

    def _rule(self, table: Table[Any, Any], event: Consequence, expected: Consequence | None) -> Rule | RuleVerdict:
        found = self.rules.get(type(event)) or self.usual
        if found is None:
            raise KeyError(type(event))
        return found if isinstance(found, Rule) else found(table, event, expected)


def _never(_table: Any, _event: Any) -> bool:
    return False


def _nothing(_table: Any, _event: Any) -> str:
    return ""


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
        if rest.count("(") == rest.count(")"):
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
