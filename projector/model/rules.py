"""Rules as data with a short function, and what they say about an event.

A rule looks at the table *before* an event and gives a verdict: `None` (kept), `Kept` (kept, with something to tell
about it), a message (broken), `Undecidable` (the log does not say enough) or `NOT_APPLICABLE` (the rule
has nothing to say here, so it counts as no opportunity).

A game lists for each event type the tests to make, in order: its *rows*. A test is a rule, or one of four ways to
combine rules: `stop(rule)` ends the row where the rule is broken; `first_of(…)` reports only the first broken rule;
`select_rule(choose)` lets the state of the table say which one rule is at stake, so that it alone is counted;
`group_check(judge)` lets one function look at several rules, such as those about a card that was chosen.
A rule that is looked at in several kinds of events has a `Case` for each of the others.
"""

from collections.abc import Callable, Iterable, Mapping
from itertools import count
from typing import Any, Final, Literal, final

import msgspec

from tabletape.projector.model.verdicts import (  # noqa: F401 - who writes a rule finds its verdicts beside it
    HARD,
    NO_LINE,
    NOT_APPLICABLE,
    AllPassed,
    Broken,
    Finding,
    FindingKind,
    Kept,
    NotApplicable,
    Undecidable,
    Verdict,
    WentOn,
    is_broken,
)

How = Literal["checked", "derived", "unchecked"]

RestsOn = Literal["", "cards", "printed", "play", "lately", "living", "nothing", "line"]
"""What an unknown card, or a text that only people can carry out, may change of a rule; empty: as of most in its game.

`cards`: both, the card that a line names and any text in play; `printed`: only the former; `play`: only the latter,
`lately` that of a card of this round or the last one, `living` that which has put somebody out. `line`: nothing that
happened before may change it, since it looks at what the line says and at no more.
"""


Check = Callable[..., Verdict]
"""Looks at a table and an event; of a rule in a group also at what the group has found: the card, the line of text."""


def _never_checked(_table: Any, _event: Any) -> Verdict:
    raise TypeError("this rule is not checked by a function of its own")


RULE_NUMBERS: Final = count()
"""Numbers the rules as they are declared."""


class Rule(msgspec.Struct, eq=False, kw_only=True):
    """One rule: where it stands, what it says in our words, how it is checked, and the check where there is one.

    `how`: `checked` - a finding can name it; `derived` - the fold carries it out, and a log that says otherwise is a
    finding under `reported_as` that names this rule as the reason; `unchecked` - no log can show it, see `reason`.
    `rests_on`: what may change it where nobody can tell what a card is or does.
    `number` grows in the order of declaration, until a game numbers its rules in the order of its rulebook.
    """

    id: str
    section: str
    lines: str
    text: str
    how: How = "checked"
    reason: str = ""
    reported_as: str = ""
    editions: tuple[str, ...] = ()
    rests_on: RestsOn = ""
    check: Check = _never_checked
    number: int = msgspec.field(default_factory=RULE_NUMBERS.__next__)

    def __call__(self, table: Any, event: Any, *given: Any) -> Verdict:
        """Return the verdict on an event at a table; a group of rules gives its rules what it has `given`, too.

        Raises `TypeError` for a rule without a check.

        Where every line comes by, a game asks `check` itself, which Python reaches in half the time.
        """
        return self.check(table, event, *given)

    @property
    def citation(self) -> str:
        """Where the rule stands in the rulebook: `Misc. Rules / Evolving, L129.2`."""
        return ", ".join(part for part in (self.section, self.lines) if part)

    def is_of(self, ruleset: str) -> bool:
        """Return whether games under a ruleset, in words, have the rule: some editions alone may have it."""
        return not self.editions or any(f"{ruleset} ".startswith(f"{each} ") for each in self.editions)


def _in_force(editions: tuple[str, ...], check: Check) -> Check:
    """Return the check of a rule that only some editions have: in others it has nothing to say."""
    return lambda table, event, *known: check(table, event, *known) if table.edition in editions else NOT_APPLICABLE


class Section(msgspec.Struct, frozen=True):
    """A section of a rulebook, whose name a game says once: it declares the rules that stand there."""

    name: str

    def rule(
        self,
        id: str,  # noqa: A002 - the rulebook's word for it
        lines: str,
        text: str = "",
        *,
        editions: tuple[str, ...] = (),
        rests_on: RestsOn = "",
    ) -> Callable[[Check], Rule]:
        """Declare a rule that a function checks, whose docstring is its sentence, where `text` is not.

        `editions` names those that have it; empty: all.
        """

        def declare(check: Check) -> Rule:
            in_force = _in_force(editions, check) if editions else check
            return Rule(
                id=id,
                section=self.name,
                lines=lines,
                text=text or check.__doc__ or "",
                editions=editions,
                rests_on=rests_on,
                check=in_force,
            )

        return declare

    def declare(self, id: str, lines: str, text: str, *, rests_on: RestsOn = "") -> Rule:  # noqa: A002 - the same word
        """Declare a rule that has no function of its own: another looks at it together with others, or the fold."""
        return Rule(id=id, section=self.name, lines=lines, text=text, rests_on=rests_on)


OUTSIDE: Final = Section("Outside the rulebook")
"""The rules that no rulebook has."""


Judgement = tuple[Rule, Verdict]
"""A rule and what it says about an event."""


@final
class Case(msgspec.Struct, frozen=True, eq=False):
    """The same rule, looked at in another kind of event: a check of its own, counted and cited as the rule."""

    rule: Rule
    check: Check

    @property
    def number(self) -> int:
        """The number of the rule."""
        return self.rule.number

    def __call__(self, table: Any, event: Any) -> Verdict:
        """Return the verdict on an event at a table."""
        return self.check(table, event)


Shortcut = Callable[[Any, Any], AllPassed | None]
"""Says of a line that all its rules are kept; None where that takes a closer look."""


def all_passed(*tests: "Rule | Case") -> AllPassed:
    """Return rules as kept, in their order."""
    return AllPassed((test.rule if isinstance(test, Case) else test, None) for test in tests)


def case(of: Rule) -> Callable[[Check], Case]:
    """Declare how a rule is checked in another kind of event."""
    return lambda check: Case(of, _in_force(of.editions, check) if of.editions else check)


class Stop(msgspec.Struct, frozen=True, eq=False):
    """A test that ends its row where it fails."""

    test: "Rule | Case | FirstOf | SelectRule"


class GroupCheck(msgspec.Struct, frozen=True, eq=False):
    """A function that looks at several rules, and gives each with its verdict, in order.

    Most lines break no rule: `at_a_glance`, where there is one, says so before `judge` is asked, by an answer that was
    made beforehand (`all_passed`), or None where one has to look closer. It says what `judge` would say, only sooner:
    a test leaves it out in all games and compares.
    """

    judge: Callable[[Any, Any], Iterable[Judgement]]
    at_a_glance: Shortcut | None = None


class FirstOf(msgspec.Struct, frozen=True, eq=False):
    """Tests of which only the first broken one is reported."""

    tests: "tuple[Rule | Case | SelectRule, ...]"


class SelectRule(msgspec.Struct, frozen=True, eq=False):
    """A function that says which rule is at stake; only that one is looked at."""

    choose: Callable[[Any, Any], Rule | Case]


Test = Rule | Case | Stop | FirstOf | SelectRule | GroupCheck
InOrder = Rule | Case | SelectRule | Stop | GroupCheck
"""A test that is made in order with others, for a line that takes a closer look."""

Rows = Mapping[type, tuple[Test, ...]]


def stop(test: Rule | Case | FirstOf | SelectRule) -> Stop:
    """End the row where this test fails."""
    return Stop(test)


def first_of(*tests: Rule | Case | SelectRule) -> FirstOf:
    """Report only the first of these that is broken."""
    return FirstOf(tests)


def select_rule(choose: Callable[[Any, Any], Rule | Case]) -> SelectRule:
    """Check the rule that the table's state puts at stake."""
    return SelectRule(choose)


def group_check(judge: Callable[[Any, Any], Iterable[Judgement]], at_a_glance: Shortcut | None = None) -> GroupCheck:
    """Check several rules in one function, where they have their looking up in common."""
    return GroupCheck(judge, at_a_glance)


def judgement_of(test: Rule | Case, table: Any, event: Any) -> Judgement:
    """Return a rule with its verdict on an event."""
    if type(test) is Case:  # to ask `isinstance` of a struct takes longer than all the rest
        return test.rule, test.check(table, event)
    return test, test.check(table, event)


def check_in_order(tests: Iterable[InOrder], table: Any, event: Any) -> list[Judgement]:
    """Make tests in their order, up to the first that is broken and ends them.

    So a function of `group_check` looks at a line of which it could not tell at once that all is kept.
    """
    judgements: list[Judgement] = []
    for each in tests:
        if type(each) is GroupCheck:
            judgements += each.judge(table, event)
            continue
        stops = type(each) is Stop
        test: Any = each.test if stops else each  # type: ignore[union-attr]  # it is a `Stop`
        judgement = judgement_of(test.choose(table, event) if type(test) is SelectRule else test, table, event)
        judgements.append(judgement)
        if stops and is_broken(judgement[1]):
            break
    return judgements


def kept_if(is_usual: Callable[[Any, Any], bool], keeps: AllPassed) -> Shortcut:
    """Return the look at a line that says what a usual one keeps, by whether it is usual."""
    return lambda table, event: keeps if is_usual(table, event) else None


def usually(at_a_glance: Shortcut, *tests: InOrder) -> GroupCheck:
    """Make tests in their order where one look could not tell that all is kept."""
    return GroupCheck(lambda table, event: check_in_order(tests, table, event), at_a_glance)
