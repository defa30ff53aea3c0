"""A game as its rulebook has it, written once: the set-up, what happens by itself, and what each player does in turn.

A game declares an `Outline` and hangs it on its table class as `TURN`; of a game's file one is made. From it and the
place where a table is follow the lines that may come now, the steps that are taken by themselves, who acts, what is
due, how a turn ends, and the words for where one is. The place is a stack that the table keeps in fields which people
know by name: `phase` is the step of the round or the stage of a part, `active` has that part, `waiting` have theirs
after that in this round, and `owed` comes before anything else.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

import msgspec

from tabletape.events.vocabulary import Event
from tabletape.events.vocabulary.shared import CardShown
from tabletape.projector.kit.adopting import as_written
from tabletape.projector.kit.common_rules import first_lacking, out_of_game
from tabletape.projector.kit.consequence import Follows
from tabletape.projector.kit.moves import Move, offered, play_of, rows_of
from tabletape.projector.model.due import Due
from tabletape.projector.model.game import RuleVerdict, TurnEnd
from tabletape.projector.model.phrases import name_of
from tabletape.projector.model.rules import Case, Rule

SETUP: Final = "setup"
"""The phase of a table on which no round has begun."""


class Setup(msgspec.Struct, frozen=True, kw_only=True):
    """What comes before the first part.

    `needs` are what it takes, in order; a line of somebody's part that comes too early breaks the first that lacks.
    `is_done(table)` says at a glance that none does, so that round 1 begins by itself; else whoever acts begins it.
    `due(table)` are the lines of luck. `first(table)` is who begins, or empty while that is open;
    `begins(table, player)` is done then. `lasts(table)` says that it is not over.
    """

    needs: tuple[Case, ...] = ()
    due: Callable[[Any], Sequence[Due]]
    first: Callable[[Any], str]
    begins: Callable[[Any, str], object]
    is_done: Callable[[Any], bool] = lambda _table: False
    lasts: Callable[[Any], bool] = lambda table: bool(table.phase == SETUP)


class Auto(msgspec.Struct, frozen=True):
    """A step of the round that happens by itself."""

    name: str
    does: Callable[[Any], object]


class EachPlayer(msgspec.Struct, frozen=True, kw_only=True):
    """The step in which players have parts.

    * `who(table)` are the players, in order: each has one part in a step of a round. Where parts go on and on around
      the table, `after(table, player)` has the one behind a player's; `at_once` all may act at any time.
    * `begins(table, player)` is done as a part begins, `leaves(table, player)` as it ends, which a line of the type
      `ends` says. `doing` is what a player is called to be doing meanwhile. `stages` are those of a part, in order.
    * `draws` is the line of luck in a part, `due(table)` what of it is due now; while `waits(table)` nobody decides.
    * `plays` are the decisions of a part; `first(table, event)` is what stands against them while something is owed.
    * `settles(table)` does what follows by itself after a line of a part, and says whether nothing has to be looked at
      before the next line of the player whose part it is then.
    * `lost` are the rules of lines that are forgotten together with the end of a part.
    """

    name: str
    doing: str
    who: Callable[[Any], Iterable[Any]]
    after: Callable[[Any, str], str] = lambda _table, player: player
    at_once: bool = False
    stages: tuple[str, ...] = ()
    begins: Callable[[Any, Any], object]
    draws: type[Event]
    due: Callable[[Any], Sequence[Due]]
    waits: Callable[[Any], bool]
    plays: tuple[type[Event], ...]
    first: Callable[[Any, Any], RuleVerdict | None]
    settles: Callable[[Any], bool | None]
    ends: type[Event]
    leaves: Callable[[Any, Any], object]
    lost: tuple[Rule, ...] = ()


class Says(msgspec.Struct, frozen=True, kw_only=True):
    """The lines by which a log says that a round, a step of it or somebody's part begins."""

    round: type[Any]
    step: type[Any]
    part: type[Any]


class Outline:
    """A game in the order of its rulebook: the set-up, and behind it parts of players to its end."""

    def __init__(self, setup: Setup, part: EachPlayer) -> None:
        """Keep the outline."""
        self._setup, self._part = setup, part
        self._phases = frozenset(part.stages or (part.name,))
        self.decisions = frozenset({part.ends, *part.plays})

    # -- the steps that are taken --------------------------------------------------------------------------------------

    def begin(self, table: Any, first: str) -> None:
        """Begin the first part, where the table has evidently begun it: lines of the set-up may be missing."""
        if self._setup.lasts(table):
            self._setup.begins(table, self._setup.first(table) or first)

    def begin_part(self, table: Any, player: str) -> None:
        """Begin the part of a player, whoever's would be next."""
        self._part.begins(table, table.players[player])

    def go_on(self, table: Any, behind: str = "") -> None:
        """Begin the part behind that of a player, or of the one whose part it is."""
        self.begin_part(table, self._part.after(table, behind or table.active))

    def next_stage(self, table: Any) -> None:
        """Go on to the next stage of a part, behind the last one to the next part."""
        stages = self._part.stages
        behind = stages.index(table.phase) + 1
        if behind < len(stages):
            table.enter_phase(stages[behind])
        else:
            self.go_on(table)

    def end_part(self, table: Any, event: Any) -> None:
        """End a part by the line that says so: the table goes on behind whoever wrote it."""
        self.begin(table, event.player)
        self._part.leaves(table, table.players[event.player])
        self.go_on(table, event.player)

    def settle(self, table: Any) -> str:
        """Take everything that follows by itself, until a line is needed; return who may go on freely, or nobody."""
        phases = self._phases
        if table.phase not in phases:
            if self._setup.lasts(table) and not table.over and self._setup.is_done(table):
                self.begin(table, "")
            return ""
        is_free = self._part.settles(table)
        return table.active if is_free and not table.owed and table.phase in phases else ""

    # -- what may come now ---------------------------------------------------------------------------------------------

    def comes_first(self, table: Any, event: Any) -> RuleVerdict | None:
        """Return what stands against a line while something else is owed, None where nothing is."""
        return self._part.first(table, event) if table.owed else None

    def actors(self, table: Any) -> tuple[str, ...]:
        """Return the players who may decide something now: whoever owes a decision comes first."""
        part = self._part
        if table.over or table.phase not in self._phases or part.waits(table):
            return ()
        if table.owed or (table.active and not part.at_once):
            return (table.owed[0].player if table.owed else table.active,)
        return tuple([player.id for player in part.who(table)])

    def due(self, table: Any) -> Sequence[Due]:
        """Return the lines that luck has to write now."""
        if table.over:
            return ()
        if self._setup.lasts(table) and (due := self._setup.due(table)):
            return due
        return self._part.due(table) if table.phase in self._phases else ()

    def where(self, table: Any, _event: Any = None) -> str:
        """Return where the game stands: `it is round 2, and Ann is deploying`."""
        if table.phase not in self._phases and self._setup.lasts(table):
            return "the set-up is not done"
        if table.active:
            return f"it is round {table.round}, and {name_of(table, table.active)} is {self._part.doing}"
        return f"it is round {table.round}, {table.phase.replace('-', ' ')}"


class Rounds(Outline):
    """The outline of a game in rounds: the set-up and the steps of a round; in one of them players have their parts."""

    def __init__(  # noqa: PLR0913 - all that a rulebook says of the course of a game
        self,
        setup: Setup,
        *steps: Auto | EachPlayer,
        says: Says,
        order: Rule,
        own: Rule,
        seats: Rule,
        end: Rule,
        out: Rule,
        between: Callable[[Any], object],
    ) -> None:
        """Keep the outline.

        `order` is the rule that the steps come one after the other, as the lines `says` tell. `own`, `seats`, `end` and
        `out` are those about whose part it is, who plays, what comes after the end, and who is out. `between(table)` is
        done between two steps.
        """
        (part,) = (step for step in steps if isinstance(step, EachPlayer))
        super().__init__(setup, part)
        self._steps, self._says, self._order, self._own = steps, says, order, own
        self.seats, self.end, self._out = seats, end, out
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

    def gate(self, table: Any, event: Any) -> RuleVerdict | None:
        """Return the one finding that takes the place of a row: game over, nobody who plays, another line is due."""
        player = table.players.get(getattr(event, "player", ""))
        in_part = table.phase in self._phases
        if in_part and player is not None and player.living and not table.owed:
            return None  # as nearly always
        outside = out_of_game(table, event, self.seats, self.end)
        if outside is not None or type(event) is CardShown or player is None:
            return outside
        if not player.living:
            return RuleVerdict(self._out, self._out(table, event), played=False)
        if self._setup.lasts(table) and type(event) in {self._part.draws, *self.decisions}:
            missing = first_lacking(table, self._setup.needs)
            return None if missing is None else RuleVerdict(missing.rule, missing(table, event))
        if table.owed and in_part and type(event) in self.decisions and player.id == table.active:
            return self.comes_first(table, event)
        return None

    # -- what a game is told -------------------------------------------------------------------------------------------

    def fields(self, moves: Sequence[Move]) -> dict[str, Any]:
        """Return the fields of a `Game` that follow from its outline and its moves."""
        return {
            "gate": self.gate,
            "settle": self.settle,
            "actors": self.actors,
            "due": self.due,
            "rows": rows_of(moves),
            "play": {**play_of(moves), self._part.ends: self.end_part},
            "legal": lambda table, player: [*offered(moves, table, player)] if player in self.actors(table) else [],
        }

    @property
    def turn_end(self) -> TurnEnd:
        """How a part ends, for a log that has forgotten to say so."""
        part = self._part
        return TurnEnd(part.ends, self._own, lost_with_it=part.lost, may_be_followed_by_own=True)

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
