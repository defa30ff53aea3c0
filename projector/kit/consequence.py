"""A consequence, said once: the rule that it follows from, why the rules may make none, and what it does as written.

A chapter declares it beside that rule. What the audit says of a wrong one and what the table goes on with is read from
all chapters of a game.
"""

from collections.abc import Callable, Iterable
from itertools import chain
from types import ModuleType
from typing import Any

import msgspec

from tabletape.events.vocabulary import Consequence
from tabletape.projector.kit.mismatches import Mismatches, Reason, RuleOf
from tabletape.projector.model.game import Consequences
from tabletape.projector.model.phrases import by_ruling
from tabletape.projector.model.rules import Rule

Adopt = Callable[[Any, Any, Any], object]
"""Does at a table what a line says that the rules do not make; the last is what they make in its place, or None."""


class Follows(msgspec.Struct, frozen=True, kw_only=True):
    """Lines of some types that follow from a rule.

    * `rule` is the one that such a line breaks, `why(table, event)` why the rules make nothing like it.
    * `is_so(table, event)`: the table is as the line says, which is only said again.
    * `adopt(table, event, expected)` does what the line says.
    * `rulings(table, expected)` are those that the derived line rests on.
    """

    lines: tuple[type[Consequence], ...]
    rule: RuleOf
    why: Reason = lambda _table, _event: ""
    is_so: Callable[[Any, Any], bool] = lambda _table, _event: False
    adopt: Adopt | None = None
    rulings: Callable[[Any, Any], Iterable[str]] = lambda _table, _expected: ()


def consequence(*lines: type[Consequence], **said: Any) -> Callable[[Adopt], Follows]:
    """Declare the lines that a function does as they are written; `said` are the other fields of `Follows`."""
    return lambda adopt: Follows(lines=lines, adopt=adopt, **said)


def by_rulings(table: Any, keys: Iterable[str]) -> str:
    """Return the rulings that a line rests on, to stand behind what it says."""
    return "".join(f", {by_ruling(table, key)}" for key in keys)


def follows_of(*chapters: ModuleType) -> dict[type[Consequence], Follows]:
    """Return what the chapters of a game declare, by the types of the lines.

    Raises `ValueError` where two of them are about one line: only the later one would hold.
    """
    declared = {
        id(each): each for each in chain(*(vars(one).values() for one in chapters)) if isinstance(each, Follows)
    }
    found: dict[type[Consequence], Follows] = {}
    for each in declared.values():
        for line in each.lines:
            if found.setdefault(line, each) is not each:
                raise ValueError(f"consequences declared twice: {line.__name__}")
    return found


def consequences_of(*chapters: ModuleType, also: Iterable[Follows] = (), seats: Rule, end: Rule) -> Consequences:
    """Return what a game says of written consequences, from what its chapters declare, and `also` these.

    `seats` and `end` are the rules about who plays, and that nothing comes after the end.
    """
    found = follows_of(*chapters) | {line: each for each in also for line in each.lines}

    def resting_on(table: Any, _event: Any, expected: Any) -> str:
        return "" if expected is None else by_rulings(table, found[type(expected)].rulings(table, expected))

    mismatches = Mismatches(
        seats=seats,
        end=end,
        rules={line: each.rule for line, each in found.items()},
        reasons={line: each.why for line, each in found.items()},
        is_so={line: each.is_so for line, each in found.items()},
        resting_on=resting_on,
    )
    adopting = {line: each.adopt for line, each in found.items() if each.adopt is not None}
    return Consequences(mismatches.explain, adopting)
