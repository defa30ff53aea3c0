"""What a readable event has to fulfil: players who sit at the table, cards that exist, words that mean something."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cache, reduce
from itertools import chain
from operator import attrgetter, or_
from typing import Any, Final

import msgspec
from msgspec import UNSET
from rapidfuzz import fuzz, process

from tabletape.events.importing.games.copies import Copies
from tabletape.events.importing.games.known_deck import KnownDeck
from tabletape.events.importing.lines.kinds import KINDS, Kind, Needs
from tabletape.events.importing.lines.shapes import Holds, Shape
from tabletape.events.importing.lines.words import Words, name_held, printed_words
from tabletape.events.importing.quarantine.bad_lines import (
    BARE_COPY,
    MIN_SIMILARITY,
    NEW_CARD,
    UNKNOWN_WORD,
    BadLineError,
    DoubtError,
    NewGame,
    Path,
    did_you_mean,
)
from tabletape.events.importing.report import Known
from tabletape.events.log.rows import UnfitError, no_such_player
from tabletape.events.vocabulary import Event, check_exclusive
from tabletape.events.vocabulary.names import card_of, is_unseen, owner_of, slug_of
from tabletape.events.vocabulary.shared import DeckDeclared, GameStarted


class TableNames:
    """Who sits at the table of a game that is being read, and which cards there are."""

    def __init__(
        self, seats: Mapping[str, str], known: Known | None, fine: set[Any], deck: KnownDeck | None = None
    ) -> None:
        """Know the seats (id → name), what is `known` of the game, and the names that were looked at before.

        `deck` are the cards of a game whose file names them all.
        """
        self._seats = seats
        self._nobody_or_seats = {*seats, None, UNSET}
        self._known = known
        self._fine = fine
        self._declared: set[str] = set()
        self._no_cards: set[str] = set()
        self.cards = known.cards if known is not None else None
        """The ids of the game's cards, None where any name is one, or where nobody has said which there are."""
        made = known.made if known is not None else frozenset()
        self._bare = {*made, *(f"{seat}:{card}" for seat in seats for card in made)}
        self.copies = Copies(made)
        self.deck = deck
        self._has_names = self.cards is not None or deck is not None

    @property
    def printed(self) -> Mapping[str, str]:
        """The ids of the game's cards by the names that are printed on them."""
        return self._known.names if self._known is not None else {}

    def name_held(self, text: str, meant: str) -> str:
        """Return the name, of a player or a card, that a text holds and what it may be meant as does not."""
        return self.player_held(text, meant) or name_held(text, meant, {*self.printed, *(self.cards or ())})

    def player_held(self, text: str, meant: str) -> str:
        """Return the name or id of a player that a text holds and what it may be meant as does not."""
        return name_held(text, meant, {*self._seats, *self._seats.values()})

    @property
    def declared(self) -> AbstractSet[str]:
        """The ids in the deck lists so far; it grows with the game."""
        return self._declared

    def check(self, event: Event) -> None:
        """Raise `BadLineError` where the event names somebody or something that does not exist.

        Raises `DoubtError` where a deck list names an unknown card (`declare` takes it all the same),
        `NewGame` for a `game.started`, `msgspec.ValidationError` as `check_exclusive` does.
        """
        kind = KINDS[type(event)]
        if kind.special:
            self._check_special(event)
        if kind.exclusive and [getattr(event, name) for name in kind.exclusive].count(UNSET) != len(kind.exclusive) - 1:
            check_exclusive(event)
        for name in kind.players:
            if getattr(event, name) not in self._nobody_or_seats:
                raise self._unknown_player(getattr(event, name), (_written(type(event), name),))
        if self._has_names:
            fine, ids = self._fine, () if kind.special or self.cards is None else kind.ids
            for names, look in ((kind.cards, self._look), (ids, self._look_at_ids)):
                for name in names:
                    value = getattr(event, name)
                    if not (fine.issuperset(value) if type(value) is tuple else value in fine):
                        look(value, (_written(type(event), name),))
        for name, shape in kind.others.items():
            self._look_into(shape, getattr(event, name), (_written(type(event), name),))

    def check_all(self, events: Sequence[Event], needs: Needs) -> None:
        """Raise what `check` raises for one of the events that follow each other, in whatever order.

        Events of a type are looked at together, each field in one go; only a deck list decides what may follow it.
        """
        types = [*map(type, events)]
        lists = [each for each in {*types} if KINDS[each].special]
        first = max((len(types) - types[::-1].index(each) for each in lists), default=0)
        for event in events[:first]:
            if needs[type(event)]:
                self.check(event)
        alike: defaultdict[type[Event], list[Event]] = defaultdict(list)
        for event, kind in zip(events[first:], types[first:], strict=True):
            alike[kind].append(event)
        for kind, mine in alike.items():
            if needs[kind]:
                self._check_alike(KINDS[kind], mine)

    def _check_alike(self, kind: Kind, events: Sequence[Event]) -> None:
        """Check events of one type."""
        everybody = self._nobody_or_seats
        if (
            kind.special
            or (kind.exclusive and not _each_has_one(events, kind.exclusive))
            or (kind.players and not all(everybody.issuperset(_values(events, name)) for name in kind.players))
        ):
            for event in events:
                self.check(event)
            return
        if self._has_names:
            for name in kind.cards:
                self._look_together(self._look, name, events)
            for name in kind.ids if self.cards is not None else ():
                self._look_together(self._look_at_ids, name, events)
        for name, shape in kind.others.items():
            self._look_into_all(shape, _values(events, name), (name,))

    def _look_together(self, look: Callable[[Any, Path], None], name: str, events: Sequence[Event]) -> None:
        """Check a field with cards in events of one type."""
        fine = self._fine
        if fine.issuperset(_values(events, name)):
            return  # Each names one card at most, and all of these were looked at before.
        for value in _values(events, name):
            if not (fine.issuperset(value) if type(value) is tuple else value in fine):
                look(value, (name,))

    def _look_into_all(self, shape: Shape, values: Iterable[Any], path: Path) -> None:
        """Raise what `_look_into` raises for one of some values of one shape: what stands in them is put together."""
        values = [value for value in values if value is not UNSET and value is not None]
        match shape.holds:
            case Holds.LIST:
                self._look_into_all(shape.inside[0], chain.from_iterable(values), path)
            case Holds.PAIRS:
                self._look_into_all(shape.inside[0], chain.from_iterable(values), path)
                self._look_into_all(shape.inside[1], chain.from_iterable(value.values() for value in values), path)
            case Holds.PART:
                for name, inside in shape.fields.items():
                    self._look_into_all(inside, _values(values, name), path)
            case Holds.PLAYER | Holds.WORD | Holds.PRINTED | Holds.COPY | Holds.CARD:
                for value in {*values}:
                    self._look_at(shape, value, path)

    def _check_special(self, event: Event) -> None:
        """Leave at the next game, remember the cards of a deck list, look at the players of a result."""
        if isinstance(event, GameStarted):
            raise NewGame
        if isinstance(event, DeckDeclared):
            lists = [*self._lists(event)]
            if self.cards and not all(self.cards >= {*cards} for _, cards in lists):
                raise self._doubt({card: name for name, cards in lists for card in cards if card not in self.cards})
            self.declare(event)

    def declare(self, event: DeckDeclared) -> None:
        """Take the cards of a deck list whatever they are: a designer's newest cards, or slips that are asked about."""
        fields = (Counter(cards) for _, cards in self._lists(event))
        listed = reduce(or_, fields)  # A Splicer that is in the deck, too, is no second copy.
        self._declared.update(listed)
        if not self.copies.has_list(event.player):
            self.copies.declare(event.player, listed)
            # Without its owner a card of a deck is no card on the table.
            bare = {*listed, *(f"{event.player}:{card}" for card in self.copies.several(event.player))}
            self._bare |= bare
            if not bare.isdisjoint(self._fine):
                self._fine = self._fine - bare  # In another game the card is in a deck once.

    @staticmethod
    def _lists(event: Event) -> Iterator[tuple[str, Sequence[str]]]:
        """Return the cards in each field of a deck list, by its name."""
        for name in KINDS[type(event)].ids:
            value = getattr(event, name)
            yield name, (value,) if isinstance(value, str) else value or ()

    def _doubt(self, unknown: Mapping[str, str]) -> DoubtError:
        """Return the question about unknown cards of a list, by the field in which they stand."""
        cards = self.cards or frozenset()
        near = {
            card: process.extractOne(slug_of(card), cards, scorer=fuzz.ratio, score_cutoff=MIN_SIMILARITY)
            for card in unknown
        }
        meant = [f"`{similar[0]}` for `{card}`" for card, similar in near.items() if similar]
        names = ", ".join(f"`{card}`" for card in unknown)
        they = "is a card" if len(unknown) == 1 else "are cards"
        message = f"{names} {they} that this game does not have; the list was taken as it stands"
        suggestion = f"did you mean {', '.join(meant)}?" if meant else "a card of your own belongs into its card file"
        return DoubtError(NEW_CARD, (next(iter(unknown.values())),), message, suggestion)

    def _look_into(self, shape: Shape, value: Any, path: Path) -> None:
        """Check the names and words in a value: in a list, in pairs, in a part of an event."""
        if value is UNSET or value is None:
            return
        match shape.holds:
            case Holds.LIST:
                for place, each in enumerate(value):
                    self._look_into(shape.inside[0], each, (*path, place))
            case Holds.PAIRS:
                for key, each in value.items():
                    self._look_into(shape.inside[0], key, (*path, key))
                    self._look_into(shape.inside[1], each, (*path, key))
            case Holds.PART:
                for name, each in shape.fields.items():
                    self._look_into(each, getattr(value, name), (*path, name))
            case _:
                self._look_at(shape, value, path)

    def _look_at(self, shape: Shape, value: Any, path: Path) -> None:
        """Check a single name or word."""
        match shape.holds:
            case Holds.PLAYER if value not in self._seats:
                raise self._unknown_player(value, path)
            case Holds.WORD | Holds.PRINTED:
                self._look_at_word(shape, value, path)
            case Holds.COPY if self._has_names:
                self._look(value, path)
            case Holds.CARD if self.cards is not None:
                self._look_at_ids(value, path)

    def _look(self, value: Any, path: Path) -> None:
        """Check the card names in a field."""
        if isinstance(value, tuple):
            for place, each in enumerate(value):
                self._look(each, (*path, place))
        elif isinstance(value, str) and value not in self._fine:
            (self._look_at_name if self.deck is None else self._look_in_deck)(value, path)

    def _look_at_ids(self, value: Any, path: Path) -> None:
        """Raise `BadLineError` for an id that is a card's printed name, or nearly its id; a wholly unknown one is none.

        An unknown biom is a finding of the audit; `Thunder Shelf` is the printed name of a known one.
        """
        if isinstance(value, tuple):
            for each in value:
                self._look_at_ids(each, path)
        elif isinstance(value, str) and value not in self._fine and value not in self._no_cards:
            self._look_at_id(value, path)

    def _look_at_id(self, text: str, path: Path) -> None:
        known = (self.cards or frozenset()) | self._declared
        slug = slug_of(text)
        if text in known:
            self._fine.add(text)
        elif (nearest := _nearest_card(text, [*known])) or slug in known or slug in map(slug_of, self.printed):
            message = f"there is no card `{text}` in this game"
            raise BadLineError("unknown-card", path, message, f"did you mean `{nearest}`?" if nearest else "")
        else:
            self._no_cards.add(text)

    def words(self, shape: Shape) -> Words:
        """Return the words of a field, those that are printed on the cards of the game among them."""
        if shape.holds is not Holds.PRINTED or self._known is None:
            return shape.words
        return printed_words(self._known.printed.get(shape.printed, frozenset()))

    def _look_at_word(self, shape: Shape, text: str, path: Path) -> None:
        """Raise `BadLineError` for a word in another form, or one that is nearly one; the audit judges unknown ones."""
        words = self.words(shape)
        if text in words.exact:
            return
        meant = words.called(text)
        near = [meant] if meant is not None else words.near(text)
        suggestion = f"did you mean `{near[0]}`?" if near else ""
        if shape.holds is Holds.WORD:
            suggestion = suggestion or did_you_mean(text, words.exact)
        if suggestion:
            some = f": {', '.join(sorted(words.exact))}" if shape.holds is Holds.WORD else ""
            message = f"`{path[0]}`: `{text}` is none of the words that stand here{some}"
            if whose := self.player_held(text, " ".join(map(str, (*near, *words.nouns)))):
                message, suggestion = f"{message}; it names the player {whose}", ""
            raise BadLineError(UNKNOWN_WORD, path, message, suggestion)

    def _look_in_deck(self, name: str, path: Path) -> None:
        """Raise `BadLineError` for a card that is nobody's and written as somebody's, as it is printed, or almost so.

        A name that is like none of the cards may be that of a thing which the file does not name.
        """
        if self.deck is None:
            return
        meant = self.deck.called(name) if self.deck.has(name) else self.deck.near(name) or name
        if meant != name:
            message = f"there is no card `{name}` in this game"
            raise BadLineError("unknown-card", path, message, f"did you mean `{meant}`?")
        self._fine.add(name)

    def _look_at_name(self, name: str, path: Path) -> None:
        owner = owner_of(name)
        if owner and owner not in self._seats:
            raise self._unknown_player(owner, path)
        card = card_of(name)
        if name in self._bare:
            message = f"there are several copies of `{card}`, and `{name}` does not say which"
            suggestion = f"write `{name}#1` for the first"
            if not owner:
                message, suggestion = (
                    f"`{name}` does not say whose card it is",
                    f"write `{next(iter(self._seats))}:{name}`",
                )
            raise BadLineError(BARE_COPY, path, message, suggestion)
        cards = (self._known.cards if self._known else None) or frozenset()
        if card in cards or is_unseen(name):
            self._fine.add(name)
        elif card not in self._declared:
            nearest = _nearest_card(card, [*cards, *self._declared])
            suggestion = f"did you mean `{name.replace(card, nearest, 1)}`?" if nearest and card else ""
            raise BadLineError("unknown-card", path, f"there is no card `{card or name}` in this game", suggestion)

    def _unknown_player(self, player: str, path: Path) -> BadLineError:
        message = no_such_player(player, self._seats)
        return BadLineError(
            "unknown-player", path, message, did_you_mean(player, {*self._seats, *self._seats.values()})
        )

    def misfit(self, error: UnfitError) -> BadLineError:
        """Return why an event cannot follow in its game, with a suggestion where it names a player."""
        suggestion = did_you_mean(error.value, {*self._seats, *self._seats.values()}) if error.value else ""
        return BadLineError(error.code, (error.field,), str(error), suggestion)


def _nearest_card(text: str, cards: Sequence[str]) -> str:
    """Return the card that is written almost like a text, or the only one whose first words it is; empty for none."""
    longer = {card for card in cards if card.startswith(f"{slug_of(text)}-")}
    nearest = process.extractOne(slug_of(text), cards, scorer=fuzz.ratio, score_cutoff=MIN_SIMILARITY)
    return longer.pop() if len(longer) == 1 else nearest[0] if nearest else ""


def _each_has_one(events: Sequence[Event], names: Sequence[str]) -> bool:
    """Return whether in each event exactly one of some fields is written down."""
    most = len(names) - 1
    return all(values.count(UNSET) == most for values in zip(*(_values(events, name) for name in names), strict=True))


def _values(events: Iterable[Any], name: str) -> Iterator[Any]:
    """Return the values of a field in events, or parts of events, of one type."""
    return map(_getter(name), events)


_getter: Final = cache(attrgetter)


@cache
def _written(event_type: type[Event], name: str) -> str:
    """Return a field's name as it stands in a log (`from`, not `from_`)."""
    return next(field.encode_name for field in msgspec.structs.fields(event_type) if field.name == name)
