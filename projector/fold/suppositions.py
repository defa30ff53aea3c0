"""What may have happened otherwise than a game takes it, in an order that nobody wrote down, beside the lines."""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Final

from tabletape.events.vocabulary import Consequence, Event
from tabletape.projector.fold.lines import Lines
from tabletape.projector.fold.passed_over import PassedOver
from tabletape.projector.model.rules import HARD, Finding, Rule, Undecidable

if TYPE_CHECKING:
    from tabletape.projector.fold.replay import Replay

MAX_FOLDS: Final = 24
"""So often one fold asks for another in which something has happened otherwise; then it stays in doubt."""


class Suppositions:
    """Folds the lines so far anew with what a doubt supposes; what lines have borne out once is supposed from then on.

    A doubt reaches as far as the lines let it: where another one would be wrong for it, nothing is in doubt.
    """

    def __init__(self, lines: Lines, passed_over: PassedOver, anew: "Callable[[], Replay]") -> None:
        """Take the `lines` of a game, of which some are `passed_over`; `anew` begins another fold of the same game."""
        self._lines = lines
        self._passed_over = passed_over
        self._anew = anew
        self._believed: tuple[Any, ...] = ()
        self._folded: dict[tuple[int, int, Any], Replay] = {}

    def left_of(
        self, doubt: Undecidable | None, rule: Rule, event: Event, found: Iterable[Finding]
    ) -> Undecidable | None:
        """Return what is left of a doubt whether a line breaks a rule; `found` is wrong with the lines so far."""
        known = {each.seq for each in found if each.kind in HARD}
        while doubt is not None and doubt.supposed is not None:
            other = self._with(doubt.supposed, event)
            if other is None or self._bears_out(other, rule, known):
                if doubt.supposed not in self._believed:
                    self._believed = (*self._believed, doubt.supposed)
                break
            doubt = doubt.or_else
        return doubt

    def _with(self, supposed: Any, event: Event) -> "Replay | None":
        """Return the fold of the lines up to one in which something has happened otherwise; None after too many."""
        lines = self._lines
        key = lines.here, id(event), supposed
        if key not in self._folded and len(self._folded) < MAX_FOLDS:
            other = self._anew().within(lines.log).run(lines.events[:1])
            other.doubts.settled = True
            other.table.supposed = (*self._believed, supposed)
            self._folded[key] = other.run([*lines.events[1 : lines.here], event])
        return self._folded.get(key)

    def _bears_out(self, other: "Replay", rule: Rule, known: set[int]) -> bool:
        """Return whether in another fold the last line keeps a rule, and none before it is wrong that is not `known`.

        Who writes down nearly all that follows leaves nothing more out than if it had not happened so.
        """
        seq, event = other.seqs[-1], other.events[-1]
        wrong = [each for each in other.judge.found if each.kind in HARD]
        here = {each.rule for each in wrong if each.seq == seq}
        is_written = isinstance(event, Consequence)
        leaves_out = other.ledger.passed_over.left() > self._passed_over.left()
        if is_written and (here or (leaves_out and other.ledger.is_mostly_written)):
            return False
        is_kept = other.stopped is None and rule.id not in here
        return is_kept and known.issuperset(each.seq for each in wrong if each.seq != seq)
