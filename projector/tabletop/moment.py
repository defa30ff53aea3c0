"""The table as the expressions of a rules file look at it: zones, counters and the fields of a line, at one moment."""

from collections.abc import Mapping
from typing import Any

from msgspec import UNSET

from tabletape.events.rules_file.stated import FieldRule, MoveRules, Rules
from tabletape.events.rules_file.values import BUDGET, UNKNOWN, Hidden, Pair, TooLongError
from tabletape.events.vocabulary.names import card_of, is_unseen
from tabletape.projector.model.things import Card, Zone
from tabletape.projector.tabletop.state import Tabletop, place_of


class Moment:
    """What the player `by` asks of a table; `fields` are what the line names, `viewer` who asks (empty: the log).

    `it` and `parameters` are what an expression speaks of meanwhile, `kept` zones as they were at an earlier moment.
    """

    __slots__ = ("_left", "by", "fields", "it", "kept", "parameters", "rules", "table", "viewer")

    def __init__(self, rules: Rules, table: Tabletop, by: str, viewer: str = "") -> None:
        self.rules, self.table, self.by, self.viewer = rules, table, by, viewer
        self.fields: dict[str, Any] = {}
        self.parameters: dict[str, Any] = {}
        self.kept: Mapping[str, list[Any]] = {}
        self.it: Any = None
        self._left = BUDGET

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
    def phase(self) -> str:
        """The phase of the turn."""
        return self.table.phase

    @property
    def round(self) -> int:
        """The number of the round."""
        return self.table.round

    @property
    def options(self) -> Mapping[str, str]:
        """The rulings in force."""
        return self.table.options

    def spend(self, steps: int) -> None:
        """Count so many members of lists as looked at. Raises `TooLongError` where a line has looked at too many."""
        self._left -= steps
        if self._left < 0:
            raise TooLongError

    def after(self, player: Any) -> Any:
        """Return who sits next to a player, in the order of the turns."""
        players = self.players
        if player not in players:
            return player
        return players[(players.index(player) + (1 if self.rules.leftwards else -1)) % len(players)]

    def number(self, name: str, owner: Any, value: Any) -> Any:
        """Return a counter, unknown where nobody has counted it."""
        player = self.table.players.get(owner)
        counters = player.counters if player is not None else self.table.counters
        return counters.get(name if value is None else f"{name}/{value}", UNKNOWN)

    def cards(self, name: str, owner: Any, value: Any) -> Pair:
        """Return the cards of a zone: the sure ones, named or not, and those that may lie elsewhere."""
        place = place_of(name, owner or "", value)
        if place in self.kept:
            return self.kept[place], []
        zone = self.table.zones.get(place)
        return ([], []) if zone is None else self._lying(zone)

    def size(self, name: str, owner: str) -> int:
        """Return how many cards lie in a zone."""
        place = f"{owner}/{name}" if owner else name
        if place in self.kept:
            return len(self.kept[place])
        zone = self.table.zones.get(place)
        return 0 if zone is None else zone.size

    def _lying(self, zone: Zone) -> Pair:
        if zone.role == "deck" or (self.viewer and not _is_seen(zone, self.viewer)):
            return ([Hidden(zone)] * max(zone.size, 0)), []
        if zone.unseen < 0:
            return [], [*zone.cards]
        return ([*zone.cards, *[Hidden(zone)] * zone.unseen] if zone.unseen else [*zone.cards]), []

    def of_card(self, card: Any, name: str) -> Any:
        """Return what is printed on a card, who laid it, or whether it came in this turn."""
        if type(card) is Hidden:
            return UNKNOWN
        if name == "by":
            return card.by or None
        if name == "fresh":
            return card.came == self.table.turn
        return UNKNOWN if card.text is None else card.text.properties.get(name)

    # -- the fields of a line ------------------------------------------------------------------------------------------

    def read(self, move: MoveRules, event: Any, luck: frozenset[str]) -> list[tuple[FieldRule, str]]:
        """Take the fields of a line; return those that are not what they have to be, and why."""
        wrong = []
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

    def _left_out(self, field: FieldRule, move: MoveRules, event: Any, luck: frozenset[str]) -> Any:
        """Return what a field means that is not written: an unnamed card of the deck, else nothing."""
        others = [each for each in move.one_of if each != field.name]
        if field.name not in luck or any(getattr(event, each) is not UNSET for each in others):
            return None if field.kind != "cards" else ([], [])
        zone = self.table.zones.get(place_of(self.rules.begin, "")) or self.table.zones.get(
            place_of(self.rules.begin, self.by)
        )
        return Hidden(zone) if zone is not None and zone.size > 0 else None

    def _unfit(self, field: FieldRule, value: Any) -> str:
        """Return why a value that is no card cannot stand in a field, empty where it can."""
        if field.kind == "number":
            low, high = field.values
            return "" if low <= value <= high else f"{field.name} is {value}, not a number {low} to {high}"
        if field.kind in {"player", "other player"}:
            if field.kind == "other player" and value == self.by:
                return f"{self._called(value)} is the player who moves"
            return "" if value in self.table.players else f"nobody is called {value}"
        return "" if value in field.values else f"{field.name} is {value}; there is {', '.join(map(str, field.values))}"

    def _called(self, player: str) -> str:
        found = self.table.players.get(player)
        return found.name if found is not None else player

    def card(self, name: str, field: FieldRule, taken: list[Any]) -> tuple[Any, str]:
        """Return the card that a line names in a field, and why it cannot be that one, empty where it can."""
        source: Any = field.source
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
        return self._elsewhere(name, named, hidden, (field, members))

    def _elsewhere(self, name: str, named: Any, hidden: Hidden | None, where: tuple[FieldRule, Any]) -> tuple[Any, str]:
        """Return a card that is not among the named ones of its source; it may be an unnamed one there."""
        field, members = where
        like = [each for each in self.table.cards.values() if _is_like(each, name)] if named is None else [named]
        if hidden is not None:
            zone = hidden.zone
            free = [each for each in like if each.zone is zone or (each.zone.unseen < 0 or each.zone.role == "deck")]
            if free:
                return free[0], ""
        if not like and not self.table.closed:
            return Unmade(name, hidden.zone if hidden else None), ""
        if members is UNKNOWN or not self.table.closed:
            return (like[0] if like else Unmade(name, None)), ""
        source = field.source
        text = " or ".join(sorted(source.reads & self.rules.zones.keys())) if source is not None else ""
        if not like:
            return Unmade(name, None), f"the game has no card {name}"
        what = name if "#" in name else card_of(name)
        return like[0], f"{what} is not where it has to be ({text}): it lies in {like[0].zone.name}"


class Unmade:
    """A card that a line names and the table does not have yet, and the zone in which it must have lain unnamed."""

    __slots__ = ("name", "text", "zone")

    by = ""
    came = -1

    def __init__(self, name: str, zone: Zone | None) -> None:
        self.name, self.zone, self.text = name, zone, None


def _is_like(card: Card, name: str) -> bool:
    """Return whether a card is what a name without a number calls: `red-1` any copy of that card."""
    if card.renamed_to:
        return False
    return card.name == name or ("#" not in name and card.name.partition("#")[0] == name)


def _is_seen(zone: Zone, viewer: str) -> bool:
    """Return whether a viewer may look at the cards of a zone."""
    if zone.seen_by == "owner":
        return zone.owner == viewer
    return zone.seen_by == "all" or (zone.seen_by == "others" and zone.owner != viewer)
