"""A consequence, said once: the rule that it follows from, why the rules may make none, and what it does as written.

A chapter declares it beside that rule. What the audit says of a wrong one and what the table goes on with is read from
all chapters of a game.
"""

from collections.abc import Callable, Iterable, Mapping
from itertools import chain
from types import ModuleType
from typing import Any

import msgspec

from tabletape.events.vocabulary import Consequence, Event
from tabletape.projector.kit.common_rules import by_stranger
from tabletape.projector.kit.mismatches import contradiction, rule_behind, unexpected
from tabletape.projector.model.game import Consequences, RuleVerdict
from tabletape.projector.model.phrases import as_ruled, by_ruling
from tabletape.projector.model.rules import Broken, Rule
from tabletape.projector.model.sentences import clause
from tabletape.projector.model.table import Table

Adopt = Callable[[Any, Any, Any], object]
"""Does at a table what a line says that the rules do not make; the last is what they make in its place, or None."""

RuleOf = Rule | str | Callable[[Any, Any, Any], Rule | str | RuleVerdict]
"""The rule that a line breaks, or its id, or what chooses it by table, line and derived line (or None), or says all."""

Reason = Callable[[Any, Any], str | tuple[Rule | str, str]]
"""Says of a table and a line why the rules make nothing like it: `but …`; empty: nothing causes it.

It may say which rule the line breaks, too.
"""

Words = Callable[[Any, Any, Any], str]
"""Says something of a table, a line and the derived line in its place, or None."""


def _nothing(_table: Any, _event: Event, _expected: Any = None) -> str:
    return ""


class Follows(msgspec.Struct, frozen=True, kw_only=True):
    """Lines of some types that follow from a rule.

    * `rule` is the one that such a line breaks: of one that says otherwise what the rules make, unless said, the rule
      by which they make it. `why(table, event)`, or a sentence, is why they make nothing like it.
    * `is_so(table, event)`: the table is as the line says, which is only said again.
    * `adopt(table, event, expected)` does what the line says.
    * `because(table, event, expected)` is the id of a derived rule that the line contradicts.
    * `behind(table, event, expected)` stands behind the message: the rulings that the derived line rests on.
    """

    lines: tuple[type[Consequence], ...] = ()
    rule: RuleOf = lambda table, _event, expected: rule_behind(table, expected)
    why: Reason | str = ""
    is_so: Callable[[Any, Any], bool] = lambda _table, _event: False
    adopt: Adopt = _nothing
    because: Words = _nothing
    behind: Words = _nothing


def follows(*lines: type[Consequence], **said: Any) -> Follows:
    """Declare lines of which nothing is said but `said`, the other fields of `Follows`."""
    return Follows(lines=lines, **said)


def consequence(*lines: type[Consequence], **said: Any) -> Callable[[Adopt], Follows]:
    """Declare the lines that a function does as they are written; `said` are the other fields of `Follows`."""
    return lambda adopt: Follows(lines=lines, adopt=adopt, **said)


def why_not(*lines: type[Consequence], **said: Any) -> Callable[[Reason], Follows]:
    """Declare lines by the function that says why the rules make none; `said` are the other fields of `Follows`."""
    return lambda why: Follows(lines=lines, why=why, **said)


def by_rulings(keys: Callable[[Any, Any], Iterable[str]]) -> Words:
    """Return what names the rulings that a derived line rests on: `keys(table, expected)`."""

    def behind(table: Any, _event: Event, expected: Any) -> str:
        return "" if expected is None else "".join(f", {by_ruling(table, key)}" for key in keys(table, expected))

    return behind


def resting_on(key: str, *rules: str) -> Words:
    """Return what names the ruling that a derived line rests on; one by `rules`, where some are given."""

    def behind(table: Any, _event: Event, expected: Any) -> str:
        rests = expected is not None and (not rules or rule_behind(table, expected) in rules)
        return as_ruled(table, key) if rests else ""

    return behind


def follows_of(*chapters: ModuleType) -> dict[type[Consequence], Follows]:
    """Return what the chapters of a game declare, by the types of the lines.

    Raises `ValueError` where two of them are about one line: only the later one would hold.
    """
    declared = {
        id(each): each for each in chain(*(vars(one).values() for one in chapters)) if isinstance(each, Follows)
    }
    by_line: dict[type[Consequence], Follows] = {}
    for each in declared.values():
        for line in each.lines:
            if by_line.setdefault(line, each) is not each:
                raise ValueError(f"consequences declared twice: {line.__name__}")
    return by_line


class WrittenConsequences(msgspec.Struct, frozen=True, kw_only=True):
    """What a game says of written consequences that the rules do not make.

    * `seats` and `end` are the rules about who plays, and that nothing comes after the end; `rules` are all, by id.
    * `usual` is said of lines that no chapter declares.
    * `first(table, event, expected)` is asked before all else: the finding, or None.
    * `because` is asked before what is declared of the line.
    * `may_adopt(table, event, expected)`: the table may do what the line says.
    """

    seats: Rule
    end: Rule
    rules: Mapping[str, Rule] = {}
    usual: Follows = Follows()
    first: Callable[[Any, Any, Any], RuleVerdict | None] = lambda _table, _event, _expected: None
    because: Words = _nothing
    may_adopt: Callable[[Any, Any, Any], bool] = lambda _table, _event, _expected: True
    declared: Mapping[type[Consequence], Follows] = {}

    def explain(self, table: Table[Any, Any], event: Consequence, expected: Consequence | None) -> RuleVerdict:
        """Return which rule a written consequence breaks, and how; `expected` is the derived line in its place."""
        first = self.first(table, event, expected) or by_stranger(table, event, self.seats)
        if first is not None:
            return first
        said = self.declared.get(type(event), self.usual)
        because = self.because(table, event, expected) or said.because(table, event, expected)
        behind = said.behind(table, event, expected)
        if expected is not None:
            broken = self._rule(said, table, event, expected)
            if isinstance(broken, RuleVerdict):
                return broken
            return RuleVerdict(broken, contradiction(table, event, expected, behind), because=because)
        return self._unexpected(said, table, event, (because, behind))

    def _unexpected(self, said: Follows, table: Any, event: Consequence, words: tuple[str, str]) -> RuleVerdict:
        """Return which rule a line breaks that the rules make nothing like; `words` are `because` and `behind`."""
        (because, behind), broken = words, self._rule(said, table, event, None)
        if said.is_so(table, event):
            message = f"the log says that {clause(table, event)}, which is so already"
            rule = broken if isinstance(broken, Rule) else broken.rule
            return RuleVerdict(rule, Broken(message, "no second line", "info"), played=False)
        if table.over:
            return RuleVerdict(self.end, self.end.check(table, event), played=False, because=because)
        if isinstance(broken, RuleVerdict):
            return broken
        why = said.why if isinstance(said.why, str) else said.why(table, event)
        of, reason = why if isinstance(why, tuple) else (broken, why)
        return RuleVerdict(self._of(of), unexpected(table, event, reason, behind), because=because)

    def _rule(self, said: Follows, table: Any, event: Consequence, expected: Consequence | None) -> Rule | RuleVerdict:
        rule = said.rule if isinstance(said.rule, Rule | str) else said.rule(table, event, expected)
        rule = rule or self.usual.rule  # type: ignore[assignment]  # that of a game is no function
        return rule if isinstance(rule, RuleVerdict) else self._of(rule)

    def _of(self, rule: Rule | str) -> Rule:
        return self.rules[rule] if isinstance(rule, str) else rule

    def adopt(self, table: Table[Any, Any], event: Consequence, expected: Consequence | None) -> None:
        """Do what a written consequence says, in the place of `expected`, as its chapter declares it."""
        if self.may_adopt(table, event, expected):
            self.declared.get(type(event), self.usual).adopt(table, event, expected)


def consequences_of(
    *chapters: ModuleType, also: Iterable[Follows] = (), counted: Rule | None = None, **said: Any
) -> Consequences:
    """Return what a game says of written consequences, from what its chapters declare, and `also` these.

    `counted` is the rule that every written consequence has to agree with the derived ones, `said` are the other fields
    of `WrittenConsequences`.
    """
    declared = follows_of(*chapters) | {line: each for each in also for line in each.lines}
    written = WrittenConsequences(declared=declared, **said)
    return Consequences(written.explain, written.adopt, counted)
