"""A replay as people look at it: what each step was, what it changed, why, and what the table looks like.

The terminal and the browser draw from the same values; nothing here knows about either.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, reduce
from typing import Any, Final

import msgspec
from msgspec import UNSET

from tabletape.events.vocabulary import Event, Vocabulary, tag_of
from tabletape.events.vocabulary.names import owner_of
from tabletape.events.vocabulary.shared import (
    DeckDeclared,
    GameStarted,
    NoteAdded,
    PlayTakenBack,
    QuestionRaised,
    RoundStarted,
    TurnStarted,
)
from tabletape.projector.archive.concealing import without_hidden
from tabletape.projector.fold.checkpoints import walk
from tabletape.projector.fold.replay import Replay
from tabletape.projector.fold.traced import Traced
from tabletape.projector.model.areas import EVERYTHING, Area
from tabletape.projector.model.languages import say
from tabletape.projector.model.phrases import NOTHING_HIDDEN, changes_in_words, name_in_words
from tabletape.projector.model.rules import Broken, Finding, Kept, Rule, Undecidable, Verdict
from tabletape.projector.model.sentences import event_in_words
from tabletape.projector.model.table import CannotFoldError, Table
from tabletape.projector.rulebooks.kept import Quote, no_quote

MAX_WALK = 64
"""Changes that are walked rather than jumped: more than these take longer than a copy of the nearest table."""

HIDDEN_CACHE_SIZE = 512
"""Steps for which it is kept in mind what is hidden."""


class Why(msgspec.Struct, frozen=True, kw_only=True):
    """A rule that was looked at in a step: `verdict` is `kept`, `broken`, `cannot tell` or `derived`."""

    rule: str
    section: str
    lines: str
    text: str
    verdict: str
    message: str = ""


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """One step of a replay, as a viewer may read it.

    `index` counts from 0, `round` and `turn` are those in which it happened (0 during the set-up), `findings` are
    numbers in the replay's list of findings.
    """

    index: int
    seq: int
    type: str
    kind: str
    player: str
    text: str
    at: str
    source: str
    round: int
    turn: int
    findings: tuple[int, ...]
    changed: tuple[str, ...]
    why: tuple[Why, ...]


class View:
    """A replay, looked at one step at a time through the eyes of a viewer (see `viewers`); steps count from 0.

    `quote` says what the designer's rulebook has about a rule. Raises `CannotFoldError` for a replay that stopped
    before its first event.
    """

    def __init__(self, replay: Traced, quote: Quote = no_quote) -> None:
        if not replay.events:
            raise CannotFoldError(replay.stopped.reason if replay.stopped else "the game has no events")
        self.replay = replay
        self.quote = quote
        self.findings: list[Finding] = replay.findings
        self._at_seq: dict[int, list[int]] = {}
        for number, finding in enumerate(self.findings):
            self._at_seq.setdefault(finding.seq, []).append(number)
        self._here = 0
        self._table = replay.at(0)
        self._hidden: dict[tuple[int, str], frozenset[str]] = {}

    # -- numbers ---------------------------------------------------------------------------------------------------

    def __len__(self) -> int:
        return len(self.replay.events)

    @property
    def players(self) -> dict[str, str]:
        """The players, id to name, in the order of their seats."""
        return {player.id: player.name for player in self.replay.table.players.values()}

    @property
    def started(self) -> GameStarted:
        """The head of the game's log."""
        event = self.replay.events[0]
        if not isinstance(event, GameStarted):
            raise CannotFoldError("the log does not begin with game.started")
        return event

    def index_of(self, seq: int) -> int | None:
        """Return the step of an event by its number, or None where there is none."""
        index = bisect_left(self.replay.seqs, seq)
        return index if index < len(self) and self.replay.seqs[index] == seq else None

    @cached_property
    def rounds(self) -> tuple[int, ...]:
        """The round in which each step happened."""
        return self._when("round")

    @cached_property
    def turns(self) -> tuple[int, ...]:
        """The turn in which each step happened: what ends a turn, and what follows from that, is still in it."""
        return self._when("turn")

    @cached_property
    def starts(self) -> tuple[int, ...]:
        """The first steps of the turns."""
        turns = self.turns
        return tuple(index for index, turn in enumerate(turns) if not index or turn != turns[index - 1])

    @cached_property
    def active(self) -> tuple[str, ...]:
        """The player on turn in each step, or an empty string."""
        return self._when("active")

    def _when(self, field: str) -> tuple[Any, ...]:
        replay = self.replay
        at = _history(replay, field)
        times: list[Any] = []
        for event, seq, length in zip(replay.events, replay.seqs, replay.journal_ends, strict=True):
            if tag_of(type(event)) in BEGINNINGS or not (times or seq in replay.marks):
                times.append(at(length))
            else:
                times.append(at(replay.marks[seq]) if seq in replay.marks else times[-1])
        return tuple(times)

    @cached_property
    def marked(self) -> tuple[int, ...]:
        """The steps that have findings."""
        return tuple(index for index, seq in enumerate(self.replay.seqs) if seq in self._at_seq)

    def numbers_at(self, index: int) -> tuple[int, ...]:
        """Return the numbers of a step's findings in the list of findings."""
        return tuple(self._at_seq.get(self.replay.seqs[index], ()))

    # -- a step ----------------------------------------------------------------------------------------------------

    def table(self, index: int) -> Table[Any, Any]:
        """Return the table after a step; it is good until the next call."""
        here, there = self.replay.journal_ends[self._here], self.replay.journal_ends[index]
        if abs(there - here) > MAX_WALK:
            self._table.clear_away()
            self._table = self.replay.at(index)
        else:
            walk(self._table, self.replay.table.journal, here, there)
        self._here = index
        return self._table

    def areas(self, index: int, viewer: str) -> Sequence[Area]:
        """Return the table after a step as it is drawn for a viewer."""
        return self.replay.game.areas(self.table(index), viewer)

    def totals(self, index: int) -> dict[str, dict[str, int]]:
        """Return the numbers of each player after a step."""
        table = self.table(index)
        return {player: self.replay.game.scoreboard.totals(table, player) for player in table.players}

    def places(self, index: int) -> dict[str, dict[str, int]]:
        """Return the totals at each place that is counted by itself after a step: place, player, total."""
        return self.replay.game.scoreboard.places(self.table(index))

    def text(self, index: int, viewer: str) -> str:
        """Return one line about a step."""
        return event_in_words(self.replay.table, self.replay.events[index], self.hidden(index, viewer))

    def step(self, index: int, viewer: str) -> Step:
        """Return a step with all that there is to say about it."""
        replay = self.replay
        event = replay.events[index]
        seq = replay.seqs[index]
        hidden = self.hidden(index, viewer)
        player = getattr(event, "player", UNSET)
        return Step(
            index=index,
            seq=seq,
            type=tag_of(type(event)),
            kind=event.CLASS,
            player="" if player is UNSET else player,
            text=self.text(index, viewer),
            at="" if event.at is UNSET else event.at.isoformat(),
            source=self._source(event, hidden, viewer),
            round=self.rounds[index],
            turn=self.turns[index],
            findings=self.numbers_at(index),
            changed=changes_in_words(replay.table, replay.changes(index), hidden),
            why=self._why(index, hidden),
        )

    def finding(self, number: int, viewer: str) -> Finding:
        """Return a finding by its number, as a viewer may read it."""
        finding = self.findings[number]
        index = self.index_of(finding.seq)
        hidden = NOTHING_HIDDEN if index is None else self.hidden(index, viewer)
        if index is None or not hidden:
            return finding
        message, expected = (self._conceal(text, index, hidden) for text in (finding.message, finding.expected))
        return msgspec.structs.replace(finding, message=message, expected=expected)

    def findings_at(self, index: int, viewer: str) -> tuple[Finding, ...]:
        """Return the findings of a step, as a viewer may read them."""
        return tuple(self.finding(number, viewer) for number in self.numbers_at(index))

    def comments(self, index: int, viewer: str, depth: int = 0) -> Iterator[tuple[int, int, str]]:
        """Yield what was said about a step: how deep an answer it is (from 0), its number, its words for a viewer."""
        for note in self._notes.get(self.replay.seqs[index], ()):
            yield depth, self.replay.seqs[note], self.text(note, viewer)
            yield from self.comments(note, viewer, depth + 1)

    @cached_property
    def _notes(self) -> dict[int, list[int]]:
        """The steps of the notes on each event before them, by its number."""
        notes: dict[int, list[int]] = {}
        for index, event in enumerate(self.replay.events):
            if isinstance(event, NoteAdded) and event.on is not UNSET and event.on < self.replay.seqs[index]:
                notes.setdefault(event.on, []).append(index)
        return notes

    def _source(self, event: Event, hidden: frozenset[str], viewer: str) -> str:
        """Return the log line of an event without the names of hidden cards and without another player's deck list."""
        if isinstance(event, DeckDeclared) and viewer not in {EVERYTHING, event.player}:
            event = msgspec.structs.replace(event, cards=("?",) * len(event.cards))
        line = self.replay.game.vocabulary.encode(event).decode()
        return re.sub(
            r'"[^"\\]+"', lambda name: f'"{owner_of(name[0][1:])}:?"' if name[0][1:-1] in hidden else name[0], line
        )

    def _why(self, index: int, hidden: frozenset[str]) -> tuple[Why, ...]:
        replay = self.replay
        seq = replay.seqs[index]
        looked_at = [_judged(rule, verdict) for rule, verdict in replay.verdicts.get(seq, ())]
        if hidden:
            looked_at = [
                msgspec.structs.replace(each, message=self._conceal(each.message, index, hidden)) for each in looked_at
            ]
        for derived in replay.follows.get(seq, ()):
            message = event_in_words(replay.table, derived.event, hidden)
            looked_at.append(_as_why(replay.game.by_id[derived.rule], "derived", message))
        return tuple(looked_at)

    # -- what a viewer may know ------------------------------------------------------------------------------------

    def hidden(self, index: int, viewer: str) -> frozenset[str]:
        """Return the names of the cards that a viewer may not know after a step, nor saw lie open before or in it.

        Having known a card before is not enough: it may be one of several that could have been laid face down.
        """
        if viewer == EVERYTHING:
            return NOTHING_HIDDEN
        unknown_here = self._hidden.get((index, viewer))
        if unknown_here is None:
            if len(self._hidden) > HIDDEN_CACHE_SIZE:
                self._hidden.clear()
            before, table = self.table(max(index - 1, 0)), self.table(index)
            seen = frozenset(name for name, card in before.cards.items() if before.lies_open(viewer, card))
            unknown = frozenset(name for name, card in table.cards.items() if not table.knows(viewer, card))
            unknown_here = unknown - seen - self._opened(index)
            self._hidden[index, viewer] = unknown_here
        return unknown_here

    def _opened(self, index: int) -> frozenset[str]:
        """Return the names of the cards that a step turned face up, even if what followed hid them again.

        What is put back was not looked at anew: a play that is taken back opens nothing.
        """
        if isinstance(self.replay.events[index], PlayTakenBack):
            return NOTHING_HIDDEN
        changes = self.replay.changes(index)
        return frozenset(thing.name for thing, field, _, after in changes if field == "face_up" and after)

    def _conceal(self, text: str, index: int, hidden: frozenset[str]) -> str:
        """Return a rule's message without the names of hidden cards."""

        def about() -> tuple[Table[Any, Any], str]:
            return self.table(index), self._source(self.replay.events[index], NOTHING_HIDDEN, EVERYTHING)

        return without_hidden(text, hidden, self.replay.library, about)


def _history(replay: Replay, field: str) -> Callable[[int], Any]:
    """Return a function from a length of the journal to the value that a field of the table itself had then."""
    journal_ends: list[int] = []
    values: list[Any] = []
    for length, (thing, name, before, after) in enumerate(replay.table.journal, start=1):
        if name == field and thing.n == 0:
            values = values or [before]
            journal_ends.append(length)
            values.append(after)
    values = values or [getattr(replay.table, field)]
    return lambda length: values[bisect_right(journal_ends, length)]


def _judged(rule: Rule, verdict: Verdict) -> Why:
    if verdict is None or isinstance(verdict, Kept):
        return _as_why(rule, "kept", "" if verdict is None else verdict.text)
    word = "cannot tell" if isinstance(verdict, Undecidable) else "broken"
    return _as_why(rule, word, verdict.message if isinstance(verdict, Broken | Undecidable) else str(verdict))


def _as_why(rule: Rule, verdict: str, message: str = "") -> Why:
    return Why(rule=rule.id, section=rule.section, lines=rule.lines, text=rule.text, verdict=verdict, message=message)


BEGINNINGS: Final = frozenset((tag_of(TurnStarted), tag_of(RoundStarted)))
"""The lines that are of the turn or round that begins with them, in every game."""

SAYS_NOTHING: Final = frozenset({"won", "said", "agreed"})
"""Ways to end that say no more than that somebody won, or that somebody said so."""


def viewers(replay: Replay) -> dict[str, str]:
    """Return whose eyes a replay can be seen through: everything, the public, each player; id to words."""
    players = {player.id: player.name for player in replay.table.players.values()}
    return {EVERYTHING: "Everything", "": "The public", **players}


def ending_in_words(vocabulary: Vocabulary, reason: str | None) -> str:
    """Return a way to end as the line about it says it: `tier 3`; nothing where it says only that somebody won."""
    if reason in SAYS_NOTHING:
        return ""
    ended = vocabulary.types.get("game.ended")
    phrases = ended.PHRASES.get("reason", {}) if ended is not None else {}
    return say(phrases.get(reason or "", (reason or "").replace("-", " ")))


def result_in_words(replay: Replay) -> str:
    """Return one line about how the game ended, with the points that were written down, or that it did not."""
    scores = replay.table.outcome.scores
    return f"{who_won(replay)}{f': {name_in_words(replay.table, scores)}' if scores else ''}"


def who_won(replay: Replay) -> str:
    """Return who won a game and how, or that it did not end."""
    table = replay.table
    if not table.over:
        return say("not finished")
    reason = ending_in_words(replay.game.vocabulary, table.reason)
    winners = [name_in_words(table, player) for player in table.winners]
    names = reduce(lambda some, last: say("{some} and {last}", some=some, last=last), winners) if winners else ""
    score = table.outcome.score
    points = "" if score is None else say(", {number} points", number=f"{score:g}")
    words = "{names} won{points} ({reason})" if names else "no winner{points} ({reason})"
    return say(words, names=names, points=points, reason=reason).removesuffix(" ()")  # a result may give no reason


def questions(replay: Replay) -> list[tuple[int, str, str]]:
    """Return the questions and take-backs of a game: number, words, the rule that was named or an empty string."""
    asked = []
    for seq, event in zip(replay.seqs, replay.events, strict=True):
        if isinstance(event, QuestionRaised | PlayTakenBack):
            rule = "" if event.rule is UNSET else event.rule
            asked.append((seq, event_in_words(replay.table, event), rule))
    return asked
