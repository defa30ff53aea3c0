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

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final, Literal, final

import msgspec

FindingKind = Literal["illegal", "missing", "mismatch", "drift", "unverifiable", "info"]
HARD: Final = frozenset({"illegal", "missing", "mismatch", "drift"})
"""The kinds of finding that say that something is wrong."""

How = Literal["checked", "derived", "unchecked"]


class Kept(msgspec.Struct, frozen=True):
    """A rule that is kept, with something to tell about it, such as what luck might have picked instead.

    `message` is read only when somebody looks at the step: a function closes over what was permitted then, because
    the table has gone on meanwhile.
    """

    message: "str | Callable[[], str]"

    @property
    def text(self) -> str:
        """The remark about it."""
        return self.message if isinstance(self.message, str) else self.message()


class Broken(msgspec.Struct, frozen=True, gc=False):
    """A rule that is broken, with what was expected in its place and the kind of finding.

    `because` names the derived rule that what was expected follows from, where there is one.
    """

    message: str
    expected: str = ""
    kind: FindingKind = "illegal"
    because: str = ""


class Undecidable(msgspec.Struct, frozen=True):
    """The log cannot tell. `later` decides it when `card` (a name like `B:?1`) is shown and its text is known.

    `later` gets the printed card and closes over what mattered on the table; without it nothing will ever tell.
    `once`: it is reported the first time only, as what is the same on every later line (an unknown card).
    """

    message: str
    card: str = ""
    later: "Callable[[Any], str | Broken | None] | None" = None
    once: bool = False


class NotApplicable(msgspec.Struct, frozen=True):
    """The rule has nothing to say about this event."""


NOT_APPLICABLE: Final = NotApplicable()

Verdict = str | Broken | Undecidable | NotApplicable | Kept | None
Check = Callable[..., Verdict]
"""Looks at a table and an event; of a rule in a group also at what the group has found: the card, the line of text."""


def is_broken(verdict: Verdict) -> bool:
    """Return whether a verdict says that a rule is broken."""
    return isinstance(verdict, str | Broken)


def _never_checked(_table: Any, _event: Any) -> Verdict:
    raise TypeError("this rule is not checked by a function of its own")


class Rule(msgspec.Struct, eq=False, kw_only=True):
    """One rule: where it stands, what it says in our words, how it is checked, and the check where there is one.

    `how`: `checked` - a finding can name it; `derived` - the fold carries it out, and a log that says otherwise is a
    finding under `reported_as` that names this rule as the reason; `unchecked` - no log can show it, see `reason`.
    `says_when`: the moment is what it rules, so that a line written after it has passed contradicts it.
    """

    id: str
    section: str
    lines: str
    text: str
    how: How = "checked"
    reason: str = ""
    reported_as: str = ""
    editions: tuple[str, ...] = ()
    says_when: bool = False
    check: Check = _never_checked
    number: int = -1

    def __call__(self, table: Any, event: Any, *found: Any) -> Verdict:
        """Return the verdict on an event at a table; a group of rules gives its rules what it has `found`, too.

        Raises `TypeError` for a rule without a check.

        Where every line comes by, a game asks `check` itself, which Python reaches in half the time.
        """
        return self.check(table, event, *found)

    @property
    def citation(self) -> str:
        """Where the rule stands in the rulebook: `Misc. Rules / Evolving, L129.2`."""
        return ", ".join(part for part in (self.section, self.lines) if part)


def rule(
    id: str,  # noqa: A002 - the rulebook's word for it
    section: str,
    lines: str,
    text: str,
    *,
    editions: tuple[str, ...] = (),
) -> Callable[[Check], Rule]:
    """Declare a rule that a function checks. `editions` names those that have it; empty: all."""

    def declare(check: Check) -> Rule:
        return Rule(id=id, section=section, lines=lines, text=text, editions=editions, check=check)

    return declare


def declare(id: str, section: str, lines: str, text: str, *, says_when: bool = False) -> Rule:  # noqa: A002 - the rulebook's word for it
    """Declare a rule that has no function of its own: another one looks at it together with others, or the fold.

    `says_when`: the moment is what it rules.
    """
    return Rule(id=id, section=section, lines=lines, text=text, says_when=says_when)


Judgement = tuple[Rule, Verdict]
"""A rule and what it says about an event."""


class AllPassed(tuple[Judgement, ...]):
    """Rules that an event keeps, all of them: what a function says of a line with which nothing is wrong, made once.

    It is the object itself that counts, not what is in it: the fold writes down how often it was the answer.
    """

    __slots__ = ()
    __hash__ = object.__hash__
    __eq__ = object.__eq__


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


Glance = Callable[[Any, Any], AllPassed | None]
"""Says of a line that all its rules are kept; None where that takes a closer look."""


def all_passed(*tests: "Rule | Case") -> AllPassed:
    """Return rules as kept, in the order in which they are told."""
    return AllPassed((test.rule if isinstance(test, Case) else test, None) for test in tests)


def case(of: Rule) -> Callable[[Check], Case]:
    """Declare how a rule is checked in another kind of event."""
    return lambda check: Case(of, check)


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
    at_a_glance: Glance | None = None


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


def group_check(judge: Callable[[Any, Any], Iterable[Judgement]], at_a_glance: Glance | None = None) -> GroupCheck:
    """Check several rules in one function, where they have their looking up in common."""
    return GroupCheck(judge, at_a_glance)


def judgement_of(test: Rule | Case, table: Any, event: Any) -> Judgement:
    """Return a rule with its verdict on an event."""
    if type(test) is Case:  # to ask `isinstance` of a struct takes longer than all the rest
        return test.rule, test.check(table, event)
    return test, test.check(table, event)


def check_in_order(tests: Iterable[InOrder], table: Any, event: Any) -> Iterator[Judgement]:
    """Make tests in their order, up to the first that is broken and ends them.

    So a function of `group_check` looks at a line of which it could not tell at once that all is kept.
    """
    for each in tests:
        if type(each) is GroupCheck:
            yield from each.judge(table, event)
            continue
        stops = type(each) is Stop
        test: Any = each.test if stops else each  # type: ignore[union-attr]  # it is a `Stop`
        judgement = judgement_of(test.choose(table, event) if type(test) is SelectRule else test, table, event)
        yield judgement
        if stops and is_broken(judgement[1]):
            return


def kept_if(is_usual: Callable[[Any, Any], bool], keeps: AllPassed) -> Glance:
    """Return the look at a line that says what a usual one keeps, by whether it is usual."""
    return lambda table, event: keeps if is_usual(table, event) else None


def usually(at_a_glance: Glance, *tests: InOrder) -> GroupCheck:
    """Make tests in their order where one look could not tell that all is kept."""
    return GroupCheck(lambda table, event: check_in_order(tests, table, event), at_a_glance)


NO_LINE: Final = "no such line"
"""What is expected in the place of a line that nothing brings about."""

WentOn = Literal["written", "derived"]
"""The value by which a table went on after a line that contradicts the rules."""


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """What the audit has to say about one event.

    `tainted`: it comes after the first illegal event of its game, so it may only follow from that one.
    `because` names a derived rule that the log contradicts. `follows` is the number of the event whose finding this one
    follows from, 0 for a finding of its own. `went_on` says by which value the table went on after a line that
    contradicts the rules, where later lines tell.
    """

    seq: int
    rule: str
    kind: FindingKind
    player: str = ""
    message: str
    expected: str = ""
    section: str = ""
    lines: str = ""
    because: str = ""
    tainted: bool = False
    follows: int = 0
    went_on: Literal[""] | WentOn = ""

    @property
    def outcome(self) -> str:
        """What later lines say about a line that contradicts the rules, as a sentence; empty where they say nothing."""
        if not self.went_on:
            return ""
        if self.went_on == "written":
            return "the table went on with what was written"
        if self.expected == NO_LINE:
            return "written down wrongly: the table went on without it"
        # A total is named; a whole sentence stands beside the finding already.
        by_it = f"with {self.expected}" if self.expected and " " not in self.expected else "as the rules say"
        return f"written down wrongly: the table went on {by_it}"
