"""What a log probably meant: the edits that explain its first finding, in words."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

import msgspec

from events.vocabulary import Event
from projector.fold.folding import fold_under
from projector.fold.replay import Replay
from projector.mending.edits import Change, Edit, apply
from projector.mending.ranking import Found, at_once
from projector.mending.search import SECONDS, Search
from projector.model.rules import HARD, Finding
from projector.model.sentences import event_in_words
from projector.model.table import Table

ROUNDS: Final = 5
"""Slips of one log that are mended one after the other."""

MANY: Final = 20
"""Proposals that are given for one finding."""


class Proposal(msgspec.Struct, frozen=True, kw_only=True):
    """An edit that explains a finding.

    `seq` is the number of the event that is edited, or before which the new ones stand; `events` are the events that
    stand there afterwards. New ones may as well stand before any other event from `first` to `last`: that is one
    proposal. `findings_before` and `findings_after` count what is wrong in the game, `ties` the other edits that
    explain as much. `text` says it in words.
    """

    game_id: str
    seq: int
    change: Change
    events: tuple[Event, ...]
    findings_before: int
    findings_after: int
    ties: int
    text: str
    first: int
    last: int
    edit: Edit


class Mending(msgspec.Struct, frozen=True, kw_only=True):
    """What explains the first finding of a game; `proposals` are empty where no slip was found, best first.

    `complete` says that everything was tried; `may_be_played`: the line may also have been played so, against a rule.
    """

    game_id: str
    finding: Finding
    replay: Replay
    proposals: tuple[Proposal, ...]
    complete: bool

    @property
    def may_be_played(self) -> bool:
        """Whether the line found wrong breaks a rule, so that it may have been played just so."""
        return self.finding.kind == "illegal"


def mend(game_id: str, replay: Replay, *, seconds: float = SECONDS) -> Mending | None:
    """Return what explains the first thing that is wrong in a game, or None where nothing is.

    A broken rule is not a slip: where the only way is to leave out a line that repeats nothing, it was probably played
    so, and there is no proposal.
    """
    finding = next((each for each in replay.findings if each.kind in HARD), None)
    if finding is None or finding.seq not in replay.seqs:
        return None
    result = Search(replay, finding, seconds).run()
    believed = [each for each in at_once(result.found) if each.edit.change != "delete" or each.edit.repeats]
    least = min((each.left for each in result.found), default=0)
    if all(each.left > least for each in believed):
        believed = []
    before = sum(each.kind in HARD for each in replay.findings)
    ties = sum(each.left == least for each in believed) - 1
    proposals = tuple(_proposal(game_id, replay, each, before, ties) for each in believed[:MANY])
    return Mending(game_id=game_id, finding=finding, replay=replay, proposals=proposals, complete=result.complete)


def mend_all(game_id: str, replay: Replay, *, seconds: float = SECONDS) -> Iterator[Mending]:
    """Yield what explains the first finding, then the first one of the log mended by the best proposal, and so on.

    Ends where nothing is wrong, no slip is found, or after five rounds.
    """
    for _ in range(ROUNDS):
        found = mend(game_id, replay, seconds=seconds)
        if found is None:
            return
        yield found
        if not found.proposals:
            return
        replay = mended(replay, found.proposals[0])


def mended(replay: Replay, proposal: Proposal) -> Replay:
    """Return the fold of a game with a proposal carried out, its events numbered anew."""
    events = apply(proposal.edit, numbered_events(replay))
    return fold_under(replay.game, replay.ruleset, events, replay.library)


def numbered_events(replay: Replay) -> list[Event]:
    """Return the events of a replay, each with its number."""
    pairs = zip(replay.events, replay.seqs, strict=True)
    return [msgspec.structs.replace(event, seq=seq) for event, seq in pairs]


def _proposal(game_id: str, replay: Replay, found: Found, before: int, ties: int) -> Proposal:
    edit = found.edit
    seqs = [*replay.seqs, replay.seqs[-1] + 1]
    places = found.places or (edit.start,)
    return Proposal(
        game_id=game_id,
        seq=seqs[edit.start],
        first=seqs[places[0]],
        last=seqs[places[-1]],
        change=edit.change,
        events=tuple(msgspec.structs.replace(event, seq=msgspec.UNSET) for event in edit.events),
        findings_before=before,
        findings_after=found.left,
        ties=ties,
        text=in_words(found, replay.events, replay.seqs, replay.table),
        edit=edit,
    )


def in_words(found: Found, events: Sequence[Event], seqs: Sequence[int], table: Table[Any, Any]) -> str:
    """Return an edit as a sentence: `Between 41 and 42 this is probably missing: Ben: turn ended`."""
    edit = found.edit
    lines = "; ".join(event_in_words(table, event) for event in edit.events)
    if edit.change == "insert":
        return f"{_where(found, seqs)} this is probably missing: {lines}"
    numbers = seqs[edit.start : edit.start + edit.length]
    which = f"Event {numbers[0]}" if len(numbers) == 1 else f"Events {numbers[0]} to {numbers[-1]}"
    if edit.change == "swap":
        return f"{which} probably happened in another order: {lines}"
    was = "; ".join(event_in_words(table, event) for event in events[edit.start : edit.start + edit.length])
    if edit.change == "delete":
        return f"{which} probably stands here twice: {was}"
    return f"{which} probably was: {lines} (the log says: {was})"


def _where(found: Found, seqs: Sequence[int]) -> str:
    """Return between which lines others are to be inserted: `Between 41 and 42`, or `Somewhere between 41 and 44`."""
    places = found.places or (found.edit.start,)
    first, last = places[0], places[-1]
    if first == len(seqs):
        return "At the end"
    before = seqs[first - 1]
    if last == len(seqs):
        return f"Somewhere after {before}"
    return f"{'Between' if first == last else 'Somewhere between'} {before} and {seqs[last]}"
