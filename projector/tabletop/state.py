"""The table of a game without rules: its zones as the game's file names them, and where a card may lie."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, ClassVar, Final, Literal, NamedTuple

from tabletape.events.importing.lines.words import Words
from tabletape.events.rules_file.stated import Rules, Stated
from tabletape.events.vocabulary.names import card_of, is_unseen, owner_of
from tabletape.projector.model.amounts import one_of
from tabletape.projector.model.phrases import name_in_words, zone_in_words
from tabletape.projector.model.slots import Internal
from tabletape.projector.model.table import NOWHERE, Table
from tabletape.projector.model.telling import ToldCard
from tabletape.projector.model.things import Card, Player, Zone

ELSEWHERE: Final = "elsewhere"
"""The zone of cards that lie in a zone which the game's file does not name."""

STEPS_OF_A_LINE: Final = 130
"""The steps that take as long as folding a right line."""

_WHOSE: Final = re.compile(r"(.+?)(?:['\u2019]s?\s+|/)(.+)")

Whereabouts = Literal["here", "perhaps", "elsewhere"]


class TabletopCard(ToldCard, eq=False, kw_only=True):
    """A card; `by` is who laid it where it lies, `came` the turn in which that was."""

    by: Internal[str] = ""
    came: Internal[int] = -1


class TabletopPlayer(Player, eq=False, kw_only=True):
    """A player; `counters` is replaced as a whole, never changed; `declared`: the deck list was written down.

    `shuffled`: the own deck was shuffled.
    """

    counters: Mapping[str, float] = {}
    declared: bool = False
    turns: int = 0
    shuffled: Internal[bool] = False


class Debt(NamedTuple):
    """A move that comes before any other: its player, its name, and the rule that says so."""

    player: str
    move: str
    rule: str


class Aside(NamedTuple):
    """A player who acts out of turn, how many actions that are, and how many the turn that runs had before it."""

    player: str = ""
    times: int = 0
    behind: int = 0


class Tabletop(Table[TabletopCard, TabletopPlayer], eq=False, kw_only=True):
    """A table of a game that a file describes; `counters` are those that belong to no player.

    `counter_names` are those of the game's file, also those that are still at nothing; nobody is shown what is `inner`:
    what only rules look at. `counts_rounds`: the log says when a round begins; else a round is as many turns as the
    player with most of them has begun.

    Where the file has rules: `owed` are the moves that come before any other, `perhaps_owed` those of which nobody
    knows whether they do; `acts` and `used` are the actions of this turn and their names, `perhaps_acts` are
    draws of which the file does not say whether they are some; `before`: whose turn was the last one, and its actions;
    `aside`: who acts out of turn; `left` are the turns until the end, -1 while it has not been reached; `unsure` are
    the zones and counters that something has changed which no rule describes, `undescribed` the first move of which the
    file does not say what it does; `undeclared` are zones of which nobody has said what lies there;
    `piles` are decks that the file does not name, by what the log calls them, with how many were drawn from each, and
    again with every draw;
    `dealt`: the hands are dealt; `draws`, `ends`, `stages`: the log writes draws (`drew`: who has written some),
    ends of turns, ends of phases; `closed`: all cards are known;
    `guessed`: the hands were taken as dealt because somebody drew.
    `steps` are those that expressions may still take, of all that were `given`, `has_no_steps`: too few were left once.
    They are no state of the table, and never taken back.
    """

    CARD: ClassVar[type[Card]] = TabletopCard
    NO_STATE: ClassVar[frozenset[str]] = Table.NO_STATE | {"steps", "given", "has_no_steps"}

    counters: Mapping[str, float] = {}
    counter_names: tuple[str, ...] = ()
    inner: Internal[frozenset[str]] = frozenset()
    counts_rounds: Internal[bool] = False
    owed: Internal[tuple[Debt, ...]] = ()
    acts: Internal[int] = 0
    perhaps_acts: Internal[int] = 0
    before: Internal[tuple[str, int]] = ("", 0)
    aside: Internal[Aside] = Aside()
    used: Internal[tuple[str, ...]] = ()
    left: Internal[int] = -1
    unsure: Internal[frozenset[str]] = frozenset()
    undescribed: Internal[str] = ""
    dealt: Internal[bool] = False
    draws: Internal[bool] = False
    drew: Internal[frozenset[str]] = frozenset()
    ends: Internal[bool] = False
    stages: Internal[bool] = False
    closed: Internal[bool] = False
    guessed: Internal[bool] = False
    undeclared: Internal[frozenset[str]] = frozenset()
    piles: Internal[tuple[tuple[str, int], ...]] = ()
    perhaps_owed: Internal[tuple[Debt, ...]] = ()
    steps: Internal[int] = 0
    given: Internal[int] = 0
    has_no_steps: Internal[bool] = False

    @property
    def took_too_long(self) -> bool:
        """Whether the rules of the file have taken all their steps once."""
        return self.has_no_steps

    @property
    def lines_worth(self) -> int:
        """How many right lines take as long as what the rules of the file have looked at."""
        return (self.given - self.steps) // STEPS_OF_A_LINE

    def forget(self, counters: Collection[str]) -> None:
        """Know from here on of no counter of these names what it is, until it is set."""
        things: tuple[Any, ...] = (self, *self.players.values())
        for thing in things if counters else ():
            left = {each: number for each, number in thing.counters.items() if each.partition("/")[0] not in counters}
            if left != thing.counters:
                self.set(thing, "counters", left)


def place_of(name: str, owner: str, value: Any = None) -> str:
    """Return what the table calls a zone or counter of a player, or of nobody, for a value or for all: `A/row/red`."""
    place = f"{owner}/{name}" if owner else name
    return place if value is None else f"{place}/{value}"


def kind_of(rules: Rules, place: str) -> str:
    """Return the name in the file of a zone that the table calls `A/row/red`."""
    return next((part for part in place.split("/") if part in rules.zones), place)


def know(table: Tabletop, zones: Iterable[str]) -> None:
    """Know from here on what lies in some zones."""
    left = table.undeclared.difference(zones)
    if left != table.undeclared:
        table.set(table, "undeclared", left)


def begin_turn(rules: Rules, table: Tabletop, player: TabletopPlayer) -> None:
    """Begin the turn of a player: nothing is done in it yet, and a game that ends after some turns is one nearer."""
    before, active, acts = table.before, table.active, table.acts
    table.next_turn(player.id)
    if table.perhaps_acts:
        table.set(table, "perhaps_acts", 0)
    if table.used:
        table.set(table, "used", ())
    if (now := (table.turn - 1) // len(table.players) + 1) != table.round:
        table.set(table, "round", now)
    table.enter_phase(rules.phases[0] if rules.phases else "turn")
    # Behind what people know of a turn: a timeline reads where it has begun in the first changes of a line.
    if rules.actions and before != (active, acts):
        table.before = active, acts
        table.journal.append((table, "before", before, table.before))
    if acts:
        table.acts = 0
        table.journal.append((table, "acts", acts, 0))
    if table.aside.player and table.aside.player != player.id:
        table.set(table, "aside", Aside())
    if table.left > 0:
        table.count(table, "left", -1)


def handle_of(zone: str) -> str:
    """Return the name under which a verdict waits for a card of a zone that nobody has named."""
    return f"unnamed in {zone}"


def where_in_words(table: Tabletop, zone: Zone) -> str:
    """Return a zone as a sentence has it: `Ann's hand`, `the stall`."""
    return zone_in_words(table, zone) if zone.owner else f"the {zone_in_words(table, zone)}"


def lies_elsewhere(table: Tabletop, name: str, zones: tuple[Zone, Zone | None], among: Sequence[str]) -> str:
    """Return that a card lies in the first of two zones and not in the other, or where that is none `among` several."""
    lies, wanted = zones
    here = f"{name_in_words(table, name)} lies in {where_in_words(table, lies)}"
    if lies is wanted:
        return f"{here}, but is none of those that may be taken"
    return f"{here}, not in {where_in_words(table, wanted) if wanted is not None else ' or '.join(among)}"


def neighbour(rules: Rules, table: Tabletop, player: Any) -> Any:
    """Return who has the turn behind a player's."""
    players = [*table.players]
    if player not in table.players:
        return player
    return players[(players.index(player) + (1 if rules.leftwards else -1)) % len(players)]


def deck_of(rules: Rules, table: Tabletop, player: str) -> Zone | None:
    """Return the zone in which a player's cards begin: that of all, or the own one."""
    return table.zones.get(place_of(rules.begin, "")) or table.zones.get(place_of(rules.begin, player))


def zone_called(table: Tabletop, name: str, player: str) -> Zone | None:
    """Return the zone that a log calls by a name, a player's own before the table's; None where there is none.

    A name may be written as it is said: `the Hand`, `Discard Pile`, `Ben's hand`.
    """
    zone_there = table.zones.get(f"{player}/{name}") or table.zones.get(name)
    if zone_there is not None:
        return zone_there
    whose = _WHOSE.fullmatch(name)
    named = [each.id for each in table.players.values() if whose and whose[1].casefold() in _called(each)]
    owner, text = (named[0], whose[2]) if whose and named else (player, name)
    called = _words(tuple(table.zones)).called(text)
    return table.zones.get(f"{owner}/{called}") or table.zones.get(str(called))


def counter_called(table: Tabletop, counters: Mapping[str, float], name: str) -> str:
    """Return the counter that a log calls by a name, `Score` for score; the name itself where there is none yet.

    One of several is what another line, of anybody, counts several of: `1 coin`, `3 coins`.
    """
    if name in counters or name in table.counter_names:
        return name
    there = dict.fromkeys(
        [*table.counter_names, *counters, *(each for one in table.players.values() for each in one.counters)]
    )
    called = _words((*there,)).called(name)
    alike = (each for each in there if one_of(each) == one_of(name))
    return next(alike, name) if called is None else str(called)


def _called(player: TabletopPlayer) -> tuple[str, str]:
    return player.name.casefold(), player.id.casefold()


@lru_cache(maxsize=64)
def _words(zones: tuple[str, ...]) -> Words:
    """Return the names of zones, whoever's they are, as words that may be written otherwise."""
    return Words({zone: zone for zone in {name.rpartition("/")[2] for name in zones}}, nouns=("pile", "zone", "area"))


def zone_or_elsewhere(table: Tabletop, name: str, player: str) -> Zone:
    """Return the zone that a log calls by a name, or the place for all zones that the game's file does not name."""
    return zone_called(table, name, player) or table.zones[f"{player}/{ELSEWHERE}"]


def as_called(table: Tabletop, name: str) -> str:
    """Return what a table that knows all its cards calls one: a card of all is nobody's, whatever a log says of it."""
    bare = name.partition(":")[2]
    known = table.closed and bare and name not in table.cards and (bare in table.cards or f"{bare}#1" in table.cards)
    return bare if known else name


def copies_of(table: Tabletop, name: str) -> list[TabletopCard]:
    """Return the cards on the table that a name may mean: the copy with that number, else all copies of the card."""
    name = as_called(table, name)
    if "#" in name or is_unseen(name):
        card = table.find(name)
        return [] if card is None else [card]
    wanted, owner = card_of(name), owner_of(name)
    return [
        card
        for card in table.cards.values()
        if card_of(card.name) == wanted and card.owner == owner and not card.renamed_to
    ]


def is_open(table: Tabletop, owner: str) -> bool:
    """Return whether a player may have any number of copies of a card: nobody has written down the deck."""
    player = table.players.get(owner)
    return not table.closed and (player is None or not player.declared)


def whereabouts(table: Tabletop, name: str, zone: Zone) -> Whereabouts:
    """Return whether a card lies in a zone, may lie there as far as the log shows, or certainly lies elsewhere."""
    every_copy = copies_of(table, name)
    if any(card.zone is zone for card in every_copy):
        return "here"
    if not every_copy or table.has_no_steps or is_open(table, owner_of(name)):
        return "perhaps"
    unnamed = zone.unseen > 0 or zone.role == "deck"
    # Where a zone is that the game does not have, nobody can say: it may be the one that is meant now.
    loose = [
        each for each in every_copy if each.zone.unseen != 0 or each.zone.role == "deck" or _is_elsewhere(each.zone)
    ]
    return "perhaps" if unnamed or loose or _is_elsewhere(zone) else "elsewhere"


def _is_elsewhere(zone: Zone) -> bool:
    return zone.name.rpartition("/")[2] == ELSEWHERE


def take(table: Tabletop, name: str, zone: Zone | None) -> TabletopCard:
    """Return the card that a log takes from a zone: a copy that lies there, else another, else a new one."""
    every_copy = copies_of(table, name)
    here = [card for card in every_copy if card.zone is zone] if zone is not None else every_copy
    if here:
        return here[-1]
    if every_copy and not (is_open(table, owner_of(name)) and zone is not None):
        # A draw that was only counted: which card it was is known now.
        drawn = [card for card in every_copy if zone is not None and table.may_be_in(card.name, zone)]
        return table.take(drawn[0].name, zone) if drawn and zone is not None else every_copy[0]
    home = zone if zone is not None else table.zones[NOWHERE]
    if home.unseen > 0:
        table.count(home, "unseen", -1)
    elif home.role == "hand":
        table.set(table.players[home.owner], "hand_guessed", True)
    return table.make(new_name(table, name), home)


def new_name(table: Tabletop, name: str) -> str:
    """Return a name for one more copy of a card."""
    if name not in table.cards:
        return name
    taken, free = 1, 2  # copies are numbered without a hole: between these two lies the first number that is free
    while f"{name}#{free}" in table.cards:
        taken, free = free, 2 * free
    while free - taken > 1:
        middle = (taken + free) // 2
        taken, free = (middle, free) if f"{name}#{middle}" in table.cards else (taken, middle)
    return f"{name}#{free}"


def applies(stated: Stated, options: Mapping[str, str]) -> bool:
    """Return whether the table plays by a sentence."""
    return stated.ruling is None or options.get(stated.ruling[0]) == stated.ruling[1]


def is_seen(zone: Zone, viewer: str) -> bool:
    """Return whether a viewer may look at the cards of a zone."""
    if zone.seen_by == "owner":
        return zone.owner == viewer
    return zone.seen_by == "all" or (zone.seen_by == "others" and zone.owner != viewer)
