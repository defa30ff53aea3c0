"""One mistake, one accusation: which findings of a game follow from an earlier one.

After a first mistake the fold goes on with what the table did, so most later findings may only follow from it. One is a
mistake of its own where it stands all the same when the line of the earlier mistake is left out (or the line that was
missing before it is put in), and the log left that way is in order for a while between the two. A line that used up a
turn leaves a turn too few behind: then it is taken to have done nothing but that. Where a game can say what else the
player may have done, it has to stand beside all of that, too. Where a game knows what its rules read, one also is of
its own that reads nothing which the line has touched, however near it stands; where it knows no turns, one of its own
is nothing else. Whatever cannot be shown to be independent is said to follow.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Final, TypeAlias

import msgspec

from tabletape.events.vocabulary import Event, Remark
from tabletape.events.vocabulary.shared import NoteAdded
from tabletape.projector.model.rules import HARD, Finding, WentOn

CLEAN_STRETCH: Final = 4
"""Lines of play in order that show that the log without a line is the game as it was played."""

MAX_CAUSES: Final = 24
"""Mistakes of one game that are told apart; each takes a fold of the game."""

LEFT_OUT: Final = NoteAdded(text="")

Keys: TypeAlias = set[tuple[int, str]]
"""Findings, each by its line and rule."""


def with_causes(  # noqa: PLR0913, PLR0917 - what is found, and what tells one mistake from another
    findings: Sequence[Finding],
    numbered: Mapping[int, Event],
    fold: Callable[[list[Event], frozenset[int]], list[Finding]] | None,
    instead: Callable[[int], Sequence[Event]] = lambda _line: (),
    late: Collection[int] = (),
    alone: Collection[str] = (),
    apart: Callable[[Finding, Finding], bool] = lambda _cause, _finding: False,
    most: int = MAX_CAUSES,
) -> list[Finding]:
    """Return findings, each with the number of the event whose finding it follows from (0: it is a cause itself).

    `numbered` are the events of the game by their numbers, `late` the numbers of those before which the line is missing
    that ends a turn; `fold` gives the findings of other events in their place, with that line before some. `instead`
    gives what may stand in its place: first what does nothing but use up the turn where it did so, then all that would
    have been right; nothing where that is not known. A finding stands `apart` from an earlier one where its rule reads
    nothing that one has touched; without a `fold` nothing else is asked. What the log cannot tell and what is only said
    for information follows from nothing, nor does what breaks one of the rules `alone`, which look at the line and at
    nothing else. At `most` so many folds are asked for.
    """
    hard = [each for each in findings if _is_hard(each, alone)]
    if not hard or hard[0].seq == hard[-1].seq:
        return list(findings)
    causes = {hard[0].seq: {(each.seq, each.rule) for each in hard}}
    line, retold = hard[0].seq, None if fold is None else _Retold(numbered, fold, alone, most)
    while len(causes) < min(MAX_CAUSES, most) and line in numbered:
        left = [each for each in hard if (each.seq, each.rule) in causes[line]]
        standing = set() if retold is None else retold.own(line, causes[line], instead, is_late=line in late)
        if line not in late:
            standing |= {(each.seq, each.rule) for each in left if each.seq > line and apart(left[0], each)}
        if not standing:
            break
        causes[line] -= standing
        line = min(seq for seq, _ in standing)
        causes[line] = standing
    of = {key: line for line, keys in causes.items() for key in keys}
    return [_following(each, of.get((each.seq, each.rule), 0)) if _is_hard(each, alone) else each for each in findings]


class _Retold:
    """A game with other events in place of some of its lines, and with lines put in that were missing."""

    def __init__(
        self, numbered: Mapping[int, Event], fold: Callable[..., list[Finding]], alone: Collection[str], folds: int
    ) -> None:
        self._events, self._inserted, self._folds = list(numbered.values()), frozenset[int](), folds
        self._fold, self._alone, self._replaced = fold, alone, set[int]()
        self._index_of = {seq: index for index, seq in enumerate(numbered)}

    def own(self, line: int, keys: Keys, instead: Callable[[int], Sequence[Event]], *, is_late: bool) -> Keys:
        """Return what stands of findings however a line is told otherwise, none where the first of it may follow."""
        others = () if is_late else instead(line)
        self._folds -= 1 + len(others)
        standing, first = self._stands(line, None if is_late else LEFT_OUT, keys)
        if not first and others:
            standing, first = self._stands(line, others[0], keys)
        if others and first:
            standing = self._stands_beside(line, others, standing) if self._folds >= 0 else set()
        return standing if any(seq == first for seq, _ in standing) else set()

    def _stands(self, line: int, event: Event | None, keys: Keys) -> tuple[Keys, int]:
        """Return what stands of findings with another event as a line, and where the first of it does.

        That is 0 where lines before it are not in order. Without an event the one that ends the turn is put before.
        """
        here = self._index_of[line]
        if event is None:
            self._inserted |= {line}
        else:
            self._replaced.add(line)
            self._events[here] = msgspec.structs.replace(event, seq=line)
        found = self._fold(self._events, self._inserted)
        left = [each for each in found if _is_hard(each, self._alone) and each.seq not in self._replaced]
        standing = {(each.seq, each.rule) for each in left} & keys
        first = min((each.seq for each in left), default=0)
        if first <= line or not any(seq == first for seq, _ in standing):
            return standing, 0
        between = self._events[here + 1 : self._index_of[first]]
        return standing, first if _lines_of_play(between) >= CLEAN_STRETCH else 0

    def _stands_beside(self, line: int, others: Sequence[Event], keys: Keys) -> Keys:
        """Return what stands of findings whichever of the other events is the line, which stays as it is."""
        kept = self._events[self._index_of[line]]
        for other in others:
            keys = keys and self._stands(line, other, keys)[0]
        self._events[self._index_of[line]] = kept
        return keys


def _is_hard(finding: Finding, alone: Collection[str]) -> bool:
    """Return whether a finding is a mistake that may follow from another one, or be its cause."""
    return finding.kind in HARD and finding.rule not in alone


def _following(finding: Finding, cause: int) -> Finding:
    return finding if finding.seq == cause else msgspec.structs.replace(finding, follows=cause)


def _lines_of_play(events: Sequence[Event]) -> int:
    return sum(not isinstance(each, Remark) for each in events)


def with_outcome(finding: Finding, went_on: Mapping[int, WentOn]) -> Finding:
    """Return a finding about a value with what the table went on with, which is known of some lines."""
    if finding.kind not in {"mismatch", "drift"} or finding.seq not in went_on:
        return finding
    return msgspec.structs.replace(finding, went_on=went_on[finding.seq])


def as_guessed(finding: Finding, read_as: Mapping[int, str]) -> Finding:
    """Return a finding as one that the log cannot tell where its line, or its cause, is a line that was guessed."""
    read = read_as.get(finding.follows or finding.seq)
    if read is None or finding.kind not in HARD:
        return finding
    message = f"{finding.message.removesuffix('.')}; but {read} when the line was imported, which may explain it"
    return msgspec.structs.replace(finding, kind="unverifiable", message=message, follows=0, went_on="")
