"""One draw that is written in several lines."""

from typing import TYPE_CHECKING, ClassVar

from tabletape.events.vocabulary import Event
from tabletape.events.vocabulary.shared import CardsDrawn
from tabletape.projector.fold.draws import places_of_parts
from tabletape.projector.fold.hypotheses.hypothesis import Hypothesis, ReadingChoice
from tabletape.projector.fold.misread import How, Misread

if TYPE_CHECKING:
    from tabletape.projector.fold.replay import Replay


class SplitDraw(Hypothesis):
    """Reads a draw as one with those directly behind it that say the same of other cards (see `draws`)."""

    HOW: ClassVar[tuple[How, ...]] = ("part",)

    def suspects(self, event: Event) -> None:
        """Note that a draw which breaks a rule may be one with its neighbours, unless each is an action of a player."""
        if isinstance(event, CardsDrawn) and not isinstance(event, self.judge.game.slips.chosen):
            lines = self.lines
            for place in places_of_parts(lines.events, lines.here):
                self.doubts.add_first(lines.seqs[place], "part", lines.seq)

    @classmethod
    def together(cls, now: "Replay", misread: Misread) -> frozenset[Misread]:
        """Return what is misread together: who writes one draw in several lines writes others so as well.

        A draw goes on behind the line that is found wrong, or it has begun before it.
        """
        doubts = now.open_to_doubt
        begins = doubts[misread].line == misread.seq
        return frozenset(each for each in doubts if each.how == "part" and begins == (doubts[each].line == each.seq))

    @classmethod
    def prefers(cls, choice: ReadingChoice) -> bool:
        """Return whether the later lines bear the other fold out; if the draw has begun before, all may be right."""
        has_begun = choice.misread.seq < choice.doubt.line
        surplus = choice.surplus(after=choice.misread.seq - 1, but=-1) if has_begun else choice.surplus()
        return surplus > 0 or (not surplus and choice.is_likelier)
