"""A game as its rulebook has it, written once: the set-up, what happens by itself, and what each player does in turn.

A game declares an `Outline` and hangs it on its table class as `TURN`; of a game's file one is made. From it and the
place where a table is follow the lines that may come now, the steps that are taken by themselves, who acts, what is
due, how a turn ends, and the words for where one is. The place is a stack that the table keeps in fields which people
know by name: `phase` is the step of the round or the stage of a part, `active` has that part, `waiting` have theirs
after that in this round, and `owed` comes before anything else.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar, Final

import msgspec
from msgspec import UNSET

from tabletape.events.vocabulary import Event
from tabletape.events.vocabulary.shared import CardShown
from tabletape.projector.kit.common_rules import first_lacking, out_of_game
from tabletape.projector.kit.moves import Move, offered, play_of, rows_of
from tabletape.projector.model.due import Due
from tabletape.projector.model.game import RuleVerdict, TurnEnd
from tabletape.projector.model.phrases import name_of
from tabletape.projector.model.rules import Case, Rule

Play = Callable[[Any, Any], object]
"""Does at a table what a line says."""

SETUP: Final = "setup"
"""The phase of a table on which no round has begun."""


class Setup(msgspec.Struct, frozen=True, kw_only=True):
    """What comes before the first part.

    `needs` are what it takes, in order; a line of somebody's part that comes too early breaks the first that lacks.
    `is_done(table)` says at a glance that none does, so that round 1 begins by itself; else whoever acts begins it.
    `asks(table)` are the players who have something to decide, by one of the lines `plays`, of which each stands with
    what it needs itself at a table. `due(table)` are the lines of luck; `deals` is one that parts have as well.
    `first(table)` is who begins, or empty while that is open; `begins(table, player)` is done then, usually that
    player's part begins. `lasts(table)` says that it is not over.
    """

    needs: tuple[Case, ...] = ()
    asks: Callable[[Any], tuple[str, ...]] = lambda _table: ()
    plays: Mapping[type[Event], Callable[[Any, Any], Sequence[Case]]] = {}
    due: Callable[[Any], Iterable[Due]]
    deals: type[Event] | None = None
    first: Callable[[Any], str] = lambda table: table.first
    begins: Callable[[Any, str], object] = lambda table, first: table.TURN.begin_part(table, first)
    is_done: Callable[[Any], bool] = lambda _table: False
    lasts: Callable[[Any], bool] = lambda table: bool(table.phase == SETUP)


class EachPlayer(msgspec.Struct, frozen=True, kw_only=True):
    """The step in which players have parts.

    * `who(table)` are the players, in order: each has one part in a step of a round. Where parts go on and on around
      the table, `after(table, player)` has the one behind a player's; `at_once` all may act at any time.
    * `begins(table, player)` is done as a part begins, `leaves(table, player)` as it ends, which a line of the type
      `ends` says; a game in which more follows from that line says it with its move. `ending`, where there is one, is
      the phase of a table on which nothing has followed from that yet.
      `doing` is what a player is called to be doing meanwhile. `stages` are those of a part, in order.
    * `draws` are the lines of luck in a part, `due(table)` those that are due now; while `waits(table)` nobody decides.
    * `plays` are the decisions of a part, `acts(play)` is what one does of whoever may not go on freely: what has to
      come before it, and then `play`. `first(table, event)` is what stands against them, and against the lines
      `in_order` as well, while something is owed, while `lacks(table)` says that a line was passed over which nobody
      has been accused of, and at the stages `closed`, at which only the end of the part may come.
    * `settles(table)` does what follows by itself after a line of a part, and says before whose next line nothing has
      to be looked at: the player whose part it is then, or nobody.
    * Decisions of the types `also` end a part as well; `said_again(table, event)` is the verdict on the end of a part
      that is over, None of one that is not.
    * `lost` are the rules of lines that are forgotten together with the end of a part, `lost_behind` of such behind it.
    """

    name: str = "turn"
    doing: str = "on turn"
    who: Callable[[Any], Iterable[Any]] = lambda table: table.players.values()
    after: Callable[[Any, str], str] = lambda _table, player: player
    at_once: bool = False
    stages: tuple[str, ...] = ()
    closed: tuple[str, ...] = ()
    ending: str | None = None
    begins: Callable[[Any, Any], object] = lambda _table, _player: None
    draws: tuple[type[Event], ...] = ()
    due: Callable[[Any], Sequence[Due]] = lambda _table: ()
    waits: Callable[[Any], bool] = lambda _table: False
    plays: tuple[type[Event], ...]
    acts: Callable[[Play], Play] | None = None
    in_order: tuple[type[Event], ...] = ()
    first: Callable[[Any, Any], RuleVerdict | None] = lambda _table, _event: None
    lacks: Callable[[Any], object] | None = None
    settles: Callable[[Any], str | None]
    ends: type[Event]
    also: tuple[type[Event], ...] = ()
    said_again: Callable[[Any, Any], RuleVerdict | None] = lambda _table, _event: None
    leaves: Callable[[Any, Any], object] | None = None
    lost: tuple[Rule, ...] = ()
    lost_behind: tuple[Rule, ...] = ()


class PlaceRules(msgspec.Struct, frozen=True, kw_only=True):
    """The rules by which a line has its place: who plays, whose part it is, what comes after the end, who is out.

    `out` is None where nobody is ever out before the end. `follows_end(table, event)`: a line still belongs to it.
    """

    seats: Rule
    own: Rule
    end: Rule
    out: Rule | None = None
    follows_end: Callable[[Any, Any], bool] = lambda _table, _event: False


class Outline:
    """A game in the order of its rulebook: the set-up, and behind it parts of players to its end."""

    BY_ROUNDS: ClassVar[bool] = False
    """Whether a player's next part may follow at once, as where another player begins each round."""

    def __init__(self, setup: Setup, part: EachPlayer, rules: PlaceRules | None = None) -> None:
        """Keep the outline, and the rules about the place of a line, where the game has them."""
        self._setup, self._part, self._rules = setup, part, rules
        self._begins, self._settles, self._first = part.begins, part.settles, part.first
        self._leaves: Any = part.leaves
        self._phases = frozenset(part.stages or (part.name,))
        self._open = self._phases - {*part.closed}
        self._lacks = part.lacks
        self.decisions = frozenset({part.ends, *part.plays})
        self._in_order = self.decisions.union(part.in_order)
        of_part = self.decisions.union(part.draws) - {setup.deals}
        self._needs = {**dict.fromkeys(of_part, lambda _table, _event: setup.needs), **setup.plays}

    # -- the steps that are taken --------------------------------------------------------------------------------------

    def begin(self, table: Any, first: str = "") -> None:
        """Begin the first part, where the table has evidently begun it: lines of the set-up may be missing."""
        if self._setup.lasts(table):
            self._setup.begins(table, self._setup.first(table) or first)

    def begin_part(self, table: Any, player: str) -> None:
        """Begin the part of a player, whoever's would be next."""
        self._part.begins(table, table.players[player])

    def go_on(self, table: Any, behind: str = "") -> None:
        """Begin the part behind that of a player, or of the one whose part it is."""
        part = self._part
        part.begins(table, table.players[part.after(table, behind or table.active)])

    def next_stage(self, table: Any) -> None:
        """Go on to the next stage of a part, behind the last one to the next part."""
        stages = self._part.stages
        behind = stages.index(table.phase) + 1
        if behind < len(stages):
            table.enter_phase(stages[behind])
        else:
            self.go_on(table)

    def end_part(self, table: Any, event: Any) -> None:
        """End a part by the line that says so, which only its player does, where a rule says whose it is."""
        if table.phase not in self._phases:
            self.begin(table, event.player)
        if self._rules is None or (table.phase in self._phases and table.active == event.player):
            if self._part.ending is None:
                self._leave(table, event.player)
            else:
                table.enter_phase(self._part.ending)

    def _leave(self, table: Any, player: str) -> None:
        """Do what follows from the end of a player's part, and begin the next one."""
        leaves = self._leaves
        leaves(table, table.players[player])
        if not table.over:
            self.go_on(table, player)

    def settle(self, table: Any) -> str | None:
        """Take everything that follows by itself, until a line is needed; return who may go on freely, or nobody."""
        if table.phase not in self._phases:
            if table.phase == self._part.ending:
                self._leave(table, table.active)
            elif table.over or not self._setup.lasts(table) or not self._setup.is_done(table):
                return ""
            else:
                self.begin(table, "")
        settles = self._settles
        return settles(table)

    # -- what may come now ---------------------------------------------------------------------------------------------

    def gate(self, table: Any, event: Event) -> RuleVerdict | None:
        """Return the one finding that takes the place of a row: game over, nobody who plays, another line is due."""
        rules = self._rules
        if rules is None:
            return None
        name = getattr(event, "player", UNSET)  # some lines belong to no player
        player, out = table.players.get(name), rules.out
        is_out = out is not None and player is not None and not player.living
        if is_out or table.over or table.phase not in self._open or (player is None and name is not UNSET):
            outside = out_of_game(table, event, rules.seats, rules.end)
            if outside is not None:
                return None if table.over and rules.follows_end(table, event) else outside
            if is_out and out is not None and type(event) is not CardShown:
                return RuleVerdict(out, out(table, event), played=False)
            if self._setup.lasts(table):
                needs = self._needs.get(type(event))
                missing = first_lacking(table, needs(table, event)) if needs is not None else None
                return None if missing is None else RuleVerdict(missing.rule, missing(table, event))
        elif not table.owed and ((lacks := self._lacks) is None or not lacks(table)):
            return None  # as nearly always
        return self._first(table, event) if type(event) in self._in_order else None

    def actors(self, table: Any) -> tuple[str, ...]:
        """Return the players who may decide something now: whoever owes a decision comes first."""
        part = self._part
        if table.over or table.phase not in self._phases:
            return () if table.over else self._setup.asks(table)
        if part.waits(table):
            return ()
        if table.owed or (table.active and not part.at_once):
            return (table.owed[0].player if table.owed else table.active,)
        return tuple([player.id for player in part.who(table)])

    def due(self, table: Any) -> Sequence[Due]:
        """Return the lines that luck has to write now."""
        if table.over:
            return ()
        if self._setup.lasts(table) and (due := [*self._setup.due(table)]):
            return due
        return self._part.due(table) if table.phase in self._phases else ()

    def where(self, table: Any, _event: Event | None = None) -> str:
        """Return where the game stands: `it is round 2, and Ann is deploying`."""
        if table.phase not in self._phases and self._setup.lasts(table):
            return "the set-up is not done"
        if table.active:
            return f"it is round {table.round}, and {name_of(table, table.active)} is {self._part.doing}"
        return f"it is round {table.round}, {table.phase.replace('-', ' ')}"

    # -- what a game is told -------------------------------------------------------------------------------------------

    def fields(self, moves: Sequence[Move], **instead: Any) -> dict[str, Any]:
        """Return the fields of a `Game` that follow from its outline and its moves, but for those given here."""
        play, acts = play_of(moves), self._part.acts
        if self._leaves is not None:
            play = {**play, self._part.ends: self.end_part}
        freely = {} if acts is None else {line: does for line, does in play.items() if line in self.decisions}
        return {
            **{name: getattr(self, name) for name in ("gate", "settle", "actors", "due")},
            "rows": rows_of(moves),
            "play": {**play, **{line: acts(does) for line, does in freely.items()}} if acts is not None else play,
            "freely": freely,
            "legal": lambda table, player: [*offered(moves, table, player)] if player in self.actors(table) else [],
            **instead,
        }

    @property
    def turn_end(self) -> TurnEnd | None:
        """How a part ends, for a log that has forgotten to say so; None where no rule says whose part it is."""
        part, rules = self._part, self._rules
        if rules is None:
            return None
        return TurnEnd(
            part.ends,
            rules.own,
            part.also,
            lost_with_it=part.lost,
            lost_behind_it=part.lost_behind,
            may_be_followed_by_own=self.BY_ROUNDS,
        )
