"""A round as its rulebook has it, written once: the set-up, what happens by itself, and what each player does in turn.

A game declares an `Outline` and hangs it on its table class as `TURN`. From it and the place where a table is follow
the lines that may come now, the steps that are taken by themselves, who acts, what is due, how a turn ends, and the
words for where one is. The place is a stack that the table keeps in fields which people know by name: `phase` is the
step of the round, `active` has a part in it, `waiting` have theirs after that, and `owed` comes before anything else.
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
from tabletape.projector.model.rules import Broken, Case, Check, Rule, Verdict

SETUP: Final = "setup"
"""The phase of a table on which no round has begun."""


class Setup(msgspec.Struct, frozen=True, kw_only=True):
    """What comes before round 1.

    `needs` are what it takes, in order; a line of somebody's part that comes too early breaks the first that lacks.
    `is_done(table)` says at a glance that none does, so that round 1 begins by itself. `due(table)` are the lines of
    luck. `first(table)` is who begins, or empty while that is open; `begins(table, player)` is done then.
    """

    needs: tuple[Case, ...]
    due: Callable[[Any], Sequence[Due]]
    first: Callable[[Any], str]
    begins: Callable[[Any, str], object]
    is_done: Callable[[Any], bool]


class Auto(msgspec.Struct, frozen=True):
    """A step of the round that happens by itself."""

    name: str
    does: Callable[[Any], object]


class EachPlayer(msgspec.Struct, frozen=True, kw_only=True):
    """A step of the round in which one player after another has a part.

    * `who(table)` are the players, in order; `begins(table, player)` is done as a part begins, `leaves(table, player)`
      as it ends, which a line of the type `ends` says. `doing` is what a player is called to be doing meanwhile.
    * `draws` is the line of luck in a part, `due(table)` what of it is due now; while `waits(table)` nobody decides.
    * `plays` are the decisions of a part; `first` is the rule that what is owed comes before them.
    * `settles(table)` does what follows by itself after a line of a part, and says whether nothing has to be looked at
      before the next line of the player whose part it is then.
    * `rule` says whose part it is; `lost` are the rules of lines that are forgotten together with the end of a part.
    """

    name: str
    doing: str
    who: Callable[[Any], Iterable[Any]]
    begins: Callable[[Any, Any], object]
    draws: type[Event]
    due: Callable[[Any], Sequence[Due]]
    waits: Callable[[Any], bool]
    plays: tuple[type[Event], ...]
    first: Rule
    settles: Callable[[Any], bool]
    ends: type[Event]
    leaves: Callable[[Any, Any], object]
    rule: Rule
    lost: tuple[Rule, ...] = ()

    @property
    def lines(self) -> frozenset[type[Event]]:
        """The lines of a part."""
        return frozenset({self.draws, self.ends, *self.plays})

    def next_part(self, table: Any) -> bool:
        """Begin the next part; return whether there is one. Whoever is out has none."""
        while table.waiting and not table.over:
            player = table.players[table.waiting[0]]
            table.set(table, "waiting", table.waiting[1:])
            if player.living:
                self.begins(table, player)
                if player.living:
                    return True
        return False


class Says(msgspec.Struct, frozen=True, kw_only=True):
    """The lines by which a log says that a round, a step of it or somebody's part begins."""

    round: type[Any]
    step: type[Any]
    part: type[Any]


class Outline:
    """A game in the order of its rulebook: the set-up and the steps of a round."""

    def __init__(  # noqa: PLR0913 - all that a rulebook says of the course of a game
        self,
        setup: Setup,
        *steps: Auto | EachPlayer,
        says: Says,
        order: Rule,
        seats: Rule,
        end: Rule,
        out: Rule,
        between: Callable[[Any], object],
    ) -> None:
        """Keep the outline.

        `order` is the rule that the steps come one after the other, as the lines `says` tell. `seats`, `end` and `out`
        are those about who plays, what comes after the end, and who is out. `between(table)` is done between two steps.
        """
        self._setup, self._steps, self._says, self._order = setup, steps, says, order
        self.seats, self.end, self._out = seats, end, out
        self._between = between
        self._names = [step.name for step in steps]
        self._parts = {step.name: step for step in steps if isinstance(step, EachPlayer)}
        self._lines = frozenset[type[Event]]().union(*(part.lines for part in self._parts.values()))
        self._begun = [says.step(phase=name) for name in self._names[1:]]

    # -- the steps that are taken --------------------------------------------------------------------------------------

    def begin(self, table: Any, first: str) -> None:
        """Begin round 1, where the table has evidently begun it: lines of the set-up may be missing."""
        if table.phase == SETUP:
            self._setup.begins(table, self._setup.first(table) or first)
            self._begin_step(table, 0)
            self.go_on(table)

    def go_on(self, table: Any) -> None:
        """Take the steps behind the part that is over, until somebody has another one or the game is over."""
        if table.over:
            return
        place = self._names.index(table.phase)
        step = self._steps[place]
        while not table.over:
            if type(step) is EachPlayer:  # to ask `isinstance` of a struct takes longer than all the rest
                if step.next_part(table) or table.over:
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
            table.set(table, "waiting", tuple([player.id for player in step.who(table)]))  # type: ignore[union-attr]
        return step

    def end_part(self, table: Any, event: Any) -> None:
        """End the part of a player by the line that says so; what somebody else says ends nothing."""
        if table.phase == SETUP:
            self.begin(table, event.player)
        part = self._parts.get(table.phase)
        if part is not None and table.active == event.player:
            part.leaves(table, table.players[event.player])
            table.set(table, "handed_over", False)
            self.go_on(table)

    def bring_forward(self, table: Any, player: str) -> bool:
        """Begin the part of a player before that of another, who has it later; return whether both have one."""
        if player not in table.waiting:
            return False
        self.begin_anew(table, (player, table.active, *(each for each in table.waiting if each != player)))
        return True

    def begin_anew(self, table: Any, players: tuple[str, ...]) -> None:
        """Begin the parts of players in place of the one that has just begun."""
        begun = (at for at, each in enumerate(table.derived) if isinstance(each.event, self._says.part))
        del table.derived[next(begun, len(table.derived)) :]
        table.set(table, "waiting", players)
        table.count(table, "turn", -1)
        self.go_on(table)

    def settle(self, table: Any) -> str:
        """Take everything that follows by itself, until a line is needed; return who may go on freely, or nobody."""
        part = self._parts.get(table.phase)
        if part is None:
            if table.phase == SETUP and not table.over and self._setup.is_done(table):
                self.begin(table, "")
            return ""
        is_free: bool = part.settles(table)
        return table.active if is_free and not table.owed and table.phase == part.name else ""

    # -- what may come now ---------------------------------------------------------------------------------------------

    def gate(self, table: Any, event: Any) -> RuleVerdict | None:
        """Return the one finding that takes the place of a row: game over, nobody who plays, another line is due."""
        player = table.players.get(getattr(event, "player", ""))
        part = self._parts.get(table.phase)
        if part is not None and player is not None and player.living and not table.owed:
            return None  # as nearly always
        outside = out_of_game(table, event, self.seats, self.end)
        if outside is not None or type(event) is CardShown or player is None:
            return outside
        if not player.living:
            return RuleVerdict(self._out, self._out(table, event), played=False)
        if table.phase == SETUP and type(event) in self._lines:
            missing = first_lacking(table, self._setup.needs)
            return None if missing is None else RuleVerdict(missing.rule, missing(table, event))
        if table.owed and part is not None and type(event) in part.lines - {part.draws} and player.id == table.active:
            return RuleVerdict(part.first, part.first(table, event))
        return None

    def actors(self, table: Any) -> tuple[str, ...]:
        """Return the player who may decide something now."""
        part = self._parts.get(table.phase)
        return () if part is None or part.waits(table) else (table.active,)

    def due(self, table: Any) -> Sequence[Due]:
        """Return the lines that luck has to write now."""
        if table.phase == SETUP:
            return self._setup.due(table)
        part = self._parts.get(table.phase)
        return () if part is None else part.due(table)

    def where(self, table: Any, _event: Any = None) -> str:
        """Return where the game stands: `it is round 2, and Ann is deploying`."""
        if table.phase == SETUP:
            return "the set-up is not done"
        if table.active:
            return f"it is round {table.round}, and {name_of(table, table.active)} is {self._parts[table.phase].doing}"
        return f"it is round {table.round}, {table.phase.replace('-', ' ')}"

    # -- what a game is told -------------------------------------------------------------------------------------------

    def fields(self, moves: Sequence[Move]) -> dict[str, Any]:
        """Return the fields of a `Game` that follow from its outline and its moves."""
        (part,) = self._parts.values()
        return {
            "gate": self.gate,
            "settle": self.settle,
            "actors": self.actors,
            "due": self.due,
            "rows": rows_of(moves),
            "play": {**play_of(moves), part.ends: self.end_part},
            "legal": lambda table, player: [*offered(moves, table, player)] if player in self.actors(table) else [],
        }

    @property
    def turn_end(self) -> TurnEnd:
        """How a part ends, for a log that has forgotten to say so."""
        (part,) = self._parts.values()
        return TurnEnd(part.ends, part.rule, lost_with_it=part.lost, may_be_followed_by_own=True)

    @property
    def follows(self) -> tuple[Follows, ...]:
        """The lines that say that a round, a step or a part begins; the table has done so where they say it."""
        (part,) = self._parts.values()
        says, is_begun = self._says, lambda table, event: event.round == table.round
        return (
            Follows(lines=(says.round,), rule=self._order, why=self.where, is_so=is_begun, adopt=self._adopt_round),
            Follows(
                lines=(says.step,), rule=self._order, why=self.where, is_so=self._has_begun, adopt=self._adopt_step
            ),
            Follows(
                lines=(says.part,),
                rule=part.rule,
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
        if table.phase != SETUP:
            table.set(table, "round", event.round)
            return
        with as_written(table, event):
            self.begin(table, next(iter(table.players)))

    def _adopt_step(self, table: Any, event: Any, _expected: Any) -> None:
        """Leave the step of the players where the table has left it for the next one."""
        if table.phase in self._parts and event.phase == self._names[self._names.index(table.phase) + 1]:
            table.update(table, waiting=(), owed=())
            with as_written(table, event):
                self.go_on(table)

    def _adopt_part(self, table: Any, event: Any, _expected: Any) -> None:
        """Make the part that of the player whom the line names."""
        if table.phase in self._parts and event.player != table.active and table.players[event.player].living:
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


# -- whose part it is --------------------------------------------------------------------------------------------------


def own_part(doing: str) -> Check:
    """Return the check that it is a player's own part, in which one is called to be `doing` something."""

    def is_own(table: Any, event: Any) -> Verdict:
        if table.active == event.player:
            return None
        name = name_of(table, event.player)
        if not table.active:
            return f"{name} acts although nobody is {doing} now"
        active = name_of(table, table.active)
        return Broken(f"{name} acts although {active} is {doing}", active)

    return is_own


def own_end(own: Rule) -> Case:
    """Return the case of `own` that only whose part it is ends it; to say it twice changes nothing."""

    def ends_own(table: Any, event: Any) -> Verdict:
        if table.active == event.player:
            return None
        if has_just_ended(table, event.player):
            return Broken(f"{name_of(table, event.player)} has declared to be done already", "no second line", "info")
        return own.check(table, event)

    return Case(own, ends_own)


def has_just_ended(table: Any, player: str) -> bool:
    """Return whether a player's part was the last to end, and no card has been touched since."""
    if table.handed_over:
        return False
    for _, field, before, _ in reversed(table.journal):
        if field == "zone" or (field == "active" and before):
            return bool(field == "active" and before == player)
    return False
