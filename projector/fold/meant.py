"""What a line of which a word was guessed was meant to say: what is found behind it may follow from that.

Such a line may say something else than was guessed at import. Of what the player may have done with the same move, that
is taken as meant with which least is found behind it, and nothing new before what is found there anyway. What is left
then stands by itself; the rest follows from the line.
"""

from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

import msgspec

from tabletape.events.vocabulary import Event, fields_of
from tabletape.projector.model.deciding import offers_of
from tabletape.projector.model.rules import HARD, Finding

if TYPE_CHECKING:
    from tabletape.projector.fold.replay import Replay

MOST_MEANT: Final = 24
"""So many lines that one may have been meant as are tried."""


def as_meant(replay: "Replay", found: Sequence[Finding], alone: Collection[str], folds: int) -> list[Finding] | None:
    """Return what is found in a game with what follows from one of these lines; None where nothing does.

    `alone` are the rules that look at a line and at nothing else. At most half of so many folds are made.
    """
    wrong = _keys(found, alone)
    for line in sorted(replay.read_as):
        if folds < 2 or not any(seq > line for seq, _ in wrong):
            return None
        fitting, folds = [], folds - 1  # what may be meant is looked up at a table of its own
        for other in _may_be_meant(replay, line)[: min(folds // 2, MOST_MEANT)]:
            folds -= 1
            told = replay.retold(line, other)
            left = _keys(told.raw_findings, alone)
            if len(left) < len(wrong) and _is_new_behind_old(left, wrong):
                fitting.append((len(left), told))
        if fitting:
            _, told = min(fitting, key=lambda each: each[0])
            told.folds = folds
            return [*_following(found, line, told.findings, alone)]
    return None


def _is_new_behind_old(left: set[tuple[int, str]], wrong: set[tuple[int, str]]) -> bool:
    """Return whether nothing is found that was not before, or only behind something that was."""
    return left <= wrong or (not left.isdisjoint(wrong) and min(left - wrong) > min(left & wrong))


def _keys(findings: Sequence[Finding], alone: Collection[str]) -> set[tuple[int, str]]:
    """Return the mistakes that may follow from another one, each by its line and rule."""
    return {(each.seq, each.rule) for each in findings if each.kind in HARD and each.rule not in alone}


def _following(
    found: Sequence[Finding], line: int, told: Sequence[Finding], alone: Collection[str]
) -> Iterator[Finding]:
    """Yield findings with what they follow from where a line says what was meant; what is gone then follows from it."""
    seqs, causes = {each.seq for each in found}, {(each.seq, each.rule): each.follows for each in told}
    for each in found:
        cause = causes.get((each.seq, each.rule), line)
        cause = cause if not cause or cause in seqs else line
        is_one = each.kind in HARD and each.rule not in alone and each.seq != cause
        yield msgspec.structs.replace(each, follows=cause) if is_one else each


def _may_be_meant(replay: "Replay", line: int) -> list[Event]:
    """Return what the player may have done with the same move, what is most like the line first."""
    step = replay.seqs.index(line)
    event = replay.events[step]
    before = replay.at(max(step - 1, 0))
    offered = offers_of(replay.game, before, getattr(event, "player", ""))
    said = {*_said(event)}
    return sorted(
        (each for each in offered if type(each) is type(event)),
        key=lambda each: len(said.symmetric_difference(_said(each))),
    )


def _said(event: Event) -> Iterator[tuple[str, Any]]:
    """Yield what a line says, each of several cards by itself."""
    for field in fields_of(type(event)):
        value = getattr(event, field.name)
        for each in value if isinstance(value, tuple) else (value,):
            yield field.name, each
