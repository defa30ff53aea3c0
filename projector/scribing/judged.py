"""Which rules a question may be about: those that were looked at where it was asked."""

import msgspec

from tabletape.projector.fold.traced import Traced
from tabletape.projector.scribing.scribe import Scribe, last_play
from tabletape.projector.tabletop.rules import BOOKS

MOST = 8
"""A list of more rules than these nobody reads while a game goes on."""


class JudgedRule(msgspec.Struct, frozen=True, kw_only=True):
    """A rule by its id, in our words."""

    rule: str
    words: str


def rules_at(scribe: Scribe, seq: int = 0) -> list[JudgedRule]:
    """Return the rules that were looked at with a line, or the last one that was played: the broken ones first."""
    replay = scribe.replay
    seq = seq or last_play(scribe.standing_lines())
    broken = [finding.rule for finding in replay.findings if finding.seq == seq]
    traced = Traced(replay.game, replay.ruleset, replay.library, replay.misread)
    traced.run(replay.events)
    looked_at = [rule.id for rule, _ in traced.verdicts.get(seq, ())]
    rules = (replay.game.by_id[each] for each in dict.fromkeys([*broken, *looked_at]))
    # How books are kept nobody at a table asks.
    asked = [JudgedRule(rule=each.id, words=each.text) for each in rules if each.section != BOOKS.name]
    return asked[:MOST]
