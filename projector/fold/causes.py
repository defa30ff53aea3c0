"""One mistake, one accusation: which findings of a game follow from an earlier one.

After a first mistake the fold goes on with what the table did, so most later findings may only follow from it. Where a
game knows what its rules read, one is a mistake of its own that reads nothing which the line has touched, however near
it stands. Elsewhere one is that stands all the same when the line of the earlier mistake is left out (or the line that
was missing before it is put in), and the log left that way is in order for a while between the two. Whatever cannot be
shown to be independent is said to follow. What comes directly behind a wrong value is independent where it is against
the rules whether the table went on with that value or not.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Final

import msgspec

from tabletape.events.vocabulary import Decision, Event, Remark
from tabletape.events.vocabulary.shared import NoteAdded
from tabletape.projector.model.rules import HARD, Finding, WentOn

CLEAN_STRETCH: Final = 4
"""Lines of play in order that show that the log without a line is the game as it was played."""

MAX_CAUSES: Final = 24
"""Mistakes of one game that are told apart; each takes a walk through the game."""

LEFT_OUT: Final = NoteAdded(text="")


def with_causes(
    findings: Sequence[Finding],
    own: Callable[[Sequence[Finding], Sequence[Finding]], Iterable[Finding]],
    alone: Collection[str] = (),
    most: int = MAX_CAUSES,
) -> list[Finding]:
    """Return findings, each with the number of the event whose finding it follows from (0: it is a cause itself).

    `own(causes, others)` gives those of others behind the mistakes of a line that stand by themselves. What the log
    cannot tell and what is only said for information follows from nothing, nor does what breaks one of the rules
    `alone`, which look at the line and at nothing else. At most `most` causes are told apart.
    """
    left = [each for each in findings if each.kind in HARD]
    of = dict.fromkeys(map(_key, left), left[0].seq if left else 0)
    for _ in range(min(MAX_CAUSES, most)):
        behind = [each for each in left if each.seq > left[0].seq]
        standing = {*map(_key, own(left[: len(left) - len(behind)], behind))} if behind else set()
        left = [each for each in behind if _key(each) in standing or each.rule in alone]
        if not left:
            break
        of |= {_key(each): left[0].seq for each in left}
    of |= {_key(each): each.seq for each in findings if each.rule in alone}
    return [_following(each, of.get(_key(each), each.seq)) for each in findings]


class Retold:
    """A game with lines left out, or with lines put in that were missing.

    `numbered` are its events by their numbers, `late` the numbers of those before which the line is missing that ends a
    turn, `misread` of all that are read otherwise than they stand, `values` of those that say another value than the
    rules; `fold` gives the findings of other events in their place, with that line before some, and with those values
    taken over that the given lines say.
    """

    def __init__(
        self,
        numbered: Mapping[int, Event],
        fold: Callable[[list[Event], frozenset[int], frozenset[int]], list[Finding]],
        late: Collection[int] = (),
        misread: Collection[int] = (),
        values: Collection[int] = (),
    ) -> None:
        """Take the game."""
        self._events, self._inserted, self._late = list(numbered.values()), frozenset[int](), late
        self._misread, self._values = misread, values
        self._fold, self._left_out = fold, set[int]()
        self._index_of = {seq: index for index, seq in enumerate(numbered)}

    def own(self, causes: Sequence[Finding], others: Sequence[Finding]) -> list[Finding]:
        """Return what stands of others without the mistakes of a line.

        Where the first comes too soon behind, it is that which stands with it as well, if the line says a value.
        """
        line = causes[0].seq
        here = self._index_of[line]
        said = self._events[here]
        if line in self._late:
            self._inserted |= {line}
        else:
            self._left_out.add(line)
            self._events[here] = msgspec.structs.replace(LEFT_OUT, seq=line)
        keys = self._found(frozenset())
        standing = [each for each in others if _key(each) in keys]
        first = min((seq for seq, _ in keys), default=0)
        if first <= line or not standing or standing[0].seq != first:
            return []
        between = self._events[here + 1 : self._index_of[first]]
        if sum(not isinstance(each, Remark) for each in between) >= CLEAN_STRETCH:
            return standing
        return self._beside(line, said, standing) if line in self._values else []

    def _beside(self, line: int, said: Event, standing: Sequence[Finding]) -> list[Finding]:
        """Return what stands from the first play on that is against the rules if the table took a value over, too."""
        stand = [each for each in standing if each.seq not in self._misread]
        plays = [each for each in stand if isinstance(self._events[self._index_of[each.seq]], Decision)]
        if not plays:
            return []
        here = self._index_of[line]
        left_out, self._events[here] = self._events[here], said
        keys = self._found(frozenset((line,)))
        self._events[here] = left_out
        first = min((each.seq for each in plays if _key(each) in keys), default=0)
        return [each for each in standing if each.seq >= first > 0 and _key(each) in keys]

    def _found(self, taken_over: frozenset[int]) -> set[tuple[int, str]]:
        found = self._fold(self._events, self._inserted, taken_over)
        return {_key(each) for each in found if each.kind in HARD and each.seq not in self._left_out}


def _key(finding: Finding) -> tuple[int, str]:
    return finding.seq, finding.rule


def _following(finding: Finding, cause: int) -> Finding:
    return finding if finding.seq == cause else msgspec.structs.replace(finding, follows=cause)


def as_explained(finding: Finding, explained: Mapping[int, int]) -> Finding:
    """Return a finding as one that follows where one wrong word explains it, or its cause, together with another."""
    cause = explained.get(finding.follows or finding.seq)
    return finding if cause is None or finding.kind not in HARD else msgspec.structs.replace(finding, follows=cause)


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
