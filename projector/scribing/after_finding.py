"""After a finding: that is what happened, undo, or we play it so: the rulings under which nothing is wrong."""

from collections.abc import Iterator

import msgspec

from tabletape.events.log import Log
from tabletape.events.log.revising import store_revision
from tabletape.events.vocabulary import Event
from tabletape.events.vocabulary.shared import GameStarted, NoteAdded
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
            chosen = rulebook.ruleset(replay.ruleset.edition, {**_differing(scribe), ruling.key: option.name})
            other = fold_under(replay.game, chosen, replay.events, replay.library)
            found = {(each.seq, each.rule) for each in other.findings}
            if (finding.seq, finding.rule) not in found and found <= before and other.stopped is None:
                yield AgreedRuling(key=ruling.key, option=option.name, question=ruling.question, text=option.text)


def _differing(scribe: Scribe) -> dict[str, str]:
    """Return the rulings that the table itself has written down."""
    head = scribe.replay.events[0]
    return dict(head.rulings) if isinstance(head, GameStarted) else {}


def agreed(finding: Finding, key: str = "", option: str = "") -> list[Event]:
    """Return the note that the table plays it so: by a ruling for the whole game, or as a house rule of its own."""
    words = f"we play it so: {key}={option}" if key else "we play it so: a house rule of this table"
    return [NoteAdded(text=words, rule=finding.rule)]


def rule_so(log: Log, scribe: Scribe, key: str, option: str) -> None:
    """Revise a game so that it is played by a ruling from its beginning on.

    A ruling stands in the head of a log, so the game becomes a new revision whose origin says why. Raises what
    `store_revision` raises, and `RulesetError` for a ruling that the game does not have.
    """
    rulings = {**_differing(scribe), key: option}
    scribe.replay.game.rulebook.ruleset(scribe.replay.ruleset.edition, rulings)
    events = log.events(scribe.stored)
    head = events[0]
    if isinstance(head, GameStarted) and dict(head.rulings) != rulings:
        changed = msgspec.structs.replace(head, rulings=rulings)
        origin = f"{scribe.stored.game_id} (kept: we play it so: {key}={option})"
        store_revision(log, scribe.stored, [changed, *events[1:]], origin)
    scribe.catch_up()
