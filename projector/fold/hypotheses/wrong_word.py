"""A word for a place or a player that is wrong in a line which breaks no rule: what comes later shows that.

One later line alone shows nothing: it is played against the rules, or the line before it has a wrong word. Where two of
them are wrong that one other word makes right, it is that word. A total read off the table is no second line: whoever
has played against the rules reads off what came of it. Where only plays contradict a right line, they may be the wrong
ones as well, as where a table has forgotten what followed: they stay accused, and the line is said to be open.

A line of luck in the set-up stands alone against all that is written after it: with another player's name nothing that
contradicts it is wrong. So does a play against what has followed from it, where the log goes on from what is written.
"""

from collections.abc import Iterator, Sequence
from itertools import islice, pairwise
from operator import attrgetter
from typing import TYPE_CHECKING, Any, ClassVar, Final

import msgspec

from tabletape.events.vocabulary import Chance, Consequence, Decision, Event, Remark, fields_of
from tabletape.events.vocabulary.names import owner_of
from tabletape.events.vocabulary.shared import DeckDeclared, StateObserved
from tabletape.projector.fold.hypotheses.hypothesis import Hypothesis, ReadingChoice, is_gone_on_from
from tabletape.projector.fold.hypotheses.turn_ending import take_steps, undo_steps
from tabletape.projector.fold.judge import GAP_EXPLAINS
from tabletape.projector.fold.marks import Mark, go_back, mark
from tabletape.projector.fold.misread import How, Meant, Misread
from tabletape.projector.model.deciding import as_it_was, cards_in, show_in_hand
from tabletape.projector.model.rules import HARD, Broken, Finding, Undecidable
from tabletape.projector.model.sentences import clause

if TYPE_CHECKING:
    from tabletape.projector.fold.refolding import Refolding
    from tabletape.projector.fold.replay import Replay

LINES: Final = 40
"""Lines before the one that is found wrong in which another word is looked for, the nearest first."""

SET_UP: Final = 16
"""Lines of luck at the beginning of a log among which that of the set-up is looked for which has a wrong word."""

WORDS: Final = 24
"""Other words of one line that are tried."""

FOLDS: Final = 12
"""How many times the length of a log may be folded to try other words."""

BEST: Final = 4
"""Words with which the first lines found wrong are right that are followed to the end of the log."""


WRITTEN: Final = 2
"""Consequences of right plays that contradict a word, with which it is wrong in a right line."""


class WrongWord(Hypothesis):
    """Reads a line with another word for a place or a player, as the later lines have it."""

    HOW: ClassVar[tuple[How, ...]] = ("word",)

    def read(self, event: Event) -> Event | None:
        """Return the line with the word that was meant, and say that another one stands there, or that it may."""
        seq = self.lines.seq
        meant = self.doubts.meant(seq)
        if meant is None or type(meant.line) is not type(event):  # several lines may have one number
            self._doubt_freed(event)
            return event
        table, rule = self.judge.table, self.judge.game.by_id[meant.rule]
        said, right = clause(table, event), clause(table, meant.line)
        if meant.is_open:
            message = f"{said}; event {meant.because} and others would be right if it was: {right}{_or(meant)}"
            self.judge.note(rule, Undecidable(message), event)
            return event
        if self._is_found_wrong(seq):
            found = self.judge.found
            found[-1] = msgspec.structs.replace(found[-1], message=found[-1].message.removesuffix(".") + _or(meant))
        else:
            those = f"event {meant.because} {'is' if meant.is_alone else 'and others are'}"
            message = f"{said}, but {those} right only if it was: {right}{_or(meant)}"
            self.judge.find(rule, Broken(message, right, "mismatch"), event)
        undo_steps(self)
        take_steps(self, meant.line)
        return meant.line

    def _doubt_freed(self, event: Event) -> None:
        """Say of a play that is right only by the word which is read in an earlier line that it may be wrong itself."""
        seq = self.lines.seq
        for before, _, meant, *_ in sorted(self.doubts.misread, key=attrgetter("seq")):
            rule = dict(meant.illegal).get(seq) if meant is not None and before < seq and not meant.is_open else None
            if rule is not None and not self._is_found_wrong(seq):
                message = f"{clause(self.judge.table, event)}, which is right only if a word of event {before} is wrong"
                broken = Broken(message, "", "unverifiable")
                self.judge.find(self.judge.game.by_id[rule], broken, event, follows=before)

    def _is_found_wrong(self, seq: int) -> bool:
        last = self.judge.last
        return last is not None and last.seq == seq and last.kind in HARD

    # -- what puts a line in doubt ---------------------------------------------------------------------------------

    def suspects(self, event: Event) -> None:
        """Note that the first line which breaks a rule may do so because of a word in an earlier one."""
        if not isinstance(event, Consequence):
            self._suspect_first(self.judge.last, is_likelier=not self.judge.table.turn)

    def suspects_written(self, event: Consequence, finding: Finding | None) -> None:  # noqa: ARG002 - as other kinds
        """Note the same of a written consequence: whoever writes it down has played no rule down."""
        self._suspect_first(finding, is_likelier=True)

    def _suspect_first(self, finding: Finding | None, *, is_likelier: bool) -> None:
        """Note it; it is likelier that a word is wrong in the set-up, and where something is written of the line."""
        seq = self.lines.seq
        if finding is None or finding.seq != seq or finding.kind not in HARD:
            return
        before = (each.seq for each in self.judge.found if each.kind in HARD and each.seq < seq)
        if all(self.doubts.meant(each) for each in before):
            self.doubts.add(seq, "word", seq, is_likelier=is_likelier)

    # -- what speaks for it ----------------------------------------------------------------------------------------

    @classmethod
    def is_worth_a_fold(cls, now: "Replay", misread: Misread) -> bool:
        """Return whether a second line is wrong: one alone may be wrong itself, unless it is no play."""
        return bool(_second(now, misread.seq, open_too=True)) or _may_be_contradicted(now, misread.seq)

    @classmethod
    def fold(cls, now: "Replay", misread: Misread, refold: "Refolding") -> "Replay":  # noqa: ARG003 - nothing is read yet
        """Return the game as it is: what is meant is still to be looked for, which folds the lines before once more."""
        refold.spend(refold.price)
        return now

    @classmethod
    def choose(cls, choice: ReadingChoice) -> "Replay":
        """Return the fold with the word with which fewest lines are wrong, if it makes right all that it should.

        Of words that explain as much it is that with which a deck list is the one that its player has by the seats,
        else that of the line which is wrong in either case, else of the latest one; it names the other lines.
        """
        now, first = choice.best, choice.misread.seq
        if first not in _wrong_lines(now):
            return now
        second = _second(now, first)
        if not second and not (_may_be_contradicted(now, first) and _goes_on_as_written(choice)):
            second = _second(now, first, open_too=True)
            if not second:
                return now
        rule = next(each.rule for each in now.raw_findings if each.seq == first and each.kind in HARD)
        better = _best_words(choice, rule, second)
        if not better:
            return now
        better = [each for each in better if _is_of_seat(now, each[1])] or better
        seq, line = min(better, key=lambda each: each[0] != first)
        others = tuple(dict.fromkeys(each for each, _ in better if each != seq))
        plays = () if choice.doubt.is_likelier else (each for each in now.raw_findings if each.kind == "illegal")
        illegal = tuple((each.seq, each.rule) for each in plays)
        is_open = bool(illegal) and seq != first and not isinstance(line, Chance | DeckDeclared)
        is_open = is_open and not _is_written_against(now)
        meant = Meant(line, rule, first, others, illegal, is_open=is_open, is_alone=not second)
        return choice.refold(choice.now.misread | {Misread(seq, "word", meant)})


def _best_words(choice: ReadingChoice, rule: str, second: int) -> list[tuple[int, Event]]:
    """Return lines with another word, each with its number, with which fewest lines are wrong and no other one is.

    Where `second` is 0 a line alone contradicts them: then nothing is left wrong.
    """
    best: list[tuple[int, Event]] = []
    now, first, wrong = choice.best, choice.misread.seq, _wrong_lines(choice.best)
    fewest = len(wrong) - 1
    hangs_on_gap = any(each.seq == second and GAP_EXPLAINS in each.message for each in now.raw_findings)
    words = _words_that_fit(choice, first, second) if second else _alone(choice)
    for seq, line in islice(words, BEST):
        other = choice.refold(choice.now.misread | {Misread(seq, "word", Meant(line, rule, first))})
        left = _wrong_lines(other) - {seq}
        # What is left open with it is as much as what is right with it: that makes no line right.
        opened = _left_open(other, seq) + hangs_on_gap - _left_open(now, seq)
        if opened > 0 and opened >= len(wrong) - len(left):
            continue
        if len(left) > fewest or not left <= wrong or _is_found(other, range(seq + 1, max(first, second) + 1)):
            continue
        best = [*best, (seq, line)] if len(left) == fewest else [(seq, line)]
        fewest = len(left)
    return best


def _or(meant: Meant) -> str:
    """Name the other lines that may have the wrong word as well; nothing where there are none."""
    if not meant.others:
        return ""
    return f"; or the wrong word is that of event {' or '.join(map(str, meant.others))}"


def _wrong_lines(replay: "Replay") -> set[int]:
    """Return the numbers of the lines that are found wrong."""
    alone = {each.id for each in replay.game.rules if each.rests_on == "line"}
    wrong = {each.seq for each in replay.raw_findings if each.kind in HARD and each.rule not in alone}
    return wrong if replay.stopped is None else {*wrong, replay.stopped.seq}


def _left_open(replay: "Replay", but: int) -> int:
    """Return how much is found of other lines than one that lines may explain which could not be read."""
    return replay.judge.has_gap + sum(GAP_EXPLAINS in each.message and each.seq != but for each in replay.raw_findings)


def _is_found(replay: "Replay", seqs: range) -> bool:
    """Return whether anything is found at one of some lines."""
    return any(each.seq in seqs and each.kind != "unverifiable" for each in replay.raw_findings)


def _may_be_contradicted(replay: "Replay", first: int) -> bool:
    """Return whether the line found wrong first is no play, and the log goes on: a line before it may be wrong.

    A deck list need not be gone on from: it stands in doubt beside another one.
    """
    event = replay.events[_place(replay, first)]
    plays: tuple[type[Event], ...] = (Decision, *replay.game.slips.chosen)
    return isinstance(event, DeckDeclared) or (not isinstance(event, plays) and is_gone_on_from(replay, first))


def _is_written_against(replay: "Replay") -> bool:
    """Return whether several things written of right plays contradict what is before the line found wrong first."""
    wrong = {each.seq: each.kind for each in replay.raw_findings if each.kind in HARD}
    play, times = 0, 0
    for seq, event in zip(replay.seqs, replay.events, strict=True):
        if isinstance(event, Decision):
            play = seq
        times += wrong.get(seq) == "mismatch" and play not in wrong
    return times >= WRITTEN


def _goes_on_as_written(choice: ReadingChoice) -> bool:
    """Return whether the line found wrong is one of luck, or later lines rest on what it says and the rules do not."""
    first = choice.misread.seq
    if not isinstance(choice.now.events[_place(choice.now, first)], Consequence):
        return True
    derived = choice.refold(choice.now.misread | {Misread(first, "wrong")})
    as_written, as_derived = (len(_wrong_lines(each)) + _left_open(each, first) for each in (choice.best, derived))
    return as_written < as_derived


def _is_of_seat(replay: "Replay", line: Event) -> bool:
    """Return whether a line is the deck list of which the seat of its player says the name."""
    if not isinstance(line, DeckDeclared):
        return False
    player = replay.table.players.get(line.player)
    deck = replay.game.cards.decks.get(getattr(player, "deck", ""))
    return deck is not None and sorted(deck.cards) == sorted(line.cards)


def _place(replay: "Replay", seq: int) -> int:
    return next((at for at, each in enumerate(replay.seqs) if each == seq), 0)


def _second(replay: "Replay", first: int, *, open_too: bool = False) -> int:
    """Return the number of the second line that contradicts what is before the first one found wrong, 0 without one.

    What a decision brings about is a part of it. Behind a consequence, which the table may have taken over, also what
    is only remarked tells something; where it is `open_too`, what lines may explain that could not be read.
    """
    end = here = _place(replay, first)
    is_written = isinstance(replay.events[here], Consequence)
    while not is_written and end + 1 < len(replay.events) and isinstance(replay.events[end + 1], Consequence | Remark):
        end += 1
    observed = {seq for seq, each in zip(replay.seqs, replay.events, strict=True) if isinstance(each, StateObserved)}
    kinds = {*HARD, "info"} if is_written else HARD
    found = (each for each in replay.raw_findings if each.kind in kinds or (open_too and GAP_EXPLAINS in each.message))
    return min({each.seq for each in found if each.seq > replay.seqs[end]} - observed, default=0)


# -- other words -------------------------------------------------------------------------------------------------------


def _alone(choice: ReadingChoice) -> Iterator[tuple[int, Event]]:
    """Yield lines of the set-up, and the play from which the line found wrong has followed, with another word.

    Where that is a deck list, only the lists are in doubt.
    """
    now = choice.now
    here = _place(now, choice.misread.seq)
    if isinstance(now.events[here], DeckDeclared):
        lists = [at for at in range(here, 0, -1) if isinstance(now.events[at], DeckDeclared)]
        yield from _fitting_at(choice, lists, here, here)
        return
    luck = [at for at in range(1, here) if isinstance(now.events[at], Chance)][:SET_UP]
    played = next((at for at in range(here - 1, 0, -1) if isinstance(now.events[at], Decision)), 0)
    has_followed = played and isinstance(now.events[here], Consequence)
    yield from _fitting_at(choice, sorted({*luck, *([played] if has_followed else [])}, reverse=True), here, here)


def _words_that_fit(choice: ReadingChoice, first: int, second: int) -> Iterator[tuple[int, Event]]:
    """Yield lines with another word, each with its number, with which the lines up to `second` are right.

    Those that name a card of the lines found wrong come first, then the nearest.
    """
    now = choice.now
    here, end = _place(now, first), _place(now, second)
    places = [at for at in range(here, 0, -1) if isinstance(now.events[at], Chance | Decision)]
    cards = cards_in(now.events[here]) | cards_in(now.events[end])
    naming = [at for at in places if not cards.isdisjoint(cards_in(now.events[at]))][:LINES]
    yield from _fitting_at(choice, naming, here, end)
    yield from _fitting_at(choice, [at for at in places if at not in naming][:LINES], here, end)


def _fitting_at(choice: ReadingChoice, places: Sequence[int], here: int, end: int) -> Iterator[tuple[int, Event]]:
    """Yield the same for the lines at some places, the last one first; `here` and `end` are found wrong."""
    now = choice.now
    cursor = type(now)(now.game, now.ruleset, now.library, now.misread, settled=True).within(now.events)
    marks: dict[int, Mark] = {}
    for before, at in pairwise([0, *reversed(places)]):
        cursor.run(now.events[before:at])
        marks[at] = mark(cursor)
    left = FOLDS * len(now.events)
    for at in places:
        go_back(cursor, marks[at])
        for line in [*islice(_others(cursor, now.events[at], is_wrong=at == here), WORDS)]:
            if (left := left - (end - at)) < 0:
                return
            choice.refold.spend(end - at)
            go_back(cursor, marks[at])
            number = _hard(cursor)
            stretches = ([line, *now.events[at + 1 : here + 1]], now.events[here + 1 : end + 1])
            if all(_hard(cursor.run(each)) == number for each in stretches):
                yield now.seqs[at], line


def _hard(replay: "Replay") -> int:
    return sum(each.kind in HARD for each in replay.judge.found) + (replay.stopped is not None)


def _others(replay: "Replay", line: Any, *, is_wrong: bool) -> Iterator[Event]:
    """Yield a line with each other player, where it is wrong or one of the set-up, and each other word to play it."""
    table, player = replay.table, getattr(line, "player", "")
    if player and (is_wrong or not table.turn):
        for other in table.players:
            if other != player:
                yield msgspec.structs.replace(line, player=other)
    if isinstance(line, Decision) and player in replay.game.actors(table) and player in table.players:
        with as_it_was(table, lambda table: show_in_hand(table, line, player)):
            legal = [*replay.game.legal(table, player)]
        for each in legal:
            name = _other_word(line, each) if type(each) is type(line) else ""
            if name:
                yield msgspec.structs.replace(line, **{name: getattr(each, name)})


def _other_word(line: Event, other: Event) -> str:
    """Return the field in which alone two lines of a type differ, if it names no card; else an empty string."""
    names = [each.name for each in fields_of(type(line))]
    differing = [name for name in names if getattr(line, name) != getattr(other, name)]
    if len(differing) != 1:
        return ""
    values = [getattr(each, differing[0]) for each in (line, other)]
    return differing[0] if all(values) and not any(isinstance(each, str) and owner_of(each) for each in values) else ""
