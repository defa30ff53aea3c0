"""What a log probably meant: the edits that explain its first finding, in words."""

from collections.abc import Iterator, Sequence
from operator import attrgetter
from typing import Final

import msgspec

from tabletape.events.vocabulary import Event
from tabletape.projector.fold.folding import fold_under
from tabletape.projector.fold.replay import Replay
from tabletape.projector.mending.edits import Change, Edit, apply, bare
from tabletape.projector.mending.ranking import Found
from tabletape.projector.mending.search import LINES, Search
from tabletape.projector.mending.ways import apart, together
from tabletape.projector.model.rules import HARD, NO_LINE, Finding
from tabletape.projector.model.sentences import event_in_words

ROUNDS: Final = 5
"""Slips of one log that are mended one after the other."""

SPELT_OUT: Final = 2
"""Other readings of a proposal that its words spell out."""

MAX_PARTIAL_EDITS: Final = 3
"""Edits that leave findings which are proposed."""

MAX_PROPOSALS: Final = 20
"""Proposals that are given for one finding."""


class Proposal(msgspec.Struct, frozen=True, kw_only=True):
    """An edit that explains a finding.

    `seq` is the number of the event that is edited, or before which the new ones stand; `events` are the events that
    stand there afterwards. New ones may as well stand before another event from `first` to `last`, and `alternatives`
    are events that may as well stand there: what the log cannot tell apart is one proposal. `findings_before` and
    `findings_after` count what is wrong in the game, `ties` the other proposals that explain as much. `text` says it in
    words, `texts` each of its readings alone: its own events and the alternatives. `ways` are the edits that it stands
    for, `edit` the first of them.
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
    alternatives: tuple[tuple[Event, ...], ...]
    texts: tuple[str, ...]
    ways: tuple[Edit, ...]

    @property
    def edit(self) -> Edit:
        """The edit that is believed most."""
        return self.ways[0]

    @property
    def readings(self) -> tuple[Edit, ...]:
        """One edit for each thing that it may say, `edit` first."""
        return tuple(apart(self.ways))


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
        """Whether the table may have done what is found wrong: all but what later lines show to be a slip of the pen.

        A rule is broken as well by what is not done: a duty that no line tells, a total that the table really had, or
        a line that follows from nothing, as what it follows from may have been left out at the table.
        """
        return self.finding.went_on != "derived" or self.finding.expected == NO_LINE

    @property
    def was_probably_played(self) -> bool:
        """Whether no slip explains what breaks a rule."""
        return not self.proposals and self.finding.kind in {"illegal", "missing"}


def mend(game_id: str, replay: Replay, *, lines: int = LINES) -> Mending | None:
    """Return what explains the first thing that is wrong in a game, or None where nothing is.

    Where an edit leaves nothing, only such are proposed. A broken rule is not a slip: where the only way is to leave
    out a line that repeats nothing, it was probably played so, and there is no proposal. Nor is there one for the line
    that begins the game: without it there is none.
    """
    finding = next((each for each in replay.findings if each.kind in HARD), None)
    if finding is None or finding.seq not in replay.seqs:
        return None
    if finding.seq == replay.seqs[0]:
        return Mending(game_id=game_id, finding=finding, replay=replay, proposals=(), complete=True)
    search = Search(replay, finding, lines)
    found = search.run()
    believed = [each for each in together(found, replay.events) if each.edit.is_slip]
    least = min((each.left for each in found), default=0)
    if all(each.left > least for each in believed):
        believed = []
    before = sum(each.kind in HARD for each in replay.findings)
    believed = [each for each in _as_folded(replay, believed) if each.left < before]
    ties = sum(each.left == believed[0].left for each in believed) - 1
    proposals = tuple(_proposal(game_id, replay, each, before, ties) for each in believed[:MAX_PROPOSALS])
    return Mending(game_id=game_id, finding=finding, replay=replay, proposals=proposals, complete=search.complete)


def _as_folded(replay: Replay, believed: list[Found]) -> list[Found]:
    """Return the edits that leave nothing, or else the best with as many findings as a fold of the whole game has.

    The search keeps to one reading of the later lines; as long as some of them are wrong, that may hang on the edit.
    """
    if not believed or not believed[0].left:
        return [each for each in believed if not each.left]
    folds = [(each, carried_out(replay, each.edit)) for each in believed[:MAX_PARTIAL_EDITS]]
    counted = [
        msgspec.structs.replace(each, left=sum(finding.kind in HARD for finding in fold.findings))
        for each, fold in folds
    ]
    return sorted(counted, key=attrgetter("left"))


def mend_all(game_id: str, replay: Replay, *, lines: int = LINES) -> Iterator[Mending]:
    """Yield what explains the first finding, then the first one of the log mended by the best proposal, and so on.

    Ends where nothing is wrong, no slip is found, or after five rounds.
    """
    for _ in range(ROUNDS):
        mending = mend(game_id, replay, lines=lines)
        if mending is None:
            return
        yield mending
        if not mending.proposals:
            return
        replay = mended(replay, mending.proposals[0])


def mended(replay: Replay, proposal: Proposal, way: int = 0) -> Replay:
    """Return the fold of a game with a proposal carried out in one of its `readings`, its events numbered anew."""
    return carried_out(replay, proposal.readings[way])


def carried_out(replay: Replay, edit: Edit) -> Replay:
    """Return the fold of a game with an edit carried out, its events numbered anew."""
    events = apply(edit, numbered_events(replay))
    return fold_under(replay.game, replay.ruleset, events, replay.library)


def numbered_events(replay: Replay) -> list[Event]:
    """Return the events of a replay, each with its number."""
    pairs = zip(replay.events, replay.seqs, strict=True)
    return [msgspec.structs.replace(event, seq=seq) for event, seq in pairs]


def _proposal(game_id: str, replay: Replay, edits: Found, before: int, ties: int) -> Proposal:
    edit = edits.edit
    seqs = [*replay.seqs, replay.seqs[-1] + 1]
    places = [each.start for each in edits.ways]
    readings = apart(edits.ways)
    words = ["; ".join(event_in_words(replay.table, event) for event in each.events) for each in readings]
    return Proposal(
        game_id=game_id,
        seq=seqs[edit.start],
        first=seqs[min(places)],
        last=seqs[max(places)],
        change=edit.change,
        events=tuple(msgspec.structs.replace(event, seq=msgspec.UNSET) for event in edit.events),
        findings_before=before,
        findings_after=edits.left,
        ties=ties,
        text=in_words(edits, words[0] + _or_else(words[1:]), replay),
        alternatives=tuple(tuple(map(bare, each.events)) for each in readings[1:]),
        texts=tuple(in_words(edits, each, replay) for each in words),
        ways=edits.ways,
    )


def in_words(edits: Found, lines: str, replay: Replay) -> str:
    """Return an edit as a sentence about what stands there afterwards: `Between 41 and 42 this is probably missing: …`.

    `lines` says that in words.
    """
    edit, seqs, end = edits.edit, replay.seqs, edits.edit.start + edits.edit.length
    if edit.change == "insert":
        return f"{_where(edits, seqs)} this is probably missing: {lines}"
    numbers = seqs[edit.start : end]
    which = f"Event {numbers[0]}" if len(numbers) == 1 else f"Events {numbers[0]} to {numbers[-1]}"
    if edit.change == "swap":
        return f"{which} probably happened in another order: {lines}"
    was = "; ".join(event_in_words(replay.table, event) for event in replay.events[edit.start : end])
    if edit.change == "delete":
        return f"{which} probably stands here twice: {was}"
    return f"{which} probably was: {lines} (the log says: {was})"


def _or_else(others: Sequence[str]) -> str:
    """Return what may as well have been, of many the first: ` (or: Ben moves Rice to [1, 2]; or one of 9 others)`."""
    if not others:
        return ""
    more = len(others) - SPELT_OUT
    named = [*others[:SPELT_OUT], *(["one other"] if more == 1 else [f"one of {more} others"] if more > 0 else [])]
    return f" (or: {'; or '.join(named)})"


def _where(edits: Found, seqs: Sequence[int]) -> str:
    """Return between which lines others are to be inserted: `Between 41 and 42`, or `Somewhere between 41 and 44`."""
    places = [each.start for each in edits.ways]
    first, last = min(places), max(places)
    if first == len(seqs):
        return "At the end"
    before = seqs[first - 1]
    if last == len(seqs):
        return f"Somewhere after {before}"
    return f"{'Between' if first == last else 'Somewhere between'} {before} and {seqs[last]}"
