"""One mistake, one accusation: which findings of a game follow from an earlier one.

After a first mistake the fold goes on with what the table did, so most later findings may only follow from it. One is a
mistake of its own where it stands all the same when the line of the earlier mistake is left out (or the line that was
missing before it is put in), and the log left that way is in order for a while between the two. Whatever cannot be
shown to be independent is said to follow.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Final

import msgspec

from tabletape.events.vocabulary import Event, Remark
from tabletape.events.vocabulary.shared import NoteAdded
from tabletape.projector.model.rules import HARD, Finding, WentOn

CLEAN_STRETCH: Final = 4
"""Lines of play in order that show that the log without a line is the game as it was played."""

MAX_CAUSES: Final = 24
"""Mistakes of one game that are told apart; each takes a fold of the game."""

LEFT_OUT: Final = NoteAdded(text="")


def with_causes(  # noqa: PLR0913, PLR0917 - what is found, and what tells one mistake from another
    findings: Sequence[Finding],
    numbered: Mapping[int, Event],
    fold: Callable[[list[Event], frozenset[int]], list[Finding]],
    late: Collection[int] = (),
    alone: Collection[str] = (),
    most: int = MAX_CAUSES,
) -> list[Finding]:
    """Return findings, each with the number of the event whose finding it follows from (0: it is a cause itself).

    `numbered` are the events of the game by their numbers, `late` the numbers of those before which the line is missing
    that ends a turn; `fold` gives the findings of other events in their place, with that line before some. What
    the log cannot tell and what is only said for information follows from nothing, nor does what breaks one of the
    rules `alone`, which look at the line and at nothing else. At `most` so many folds are asked for.
    """
    hard = [each for each in findings if _is_hard(each, alone)]
    if not hard or hard[0].seq == hard[-1].seq:
        return list(findings)
    causes = {hard[0].seq: {(each.seq, each.rule) for each in hard}}
    index_of = {seq: index for index, seq in enumerate(numbered)}
    line, without, inserted = hard[0].seq, list(numbered.values()), frozenset[int]()
    while len(causes) < min(MAX_CAUSES, most) and line in index_of:
        if line in late:
            inserted |= {line}
        else:
            without[index_of[line]] = msgspec.structs.replace(LEFT_OUT, seq=line)
        left = [each for each in fold(without, inserted) if _is_hard(each, alone)]
        standing = {(each.seq, each.rule) for each in left} & causes[line]
        following = min((each.seq for each in left), default=0)
        if following <= line or not any(seq == following for seq, _ in standing):
            break
        if _lines_of_play(without[index_of[line] + 1 : index_of[following]]) < CLEAN_STRETCH:
            break
        causes[line] -= standing
        line, causes[following] = following, standing
    of = {key: line for line, keys in causes.items() for key in keys}
    return [_following(each, of.get((each.seq, each.rule), 0)) if _is_hard(each, alone) else each for each in findings]


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
