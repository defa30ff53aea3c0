"""The tests of a game made ready to run, and verdicts turned into findings."""

from collections.abc import Callable, Iterable
from functools import cache, lru_cache
from typing import Any, Final, TypeVar

from msgspec import UNSET

from tabletape.events.vocabulary import Event
from tabletape.projector.model.game import Game
from tabletape.projector.model.rules import (
    Case,
    FirstOf,
    GroupCheck,
    Judgement,
    Rule,
    SelectRule,
    Stop,
    Test,
    all_passed,
)
from tabletape.projector.model.things import Card
from tabletape.projector.model.verdicts import NOT_APPLICABLE, AllPassed, Broken, Finding, FindingKind

Compiled = tuple[Any, int, bool]
"""A test as the fold runs it: the check and the rule's number, or what combines tests and how; does it end the row?"""

CHOICE: Final = -1
"""The check of a compiled test chooses the one rule that is at stake."""

FIRST: Final = -2
"""The check of a compiled test is a tuple of tests of which the first broken one is reported."""

SEVERAL: Final = -3
"""The check of a compiled test gives several rules, each with its verdict."""

Play = Callable[[Any, Any], object]

Act = tuple[Any, tuple[Compiled, ...], Play, Play | None]
"""What is done with a decision or chance line: it is judged by its row, and played.

The last is how it is played where its player may go on freely; None where it names no player.

Of a row that is one function, which looks at all rules at once, that function stands before the row; else None. Where
it is one that looks at a glance it may say nothing: then the row is asked.
"""


Made = TypeVar("Made")


def kept_with(game: Game, name: str, make: Callable[[], Made]) -> Made:
    """Return what is made of a game when it is first asked for, and kept for the life of the game.

    It is kept when it is whole: meanwhile other threads may fold games of the same kind.
    """
    made: Made | None = game.__dict__.get(name)
    if made is None:
        made = game.__dict__[name] = make()
    return made


def rows_of(game: Game) -> dict[type, tuple[Compiled, ...]]:
    """Return the rows of a game, ready to run; kept for the life of the game."""
    return kept_with(game, "_rows", lambda: {event: ready(tests) for event, tests in game.rows.items()})


def judging_of(tests: tuple[Test, ...]) -> tuple[Any, tuple[Compiled, ...]]:
    """Return what looks at all rules of a line at once, or None, and the row for where that leaves it open."""
    one = tests[0] if len(tests) == 1 else None
    if isinstance(one, GroupCheck):
        is_whole = looks_of(one) is one.judge
        return (one.judge, ready(tests)) if is_whole else (one.at_a_glance, ((one.judge, SEVERAL, False),))
    if isinstance(one, SelectRule):
        return _look_at_choice(one.choose), ready(tests)
    rules = [each.test if isinstance(each, Stop) else each for each in tests]
    are_plain = bool(rules) and all(isinstance(each, Rule | Case) for each in rules)
    return _look_at_each(rules) if are_plain else None, ready(tests)


def _look_at_choice(choose: Callable[[Any, Any], Rule | Case]) -> Callable[[Any, Any], AllPassed | None]:
    """Return the look at the one rule that is at stake, which says nothing where it is not kept."""
    kept = cache(all_passed)

    def look(table: Any, event: Event) -> AllPassed | None:
        rule = choose(table, event)
        return kept(rule) if rule.check(table, event) is None else None

    return look


def _look_at_each(rules: list[Any]) -> Callable[[Any, Any], AllPassed | None]:
    """Return the look at rules one by one, which says nothing where one is not kept.

    Which of them are kept is a number: most lines of a type keep the same ones, for which the answer is made once.
    """
    checks = [(1 << at, rule.check) for at, rule in enumerate(rules)]
    answer = cache(lambda kept: all_passed(*(rule for at, rule in enumerate(rules) if kept >> at & 1)))

    def look(table: Any, event: Event) -> AllPassed | None:
        kept = 0
        for bit, check in checks:
            verdict = check(table, event)
            if verdict is None:
                kept += bit
            elif verdict is not NOT_APPLICABLE:
                return None
        return answer(kept)

    return look


def numbers_of(game: Game) -> dict[str, int]:
    """Return the numbers of a game's rules by their ids; kept for the life of the game."""
    return kept_with(game, "_numbers", lambda: {rule.id: rule.number for rule in game.rules})


@lru_cache(maxsize=4096)
def ready(tests: tuple[Test, ...]) -> tuple[Compiled, ...]:
    """Make tests ready to run."""
    return tuple(map(_compile, tests))


def _compile(test: Test) -> Compiled:
    stops = isinstance(test, Stop)
    inner = test.test if isinstance(test, Stop) else test
    if isinstance(inner, SelectRule):
        return inner.choose, CHOICE, stops
    if isinstance(inner, GroupCheck):
        return looks_of(inner), SEVERAL, stops
    if isinstance(inner, FirstOf):
        return ready(inner.tests), FIRST, stops
    return inner.check, inner.number, stops


def looks_of(group: GroupCheck) -> Callable[[Any, Any], Iterable[Judgement]]:
    """Return how a group of rules is looked at: at a glance first, where there is one."""
    judge, at_a_glance = group.judge, group.at_a_glance
    if at_a_glance is None:
        return judge

    def look(table: Any, event: Event) -> Iterable[Judgement]:
        all_kept = at_a_glance(table, event)
        return judge(table, event) if all_kept is None else all_kept

    return look


def finding_of(  # noqa: PLR0913 - a finding says where, what and why, and all of it is known only here
    rule: Rule, broken: Broken, event: Event, *, seq: int, tainted: bool, because: str = "", says: Rule | None = None
) -> Finding:
    """Return a broken rule as a finding about an event; the rulebook is cited where the rule `says` it, if one does."""
    kind: FindingKind = broken.kind
    cited = says if says is not None and says.lines else rule
    player = getattr(event, "player", UNSET)
    return Finding(
        seq=seq,
        rule=rule.id,
        kind=kind,
        player="" if player is UNSET else player,
        message=broken.message,
        expected=broken.expected,
        section=cited.section,
        lines=cited.lines,
        because=because,
        tainted=tainted,
    )


def in_words(value: Any) -> str:
    """Return a value of a log as a person would say it."""
    if value is None:
        return "nobody"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value.name if isinstance(value, Card) else str(value)
