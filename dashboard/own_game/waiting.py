"""Which lines of a chat that nobody could read decide whether another line breaks a rule.

A game is folded as if nothing had happened in such a line, and again with each of them as it is: what is accused only
without one hangs on it. Lines on which nothing hangs need not be asked about.
"""

from collections.abc import Collection, Mapping
from typing import Final

from tabletape.events.vocabulary import Event
from tabletape.events.vocabulary.shared import LogGap, NoteAdded
from tabletape.projector.fold.folding import fold
from tabletape.projector.fold.replay import Replay

_MOST: Final = 60
"""Of more unread lines it is not found out which of them decide: all before a line may."""

Verdict = tuple[int, str]
"""The `seq` of a line that is accused, and the rule."""


def deciding(tried: Replay, rules: Collection[str]) -> Mapping[Verdict, tuple[int, ...]]:
    """Return what some rules of a replayed game would accuse if unread lines did nothing, with those that decide it.

    Lines are named by their `seq`. What is missing before a line is not accused: an unread line may be just that.
    """
    gaps = [seq for seq, event in zip(tried.seqs, tried.events, strict=True) if isinstance(event, LogGap)]
    if not gaps:
        return {}
    would = _accused(tried, rules, ()) - {(each.seq, each.rule) for each in tried.findings if each.kind == "illegal"}
    few = gaps if would and len(gaps) <= _MOST else []
    hang = {gap: would - _accused(tried, rules, {gap}) for gap in few}
    alone = {gap for gap, lines in hang.items() if lines}
    sure = _accused(tried, rules, {*gaps} - alone) if alone else set()
    return {
        each: tuple(gap for gap in gaps if (each in hang[gap] if each in sure else gap < each[0]))
        for each in sorted(would)
    }


def _accused(tried: Replay, rules: Collection[str], unread: Collection[int]) -> set[Verdict]:
    """Return what is accused where all unread lines but some are talk."""
    events = [_as_talk(each) if seq not in unread else each for seq, each in zip(tried.seqs, tried.events, strict=True)]
    found = fold(tried.game, events).findings
    return {(each.seq, each.rule) for each in found if each.kind == "illegal" and each.rule in rules}


def _as_talk(event: Event) -> Event:
    return NoteAdded(seq=event.seq, text=event.text) if isinstance(event, LogGap) else event
