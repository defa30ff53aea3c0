"""After a finding: that is what happened, undo, or we play it so: the rulings under which nothing is wrong."""

from collections.abc import Iterator

import msgspec

from tabletape.events.vocabulary import Event
from tabletape.events.vocabulary.shared import NoteAdded
from tabletape.projector.fold.folding import fold_under
from tabletape.projector.model.rules import Finding
from tabletape.projector.scribing.scribe import Scribe


class AgreedRuling(msgspec.Struct, frozen=True, kw_only=True):
    """A reading of the rules under which a finding goes away: the ruling, its option, and what they say."""

    key: str
    option: str
    question: str
    text: str


def rulings_without(scribe: Scribe, finding: Finding) -> Iterator[AgreedRuling]:
    """Yield the rulings under which a finding goes away and no other one comes, by folding the game under each."""
    replay = scribe.replay
    before = {(each.seq, each.rule) for each in replay.findings}
    rulebook, now = replay.game.rulebook, replay.ruleset.options
    for ruling in rulebook.rulings:
        for option in ruling.options:
            if option.name == now.get(ruling.key) or not option.built:
                continue
            chosen = rulebook.ruleset_of_log(replay.ruleset.edition, {**scribe.own_rulings, ruling.key: option.name})
            other = fold_under(replay.game, chosen, replay.events, replay.library)
            findings = {(each.seq, each.rule) for each in other.findings}
            if (finding.seq, finding.rule) not in findings and findings <= before and other.stopped is None:
                yield AgreedRuling(key=ruling.key, option=option.name, question=ruling.question, text=option.text)


def agreed(scribe: Scribe, finding: Finding, key: str = "", option: str = "") -> list[Event]:
    """Return the note that the table plays it so: by a ruling for the whole game, or as a house rule of its own.

    Raises `RulesetError` for a ruling that the game does not have.
    """
    if not key:
        return [NoteAdded(text="we play it so: a house rule of this table", rule=finding.rule)]
    replay = scribe.replay
    replay.game.rulebook.ruleset_of_log(replay.ruleset.edition, {**scribe.own_rulings, key: option})
    return [NoteAdded(text=f"we play it so: {key}={option}", rule=finding.rule)]
