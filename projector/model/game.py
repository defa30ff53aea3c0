"""The contract of a game: what the fold, the audit, the scribe and the simulation ask it (see `projector.games`)."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from operator import attrgetter
from typing import Any, Final

import msgspec

from tabletape.events.vocabulary import Consequence, Event, Vocabulary
from tabletape.events.vocabulary.shared import Seat, StateObserved
from tabletape.projector.model.areas import Area, Cell, Shown, backs
from tabletape.projector.model.cards import Cards
from tabletape.projector.model.changes import Derived
from tabletape.projector.model.dice import Dice
from tabletape.projector.model.due import Due
from tabletape.projector.model.rulebook import Rulebook, Ruleset
from tabletape.projector.model.rules import Rows, Rule, Verdict
from tabletape.projector.model.table import Table

__all__ = ["Area", "Cell", "Dice", "Drift", "Game", "RuleVerdict", "Shown", "TurnEnd", "backs", "collect_rules"]


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


class Game(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """Everything that the product knows about a game. T is the game's table, E one of its event types.

    * `opening(seats, ruleset, library)` lays the table out for those who sit there.
    * `makes` are the kinds of cards that are in no deck and come into being in a game, each copy with a number.
    * `rows` are the tests of every event type, in order; the fold leaves out rules that an edition does not have.
    * `gate(table, event)` is looked at before a decision or chance line; what it gives takes the place of the row.
    * `play[E](table, event)` does what the event does at the table, as far as it is physically possible.
    * `freely[E](table, event)` does the same for a player who may go on freely, where nothing can be left over that
      `play` would have to pass over first (optional; else `play`).
    * `before(table, event)` takes the automatic steps that the line needs first (a window closes, a phase ends). Of a
      written consequence it may return the derived one that those steps have made and that says the same.
    * `settle(table)` takes what follows by itself, to a fixed point, after every decision and chance line. It may name
      the player on turn where nothing is open: `before` and `gate` are not asked about that player's next line then.
    * `explain_mismatch(table, event, expected)` says which rule a written consequence breaks; `expected` is the derived
      counterpart, or None where the rules derive nothing like it.
    * `enforce[E](table, event, expected)` does what a wrong consequence says, because the table did it (optional).
    * `consequence_rule` is the rule that every written consequence has to agree with the derived ones (optional).
    * `doubt(table, rule, event)` is asked where a line seems to break a rule or a total was read otherwise: the verdict
      that nobody can tell, because of a card that no file knows or a text that only people can carry out; or None
      (optional).
    * `forgotten(table, event)` names a decision with which a line that breaks a rule would be right, and the rule that
      allows it, where the player may have made it unsaid; or None (optional).
    * `turn_end` says how a turn ends, so that a line that was left out, or has a wrong name, is found where later lines
      bear that out (optional).
    * `observe(table, event)` gives what a `state.observed` read off the table beside what the fold has there; where
      the two differ it is a drift.
    * `finish(table)` takes the automatic steps that are due when the log ends.
    * `actors(table)` gives the players who may decide something now; `legal(table, player)` their legal decisions,
      without looking at cards that the player cannot see; `due(table)` the lines that luck or hidden information has
      to write now, each of which may come first.
    * `offers(table, player)` are the decisions that a person is shown first, where the legal ones are too many, and
      `more(table, event)` those that go on from one of them; by default all legal ones, and none.
    * `fill_in_chance(table, event, dice)` gives a decision that a bot has chosen with what luck adds (the cards that a
      mulligan draws), and takes a card that it searched for out of the real deck; by default the decision as it is.
    * `under_deck(table, player)` are the cards that are known to lie under a player's deck, in the order in which they
      will be drawn; by default none.
    * `sample(table, player, dice, most)` gives at most `most` of the legal decisions: all, or as many, each as likely.
      A game has it where to make all of them takes longer than to play (optional; else they are taken from `legal`).
    * `value(table, player)` is how good a table without a winner looks to a player, for the greedy bot. The bot that
      searches asks for it at the end of a turn, or `foresight` turns later where nothing is decided before.
    * `alike(table, events)` gives an equal key for those legal decisions of a player after which a table looks equally
      good to that player, so that the greedy bot tries one of them; None (the default) for what is to be tried.
    * `progress(table, player)` is between 0 and 1 (docs/generated/metrics.md), None where the goal is unknown;
      `totals(table, player)` are the numbers that are kept for every turn; `areas(table, viewer)` is the table as it is
      drawn. `points_and_totals(table, player)` are the points of each player and the totals of this one, counted
      once, where progress is a share of the points, which says nothing of how far all players have got (optional).
    * `points(table, player)` are the points of a player as the game counts them, None where it counts none.
    * `places(table)` gives the totals of the players at each place that is counted by itself (a biom, a lane):
      place → player → total.
    * `dimensions(table, player)` are the seat's own columns (faction, splicer, general).
    * `keywords(text)` are the rulebook's words that a printed card uses, so that one can ask which no game has tried.
    """

    slug: str
    title: str
    vocabulary: Vocabulary
    rulebook: Rulebook
    cards: Cards[Any]
    read_cards: Callable[[str, str], Cards[Any]]
    makes: tuple[str, ...] = ()
    rules: tuple[Rule, ...]
    rows: Rows
    opening: Callable[[Sequence[Seat], Ruleset, Mapping[str, Any]], Table[Any, Any]]
    play: Mapping[type[Event], Callable[[Any, Any], object]]
    freely: Mapping[type[Event], Callable[[Any, Any], object]] = msgspec.field(default_factory=dict)
    settle: Callable[[Any], str | None]
    explain_mismatch: Callable[[Any, Any, Any], RuleVerdict]
    consequence_rule: Rule | None = None
    doubt: Callable[[Any, Rule, Any], RuleVerdict | None] = lambda _table, _rule, _event: None
    turn_end: TurnEnd | None = None
    forgotten: Callable[[Any, Any], tuple[Rule, Any] | None] = lambda _table, _event: None
    observe: Callable[[Any, StateObserved], Iterable[Drift]]
    gate: Callable[[Any, Any], RuleVerdict | None]
    before: Callable[[Any, Any], Derived | None] | None = None
    enforce: Mapping[type[Consequence], Callable[[Any, Any, Any], object]] = msgspec.field(default_factory=dict)
    finish: Callable[[Any], object] | None = None
    actors: Callable[[Any], tuple[str, ...]]
    legal: Callable[[Any, str], Sequence[Event]]
    due: Callable[[Any], Sequence[Due]]
    offers: Callable[[Any, str], Sequence[Event]] | None = None
    more: Callable[[Any, Any], Iterable[Event]] = lambda _table, _event: ()
    sample: Callable[[Any, str, Dice, int], Sequence[Event]] | None = None
    fill_in_chance: Callable[[Any, Any, Dice], Event] = lambda _table, event, _dice: event
    under_deck: Callable[[Any, str], Sequence[str]] = lambda _table, _player: ()
    value: Callable[[Any, str], float]
    foresight: int = 0
    alike: Callable[[Any, Sequence[Event]], Sequence[Hashable]] = lambda _table, events: [None for _ in events]
    progress: Callable[[Any, str], float | None]
    points_and_totals: Callable[[Any, str], tuple[Mapping[str, float], dict[str, int]]] | None = None
    totals: Callable[[Any, str], dict[str, int]]
    points: Callable[[Any, str], float | None] = lambda _table, _player: None
    dimensions: Callable[[Any, str], dict[str, str]]
    areas: Callable[[Any, str], Sequence[Area]]
    places: Callable[[Any], dict[str, dict[str, int]]] = lambda _table: {}
    keywords: Callable[[Any], Iterable[str]] = lambda _text: ()
    dimension_names: tuple[str, ...] = ()
    total_names: tuple[str, ...] = ()
    endings: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Number each rule, in the order of the rulebook."""
        for number, rule in enumerate(self.rules):
            rule.number = number

    @property
    def by_id(self) -> Mapping[str, Rule]:
        """The rules by their ids."""
        found: dict[str, Rule] | None = self.__dict__.get("_by_id")
        if found is None:
            found = {rule.id: rule for rule in self.rules}
            self.__dict__["_by_id"] = found
        return found


NUMBER: Final = attrgetter("number")


def collect_rules(rulebook: Rulebook, *modules: Any) -> tuple[Rule, ...]:
    """Return all rules of a game: those declared in its modules and those written in its rulebook, by line.

    Raises `ValueError` where two have one id.
    """
    found = [[value for value in vars(module).values() if isinstance(value, Rule)] for module in modules]
    unique = {id(rule): rule for rules in found for rule in sorted(rules, key=NUMBER)}
    rules = sorted([*unique.values(), *rulebook.written], key=_line)
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
