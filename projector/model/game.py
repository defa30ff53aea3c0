"""The contract of a game: what the fold, the audit, the scribe and the simulation ask it (see `projector.games`)."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import cached_property, partial
from math import inf
from operator import attrgetter
from typing import Any, Final

import msgspec
from msgspec.structs import force_setattr

from tabletape.events.vocabulary import Decision, Event, Vocabulary
from tabletape.events.vocabulary.names import owner_of
from tabletape.events.vocabulary.shared import CardShown, GameAbandoned, Seat
from tabletape.projector.model.areas import Area, areas_of_zones
from tabletape.projector.model.cards import Cards
from tabletape.projector.model.changes import Derived
from tabletape.projector.model.dice import Dice
from tabletape.projector.model.due import Due
from tabletape.projector.model.offering import offered_by_rules
from tabletape.projector.model.rulebook import Rulebook, Ruleset
from tabletape.projector.model.rules import OUTSIDE, Finding, Rows, Rule, Verdict
from tabletape.projector.model.showing import show
from tabletape.projector.model.table import NOWHERE, Table


class RuleVerdict(msgspec.Struct, frozen=True):
    """A rule and its verdict on an event that is not one of a row's tests.

    `played`: whether the table did what the event says all the same; a line that names nobody at the table did nothing.
    `because` names the derived rule that a consequence contradicts, where the rules derived nothing like it.
    """

    rule: Rule
    verdict: Verdict
    played: bool = True
    because: str = ""


class TurnEnd(msgspec.Struct, frozen=True):
    """How a turn ends: by a line of type `by` of the player on turn, or by other decisions (`also`).

    `rule` is the rule that such a line is missing by. `lost_with_it` are rules by which a line has to come just before
    it, `lost_behind_it` such of its player just behind it: who forgets to write the end of a turn has mostly not
    written that line either. `may_be_followed_by_own` says that a player's next turn may follow at once, as where
    another one begins each round.
    """

    by: Callable[..., Event]
    rule: Rule
    also: tuple[type[Event], ...] = ()
    lost_with_it: tuple[Rule, ...] = ()
    lost_behind_it: tuple[Rule, ...] = ()
    may_be_followed_by_own: bool = False

    def line(self, table: Table[Any, Any]) -> Any:
        """Return the line that would end the turn that is going on, None where none is."""
        return self.by(player=table.active) if table.active else None


class Drift(msgspec.Struct, frozen=True):
    """An observed total that differs from the fold; `adopt` makes the observed value the fold's, where possible.

    `field` is the noun for what was read (`Ann's hit points`). `because` names the derived rule that it contradicts,
    where the game can tell. `doubt` says why the log cannot tell which of the two is right, where that is not what the
    game's `doubt` says: it is reported in place of the drift.
    """

    rule: Rule
    field: str
    folded: Any
    seen: Any
    adopt: Callable[[], object] | None = None
    because: str = ""
    doubt: Verdict = None


NUMBER: Final = attrgetter("number")


def _unsaid(*_: Any) -> Any:
    """Stand for what a game leaves out, until its rules are numbered."""
    raise NotImplementedError


def _abandoned(table: Table[Any, Any], _event: GameAbandoned) -> None:
    """End a game that the table stops: nobody has won."""
    if not table.over:
        table.update(table, over=True, reason="abandoned")


def _shown(table: Table[Any, Any], event: CardShown) -> None:
    """Name a card that the log could not name so far: one that was played, or one of its owner's hand."""
    owner = owner_of(event.was)
    hands = [zone for zone in table.zones.values() if zone.role == "hand" and zone.owner in {owner, event.player}]
    show(table, event.was, event.card, hands[0] if hands else table.zones[NOWHERE])


USUAL_PLAY: Final[Mapping[type[Event], Callable[[Any, Any], object]]] = {GameAbandoned: _abandoned, CardShown: _shown}
"""What lines do in games that say nothing else of them."""


class Consequences(msgspec.Struct, frozen=True):
    """What a game says of the consequences that a log writes down otherwise than the rules make them.

    * `explain(table, event, expected)` says which rule such a line breaks; `expected` is the derived counterpart, or
      None where the rules derive nothing like it.
    * `adopt(table, event, expected)` does what the line says, because the table did it.
    * `rule` is the one that every written consequence has to agree with the derived ones, where there is such a rule.
    """

    explain: Callable[[Any, Any, Any], RuleVerdict]
    adopt: Callable[[Any, Any, Any], object] = lambda _table, _event, _expected: None
    rule: Rule | None = None


class Slips(msgspec.Struct, frozen=True):
    """What the keeper of a log may have left out, or cannot know.

    * `doubt(table, rule, event)` is asked where a line seems to break a rule or a total was read otherwise: the verdict
      that nobody can tell, because of a card that no file knows or a text that only people can carry out; or None.
    * `turn_end` says how a turn ends, so that a line that was left out, or has a wrong name, is found where later lines
      bear that out.
    * `forgotten(table, event)` names a decision with which a line that breaks a rule would be right, and the rule that
      allows it, where the player may have made it unsaid; or None.
    * `bring_forward(table, player)` begins the turn of a player before that of another who has done nothing yet and has
      it later; it says whether there is such a turn. None: nobody has a turn in every round.
    * `chosen` are the lines of luck that somebody plays: a draw which a rule limits is wrong itself.
    * Of a log that is read otherwise `lines_again` lines are folded at most for each one that nothing is found about.
    * Where a game knows what its rules read, `standing_apart(replay, causes, findings)` are those that read nothing
      which a wrong line has touched, and `behind_gaps()` tells which rules read nothing that lines may have changed
      which nobody could read.
    """

    doubt: Callable[[Any, Rule, Any], RuleVerdict | None] = lambda _table, _rule, _event: None
    turn_end: TurnEnd | None = None
    forgotten: Callable[[Any, Any], tuple[Rule, Any] | None] = lambda _table, _event: None
    bring_forward: Callable[[Any, str], bool] | None = None
    chosen: tuple[type[Event], ...] = ()
    lines_again: int | None = None
    standing_apart: Callable[[Any, Sequence[Finding], Sequence[Finding]], Iterable[Finding]] | None = None
    behind_gaps: Callable[[], Any] | None = None


class Shortlist(msgspec.Struct, frozen=True):
    """What a person is shown first where the legal decisions are too many.

    `offers(table, player)` are those, `more(table, event)` the decisions that go on from one of them.
    """

    offers: Callable[[Any, str], Sequence[Event]] | None = None
    more: Callable[[Any, Any], Iterable[Event]] = lambda _table, _event: ()


Steps = tuple[Callable[[Any], object], ...]
"""What a game does to a table by itself, one after the other."""


class Glance:
    """What a greedy bot sees of legal decisions on a table before it tries them: of most games nothing.

    `alike(events)` gives an equal key for those after which a table looks equally good to the player, so that one of
    them is tried; None for what is to be tried. `at_most(events)` gives what the value does not exceed after each of
    those that do not end the game, infinite where nobody can tell, and minus infinity where it is less than after
    another one that is to be tried: what cannot be the best decision is not tried. `ahead(event)` are the steps that
    the game takes by itself before a decision, so that they are taken once for all that need the same ones; `at_most`
    is asked about these together, behind the steps.
    """

    def __init__(self, table: Any, player: str) -> None:
        self.table, self.player = table, player

    def alike(self, events: Sequence[Event]) -> Sequence[Hashable]:
        """Return a key for each decision."""
        return [None] * len(events)

    def at_most(self, events: Sequence[Event]) -> Sequence[float]:
        """Return a bound for each decision."""
        return [inf] * len(events)

    def ahead(self, _event: Event) -> Steps:
        """Return the steps before a decision."""
        return ()


class BotHints(msgspec.Struct, frozen=True):
    """What bots need to know of a game beside its legal decisions.

    * `value(table, player)` is how good a table without a winner looks to a player, for the greedy bot, once the steps
      `settled` have been taken, which happen by themselves but not before somebody decides something. The bot that
      searches asks for it at the end of a turn, or `foresight` turns later where nothing is decided before; until then
      it takes the best looking of at most `looked_at` decisions, drawn by lot. It does so `iterations` times.
    * `look(table, player)` tells decisions of a player before they are tried (`Glance`).
    * `sample(table, player, dice, most)` gives at most `most` of the legal decisions: all, or as many, each as likely.
      A game has it where to make all of them takes longer than to play; else they are taken from `legal`.
    * `fill_in_chance(table, event, dice)` gives a decision that a bot has chosen with what luck adds (the cards that a
      mulligan draws), and takes a card that it searched for out of the real deck.
    * `named(table, event)` gives a decision that names cards by their places (`?2`) with the cards that lie there, as
      it is done on a table whose hidden cards were dealt anew.
    * `under_deck(table, player)` are the cards that are known to lie under a player's deck, in the order in which they
      will be drawn.
    """

    value: Callable[[Any, str], float] = lambda _table, _player: 0.0
    settled: Steps = ()
    foresight: int = 0
    looked_at: int = 4
    iterations: int = 60
    look: Callable[[Any, str], Glance] = Glance
    sample: Callable[[Any, str, Dice, int], Sequence[Event]] | None = None
    fill_in_chance: Callable[[Any, Any, Dice], Event] = lambda _table, event, _dice: event
    named: Callable[[Any, Any], Event] = lambda _table, event: event
    under_deck: Callable[[Any, str], Sequence[str]] = lambda _table, _player: ()


class Scoreboard(msgspec.Struct, frozen=True):
    """How far players have got, and what is counted of them.

    * `progress(table, player)` is between 0 and 1 (docs/generated/metrics.md), None where the goal is unknown.
    * `points(table, player)` are the points of a player as the game counts them, None where it counts none.
    * `totals(table, player)` are the numbers that are kept for every turn, by the names `total_names`.
    * `points_and_totals(table, player)` are the points of each player and the totals of this one, counted once, where
      progress is a share of the points, which says nothing of how far all players have got.
    * `places(table)` gives the totals of the players at each place that is counted by itself (a biom, a lane):
      place → player → total.
    * `dimensions(table, player)` are the seat's own columns (faction, splicer, general), `dimension_names`.
    """

    progress: Callable[[Any, str], float | None] = lambda _table, _player: None
    points: Callable[[Any, str], float | None] = lambda _table, _player: None
    totals: Callable[[Any, str], dict[str, int]] = lambda _table, _player: {}
    points_and_totals: Callable[[Any, str], tuple[Mapping[str, float], dict[str, int]]] | None = None
    places: Callable[[Any], dict[str, dict[str, int]]] = lambda _table: {}
    dimensions: Callable[[Any, str], dict[str, str]] = lambda _table, _player: {}
    total_names: tuple[str, ...] = ()
    dimension_names: tuple[str, ...] = ()


class Game(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """Everything that the product knows about a game.

    | asked | by whom |
    |---|---|
    | `vocabulary`, `rulebook`, `rules`, `cards` | everybody: lines of a log, what is said of them, what lies there |
    | `opening(seats, ruleset, library)` | the fold: lays the table out for those who sit there |
    | `rows`, `gate(table, event)` | the audit: the tests of a line in order, and what stands against any line first |
    | `play[E](table, event)`, `freely` | the fold: does what a line says, as far as it is physically possible |
    | `before(table, event)`, `settle(table)`, `finish(table)` | the fold: what follows by itself, before or after |
    | `consequences`, `observe(table, event)`, `slips` | the audit: what is written or read off otherwise, or left out |
    | `actors(table)`, `legal(table, player)`, `shortlist` | scribe and bots: who decides what now |
    | `due(table)` | scribe and bots: the lines that luck or hidden information has to write, each may come first |
    | `bots`, `scoreboard`, `areas(table, viewer)`, `endings` | bots, questions, the drawn table, how games end |

    `Game(slug="war", vocabulary=..., rulebook=..., rules=..., opening=open, rows=ROWS, play=PLAY)` is a game.

    What is left out is as most games have it: nothing comes after the end, a written consequence is a derived one, an
    abandoned game has no winner, each zone is drawn on a line, and whatever breaks no rule of its row is legal.
    `freely` is `play` for a player who may go on where nothing can be left over to pass over. `before` may return the
    derived line that says the same as a written one. `settle` may name the player on turn where nothing is open:
    neither `before` nor `gate` is asked about that player's next line. `legal` looks at no card that the player cannot
    see. `players` are the fewest and the most that may sit there, where no rule says it.
    """

    slug: str
    vocabulary: Vocabulary
    rulebook: Rulebook
    rules: tuple[Rule, ...]
    cards: Cards[Any] = Cards()
    players: tuple[int, int] = (1, 99)
    opening: Callable[[Sequence[Seat], Ruleset, Mapping[str, Any]], Table[Any, Any]]
    rows: Rows = {}
    gate: Callable[[Any, Any], RuleVerdict | None] = _unsaid
    play: Mapping[type[Event], Callable[[Any, Any], object]]
    freely: Mapping[type[Event], Callable[[Any, Any], object]] = {}
    before: Callable[[Any, Any], Derived | None] | None = None
    settle: Callable[[Any], str | None] = lambda _table: None
    finish: Callable[[Any], object] | None = None
    consequences: Consequences = Consequences(_unsaid)
    observe: Callable[[Any, Any], Iterable[Drift]] = lambda _table, _event: ()
    slips: Slips = Slips()
    actors: Callable[[Any], tuple[str, ...]] = lambda table: () if table.over else (table.active,)
    due: Callable[[Any], Sequence[Due]] = lambda _table: ()
    legal: Callable[[Any, str], Sequence[Event]] = _unsaid
    shortlist: Shortlist = Shortlist()
    bots: BotHints = BotHints()
    scoreboard: Scoreboard = Scoreboard()
    areas: Callable[[Any, str], Sequence[Area]] = areas_of_zones
    endings: tuple[str, ...] = ("abandoned",)

    def __post_init__(self) -> None:
        """Put in what is left out, and number each rule, in the order of the rulebook."""
        if self.gate is _unsaid:
            end = self._with_rule("end.nothing-after", "Nothing happens after the end.")
            ended = RuleVerdict(end, "the game is over", played=False)
            force_setattr(
                self, "gate", lambda table, event: ended if table.over and type(event) is not CardShown else None
            )
        if self.consequences.explain is _unsaid:
            differs = self._with_rule("state.consequence", "A written consequence is one that the rules derive.")
            ruled = RuleVerdict(differs, "the rules make nothing like this")
            force_setattr(self, "consequences", Consequences(lambda _table, _event, _expected: ruled))
        if self.legal is _unsaid or (isinstance(self.legal, partial) and self.legal.func is offered_by_rules):
            force_setattr(self, "legal", partial(offered_by_rules, self._decided_rows(), self.gate))
        lines = self.vocabulary.types.values()
        usual = {line: done for line in lines for shared, done in USUAL_PLAY.items() if issubclass(line, shared)}
        force_setattr(self, "play", {**usual, **self.play})
        for number, rule in enumerate(self.rules):
            rule.number = number

    def _decided_rows(self) -> Rows:
        """Return the tests of the decisions that players are offered where rules alone say what is."""
        return {line: tests for line, tests in self.rows.items() if tests and issubclass(line, Decision)}

    def _with_rule(self, name: str, text: str) -> Rule:
        """Return a rule that no rulebook has, as one of the game's."""
        rule = OUTSIDE.declare(f"{self.slug}.{name}", "", text)
        force_setattr(self, "rules", (*self.rules, rule))
        return rule

    @property
    def title(self) -> str:
        """The title of the rulebook."""
        return self.rulebook.title

    def read_cards(self, source: str, name: str) -> Cards[Any]:
        """Return the cards of a designer's file called `name`. Raises `CardError` for what cannot be read."""
        return self.cards.read(source, name)

    @cached_property
    def by_id(self) -> Mapping[str, Rule]:
        """The rules by their ids."""
        return {rule.id: rule for rule in self.rules}


def collect_rules(rulebook: Rulebook, *modules: Any) -> tuple[Rule, ...]:
    """Return all rules of a game: those declared in its modules and those written in its rulebook, by line.

    Raises `ValueError` where two have one id.
    """
    by_module = [[value for value in vars(module).values() if isinstance(value, Rule)] for module in modules]
    unique = {id(rule): rule for rules in by_module for rule in sorted(rules, key=NUMBER)}
    unique |= {id(rule): rule for rule in rulebook.written.values()}
    rules = sorted(unique.values(), key=_line)
    ids = [rule.id for rule in rules]
    twice = sorted({each for each in ids if ids.count(each) > 1})
    if twice:
        raise ValueError(f"rules declared twice: {', '.join(twice)}")
    return tuple(rules)


def _line(rule: Rule) -> tuple[float, ...]:
    """Return the place of a rule in its rulebook: line and sentence of its first source; others come last."""
    first = rule.lines.replace("-", " ").split()
    digits = first[0].lstrip("L") if first else ""
    try:
        return tuple(float(part) for part in digits.split("."))
    except ValueError:
        return (float("inf"),)
