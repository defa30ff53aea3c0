"""A game in turns, and steps between some of them that may wait for lines: what is left of these lies on a stack."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

import msgspec
from msgspec import UNSET

from tabletape.events.vocabulary import Decision, Event
from tabletape.events.vocabulary.shared import CardShown, GameAbandoned, PlayerConceded
from tabletape.projector.kit.common_rules import out_of_game
from tabletape.projector.kit.moves import Move
from tabletape.projector.kit.outline import SETUP, PlaceRules, Setup, fields_of
from tabletape.projector.kit.owed import missing
from tabletape.projector.model.due import Due
from tabletape.projector.model.game import RuleVerdict, TurnEnd
from tabletape.projector.model.rules import Rule

ALWAYS_ALLOWED: Final = frozenset({CardShown, PlayerConceded, GameAbandoned})
"""Lines that may come before one that is owed."""


class TurnOutline(msgspec.Struct, frozen=True, kw_only=True):
    """A turn: `plays` are the decisions of whoever is on turn (`table.active`), in the order in which they are offered.

    A line of the type `ends` ends it, and so does one of `also`; `said_again(table, event)` is the verdict on the end
    of a turn that is over, None of one that is not. `settles(table)` lets everything happen that follows at once, and
    takes the steps that are next; it returns who may go on freely, or nobody (empty).
    """

    plays: tuple[type[Event], ...]
    ends: type[Event]
    also: tuple[type[Event], ...] = ()
    said_again: Callable[[Any, Any], RuleVerdict | None]
    settles: Callable[[Any], str]


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
    `due(table)` are the lines of luck that are owed, and those that a step waits for.
    """

    rules: Iterable[Rule]
    is_owed: Callable[[Any, Any], bool]
    may_precede: Callable[[Any, Any], bool]
    due: Callable[[Any], Sequence[Due]]


class Stepwise:
    """The outline of such a game: a set-up, turns, and the steps from the last turn of a round to the next round."""

    def __init__(
        self,
        setup: Setup,
        turn: TurnOutline,
        *steps: StepOutline,
        at_once: Callable[[Any], object],
        owes: Owes,
        rules: PlaceRules,
    ) -> None:
        """Keep the outline; the end of a turn may put names of steps on the stack.

        `at_once(table)` says whether something follows that comes before the next step.
        """
        self._setup, self._turn, self._owes, self._rules = setup, turn, owes, rules
        self._steps: Mapping[str, StepOutline] = {step.name: step for step in steps}
        self._done = {step.name: (step.waits or step.asks, step.does) for step in steps}
        self._at_once = at_once
        self._owed_by = {rule.id: rule for rule in owes.rules}
        self.settle = turn.settles

    # -- the steps that are taken --------------------------------------------------------------------------------------

    def begin(self, table: Any, first: str = "") -> None:
        """Begin the first turn, where the table has evidently begun it: lines of the set-up may be missing."""
        if self._setup.lasts(table):
            self._setup.begins(table, self._setup.first(table) or first)

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
            table.set(table, "steps", left[taken:])
        return taken > 0

    # -- what may come now ---------------------------------------------------------------------------------------------

    def gate(self, table: Any, event: Event) -> RuleVerdict | None:
        """Return the one finding that takes the place of a row: game over, nobody who plays, another line is due."""
        player: Any = getattr(event, "player", UNSET)  # some lines belong to no player
        owed = table.owed
        if player == table.active and owed is None and player:
            return None  # as nearly always: somebody is on turn only in the middle of a game
        again = self._turn.said_again(table, event) if type(event) is self._turn.ends else None
        if again is not None or (owed is not None and type(event) is owed.line and self._owes.is_owed(table, event)):
            return again
        sits_here = player in table.players or player is UNSET
        if owed is None and sits_here and not table.over:
            return None
        outside = out_of_game(table, event, self._rules.seats, self._rules.end)
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
        return self._turn.plays if asking is None else asking.plays

    def due(self, table: Any) -> Sequence[Due]:
        """Return the lines that luck has to write now."""
        return [*(self._setup.due(table) if self._setup.lasts(table) else self._owes.due(table))]

    # -- what a game is told -------------------------------------------------------------------------------------------

    def fields(self, moves: Sequence[Move]) -> dict[str, Any]:
        """Return the fields of a `Game` that follow from its outline and its moves."""
        return fields_of(self, moves)

    @property
    def turn_end(self) -> TurnEnd:
        """How a turn ends, for a log that has forgotten to say so."""
        return TurnEnd(self._turn.ends, self._rules.own, self._turn.also)
