"""Whether any line could break a rule: its condition is asked in the stored games with other lines, cards and numbers.

A rule that stands in a file and cannot be broken looks as if it were checked. Where nothing that a line can say breaks
it, it says something else than its sentence, or looks at what no line tells.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice, product
from typing import Any, Final

from tabletape.events.rules_file.lines import name_of
from tabletape.events.rules_file.running import decided
from tabletape.events.rules_file.stated import FieldRule, Rules, Stated
from tabletape.events.rules_file.values import TooLongError
from tabletape.events.vocabulary import Event
from tabletape.events.vocabulary.names import card_of
from tabletape.projector.fold.folding import ruleset_of
from tabletape.projector.fold.replay import Replay
from tabletape.projector.model.game import Game
from tabletape.projector.tabletop.moment import Moment, Unmade
from tabletape.projector.tabletop.state import kind_of

UNBREAKABLE: Final = (
    "no line breaks it, with any card, player or number: it is not read as its sentence, or no line tells what it "
    "looks at; nothing is checked by it"
)

GAMES: Final = 20
"""Games in which a condition is asked, and what all of them say is tried there."""

MOMENTS: Final = 6
"""Moments of a game at which it is asked."""

STEPS: Final = 300_000
"""The steps that looking at one moment of a game may take; where they are used up nobody can tell."""

HEAPS: Final = (0, 1, 2, 3, 8, 30)
"""How many cards of a kind may lie in a zone, beside what lies there."""

NUMBERS: Final = (0, 1, 2, 3, 4, 5, 6, 8, 10, 15, 50, 1000)
"""What may be counted."""


def unbreakable(one: Game, rules: Rules, games: Sequence[Sequence[Event]], ids: Iterable[str]) -> frozenset[str]:
    """Return which conditions of moves, among the rules `ids`, nothing breaks that a line of the games could say."""
    conditions = {need.id: (move.name, need) for move in rules.moves.values() for need in move.needs}
    asked = [conditions[each] for each in ids if each in conditions]
    said = _said(rules, games)
    broken: set[str] = set()
    for events in games[:: len(games) // GAMES + 1] if asked else ():
        begun: Any = events[0]
        replay = Replay(one, ruleset_of(one, begun.edition, begun.rulings, edition="", rulings={})).run(events[:1])
        stride = max(1, len(events) // MOMENTS)
        for at in range(1, len(events), stride):
            replay.run(events[at : at + stride])
            for move, need in asked:
                if need.id not in broken and _may_break(rules, replay.table, (move, need), said):
                    broken.add(need.id)
    return frozenset(need.id for _, need in asked if need.id not in broken) if games else frozenset()


def _said(rules: Rules, games: Sequence[Sequence[Event]]) -> Mapping[str, set[str]]:
    """Return which cards may come into which zones: those that lines lay there, and those that no line names at all.

    Into hands and decks any card comes.
    """
    named: dict[str, set[str]] = {move: set() for move in rules.moves}
    for event in (each for events in games for each in events if name_of(each) in named):
        for field in rules.moves[name_of(event)].fields:
            value = getattr(event, field.name)
            for name in value if isinstance(value, tuple) else (value,):
                named[name_of(event)] |= {card_of(name)} & rules.cards.keys() if isinstance(name, str) else set()
    by_itself = frozenset().union(*(effect.writes for each in rules.whens for effect in each.does))
    unnamed = rules.cards.keys() - set().union(*named.values())
    said: dict[str, set[str]] = {}
    for zone, about in rules.zones.items():
        movers = [
            move for move in rules.moves.values() if any(zone in it.writes for it in (*move.does, *move.otherwise))
        ]
        is_any = about.seen_by != "all" or zone in by_itself or any(not move.fields for move in movers)
        said[zone] = {*rules.cards} if is_any else unnamed.union(*(named[move.name] for move in movers))
    return said


def _may_break(rules: Rules, table: Any, asked: tuple[str, Stated], said: Mapping[str, set[str]]) -> bool:
    """Return whether a condition is false at a moment for some line, with some cards where it looks, or some number."""
    move, need = asked
    reads = need.node.reads | (need.of.reads if need.of is not None else frozenset())
    if not reads <= rules.zones.keys() | rules.counters.keys():
        return True  # it asks whose turn it is, or who laid a card
    fields, looked_at = rules.moves[move].fields, need.node.fields | (need.of.fields if need.of else frozenset())
    for player in table.players:
        moment = Moment(rules, table, player)
        moment.steps = STEPS // len(table.players)
        values = ([*islice(_values(rules, field, table), None if field.name in looked_at else 1)] for field in fields)
        for chosen in product(*values):
            moment.fields = {field.name: value for field, value in zip(fields, chosen, strict=True)}
            for _ in _moments(moment, reads, said):
                if _is_broken(moment, need):
                    return True
    return False


def _is_broken(moment: Moment, need: Stated) -> bool:
    try:
        moment.spend(need.node.parts)
        return (need.of is None or need.of.run(moment) is True) and decided(moment, need.node) is False
    except TooLongError:
        return True  # nobody can tell


def _moments(moment: Moment, reads: frozenset[str], said: Mapping[str, set[str]]) -> Iterator[None]:
    """Stop at a moment as it is, with other cards in each zone that is looked at, and with other numbers."""
    table = moment.table
    yield
    for place in (each for each in table.zones if kind_of(moment.rules, each) in reads):
        for card, heap in product(said.get(kind_of(moment.rules, place), ()), HEAPS):
            moment.kept = {place: [*table.zones[place].cards, *[_card(table, card)] * heap]}
            yield
        moment.kept = {}
    counting: tuple[Any, ...] = (table, *table.players.values())
    things = [thing for thing in counting if reads & {*map(_counted, thing.counters)}]
    before = [thing.counters for thing in things]
    try:
        for number in NUMBERS if things else ():
            for thing, counters in zip(things, before, strict=True):
                thing.counters = {each: number if _counted(each) in reads else now for each, now in counters.items()}
            yield
    finally:  # also where nobody asks for more
        for thing, counters in zip(things, before, strict=True):
            thing.counters = counters


def _counted(place: str) -> str:
    return place.partition("/")[0]


def _card(table: Any, kind: str) -> Unmade:
    return Unmade(kind, None, table.library.get(kind))


def _values(rules: Rules, field: FieldRule, table: Any) -> Iterator[Any]:
    """Yield what a field may say: each card, few or many of one kind, two kinds, all; each number, player, property."""
    if field.source is not None:
        cards = [_card(table, kind) for kind in rules.cards]
        others = cards[1:] + cards[:1]
        heaps = ([card] * heap for card, heap in product(cards, HEAPS[1:]))
        several = (*heaps, *map(list, zip(cards, others, strict=True)), cards)
        yield from cards if field.kind == "card" else ((some, []) for some in several)
    elif field.kind == "number":
        low, high = field.values
        yield from (each for each in NUMBERS if low <= each <= high)
    else:
        yield from table.players if field.kind in {"player", "other player"} else field.values
