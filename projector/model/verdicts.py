"""What a rule says about an event, and what the audit makes of it.

These are plain values: they cross from one process to another and are compared, kept and counted.
"""

from collections.abc import Callable  # noqa: TC003 - a name in the type of a field
from typing import Any, Final, Literal

import msgspec

from tabletape.events.plans import planned

FindingKind = Literal["illegal", "missing", "mismatch", "drift", "unverifiable", "info"]

HARD: Final = frozenset({"illegal", "missing", "mismatch", "drift"})
"""The kinds of finding that say that something is wrong."""


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

    `later` gets the printed card and closes over what mattered on the table; without it nothing will ever tell. Where
    it takes another card as well, it gives the verdict that waits for that one.
    `once`: it is reported the first time only, as what is the same on every later line (an unknown card).
    `supposed` is what must have happened otherwise than the game takes it, as its table has it, which lines so far may
    speak against; `or_else` is the doubt that is left then.
    """

    message: str
    card: str = ""
    later: "Callable[[Any], str | Broken | Undecidable | None] | None" = None
    once: bool = False
    supposed: Any = None
    or_else: "Undecidable | None" = None


class NotApplicable(msgspec.Struct, frozen=True):
    """The rule has nothing to say about this event."""


NOT_APPLICABLE: Final = NotApplicable()

Verdict = str | Broken | Undecidable | NotApplicable | Kept | None


def is_broken(verdict: Verdict) -> bool:
    """Return whether a verdict says that a rule is broken."""
    return isinstance(verdict, str | Broken)


class AllPassed(tuple[Any, ...]):
    """Rules that an event keeps, all of them: what a function says of a line with which nothing is wrong, made once.

    It is the object itself that counts, not what is in it: the fold writes down how often it was the answer.
    """

    __slots__ = ()
    __hash__ = object.__hash__
    __eq__ = object.__eq__


NO_LINE: Final = "no such line"
"""What is expected in place of a line that nothing brings about."""

WentOn = Literal["written", "derived"]
"""The value by which a table went on after a line that contradicts the rules."""


@planned
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
