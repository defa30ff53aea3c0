"""A game in turns, and steps between some of them that may wait for lines: what is left of these lies on a stack."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

import msgspec
from msgspec import UNSET

from tabletape.events.vocabulary import Decision, Event
from tabletape.events.vocabulary.shared import CardShown, GameAbandoned, PlayerConceded
from tabletape.projector.kit.common_rules import out_of_game
from tabletape.projector.kit.outline import SETUP, EachPlayer, Outline, PlaceRules, Setup
from tabletape.projector.kit.owed import missing
from tabletape.projector.model.game import RuleVerdict
from tabletape.projector.model.rules import Rule

ALWAYS_ALLOWED: Final = frozenset({CardShown, PlayerConceded, GameAbandoned})
"""Lines that may come before one that is owed."""


class StepOutline(msgspec.Struct, frozen=True, kw_only=True):
    """A step between turns, by its name on the stack `table.steps`; the set-up is one, by the name `SETUP`.

    `does(table)` is done once nothing is waited for any more: `asks(table)` are the players who have to decide before,
    by lines of the types `plays`, and while `waits(table)` luck has something to write.
    """

    name: str
    does: Callable[[Any], object] | None = None
    waits: Callable[[Any], object] | None = None
    asks: Callable[[Any], Sequence[str]] | None = None
    plays: tuple[type[Event], ...] = ()


class Owes(msgspec.Struct, frozen=True, kw_only=True):
    """What comes before anything else: the line that is owed (`table.owed`), by one of the `rules`.

    `is_owed(table, event)`: a line of its type is that one. `may_precede(table, event)`: a line may come before it.
    """

    rules: Iterable[Rule]
    is_owed: Callable[[Any, Any], bool]
    may_precede: Callable[[Any, Any], bool]


class Stepwise(Outline):
    """The outline of such a game: a set-up, turns, and the steps from the last turn of a round to the next round."""

    def __init__(
        self,
        setup: Setup,
        turn: EachPlayer,
        *steps: StepOutline,
        at_once: Callable[[Any], object],
        owes: Owes,
        rules: PlaceRules,
    ) -> None:
        """Keep the outline; the end of a turn may put names of steps on the stack.

        `at_once(table)` says whether something follows that comes before the next step.
        """
        super().__init__(setup, turn, rules)
        self._owes, self._at_once = owes, at_once
        self._steps: Mapping[str, StepOutline] = {step.name: step for step in steps}
        self._done = {step.name: (step.waits or step.asks, step.does) for step in steps}
        self._owed_by = {rule.id: rule for rule in owes.rules}
        self._seats, self._end, self._said_again = rules.seats, rules.end, turn.said_again
        self.settle = turn.settles  # type: ignore[method-assign, assignment]  # each line asks it

    def take_steps(self, table: Any) -> bool:
        """Take steps up to the first that has to wait, or after which something else comes first.

        Returns whether one was taken.
        """
        left, journal, rests = table.steps, table.journal, table.rests
        steps, at_once, taken = self._done, self._at_once, 0
        for name in left:
            rests.append(len(journal))
            waits, does = steps[name]
            if waits is not None and waits(table):
                break
            taken += 1
            if does is not None:
                does(table)
                if not table.steps:
                    return True
                if at_once(table):
                    break
        if taken:
            table.change(table, "steps", left, left[taken:])
        return taken > 0

    # -- what may come now ---------------------------------------------------------------------------------------------

    def gate(self, table: Any, event: Event) -> RuleVerdict | None:
        """Return the one finding that takes the place of a row: game over, nobody who plays, another line is due."""
        player: Any = getattr(event, "player", UNSET)  # some lines belong to no player
        owed = table.owed
        if player == table.active and owed is None and player:
            return None  # as nearly always: somebody is on turn only in the middle of a game
        said_again = self._said_again
        again = said_again(table, event) if type(event) is self._part.ends else None
        if again is not None or (owed is not None and type(event) is owed.line and self._owes.is_owed(table, event)):
            return again
        sits_here = player in table.players or player is UNSET
        if owed is None and sits_here and not table.over:
            return None
        outside = out_of_game(table, event, self._seats, self._end)
        if outside is not None:
            return msgspec.structs.replace(outside, played=sits_here)
        if owed is None or type(event) in ALWAYS_ALLOWED or self._owes.may_precede(table, event):
            return None
        return RuleVerdict(self._owed_by[owed.rule], missing(table, owed, event))

    def _asking(self, table: Any) -> StepOutline | None:
        """Return the step that waits, and may ask players for a decision out of turn; None where none does."""
        name = SETUP if self._setup.lasts(table) else next(iter(table.steps), "")
        return self._steps.get(name)

    def actors(self, table: Any) -> tuple[str, ...]:
        """Return the players who may decide something now: whoever owes a decision comes first."""
        if table.owed is not None:
            return (table.owed.player,) if issubclass(table.owed.line, Decision) else ()
        if table.active:
            return (table.active,)
        asking = self._asking(table)
        return () if asking is None or asking.asks is None else tuple(asking.asks(table))

    def lines(self, table: Any) -> tuple[type[Event], ...]:
        """Return the types of the lines by which those players decide."""
        if table.owed is not None:
            return (table.owed.line,)
        asking = None if table.active else self._asking(table)
        return self._part.plays if asking is None else asking.plays
