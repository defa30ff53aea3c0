"""A game in rounds: the steps of a round one after the other, in one of which the players have their parts."""

from collections.abc import Callable, Iterable
from typing import Any, ClassVar

import msgspec

from tabletape.projector.kit.adopting import as_written
from tabletape.projector.kit.consequence import Follows
from tabletape.projector.kit.outline import EachPlayer, Outline, PlaceRules, Setup
from tabletape.projector.model.rules import Rule


class Auto(msgspec.Struct, frozen=True):
    """A step of the round that happens by itself."""

    name: str
    does: Callable[[Any], object]


class Says(msgspec.Struct, frozen=True, kw_only=True):
    """The lines by which a log says that a round, a step of it or somebody's part begins."""

    round: type[Any]
    step: type[Any]
    part: type[Any]


class Rounds(Outline):
    """The outline of a game in rounds: the set-up and the steps of a round; in one of them players have their parts."""

    BY_ROUNDS: ClassVar[bool] = True

    def __init__(
        self,
        setup: Setup,
        *steps: Auto | EachPlayer,
        says: Says,
        order: Rule,
        rules: PlaceRules,
        between: Callable[[Any], object],
    ) -> None:
        """Keep the outline.

        `order` is the rule that the steps come one after the other, as the lines `says` tell. `between(table)` is done
        between two steps.
        """
        (part,) = (step for step in steps if isinstance(step, EachPlayer))
        super().__init__(setup, part, rules)
        self._says, self._order, self._own, self._between = says, order, rules.own, between
        self._names = [step.name for step in steps]
        self._steps = [(step.name, says.step(phase=step.name), self._done_in(step)) for step in steps]
        behind = steps.index(part) + 1
        self._until_part, self._behind_part = self._steps[:behind], self._steps[behind:]

    def _done_in(self, step: Auto | EachPlayer) -> Callable[[Any], object]:
        """Return what is done as a step begins: in that of the players all of them wait for their parts."""
        if isinstance(step, Auto):
            return step.does
        return lambda table: table.set(table, "waiting", tuple([player.id for player in step.who(table)]))

    def begin(self, table: Any, first: str = "") -> None:
        """Begin round 1, where the table has evidently begun it: lines of the set-up may be missing."""
        if self._setup.lasts(table):
            super().begin(table, first)
            self._begin_round(table)
            self.go_on(table)

    def go_on(self, table: Any, _behind: str = "") -> None:
        """Begin the next part; where nobody has one, take the steps until somebody has or the game is over."""
        while not table.over and not self._next_part(table) and not table.over:
            table.set(table, "active", "")
            self._take(table, self._behind_part)
            self._between(table)
            if not table.over:
                self._begin_round(table)

    def _begin_round(self, table: Any) -> None:
        """Take the steps of a new round, up to that of the players."""
        table.rests.append(len(table.journal))
        table.count(table, "round", 1)
        name, _, does = self._until_part[0]
        table.enter_phase(name)
        table.derive(self._says.round(round=table.round), self._order.id)
        does(table)
        self._take(table, self._until_part[1:])

    def _take(self, table: Any, steps: Iterable[tuple[str, Any, Callable[[Any], object]]]) -> None:
        """Take steps of a round one after the other; before each people may look at the table."""
        order, between = self._order.id, self._between
        for name, begun, does in steps:
            between(table)
            if table.over:
                return
            table.rests.append(len(table.journal))
            table.enter_phase(name)
            table.derive(begun, order)
            does(table)

    def _next_part(self, table: Any) -> bool:
        """Begin the next part; return whether there is one. Whoever is out has none."""
        begins = self._begins
        while (waiting := table.waiting) and not table.over:
            player = table.players[waiting[0]]
            table.change(table, "waiting", waiting, waiting[1:])
            if player.living:
                begins(table, player)
                if player.living:
                    return True
        return False

    def end_part(self, table: Any, event: Any) -> None:
        """End the part of a player by the line that says so; what somebody else says ends nothing."""
        if table.phase not in self._phases:
            self.begin(table, event.player)
        if table.phase in self._phases and table.active == event.player:
            leaves = self._leaves
            leaves(table, table.players[event.player])
            if table.handed_over:
                table.set(table, "handed_over", False)
            self.go_on(table)

    def bring_forward(self, table: Any, player: str) -> bool:
        """Begin the part of a player before that of another, who has it later; return whether both have one."""
        if player not in table.waiting or not table.players[player].living:
            return False
        self.begin_anew(table, (player, table.active, *(each for each in table.waiting if each != player)))
        return bool(table.active == player)

    def begin_anew(self, table: Any, players: tuple[str, ...]) -> None:
        """Begin the parts of players in place of the one that has just begun."""
        derived, active = table.derived, table.active
        begun = (at for at, each in enumerate(derived) if each.event == self._says.part(player=active))
        del derived[max(begun, default=len(derived)) :]
        table.set(table, "waiting", players)
        table.count(table, "turn", -1)
        self.go_on(table)

    @property
    def follows(self) -> tuple[Follows, ...]:
        """The lines that say that a round, a step or a part begins; the table has done so where they say it."""
        says, is_begun = self._says, lambda table, event: event.round == table.round
        return (
            Follows(lines=(says.round,), rule=self._order, why=self.where, is_so=is_begun, adopt=self._adopt_round),
            Follows(
                lines=(says.step,), rule=self._order, why=self.where, is_so=self._has_begun, adopt=self._adopt_step
            ),
            Follows(
                lines=(says.part,),
                rule=self._own,
                why=self.where,
                is_so=lambda table, event: event.player == table.active,
                adopt=self._adopt_part,
            ),
        )

    def _has_begun(self, table: Any, event: Any) -> bool:
        """Return whether a step has begun in this round, as far as the log has come with what it has to say of it."""
        names = self._names
        due = next((each.event.phase for each in table.derived if isinstance(each.event, self._says.step)), "")
        if due:
            return names.index(event.phase) < names.index(due)
        last = _last_phase(table)
        return last in names[1:] and names.index(event.phase) <= names.index(last)

    def _adopt_round(self, table: Any, event: Any, _expected: Any) -> None:
        """Begin round 1 where the table has begun it, or count as the table counts."""
        if not self._setup.lasts(table):
            table.set(table, "round", event.round)
            return
        with as_written(table, event):
            self.begin(table, next(iter(table.players)))

    def _adopt_step(self, table: Any, event: Any, _expected: Any) -> None:
        """Leave the step of the players where the table has left it for the next one."""
        if table.phase in self._phases and event.phase == self._names[self._names.index(table.phase) + 1]:
            table.update(table, waiting=(), owed=())
            with as_written(table, event):
                self.go_on(table)

    def _adopt_part(self, table: Any, event: Any, _expected: Any) -> None:
        """Make the part that of the player whom the line names."""
        if table.phase in self._phases and event.player != table.active and table.players[event.player].living:
            others = tuple(player for player in table.waiting if player != event.player)
            table.set(table, "waiting", (event.player, *others))
            with as_written(table, event):
                self.go_on(table)
            table.set(table, "handed_over", True)


def _last_phase(table: Any) -> str:
    """Return the phase, or the one in which the game has ended."""
    if not table.over:
        return str(table.phase)
    ends = (before for _, field, before, after in reversed(table.journal) if field == "phase" and after == table.phase)
    return next(ends, "")
