"""Stored games read twice: as their tables read the rulebook, and by another edition or other rulings.

Two editions beside each other: which rules only one of them has, and which sentences they settle otherwise.
"""

from collections.abc import Iterable, Iterator

import msgspec

from tabletape.events.log import Log
from tabletape.events.log.rows import StoredGame
from tabletape.projector.archive.audit import Audited, Reported, audit, reported
from tabletape.projector.archive.stored import AS_PLAYED, RulesetOverride
from tabletape.projector.fold.replay import Replay
from tabletape.projector.model.game import Game


class ComparedOutcome(msgspec.Struct, frozen=True, kw_only=True):
    """How a game ends under a reading: the winners' names (empty: nobody), the reason, or why the replay stopped."""

    over: bool = False
    winner: str = ""
    reason: str = ""
    stopped: str = ""

    def __str__(self) -> str:
        """Return it in words."""
        if self.stopped:
            return "cannot be replayed"
        if not self.over:
            return "not finished"
        return f"{self.winner or 'nobody'}{f' ({self.reason})' if self.reason else ''}"


class RulesetComparison(msgspec.Struct, frozen=True, kw_only=True):
    """A game under both readings: its outcomes, and the findings that only one of them has.

    A finding that follows from an earlier one under one of them only is the same finding.
    """

    game_id: str
    game: str
    before: ComparedOutcome
    after: ComparedOutcome
    gone: list[Reported]
    new: list[Reported]

    @property
    def changed(self) -> bool:
        """Whether the other reading makes any difference."""
        return self.before != self.after or bool(self.gone or self.new)


class EditionComparison(msgspec.Struct, frozen=True, kw_only=True):
    """What differs between two editions of a rulebook: rules that only one has, rulings that they settle otherwise.

    `rulings` are keys with the option of the first and of the second edition.
    """

    game: str
    first: str
    second: str
    only_first: tuple[str, ...]
    only_second: tuple[str, ...]
    rulings: tuple[tuple[str, str, str], ...]


def editions_compared(one: Game, first: str, second: str) -> EditionComparison:
    """Compare two editions of a game's rulebook. Raises `RulesetError` for one that it does not have."""
    before, after = (one.rulebook.ruleset(each).options for each in (first, second))
    labels = (first, second)
    has = [{rule.id for rule in one.rules if not rule.editions or label in rule.editions} for label in labels]
    return EditionComparison(
        game=one.slug,
        first=first,
        second=second,
        only_first=tuple(rule.id for rule in one.rules if rule.id in has[0] - has[1]),
        only_second=tuple(rule.id for rule in one.rules if rule.id in has[1] - has[0]),
        rulings=tuple((key, option, after[key]) for key, option in before.items() if after[key] != option),
    )


def reread(
    log: Log, games: Iterable[StoredGame], reading: RulesetOverride, first: RulesetOverride = AS_PLAYED
) -> Iterator[RulesetComparison]:
    """Read stored games by a `first` reading (as they were played) and by another one, one game after the other."""
    for stored in games:
        (played,) = audit(log, [stored], first)
        (other,) = audit(log, [stored], reading)
        before, after = _by_content(played), _by_content(other)
        yield RulesetComparison(
            game_id=stored.game_id,
            game=stored.game,
            before=_outcome(played),
            after=_outcome(other),
            gone=[finding for content, finding in before.items() if content not in after],
            new=[finding for content, finding in after.items() if content not in before],
        )


def _by_content(audited: Audited) -> dict[Reported, Reported]:
    """Return the findings of a game by what they say, whether or not an earlier mistake may be behind them."""
    return {
        msgspec.structs.replace(finding, tainted=False, follows=0, outcome=""): finding for finding in reported(audited)
    }


def _outcome(audited: Audited) -> ComparedOutcome:
    replayed = audited.replay
    return ComparedOutcome(stopped=audited.stopped) if replayed is None else outcome_of(replayed)


def outcome_of(replayed: Replay) -> ComparedOutcome:
    """Return how a replayed game ends."""
    stopped = f"event {replayed.stopped.seq}: {replayed.stopped.reason}" if replayed.stopped else ""
    if not replayed.events:
        return ComparedOutcome(stopped=stopped)
    table = replayed.table
    names = (table.players[each].name if each in table.players else each for each in table.winners)
    winner = " and ".join(names)
    return ComparedOutcome(over=table.over, winner=winner, reason=table.reason, stopped=stopped)
