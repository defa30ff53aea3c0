"""The tests of a game made ready to run, and verdicts turned into findings."""

from typing import Any

from msgspec import UNSET

from events.vocabulary import Event
from projector.game import Game, in_force
from projector.rulebook import Ruleset
from projector.rules import Broken, Finding, FindingKind, Rows, Rule, Stop, Test
from projector.table import Card

Compiled = tuple[Any, int, bool]
"""A test as the fold runs it: the check and the rule's number, or a combined test and -1; whether it ends the row."""


def rows_of(game: Game, ruleset: Ruleset) -> dict[type, tuple[Compiled, ...]]:
    """Give the rows of a game under a ruleset, ready to run; kept for the life of the game."""
    kept: dict[str, dict[type, tuple[Compiled, ...]]] = game.__dict__.setdefault("_rows", {})
    if ruleset.id not in kept:
        rows: Rows = in_force(game.rows(ruleset), ruleset.edition)
        kept[ruleset.id] = {event: tuple(map(_compile, tests)) for event, tests in rows.items()}
    return kept[ruleset.id]


def _compile(test: Test) -> Compiled:
    stops = isinstance(test, Stop)
    inner = test.test if isinstance(test, Stop) else test
    return (inner.check, inner.number, stops) if isinstance(inner, Rule) else (inner, -1, stops)


def finding_of(rule: Rule, broken: Broken, event: Event, *, seq: int, tainted: bool, because: str = "") -> Finding:  # noqa: PLR0913 - a finding says where, what and why, and all of it is known only here
    """Give a broken rule as a finding about an event."""
    kind: FindingKind = broken.kind
    player = getattr(event, "player", UNSET)
    return Finding(
        seq=seq,
        rule=rule.id,
        kind=kind,
        player="" if player is UNSET else player,
        message=broken.message,
        expected=broken.expected,
        section=rule.section,
        lines=rule.lines,
        because=because,
        tainted=tainted,
    )


def in_words(value: Any) -> str:
    """Give a value of a log as a person would say it."""
    if value is None:
        return "nobody"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value.name if isinstance(value, Card) else str(value)
