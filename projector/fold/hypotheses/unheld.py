"""A card from a hand that could not be read, where the game goes on as if it had not been used."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar, Final

from tabletape.events.vocabulary import Decision, Event
from tabletape.projector.fold.hypotheses.hypothesis import Hypothesis, ReadingChoice, accused
from tabletape.projector.fold.judge import after_a_gap
from tabletape.projector.fold.misread import How, Misread
from tabletape.projector.model.rules import Broken
from tabletape.projector.model.things import Zone

if TYPE_CHECKING:
    from tabletape.projector.fold.replay import Replay

SAYS: Final = "the card may not have been in the hand, and what comes later is right without it"


class Unheld(Hypothesis):
    """Reads the use of such a card as none: it may have lain elsewhere, and what it is then wrong with is open.

    It is right only as one of a hand of which some cards are known by nothing but a gap; so what does not fit behind it
    is wrong, or it is.
    """

    HOW: ClassVar[tuple[How, ...]] = ("unheld",)

    def read(self, event: Event) -> Event | None:
        """Leave the use of a card out that is not in the hand, and say so."""
        if not self.reads("unheld"):
            return event
        table = self.judge.table
        with self.trial.tried():
            for hand in filter(_is_hand, table.zones.values()):
                table.count(hand, "unseen", -hand.unseen)
            broken = self.trial.against(event)
        for rule in sorted(broken or ())[:1]:
            self.judge.find(self.judge.game.by_id[rule], after_a_gap(Broken(SAYS)), event)
        return None

    def looks_back(self) -> None:
        """Note the decisions with which a card became one of a hand that unread lines may have dealt."""
        if self.judge.is_behind_set_up_gap:
            for place in self._uses():
                self.doubts.add_first(self.lines.seqs[place], "unheld", self.lines.seqs[place])

    def _uses(self) -> Iterator[int]:
        lines = self.lines
        for at, (thing, field, before, after) in enumerate(self.judge.table.journal):
            if field == "unseen" and after < before and _is_hand(thing):
                place = lines.place_of(at)
                if place < lines.here and isinstance(lines.events[place], Decision):
                    yield place

    @classmethod
    def is_worth_a_fold(cls, now: "Replay", misread: Misread) -> bool:
        """Return whether something is found behind it."""
        return any(seq > misread.seq for seq in accused(now))

    @classmethod
    def prefers(cls, choice: ReadingChoice) -> bool:
        """Return whether less is wrong without it, and nothing new is; what is wrong is not that card, used again."""
        before, left = accused(choice.best), accused(choice.other)
        said = dict(zip(choice.best.seqs, choice.best.events, strict=True))
        seq, card = choice.misread.seq, getattr(said[choice.misread.seq], "card", "")
        again = seq in before or any(getattr(said[each], "card", "") == card for each in before - left)
        return choice.other.stopped is None and left < before and not again


def _is_hand(thing: object) -> bool:
    return isinstance(thing, Zone) and thing.role == "hand"
