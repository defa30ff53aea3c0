"""The one model of a card table that all games share.

A table has *things*: itself, its players, its zones and its cards. All state is in fields of things, and zones are the
only lists. Fields hold immutable values (numbers, words, tuples, frozen sets) and change only through the table's few
verbs; every change is recorded in the journal as `(thing, field, before, after)`. From that one record come the diff of
a step, the step back, the jump to any step and the animation; no game writes any of that.

A game subclasses `Table`, and `Card` and `Player` from `projector.model.things`, with typed fields of its own.

Cards without a name are normal. The cards of a deck list whose place is unknown lie in their deck zone, and
`unseen` says how the sizes differ from the named cards: four cards drawn unseen are `hand.unseen = 4` and
`deck.unseen = -4`, so that the size of every zone is right, and a card named later moves its one count along.
"""

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Generic, TypeVar

import msgspec

from tabletape.events.errors import TabletapeError
from tabletape.events.vocabulary import Consequence
from tabletape.events.vocabulary.names import card_of, is_unseen, owner_of
from tabletape.projector.model.changes import Derived, Made
from tabletape.projector.model.listed_cards import cards_of, new_card
from tabletape.projector.model.outcome import Outcome
from tabletape.projector.model.recorded import Recorded
from tabletape.projector.model.slots import Internal
from tabletape.projector.model.things import COPY, Card, Player, Role, Zone, as_plain, zones_among

AnyCard = TypeVar("AnyCard", bound=Card)
AnyPlayer = TypeVar("AnyPlayer", bound=Player)


class CannotFoldError(TabletapeError):
    """An event that no table could have done; the replay of its game stops before it and shows this as the reason."""


NOWHERE = "nowhere"
IDENTITY = frozenset({"n", "name", "owner", "text", "zone", "renamed_to"})
"""The fields by which a card is that card and no other; where it lies is said when it is moved."""

UNDECIDED_REASON = "undecided"
"""The reason of an end after which nobody can tell from the log who has won."""


class Table(Recorded, Generic[AnyCard, AnyPlayer], eq=False, kw_only=True):
    """A card table; the thing with number 0.

    `options` are the rulings in force (key → option), `library` the printed cards of the game (card id → text),
    `edition` the one whose text is read, `derived` the consequences since the last decision or chance line that the log
    has not written down yet, `applied` the ids of all rules that were carried out without such a line; behind the first
    `carried_out` of them the log has not gone on yet. `rests` are the lengths of the journal between automatic steps (a
    round is counted, the next one begins): people may look at the table then, though no line says that a step was
    taken.
    `winner` is the only one who has won, `outcome` says what more there is to the end: several winners, points, places.
    `round` and `turn` are running numbers from 1 (0 during the set-up), `active` is the player on turn or empty.
    `supposed` is what is taken to have happened in another way than the game takes it where no line says how.
    `HAS_TILES` says that people call a position by a letter and a number, `b9`. `OWN_ZONES` are the fields that hold
    the zones of the players, by player, or by kind and player. `NO_STATE` are fields that `state` leaves out.
    """

    CARD: ClassVar[type[Card]] = Card
    HAS_TILES: ClassVar[bool] = False
    OWN_ZONES: ClassVar[tuple[str, ...]] = ()
    NO_STATE: ClassVar[frozenset[str]] = frozenset((
        "things", "library", "edition", "text", "journal",
        "derived", "applied", "carried_out", "recognised", "reverted", "rests", "supposed",
    ))  # fmt: skip

    options: Mapping[str, str]
    library: Mapping[str, Any]
    edition: str = ""
    zones: dict[str, Zone] = msgspec.field(default_factory=dict)
    cards: dict[str, AnyCard] = msgspec.field(default_factory=dict)
    players: dict[str, AnyPlayer] = msgspec.field(default_factory=dict)
    derived: list[Derived] = msgspec.field(default_factory=list)
    applied: list[str] = msgspec.field(default_factory=list)
    carried_out: int = 0
    recognised: list[tuple[str, Any]] = msgspec.field(default_factory=list)
    rests: list[int] = msgspec.field(default_factory=list)
    supposed: tuple[Any, ...] = ()
    round: int = 0
    turn: int = 0
    phase: str = "setup"
    active: str = ""
    over: bool = False
    winner: str = ""
    reason: str = ""
    outcome: Internal[Outcome] = Outcome()

    def __post_init__(self) -> None:
        """Number the table and lay out the place for cards that are not on it."""
        if not self.things:
            self.n = 0
            self.things.append(self)
            self.add_zone(NOWHERE, role="nowhere", seen_by="nobody")

    @property
    def took_too_long(self) -> bool:
        """Whether its rules looked at more than a log of this length is worth: then it is folded once, as it stands."""
        return False

    @property
    def lines_worth(self) -> int:
        """How many right lines take as long as what its rules have looked at, where that may be more than the lines."""
        return 0

    @property
    def winners(self) -> tuple[str, ...]:
        """All who have won: the winner, or those whom the outcome names."""
        return (self.winner,) if self.winner else self.outcome.winners

    # -- making ----------------------------------------------------------------------------------------------------

    def add_zone(self, name: str, *, owner: str = "", role: Role = "", seen_by: str = "all") -> Zone:
        """Lay out a zone. Its name is unique on the table; the opening lays out all zones, they are never removed.

        Raises `ValueError` where there are cards already: all zones and players come before the first card.
        """
        self._require_no_cards()
        zone = Zone(n=len(self.things), name=name, owner=owner, role=role, seen_by=seen_by)
        self.things.append(zone)
        self.zones[name] = zone
        return zone

    def add_player(self, player: AnyPlayer) -> AnyPlayer:
        """Seat a player; the order of seating is the order of `players`. Raises `ValueError` as `add_zone` does."""
        self._require_no_cards()
        player.n = len(self.things)
        self.things.append(player)
        self.players[player.id] = player
        return player

    def _require_no_cards(self) -> None:
        if self.cards:  # a copy takes the cards from the end of the things
            raise ValueError("zones and players have to be there before the first card is made")

    def make(self, name: str, zone: Zone, **fields: Any) -> AnyCard:
        """Put a new card on the table; its text is the library's where the name says which card it is. Recorded."""
        made = new_card(self.CARD, name, self.library, {"n": len(self.things), "zone": zone, **fields})
        self._put_on(made)
        self.journal.append((made, "made", None, Made(zone, fields)))
        return made  # type: ignore[no-any-return]  # a game says of which class its cards are

    def make_all(self, names: tuple[str, ...], zone: Zone) -> list[str]:
        """Put the cards of a list, each name once, on the table; return the names that it has already. Recorded."""
        cards = self.cards
        known = [] if cards.keys().isdisjoint(names) else [name for name in names if name in cards]
        new = tuple([name for name in names if name not in cards]) if known else names
        made: list[AnyCard] = cards_of(self.CARD, new, self.library, len(self.things))
        journal, how = self.journal, Made(zone, {})
        for card in made:
            card.zone = zone
            cards[card.name] = card
            journal.append((card, "made", None, how))
        self.things += made
        zone.cards += made
        return known

    def _put_on(self, card: Any) -> None:
        self.things.append(card)
        self.cards[card.name] = card
        card.zone.cards.append(card)

    # -- finding ---------------------------------------------------------------------------------------------------

    def find(self, name: str) -> AnyCard | None:
        """Return the card that goes by a name, under its newest name, or None where the table has no such card."""
        card = self.cards.get(name)
        while card is not None and card.renamed_to:
            card = self.cards.get(card.renamed_to)
        return card

    def card(self, name: str) -> AnyCard:
        """Return the card that goes by a name; one that the table has never seen comes from nowhere. Recorded if so."""
        card = self.cards.get(name)
        if card is not None and not card.renamed_to:
            return card
        card = self.find(name)
        return self.make(name, self.zones[NOWHERE]) if card is None else card

    def may_be_in(self, name: str, zone: Zone) -> bool:
        """Return whether a card lies in a zone, or may be one of the unseen cards there. Changes nothing.

        An unnamed card can be any unseen card of its owner's zone, and in a hidden one also a card that
        has a name: whoever keeps the log may know a hand, and not which card of it was taken. A card of nobody's, of
        one deck for all, may be in anybody's zone. A card of no deck list may be one that the list calls otherwise.
        """
        card = self.cards.get(name)
        if card is not None and card.zone is zone:
            return True
        card = self.meant(name, zone)
        if card is None:
            if not is_unseen(name):
                return owner_of(name) == zone.owner and self._may_be_listed_otherwise(name, zone)
            number = zone.unseen if zone.seen_by == "all" else zone.size
            return number > 0 and owner_of(name) in {"", zone.owner}
        return card.zone is zone or self._may_have_come(card, zone)

    def _may_be_listed_otherwise(self, name: str, zone: Zone) -> bool:
        """Return whether a hidden zone may hold a card whose name in the deck list is none of the game: a slip.

        Each such card stands for one that is drawn or played under the name that it has. Copies are numbered by what
        the list calls them, so those of the same card that are left count as well.
        """
        if zone.seen_by == "all" or not self.library:
            return False
        slips = [card for card in self.cards.values() if card.text is None and not is_unseen(card.name)]
        copies = [card for card in zone.cards if card_of(card.name) == card_of(name)]
        here = sum(card.zone is zone for card in slips)
        if here:
            return here + len(copies) + zone.unseen > 0
        return any(self._may_have_come(card, zone) for card in slips)

    def _may_have_come(self, card: AnyCard, zone: Zone) -> bool:
        """Return whether a card may be one of the unseen cards of a zone: fewer lie where it does than are named."""
        return zone.unseen > 0 and card.zone.unseen < 0 and card.owner in {"", zone.owner}

    def meant(self, name: str, zone: Zone) -> AnyCard | None:
        """Return the card that a line means which takes it from a zone, or None where the table has no such card.

        A name of nobody's card without a number means one of its copies: one in the zone, else one that may be there.
        """
        if (card := self.find(name)) is not None or ":" in name or "#" in name:
            return card
        copies = [card for each, card in self.cards.items() if each.startswith(f"{name}#") and not card.renamed_to]
        fitting = [card for card in copies if card.zone is zone]
        fitting += [card for card in copies if self._may_have_come(card, zone)]
        return next(iter(fitting or copies), None)

    # -- the verbs -------------------------------------------------------------------------------------------------

    def next_turn(self, player: str) -> None:
        """Begin the next turn, which is a player's."""
        journal, turn, active = self.journal, self.turn, self.active
        journal.append((self, "turn", turn, turn + 1))
        self.turn = turn + 1
        if active != player:
            journal.append((self, "active", active, player))
            self.active = player

    def enter_phase(self, phase: str) -> None:
        """Begin a phase, unless it is the one that runs."""
        if self.phase != phase:
            self.journal.append((self, "phase", self.phase, phase))
            self.phase = phase

    def move(self, card: AnyCard, zone: Zone) -> None:
        """Move a card to the end of a zone (the zone's order is the order of arrival)."""
        old = card.zone
        left = old.cards
        index = left.index(card)
        del left[index]
        card.zone = zone
        there = zone.cards
        self.journal.append((card, "zone", (old, index), (zone, len(there))))
        there.append(card)

    def take(self, name: str, zone: Zone) -> AnyCard:
        """Return the card that a log takes from a zone, and make sure that it is a named card there if it can be.

        A card that may be one of the unseen cards of the zone becomes one of its named cards; a card that certainly
        lies elsewhere is given as it is: the table did use it.
        """
        card = self.cards.get(name)
        if card is not None and card.zone is zone and not card.renamed_to:
            return card
        card = self.meant(name, zone)
        if card is not None and card.zone is zone:
            return card
        if card is None:
            if not self.may_be_in(name, zone):
                return self.card(name)
            self.count(zone, "unseen", -1)
            return self.make(name, zone)
        if self.may_be_in(name, zone):
            home = card.zone
            self.move(card, zone)
            self.count(zone, "unseen", -1)
            self.count(home, "unseen", 1)
        return card

    def draw(self, names: Iterable[str], count: int, deck: Zone, hand: Zone) -> None:
        """Move drawn cards from a deck to a hand: the named ones, and `count` that nobody wrote down."""
        for name in names:
            card = self.cards.get(name)
            if card is None or card.renamed_to:
                card = self.meant(name, deck)
            if card is None:
                self.make(name, hand)
                self.count(deck, "unseen", -1)
            else:
                self.move(card, hand)
        if count:
            self.count(deck, "unseen", -count)
            self.count(hand, "unseen", count)

    def recognise(self, was: str, name: str) -> AnyCard:
        """Name an unnamed card as what it turns out to be; return the card under its new name.

        The named card takes the place of the unnamed one with all its state; the old name goes on to mean it.
        """
        unnamed = self.find(was)
        named = self.card(was if unnamed is not None and is_unseen(name) else name)
        if unnamed is None or unnamed is named:
            return named
        home, target = named.zone, unnamed.zone
        index = target.cards.index(unnamed)
        for field in self.CARD.__struct_fields__:
            if field not in IDENTITY:
                self.set(named, field, getattr(unnamed, field))
        self.move(unnamed, self.zones[NOWHERE])
        self.move(named, target)
        last = len(target.cards) - 1
        if index != last:
            target.cards.insert(index, target.cards.pop())
            self.journal.append((named, "zone", (target, last), (target, index)))
        self.set(unnamed, "renamed_to", name)
        if home.unseen < 0:
            self.count(home, "unseen", 1)
        self.recognised.append((was, named))
        return named

    def derive(self, event: Consequence, rule: str) -> None:
        """Say that the rules make this of the last decision; the log may write it down and is then compared with it."""
        self.derived.append(Derived(event, rule, len(self.journal)))

    @property
    def newly_applied(self) -> list[str]:
        """The rules applied since the last decision or chance line that was right; those before it stay as they are."""
        return self.applied[self.carried_out :]

    @newly_applied.setter
    def newly_applied(self, rules: Iterable[str]) -> None:
        self.applied[self.carried_out :] = rules

    # -- back and forth --------------------------------------------------------------------------------------------

    def write(self, thing: Any, field: str, value: Any) -> None:
        """Put one side of a recorded change on this table, which may be a copy of the one that recorded it."""
        own: Any = self.things[thing.n] if thing.n < len(self.things) else None
        if field == "zone":
            zone, index = value
            own.zone.cards.remove(own)
            own.zone = self.things[zone.n]
            own.zone.cards.insert(index, own)
        elif field != "made":
            setattr(own, field, value)
        elif value is None:
            own.zone.cards.remove(own)
            del self.cards[own.name]
            self.things.pop()
        else:
            zone = self.things[value.zone.n]
            card = self.CARD(n=thing.n, name=thing.name, owner=thing.owner, zone=zone, text=thing.text, **value.fields)
            self._put_on(card)

    def copy(self) -> "Table[AnyCard, AnyPlayer]":
        """Return a copy that shares nothing that changes; its journal is empty."""
        things: list[Any] = [*map(COPY, self.things)]
        table: Table[AnyCard, AnyPlayer] = things[0]
        table.things = things
        table.zones = {name: things[zone.n] for name, zone in self.zones.items()}
        for zone in table.zones.values():
            zone.cards = [things[card.n] for card in zone.cards] if zone.cards else []
            for card in zone.cards:
                card.zone = zone
        table.cards = dict(zip(self.cards, things[len(things) - len(self.cards) :], strict=True))
        table.players = {name: things[player.n] for name, player in self.players.items()}
        table.journal, table.derived, table.applied = [], [], []
        table.recognised, table.reverted, table.rests, table.carried_out = [], {}, [], 0
        for field in self.OWN_ZONES:
            setattr(table, field, zones_among(things, getattr(self, field)))
        return table

    def clear_away(self) -> None:
        """Take the table apart, which is of no use afterwards: zones and cards refer to each other."""
        for zone in self.zones.values():
            zone.cards.clear()
        self.things.clear()

    def state(self) -> dict[str, Any]:
        """Return everything on the table as plain values, to compare two tables: fields by the numbers of things."""
        plain: dict[str, Any] = {}
        for thing in self.things:
            names = [name for name in thing.__struct_fields__ if name not in self.NO_STATE]
            plain[str(thing.n)] = {name: as_plain(getattr(thing, name)) for name in names}
        return plain

    def lies_open(self, viewer: str, card: AnyCard) -> bool:
        """Return whether a viewer (a player id, or empty for the public) may look at a card where it lies."""
        seen_by = card.zone.seen_by
        if card.face_up or seen_by == "all":
            return True
        if seen_by == "owner":
            return bool(viewer) and viewer == (card.owner or card.zone.owner)
        return seen_by == "others" and bool(viewer) and viewer != (card.zone.owner or card.owner)

    def knows(self, viewer: str, card: AnyCard) -> bool:
        """Return whether a viewer (a player id, or empty for the public) knows which card this is."""
        return viewer in card.known_to or self.lies_open(viewer, card)
