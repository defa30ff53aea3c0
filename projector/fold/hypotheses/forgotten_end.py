"""The end of a turn that nobody has written down: such a slip is found at the line that contradicts it."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar

from tabletape.events.vocabulary import Consequence, Event, Remark, tag_of
from tabletape.events.vocabulary.shared import CardsDrawn
from tabletape.projector.fold.consequence_match import has_same_content
from tabletape.projector.fold.hypotheses.hypothesis import Hypothesis, ReadingChoice, findings_of, is_wrong_from
from tabletape.projector.fold.hypotheses.turn_ending import ending_line, turn_began
from tabletape.projector.fold.misread import Doubt, How, Misread
from tabletape.projector.model.game import TurnEnd
from tabletape.projector.model.rules import Broken, Finding

if TYPE_CHECKING:
    from tabletape.projector.fold.replay import Replay


class ForgottenEnd(Hypothesis):
    """Reads a line that is out of turn as the first one after the end of a turn.

    `inserted`: the line that ends it is taken as written, so that nothing is missing.
    """

    HOW: ClassVar[tuple[How, ...]] = ("late", "inserted")

    def prepare(self, event: Event) -> None:
        """End the turn that is going on, where the log has left that line out and goes on with this one."""
        game, table = self.judge.game, self.judge.table
        turn_end, is_missing = game.slips.turn_end, self.reads("late")
        if turn_end is None or not (is_missing or self.reads("inserted")):
            return
        if turn_end.line(table) is None and game.before is not None:
            game.before(table, event)  # the first turn may begin only with a line that needs it
        line: Any = turn_end.line(table)
        if line is None:
            return
        if is_missing:
            name = table.players[line.player].name
            message = f"no line says that the turn of {name} has ended, and the log goes on after it"
            self.judge.find(turn_end.rule, Broken(message, f"{tag_of(type(line))} by {name}", "missing"), event)
        self.ledger.pass_over()
        self.trial.draw_lost(turn_end.lost_with_it)
        self._end_turn(turn_end, line, event)

    def _end_turn(self, turn_end: TurnEnd, line: Any, event: Event) -> None:
        """Carry out a line that ends a turn before another line, and the draw behind it that is not written either.

        Behind a consequence of the end it may still be written.
        """
        self.trial.carry_out(line)
        if not isinstance(event, Consequence) and not (isinstance(event, CardsDrawn) and event.player == line.player):
            self.trial.draw_lost(turn_end.lost_behind_it)

    # -- what puts a line in doubt ---------------------------------------------------------------------------------

    def suspects(self, event: Event) -> None:
        """Note that a line against the rules may be the first one after the end of a turn."""
        turn_end, last = self.judge.game.slips.turn_end, self.judge.last
        if turn_end is None or ending_line(self) is None or last is None or last.kind != "illegal":
            return
        doubt = self.doubt_after_end(event, lambda: self.trial.is_right(event))
        if doubt is not None:
            is_likelier = type(event) is not turn_end.by and doubt.is_likelier
            self.doubts.add(doubt.line, "late", doubt.line, is_likelier=is_likelier)
        if turn_end.may_be_followed_by_own:
            self._suspect_beginning(turn_end, event)

    def suspects_written(self, event: Consequence, finding: Finding | None) -> None:
        """Note that a consequence may be that of the end of a turn; nothing is wrong with one that is written late."""
        seq = self.lines.seq
        if finding is None or finding.seq != seq or finding.kind not in {"mismatch", "info"}:
            return
        doubt = self.doubt_after_end(event, lambda: self._would_be_derived(event))
        if doubt is not None:
            self.doubts.add(seq, "late", seq, is_likelier=doubt.is_likelier and finding.kind == "mismatch")

    def _would_be_derived(self, event: Consequence) -> bool:
        derived = [each.event for each in self.judge.table.derived]
        return any(type(each) is type(event) and has_same_content(event, each) for each in derived)

    def _suspect_beginning(self, turn_end: TurnEnd, event: Event) -> None:
        """Note that this may be the player's next turn, and that no line of the one before it is written down."""
        lines = ((seq, each) for seq, each in self.lines.since(turn_began(self)) if type(each) is not turn_end.by)
        first = next((seq for seq, each in lines if not isinstance(each, Consequence | Remark)), 0)
        if first and getattr(event, "player", "") == self.judge.table.active:
            self.doubts.add_first(first, "late", self.lines.seq)

    def doubt_after_end(self, event: Event, look: Callable[[], bool]) -> Doubt | None:
        """Return a doubt about a line with which nothing would be wrong if the turn had ended before it.

        `look` says whether nothing is wrong then; the table stays as it is. That the end is missing is likely where the
        turn has had lines of its player.
        """
        game, table = self.judge.game, self.judge.table
        turn_end, line = game.slips.turn_end, ending_line(self)
        if turn_end is None or line is None or not self._may_be_lost(turn_end, line):
            return None
        with self.trial.tried() as length:
            table.derived = []
            self.trial.draw_lost(turn_end.lost_with_it)
            # What follows from the draw alone may as well be written before it.
            follows_draw = isinstance(event, Consequence) and len(table.journal) > length and look()
            self._end_turn(turn_end, line, event)
            if game.before is not None:
                game.before(table, event)
            seen = not follows_draw and look()
        return Doubt(self.lines.seq, self._has_begun(line.player, event)) if seen else None

    def _may_be_lost(self, turn_end: TurnEnd, line: Event) -> bool:
        """Return whether nothing stands before the end of a turn but what is lost with it."""
        broken = self.trial.against(line)
        return broken is not None and broken <= {rule.id for rule in turn_end.lost_with_it}

    def _has_begun(self, player: str, event: Event) -> bool:
        """Return whether a line since the turn of a player began, or the one at hand, is one of that player's."""
        lines = [*(each for _, each in self.lines.since(turn_began(self))), event]
        return any(getattr(each, "player", "") == player and not isinstance(each, Remark) for each in lines)

    # -- what speaks for it ----------------------------------------------------------------------------------------

    @classmethod
    def is_worth_a_fold(cls, now: "Replay", misread: Misread) -> bool:
        """Return whether something is wrong with the line or later: a consequence that is only late is right."""
        return is_wrong_from(now, misread.seq)

    @classmethod
    def choose(cls, choice: ReadingChoice) -> "Replay":
        """Return the fold that the later lines bear out.

        Where that turn begins before the line in doubt, nothing else may be wrong in it with the end that is missing.
        """
        now, misread, doubt = choice.now, choice.misread, choice.doubt
        after = misread.seq
        if misread.seq < doubt.line:
            after = _end_of_turn(now, doubt.line)
            if sum(number for seq, number in findings_of(choice.other, misread.seq - 1).items() if seq <= after) > 1:
                return choice.best
        surplus = choice.surplus(after=after)
        early = next((each for each in choice.best.misread - now.misread if each.how == "early"), None)
        if early is not None and not surplus:
            return _of_two(choice, (early.seq, doubt.line))
        return choice.other if surplus > 0 or (not surplus and choice.is_likelier) else choice.best


def _of_two(choice: ReadingChoice, lines: tuple[int, int]) -> "Replay":
    """Return the better one of two folds that later lines bear out alike: a turn had not ended, or two have.

    What is wrong is found at the two `lines`; where both have one finding there and nothing else tells them apart,
    nobody can tell which of them it is.
    """
    early, late = choice.best, choice.other
    findings, underived = (
        [sum(each.seq in lines for each in replay.raw_findings) for replay in (early, late)],
        # A wrong word in a line that is due is one mistake; a line that nothing is due for would be another.
        [len(replay.ledger.underived) for replay in (early, late)],
    )
    for one, two in (findings, underived):
        if one != two:
            return early if one < two else late
    return choice.refold(early.misread | {Misread(lines[0], "open")}) if findings[0] == 1 else early


def _end_of_turn(replay: "Replay", seq: int) -> int:
    """Return the number of the line that ends the turn of the line `seq`; that of the last line where none does."""
    turn_end, lines = replay.game.slips.turn_end, zip(replay.seqs, replay.events, strict=True)
    ends = (number for number, event in lines if turn_end and number >= seq and type(event) is turn_end.by)
    return next(ends, replay.seqs[-1])
