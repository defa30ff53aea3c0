"""The table as the expressions of a rules file look at it: zones, counters and the fields of a line, at one moment."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from msgspec import UNSET

from tabletape.events.rules_file.effects import FileEffect
from tabletape.events.rules_file.stated import FieldRule, MoveRules, OwedMove, Rules
from tabletape.events.rules_file.values import SAVED_STEPS, UNKNOWN, Hidden, Node, Pair, TooLongError
from tabletape.events.vocabulary import Event
from tabletape.events.vocabulary.names import card_of, is_unseen
from tabletape.projector.model.phrases import name_in_words, name_of
from tabletape.projector.model.telling import ToldCard, tell
from tabletape.projector.model.things import Card, Zone
from tabletape.projector.tabletop.state import (
    Debt,
    Tabletop,
    applies,
    as_called,
    begin_turn,
    deck_of,
    handle_of,
    is_seen,
    lies_elsewhere,
    neighbour,
    new_name,
    place_of,
)

NO_CARD: Final = "the game has no card "
"""So begins why a card is not where it has to be that is none of the file's."""


class Moment:
    """What the player `by` asks of a table; `fields` are what the line names, `viewer` who asks (empty: the log).

    `it` and `parameters` are what an expression speaks of meanwhile, `kept` zones as they were at an earlier moment,
    `known` what words of the file come to while that cannot change, `steps` how many more it may take, `nothing` what
    is read off no card (see `decided`), `in_place`: the cards of the line lie in the zones that it takes them from.
    """

    __slots__ = (
        *("by", "fields", "in_place", "it", "kept", "known", "nothing"),
        *("parameters", "rules", "steps", "table", "viewer"),
    )

    def __init__(self, rules: Rules, table: Tabletop, by: str, viewer: str = "") -> None:
        self.rules, self.table, self.by, self.viewer = rules, table, by, viewer
        self.fields: dict[str, Any] = {}
        self.parameters: dict[str, Any] = {}
        self.kept: Mapping[str, list[Any]] = {}
        self.it: Any = None
        self.known: dict[str, Any] | None = None
        self.nothing: Any = None
        self.in_place = False
        self.steps = SAVED_STEPS

    # -- what expressions ask ------------------------------------------------------------------------------------------

    @property
    def players(self) -> list[str]:
        """The players, in the order of seating."""
        return [*self.table.players]

    @property
    def active(self) -> Any:
        """Whose turn it is."""
        return self.table.active or UNKNOWN

    @property
    def round(self) -> int:
        """The round; where a turn may be over without a word, that of the turn which a move of the next one begins."""
        begins = self.rules.fewer and self.table.active not in {"", self.by} and not self.table.counts_rounds
        return self.table.turn // len(self.table.players) + 1 if begins else self.table.round

    def spend(self, steps: int) -> None:
        """Count so many steps as taken. Raises `TooLongError` where fewer are left."""
        if steps > self.steps:
            raise TooLongError
        self.steps -= steps

    def after(self, player: Any) -> Any:
        """Return who sits next to a player, in the order of the turns."""
        return neighbour(self.rules, self.table, player)

    def number(self, name: str, owner: Any, value: Any) -> Any:
        """Return a counter, unknown where nobody has counted it."""
        counters = self.table.players.get(owner, self.table).counters
        return counters.get(name if value is None else f"{name}/{value}", UNKNOWN)

    def size(self, place: str) -> Any:
        """Return how many cards lie in a zone of the table, unknown where nobody has said what lies there."""
        if place in self.kept:
            return len(self.kept[place])
        if place in self.table.undeclared:
            return UNKNOWN
        zone = self.table.zones.get(place)
        return 0 if zone is None else len(zone.cards) + zone.unseen

    def lying(self, place: str) -> Pair:
        """Return the cards of a zone of the table: the sure ones, named or not, and those that may lie elsewhere.

        The lists are its own, and not to be changed.
        """
        if place in self.kept:
            return self.kept[place], []
        zone = self.table.zones.get(place)
        if zone is None:
            return [], []
        more = [Hidden(zone)] if place in self.table.undeclared else []
        if zone.role == "deck" or (self.viewer and not is_seen(zone, self.viewer)):
            self.spend(max(zone.size, 0))
            return ([Hidden(zone)] * max(zone.size, 0)), more
        if not zone.unseen:
            return zone.cards, more
        if zone.unseen < 0:
            return [], [*zone.cards, *more] if more else zone.cards
        self.spend(zone.size)
        return [*zone.cards, *[Hidden(zone)] * zone.unseen], more

    def of_card(self, card: Any, name: str) -> Any:
        """Return who laid a card (`by`), or whether it came in this turn (`fresh`)."""
        if type(card) is Hidden:
            return UNKNOWN
        return (card.by or None) if name == "by" else card.came == self.table.turn

    # -- the fields of a line ------------------------------------------------------------------------------------------

    def read(self, move: MoveRules, event: Event, luck: frozenset[str]) -> list[tuple[FieldRule, str]]:
        """Take the fields of a line; return those that are not what they have to be, and why."""
        wrong = []
        self.in_place = True
        for field in move.fields:
            value = getattr(event, field.name)
            if value is UNSET:
                self.fields[field.name] = self._left_out(field, move, event, luck)
            elif field.source is None:
                self.fields[field.name] = value
                if why := self._unfit(field, value):
                    wrong.append((field, why))
            else:
                names = value if isinstance(value, tuple) else (value,)
                taken: list[Any] = []
                for name in names:
                    card, why = self.card(name, field, taken)
                    taken.append(card)
                    if why:
                        wrong.append((field, why))
                self.fields[field.name] = taken[0] if field.kind == "card" else (taken, [])
        return wrong

    def _left_out(self, field: FieldRule, move: MoveRules, event: Event, luck: frozenset[str]) -> Any:
        """Return what a field means that is not written: an unnamed card of the deck, else nothing."""
        others = [each for each in move.one_of if each != field.name]
        zone = deck_of(self.rules, self.table, self.by)
        is_drawn = field.name in luck and all(getattr(event, each) is UNSET for each in others)
        there = is_drawn and zone is not None and (zone.size > 0 or zone.name in self.table.undeclared)
        drawn = [Hidden(zone)] if there else []
        return (drawn, []) if field.kind == "cards" else next(iter(drawn), None)

    def _unfit(self, field: FieldRule, value: Any) -> str:
        """Return why a value that is no card cannot stand in a field, empty where it can."""
        if field.kind == "number":
            low, high = field.values
            return "" if low <= value <= high else f"{field.name} is {value}, not a number {low} to {high}"
        if field.kind in {"player", "other player"}:
            if field.kind == "other player" and value == self.by:
                return f"{name_of(self.table, value)} is the player who moves"
            return "" if value in self.table.players else f"nobody is called {value}"
        return "" if value in field.values else f"{field.name} is {value}; there is {', '.join(map(str, field.values))}"

    def card(self, name: str, field: FieldRule, taken: list[Any]) -> tuple[Any, str]:
        """Return the card that a line names in a field, and why it cannot be that one, empty where it can."""
        source: Any = field.source
        if source.zone and (known := self.table.cards.get(name)) is not None:
            lies = known.zone
            if lies.name == self.place(source.zone) and known not in taken and not known.renamed_to:
                return known, ""
        self.in_place = False
        name = as_called(self.table, name)
        self.spend(len(self.table.cards))
        members = source.run(self)
        sure, perhaps = ([], []) if members is UNKNOWN else members if isinstance(members, tuple) else ([members], [])
        here = [
            each for each in (*sure, *perhaps) if type(each) is not Hidden and each is not None and each not in taken
        ]
        hidden = next((each for each in (*sure, *perhaps) if type(each) is Hidden), None)
        if is_unseen(name) and self.table.find(name) is None:
            return hidden or Hidden(here[0].zone if here else None), ""
        named = self.table.find(name)
        if named is None or named not in here:
            like = next((each for each in here if _is_like(each, name)), None)
            if like is not None:
                return like, ""
        if named is not None and named in here:
            return named, ""
        return self._elsewhere(name, named, hidden, (field, members, taken))

    def _elsewhere(
        self, name: str, named: Any, hidden: Hidden | None, where: tuple[FieldRule, Any, list[Any]]
    ) -> tuple[Any, str]:
        """Return a card that is not among the named ones of its source; it may be an unnamed one there."""
        field, members, taken = where
        like = [each for each in self.table.cards.values() if _is_like(each, name)] if named is None else [named]
        like.sort(key=lambda each: each in taken)  # Of several copies that a line names each is another one.
        if hidden is not None:
            zone = hidden.zone
            lying = [each for each in like if each not in taken]
            free = [each for each in lying if each.zone is zone or (each.zone.unseen < 0 or each.zone.role == "deck")]
            # Of a deck that nobody has counted it is another copy.
            another = self._unmade(name, hidden.zone) if self.rules.cards and not self.rules.counted else None
            if free or another:
                return (free[0] if free else another), ""
        if not like and not self.table.closed:
            return self._unmade(name, hidden.zone if hidden else None), ""
        if members is UNKNOWN or not self.table.closed:
            return (like[0] if like else self._unmade(name, None)), ""
        if not like:
            return self._unmade(name, None), f"{NO_CARD}{name}"
        source: Any = field.source
        if self._may_be_dealt(source.reads, like[0]):
            return like[0], ""
        over = source.of[0] if source.form == "where" else source
        zones = like[0].zone, self.table.zones.get(self.place(over.zone)) if over.zone else None
        why = lies_elsewhere(self.table, name, zones, sorted(source.reads & self.rules.zones.keys()))
        if named is None and len(like) > 1:
            why = f"it would be one more {name_in_words(self.table, name)} than the {len(like)} of the file, used up"
        return like[0], why

    def _unmade(self, name: str, zone: Zone | None) -> "Unmade":
        return Unmade(name, zone, self.table.library.get(card_of(name)))

    def _may_be_dealt(self, reads: frozenset[str], card: Any) -> bool:
        """Return whether a card of the deck may lie in a hand: a file without a deal does not say what is dealt."""
        hands = (zone for name, zone in self.rules.zones.items() if name in reads and name != self.rules.begin)
        return self.rules.deal is None and card.zone.role == "deck" and any(not each.shared for each in hands)

    def place(self, zone: str) -> str:
        """Return what the table calls a zone of the file, where it is the player's own."""
        return zone if self.rules.zones[zone].shared else f"{self.by}/{zone}"


class Unmade:
    """A card that a line names and the table does not have yet, the zone it lay in unnamed, what is printed on it."""

    __slots__ = ("name", "text", "zone")

    by = ""
    came = -1

    def __init__(self, name: str, zone: Zone | None, text: Any) -> None:
        self.name, self.zone, self.text = name, zone, text


class Acting(Moment):
    """A moment in which a line is judged and something is done; its steps are those of the table."""

    __slots__ = ()

    def spend(self, steps: int) -> None:
        """Count so many steps as taken. Raises `TooLongError` where the table has fewer left."""
        table = self.table
        if steps > table.steps:
            table.has_no_steps = True
            raise TooLongError
        table.steps -= steps

    def lay(self, laid: Any, name: str, owner: Any, value: Any) -> None:
        """Lay a card, or cards, into a zone."""
        target = self.table.zones.get(place_of(name, owner or "", value))
        if target is None:
            self.doubt({name})
            return
        if not isinstance(laid, tuple):
            self._lay(laid, target)
            return
        cards = [*laid[0], *(each for each in laid[1] if type(each) is not Hidden)]
        if len(cards) < len(laid[0]) + len(laid[1]):
            self.table.set(self.table, "undeclared", self.table.undeclared | {target.name})
        self.spend(len(cards))
        for card in cards:
            self._lay(card, target)

    def _lay(self, card: Any, target: Zone) -> None:
        table = self.table
        if type(card) is Hidden:
            is_known = card.zone is not None and card.zone.name not in table.undeclared
            if card.zone is not None and card.zone is not target and (card.zone.size > 0 or not is_known):
                table.count(card.zone, "unseen", -1 if is_known else 0)
                table.count(target, "unseen", 1)
            return
        if type(card) is Unmade:
            home = card.zone if card.zone is not None else table.zones["nowhere"]
            if home.unseen > 0:
                table.count(home, "unseen", -1)
            card = table.make(new_name(table, card.name), home)
        if card.zone is not target or not table.closed:  # Of a deck that nobody has counted it is another copy.
            table.move(card, target)
            if card.told and target.seen_by == "nobody":
                table.set(card, "told", frozenset())
        marks = self.rules.marks
        if "by" in marks:
            table.set(card, "by", self.by)
        if "fresh" in marks:
            table.set(card, "came", table.turn)

    def show(self, field_source: Any, card: Any) -> Any:
        """Name a card that lay unnamed in the zone that a line takes it from; return the card."""
        table = self.table
        if type(card) is Hidden or card is None or field_source is None:
            return card
        place = self.place(field_source.zone) if field_source.zone else ""
        if place and not table.closed and (card.zone is None or card.zone.name != place):
            # A card comes from where nobody has laid it: what else lies there nobody has said either.
            table.set(table, "undeclared", table.undeclared | {place})
        if type(card) is Unmade or (place and card.zone.name == place):
            return card
        members = field_source.run(self)
        sure = members[0] if isinstance(members, tuple) else [members]
        if any(each is card for each in sure):
            return card
        zone = next((each.zone for each in sure if type(each) is Hidden and each.zone.role != "deck"), None)
        if zone is None or not (card.zone.unseen < 0 or card.zone.role == "deck"):
            return card
        home = card.zone
        table.move(card, zone)
        table.count(zone, "unseen", -1)
        table.count(home, "unseen", 1)
        table.recognised.append((handle_of(zone.name), card))
        return card

    def tell(self, move: MoveRules, members: Any) -> None:
        """Know of named cards whether they have the properties that a line names."""
        cards = [each for each in members[0] if isinstance(each, ToldCard)] if isinstance(members, tuple) else []
        self.spend(len(cards))
        for field in move.fields:
            if field.kind in self.rules.properties and self.fields[field.name] is not None:
                tell(self.table, cards, field.kind, self.fields[field.name])

    def change(self, key: tuple[str, Any, Any], sign: str, by: Any) -> None:
        """Change a counter, within its limits; by what nobody knows it becomes unknown."""
        name, owner, value = key
        counter = self.rules.counters[name]
        place = name if value is None else f"{name}/{value}"
        thing: Any = self.table.players.get(owner, self.table)
        before = thing.counters
        now = before.get(place, UNKNOWN)
        if by is UNKNOWN or value is UNKNOWN or owner is UNKNOWN or (now is UNKNOWN and sign != "="):
            after = {each: number for each, number in before.items() if each != place}
        else:
            number = by if sign == "=" else now + by if sign == "+" else now - by
            after = {**before, place: min(max(number or 0, counter.low), counter.high)}
        if after != before:
            thing.counters = after
            self.table.journal.append((thing, "counters", before, after))

    def doubt(self, names: Iterable[str]) -> None:
        """Know from here on that nobody knows what these zones and counters have become."""
        self.table.set(self.table, "unsure", self.table.unsure.union(names))

    def sure(self, asked: Node) -> Any:
        """Return what an expression comes to, unknown where it reads what nobody knows any more."""
        return asked.run(self) if self.table.unsure.isdisjoint(asked.reads) else UNKNOWN

    def do(self, effect: FileEffect) -> None:
        """Carry out an effect; what it makes of what nobody knows any more nobody knows either."""
        effect.run(self)
        if not self.table.unsure.isdisjoint(effect.asks.reads):
            self.doubt(effect.writes)

    def pass_to(self, player: Any) -> None:
        """Begin the turn of a player, who owes then what each turn begins with."""
        if player not in self.table.players:
            self.doubt({"turn"})
            return
        begin_turn(self.rules, self.table, self.table.players[player])
        if self.rules.first is not None:
            Acting(self.rules, self.table, player).owe(self.rules.first)

    def owe(self, then: OwedMove) -> None:
        """Owe what comes next unless that is known to be needless; where nobody knows, it is perhaps owed."""
        if not applies(then.rule, self.table.options):
            return
        self.spend(then.unless.parts)
        # That a deck is out players say; what a hand holds they do not.
        is_known = self.table.unsure.isdisjoint(then.unless.reads - {self.rules.begin})
        unless = then.unless.run(self) if is_known else UNKNOWN
        if unless is not True:
            owed = "perhaps_owed" if unless is UNKNOWN else "owed"
            debts = [Debt(self.by, then.move, then.rule.id)] * then.times
            self.table.set(self.table, owed, (*getattr(self.table, owed), *debts))


def _is_like(card: Card, name: str) -> bool:
    """Return whether a card is what a name without a number calls: `red-1` any copy of that card."""
    if card.renamed_to:
        return False
    return card.name == name or ("#" not in name and card.name.partition("#")[0] == name)
