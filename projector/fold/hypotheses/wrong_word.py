"""A word for a place or a player that is wrong in a line which breaks no rule: what comes later shows that.

One later line alone shows nothing: it is played against the rules, or the line before it has a wrong word. Where two of
them are wrong that one other word makes right, it is that word. Who begins, and whose deck it is, nobody decides: there
one line is enough.
"""

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any, ClassVar, Final

import msgspec

from tabletape.events.vocabulary import Chance, Consequence, Decision, Event, Remark, fields_of
from tabletape.events.vocabulary.names import owner_of
from tabletape.events.vocabulary.shared import GameStarted
from tabletape.projector.fold.hypotheses.hypothesis import MAX_REACH, Hypothesis, ReadingChoice
from tabletape.projector.fold.hypotheses.turn_ending import take_steps, undo_steps
from tabletape.projector.fold.marks import Mark, go_back, mark
from tabletape.projector.fold.misread import How, Meant, Misread
from tabletape.projector.model.rules import HARD, Broken, Finding
from tabletape.projector.model.sentences import clause

if TYPE_CHECKING:
    from tabletape.projector.fold.replay import Replay

LINES: Final = 40
"""Lines before the one that is found wrong in which another word is looked for, the nearest first."""

WORDS: Final = 24
"""Other words of one line that are tried."""

FOLDS: Final = 12
"""How many times the length of a log may be folded to try other words."""

BEST: Final = 4
"""Words with which the first lines found wrong are right that are followed to the end of the log."""


class WrongWord(Hypothesis):
    """Reads a line with another word for a place or a player, as the later lines have it."""

    HOW: ClassVar[tuple[How, ...]] = ("word",)

    def read(self, event: Event) -> Event | None:
        """Return the line with the word that was meant, and say that another one stands there."""
        meant = self.doubts.meant(self.lines.seq)
        if meant is None:
            return event
        last, table = self.judge.last, self.judge.table
        if last is None or last.seq != self.lines.seq or last.kind not in HARD:
            said, right = clause(table, event), clause(table, meant.line)
            message = f"{said}, but event {meant.because} and others are right only if it was: {right}"
            self.judge.find(self.judge.game.by_id[meant.rule], Broken(message, right, "mismatch"), event)
        undo_steps(self)
        take_steps(self, meant.line)
        return meant.line

    # -- what puts a line in doubt ---------------------------------------------------------------------------------

    def suspects(self, event: Event) -> None:
        """Note that the first line which breaks a rule may do so because of a word in an earlier one."""
        if not isinstance(event, Consequence):
            self._suspect_first(self.judge.last)

    def suspects_written(self, event: Consequence, finding: Finding | None) -> None:  # noqa: ARG002 - as other kinds
        """Note the same of a written consequence."""
        self._suspect_first(finding)

    def _suspect_first(self, finding: Finding | None) -> None:
        seq = self.lines.seq
        if finding is None or finding.seq != seq or finding.kind not in HARD:
            return
        before = {each.seq for each in self.judge.found if each.kind in HARD and each.seq < seq}
        if all(self.doubts.meant(each) for each in before):
            self.doubts.add(seq, "word", seq)

    # -- what speaks for it ----------------------------------------------------------------------------------------

    @classmethod
    def is_worth_a_fold(cls, now: "Replay", misread: Misread) -> bool:
        """Return whether a second line is wrong, or the first stands so early that it may hang on who begins."""
        return bool(_second(now, misread.seq)) or _is_early(now, misread.seq)

    @classmethod
    def choose(cls, choice: ReadingChoice) -> "Replay":
        """Return the fold with the word with which fewest lines are wrong, if it makes right all that it should."""
        best, first = choice.best, choice.misread.seq
        mistakes = _wrong_lines(best)
        second = _second(best, first)
        if first not in mistakes or not (second or _is_early(best, first)):
            return best
        rule = next(each.rule for each in best.raw_findings if each.seq == first and each.kind in HARD)
        for seq, line in islice(_words_that_fit(choice.now, first, second), BEST):
            misread = Misread(seq, "word", Meant(line, rule, first))
            other = choice.refold(choice.now.misread | {misread})
            left = _wrong_lines(other)
            is_fit = not any(seq < each <= max(first, second) for each in left)
            if is_fit and len(left - {seq}) < len(_wrong_lines(best) - {seq}):
                best = other
        return best


def _wrong_lines(replay: "Replay") -> set[int]:
    """Return the numbers of the lines that are found wrong."""
    alone = {each.id for each in replay.game.rules if each.rests_on == "line"}
    found = {each.seq for each in replay.raw_findings if each.kind in HARD and each.rule not in alone}
    return found if replay.stopped is None else {*found, replay.stopped.seq}


def _place(replay: "Replay", seq: int) -> int:
    return next((at for at, each in enumerate(replay.seqs) if each == seq), 0)


def _second(replay: "Replay", first: int) -> int:
    """Return the number of the second line found wrong, 0 without one; what a decision brings about is a part of it."""
    end = _place(replay, first)
    if not isinstance(replay.events[end], Consequence):
        end = next(
            (at for at in range(end + 1, len(replay.events)) if not isinstance(replay.events[at], Consequence)),
            len(replay.events),
        ) - 1
    last = replay.seqs[end]
    return min((each for each in _wrong_lines(replay) if each > last), default=0)


def _is_early(replay: "Replay", seq: int) -> bool:
    """Return whether few decisions stand before a line."""
    return sum(isinstance(each, Decision) for each in replay.events[: _place(replay, seq)]) <= MAX_REACH


def _words_that_fit(now: "Replay", first: int, second: int) -> Iterator[tuple[int, Event]]:
    """Yield lines with another word, each with its number, with which the lines up to `second` are right.

    Without a second one only where nobody decides what the line says.
    """
    here = _place(now, first)
    end = _place(now, second) if second else here
    places = [at for at in range(1, here + 1) if _has_words(now.events[at], is_alone=not second)][-LINES:]
    cursor = type(now)(now.game, now.ruleset, now.library, now.misread, settled=True)
    marks: dict[int, Mark] = {}
    done = 0
    for at in places:
        cursor.run(now.events[done:at])
        marks[at], done = mark(cursor), at
    left = FOLDS * len(now.events)
    for at in reversed(places):
        go_back(cursor, marks[at])
        for line in [*islice(_others(cursor, now.events[at]), WORDS)]:
            if (left := left - (end - at)) < 0:
                return
            go_back(cursor, marks[at])
            number = _hard(cursor)
            cursor.run([line, *now.events[at + 1 : here + 1]])
            if _hard(cursor) == number and (end == here or _hard(cursor.run(now.events[here + 1 : end + 1])) == number):
                yield now.seqs[at], line


def _hard(replay: "Replay") -> int:
    return sum(each.kind in HARD for each in replay.judge.found) + (replay.stopped is not None)


def _has_words(event: Event, *, is_alone: bool) -> bool:
    is_line = isinstance(event, Chance) if is_alone else isinstance(event, Chance | Decision)
    return is_line and not isinstance(event, GameStarted | Remark)


def _others(replay: "Replay", line: Any) -> Iterator[Event]:
    """Yield a line with each other player, in the set-up, or each other word with which the player may play it."""
    table, player = replay.table, getattr(line, "player", "")
    if not table.turn and player:
        for other in table.players:
            if other != player:
                yield msgspec.structs.replace(line, player=other, seq=line.seq)
    if isinstance(line, Decision) and player in replay.game.actors(table) and player in table.players:
        for each in replay.game.legal(table, player):
            if type(each) is type(line) and _is_other_word(line, each):
                yield each


def _is_other_word(line: Event, other: Event) -> bool:
    """Return whether two lines of a type differ in one word that names no card."""
    names = [each.name for each in fields_of(type(line))]
    differing = [name for name in names if getattr(line, name) != getattr(other, name)]
    if len(differing) != 1:
        return False
    said, meant = (getattr(each, differing[0]) for each in (line, other))
    return bool(said) and bool(meant) and not any(_names_card(each) for each in (said, meant))


def _names_card(value: Any) -> bool:
    return isinstance(value, str) and bool(owner_of(value))
