"""A line of the set-up that could not be read, where its words leave open which of a few things it said."""

from typing import TYPE_CHECKING, ClassVar

from tabletape.events.vocabulary import Chance
from tabletape.projector.fold.hypotheses.hypothesis import Hypothesis, ReadingChoice, accused
from tabletape.projector.fold.misread import How, Misread

if TYPE_CHECKING:
    from tabletape.projector.fold.replay import Replay


class LostLine(Hypothesis):
    """Takes such a line for that with which the lines behind it are right for longest, and the fewest are wrong."""

    HOW: ClassVar[tuple[How, ...]] = ("lost",)

    @classmethod
    def is_worth_a_fold(cls, now: "Replay", misread: Misread) -> bool:
        """Return whether anything is found that hangs on what it said, which is asked for all of it at once."""
        return misread.way == 1 and bool(_wrong(now))

    @classmethod
    def choose(cls, choice: ReadingChoice) -> "Replay":
        """Return the fold with one of the things that it may have said; where two explain as much, it stays open.

        What one of them explains shows soon; but whoever explains the first wrong line by it may make later ones wrong.
        """
        now, seq = choice.now, choice.misread.seq
        others = [each for each in now.open_to_doubt if (each.seq, each.how) == (seq, "lost") and each.way > 1]
        folds = [choice.other, *(choice.refold(now.misread | {each}) for each in others)]
        wrong = [_wrong(each) for each in [now, *folds]]
        places = sorted(set[int]().union(*wrong))
        soonest = [[place in each for place in places] for each in wrong]
        hard = [accused(each) for each in [now, *folds]]
        best = min(range(1, len(wrong)), key=lambda here: (soonest[here], len(hard[here])))
        is_open = (
            folds[best - 1].judge.has_gap
            or any(
                soonest[here] < soonest[best] or (soonest[here] != soonest[best] and len(each) <= len(wrong[best]))
                for here, each in enumerate(wrong)
            )
            or any(
                here != hard[best] and len(here - _of_one(fold)) <= len(hard[best])
                for here, fold in zip(hard[1:], folds, strict=True)
                if not fold.judge.has_gap
            )
        )
        return choice.best if is_open else folds[best - 1]


def _of_one(replay: "Replay") -> set[int]:
    """Return the numbers of lines that are wrong only with another one: a draw of which the next one says the rest.

    So is a line of luck that may be what is missing before, and late.
    """
    missing = min((each.seq for each in replay.raw_findings if each.kind == "missing"), default=0)
    luck = {seq for seq, each in zip(replay.seqs, replay.events, strict=True) if isinstance(each, Chance)}
    late = {doubt.line for each, doubt in replay.open_to_doubt.items() if each.how == "late"}
    parts = {each.seq for each in replay.open_to_doubt if each.how == "part"}
    return {each for each in late & luck if 0 < missing < each} | parts


def _wrong(replay: "Replay") -> set[int]:
    """Return the numbers of the lines that are wrong, or of which the log cannot tell."""
    found = {each.seq for each in replay.raw_findings if each.kind != "info"}
    return found if replay.stopped is None else {*found, replay.stopped.seq}
