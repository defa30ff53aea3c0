"""A game in rounds: the steps of a round one after the other, in one of which the players have their parts."""

from collections.abc import Callable
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
        self._steps, self._says, self._order, self._own = steps, says, order, rules.own
        self._between = between
        self._names = [step.name for step in steps]
        self._begun = [says.step(phase=name) for name in self._names[1:]]

    def begin(self, table: Any, first: str) -> None:
        """Begin round 1, where the table has evidently begun it: lines of the set-up may be missing."""
        if self._setup.lasts(table):
            super().begin(table, first)
            self._begin_step(table, 0)
            self.go_on(table)

    def go_on(self, table: Any, _behind: str = "") -> None:
        """Take the steps behind the part that is over, until somebody has another one or the game is over."""
        if table.over:
            return
        place, part = self._names.index(table.phase), self._part
        step = self._steps[place]
        while not table.over:
            if step is part:
                if self._next_part(table) or table.over:
                    return
                table.set(table, "active", "")
            self._between(table)
            if not table.over:
                place = (place + 1) % len(self._steps)
                step = self._begin_step(table, place)

    def _begin_step(self, table: Any, place: int) -> Auto | EachPlayer:
        """Begin a step, and return it; before it people may look at the table."""
        step = self._steps[place]
        table.rests.append(len(table.journal))
        if not place:
            table.count(table, "round", 1)
        table.enter_phase(step.name)
        table.derive(self._begun[place - 1] if place else self._says.round(round=table.round), self._order.id)
        if type(step) is Auto:
            step.does(table)
        else:
            table.set(table, "waiting", tuple([player.id for player in self._part.who(table)]))
        return step

    def _next_part(self, table: Any) -> bool:
        """Begin the next part; return whether there is one. Whoever is out has none."""
        while table.waiting and not table.over:
            player = table.players[table.waiting[0]]
            table.set(table, "waiting", table.waiting[1:])
            if player.living:
                self._part.begins(table, player)
                if player.living:
                    return True
        return False

    def end_part(self, table: Any, event: Any) -> None:
        """End the part of a player by the line that says so; what somebody else says ends nothing."""
        if table.phase not in self._phases:
            self.begin(table, event.player)
        if table.phase in self._phases and table.active == event.player:
            self._part.leaves(table, table.players[event.player])
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
