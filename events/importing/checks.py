"""What a readable event still has to fulfil: players who sit at the table, cards that exist, rulings that there are.

Nothing here looks at the rules of a game: a card that may not be played is a finding of the audit, a card that does
not exist cannot be read.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cache, reduce
from operator import attrgetter, or_
from typing import Any, Final

import msgspec
from msgspec import UNSET
from rapidfuzz import fuzz, process

from events.importing.copies import Copies
from events.importing.kinds import KINDS, Kind, Needs
from events.importing.maps.times import Clock, zone_called
from events.importing.report import Known
from events.importing.slugs import slug_of
from events.log_rows import CardTexts, UnfitError, nobody
from events.names import card_of, is_unseen, owner_of
from events.shared import DeckDeclared, GameStarted, ResultRecorded
from events.vocabulary import Event, UnknownGameError, check_exclusive

Path = tuple[str | int, ...]

_DIGIT: Final = re.compile(r"\d")

NEAR: Final = 60
"""A word is suggested if it is at least so similar (rapidfuzz ratio, 0-100)."""

SURE: Final = 90
"""A name is taken for a known one if it is at least so similar, and no other is."""


BARE_COPY: Final = "bare-copy"
"""The code of a line that names a card without a number, of which its owner has several."""

NEW_CARD: Final = "new-card"
UNREAD_TIME: Final = "unread-time"
DOUBTS: Final = frozenset({NEW_CARD, UNREAD_TIME})
"""The codes of entries about lines that were taken, and about which somebody is to be asked."""


class BadLineError(Exception):
    """A line that cannot be taken: a code, the path to the offending key or value, the reason, a suggestion."""

    def __init__(self, code: str, path: Path, message: str, suggestion: str = "", *, at_key: bool = False) -> None:
        super().__init__(message)
        self.code = code
        self.path = path
        self.message = message
        self.suggestion = suggestion
        self.at_key = at_key


class DoubtError(BadLineError):
    """A line that can be taken as it stands, but about which somebody is to be asked."""


def half_a_letter(path: Path, escape: str) -> BadLineError:
    """Return what is wrong with a JSON text in which half of a surrogate pair stands alone."""
    message = f"{escape} is half a letter: JSON writes such a letter as two of these"
    return BadLineError("not-json", path, message, "write the letter itself, in UTF-8")


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return `did you mean …?` for the nearest known word, or an empty string where none is near."""
    nearest = process.extractOne(word, list(known), scorer=fuzz.ratio, score_cutoff=NEAR)
    return f"did you mean `{nearest[0]}`?" if nearest else ""


def almost(text: str, known: Iterable[str]) -> list[str]:
    """Return the known names that a text is almost written like; names that differ in a number are different names."""
    found = process.extract(text, list(known), scorer=fuzz.ratio, score_cutoff=SURE, limit=None)
    return [name for name, _, _ in found if _DIGIT.findall(name) == _DIGIT.findall(text)]


class NewGame(Exception):  # noqa: N818 - no error: it leaves the short way where a game begins
    """The event is the `game.started` of the next game."""


class Checks:
    """The checks of one import; what is fine in one game is remembered for the next."""

    def __init__(
        self, known: Callable[[str], Known] | None, zone: str = "", titles: Mapping[str, str] | None = None
    ) -> None:
        """Check against what is `known`; `zone` is that of times without one, `titles` lead to the games."""
        self.clock = Clock(zone_called(zone))
        self._titles = titles or {}
        self._known = cache(known) if known else None
        self._fine: dict[tuple[str, frozenset[str]], set[Any]] = {}
        self.needs = Needs(cards=known is not None)

    def table(self, head: GameStarted) -> "Table":
        """Return the checks of a game that begins.

        Raises `BadLineError` where its head has no id, seats nobody or the same player twice, or names an unknown
        ruling, or where only the events of the game are known.
        """
        for name in ("id", "edition"):
            if not _is_name(getattr(head, name)):
                raise BadLineError(
                    "wrong-id", (name,), f"`{name}` needs a text of letters and signs that can be printed"
                )
        seats = [seat.id for seat in head.players]
        if not seats or len(set(seats)) < len(seats) or not all(map(_is_name, seats)):
            found = ", ".join(seats) or "nobody"
            raise BadLineError(
                "wrong-players", ("players",), f"each player needs an id of their own; here sit: {found}"
            )
        known = self.about(head.game)
        if known:
            _check_rulings(head, known)
        key = (head.game, frozenset(seats))
        names = {seat.id: seat.name for seat in head.players}
        return Table(names, known, self._fine.setdefault(key, {UNSET, None}))

    def card_texts(self, game: str) -> CardTexts | None:
        """Return the card texts that are kept with a game, where they are known."""
        known = self.about(game)
        return known.card_texts if known else None

    def edition(self, head: GameStarted) -> str:
        """Say that the edition which a head names is not known, or nothing: the game can be read all the same."""
        known = self.about(head.game)
        if not known or not known.editions or head.edition in known.editions:
            return ""
        told = (
            f"the log names the edition {head.edition} of {head.game}, which Tabletape does not know; "
            f"it is read as {known.editions[0]}"
        )
        return "; ".join(filter(None, (told, did_you_mean(head.edition, known.editions))))

    def slug_of(self, game: str) -> str:
        """Return the slug of a game that a log may also call by its title."""
        return self._titles.get(game.strip().casefold(), game)

    def cards(self, game: str) -> Mapping[str, str] | None:
        """Return the cards of a game by the names that a map may find in a line; None where any name is a card."""
        known = self.about(game)
        return None if known is None or known.cards is None else {**known.names, **{card: card for card in known.cards}}

    def about(self, game: str) -> Known | None:
        """Return what is known about a game, None where nothing is. Raises `BadLineError` where it has no rules."""
        try:
            return self._known(game) if self._known else None
        except UnknownGameError as error:
            slug, known = error.args
            message = f"{slug} has a vocabulary, but no rules here; the games with rules are {', '.join(known)}"
            raise BadLineError("unknown-game", ("game",), message, did_you_mean(slug, known)) from error


def _is_name(text: str) -> bool:
    return bool(text.strip()) and text.isprintable()


def _check_rulings(head: GameStarted, known: Known) -> None:
    for key, option in head.rulings.items():
        options = known.rulings.get(key)
        if options is None:
            message = f"{head.game} has no ruling `{key}`; there are {', '.join(known.rulings) or 'none'}"
            suggestion = did_you_mean(key, known.rulings)
            raise BadLineError("unknown-ruling", ("rulings", key), message, suggestion, at_key=True)
        if option not in options:
            message = f"the ruling `{key}` has no option `{option}`; there are {', '.join(options)}"
            raise BadLineError("unknown-ruling", ("rulings", key), message, did_you_mean(option, options))


class Table:
    """Who sits at the table of a game that is being read, and which cards there are."""

    def __init__(self, seats: Mapping[str, str], known: Known | None, fine: set[Any]) -> None:
        """Know the seats (id → name), what is `known` of the game, and the names that were looked at before."""
        self._seats = seats
        self._nobody_or_seats = {*seats, None, UNSET}
        self._known = known
        self._fine = fine
        self._declared: set[str] = set()
        self._no_cards: set[str] = set()
        self._bare: set[str] = set()
        self.copies = Copies()

    @property
    def cards(self) -> AbstractSet[str] | None:
        """The ids of the game's cards, None where any name is one, or where nobody has said which there are."""
        return self._known.cards if self._known is not None else None

    @property
    def printed(self) -> Mapping[str, str]:
        """The ids of the game's cards by the names that are printed on them."""
        return self._known.names if self._known is not None else {}

    @property
    def declared(self) -> AbstractSet[str]:
        """The ids in the deck lists so far; it grows with the game."""
        return self._declared

    def check(self, event: Event) -> None:
        """Raise `BadLineError` where the event names somebody or something that does not exist.

        Raises `DoubtError` where a deck list names a card that nobody knows (`declare` takes it all the same),
        `NewGame` for a `game.started`, `msgspec.ValidationError` as `check_exclusive` does.
        """
        special, exclusive, players, cards, ids = KINDS[type(event)]
        if special:
            self._check_special(event)
        if exclusive and [getattr(event, name) for name in exclusive].count(UNSET) != len(exclusive) - 1:
            check_exclusive(event)
        for name in players:
            if getattr(event, name) not in self._nobody_or_seats:
                raise self._nobody(getattr(event, name), (_written(type(event), name),))
        if self._known is not None and self._known.cards is not None:
            fine = self._fine
            for name in cards:
                value = getattr(event, name)
                if not (fine.issuperset(value) if type(value) is tuple else value in fine):
                    self._look(value, (_written(type(event), name),))
            for name in () if special else ids:
                value = getattr(event, name)
                if not (fine.issuperset(value) if type(value) is tuple else value in fine):
                    self._look_at_ids(value, (_written(type(event), name),))

    def check_all(self, events: Sequence[Event], needs: Needs) -> None:
        """Raise what `check` raises for one of the events that follow each other, in whatever order.

        Events of a type are looked at together, each field in one go; only a deck list decides what may follow it.
        """
        types = [*map(type, events)]
        lists = [each for each in {*types} if issubclass(each, DeckDeclared)]
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
        players = (name for name in kind.players if not self._nobody_or_seats.issuperset(_values(events, name)))
        if kind.special or not _each_has_one(events, kind.exclusive) or any(players):
            for event in events:
                self.check(event)
        elif self._known is not None and self._known.cards is not None:
            fine = self._fine
            for names, look in ((kind.cards, self._look), (kind.ids, self._look_at_ids)):
                for name in names:
                    for value in _values(events, name):
                        if not (fine.issuperset(value) if type(value) is tuple else value in fine):
                            look(value, (name,))

    def _check_special(self, event: Event) -> None:
        """Leave at the next game, remember the cards of a deck list, look at the players of a result."""
        if isinstance(event, GameStarted):
            raise NewGame
        if isinstance(event, ResultRecorded):
            for field in ("winners", "scores", "cards"):
                for place, player in enumerate(getattr(event, field)):
                    if player not in self._seats:
                        raise self._nobody(player, (field, place if field == "winners" else player))
        if isinstance(event, DeckDeclared):
            cards = {card: name for name, each in self._lists(event) for card in each}
            unknown = {card: name for card, name in cards.items() if card not in (self.cards or cards)}
            if unknown:
                raise self._doubt(unknown)
            self.declare(event)

    def declare(self, event: DeckDeclared) -> None:
        """Take the cards of a deck list whatever they are: a designer's newest cards, or slips that are asked about."""
        fields = [Counter(cards) for _, cards in self._lists(event)]
        listed: Counter[str] = reduce(or_, fields, Counter())  # A Splicer that is in the deck, too, is no second copy.
        self._declared.update(listed)
        if not self.copies.has_list(event.player):
            self.copies.declare(event.player, listed.elements())
            bare = {f"{event.player}:{card}" for card in self.copies.several(event.player)}
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
        """Return the question about cards of a list that nobody knows, by the field in which they stand."""
        cards = self.cards or frozenset()
        near = {
            card: process.extractOne(slug_of(card), cards, scorer=fuzz.ratio, score_cutoff=NEAR) for card in unknown
        }
        meant = [f"`{found[0]}` for `{card}`" for card, found in near.items() if found]
        told = ", ".join(f"`{card}`" for card in unknown)
        they = "is a card" if len(unknown) == 1 else "are cards"
        message = f"{told} {they} that this game does not have; the list was taken as it stands"
        suggestion = f"did you mean {', '.join(meant)}?" if meant else "a card of your own belongs into its card file"
        return DoubtError(NEW_CARD, (next(iter(unknown.values())),), message, suggestion)

    def _look(self, value: Any, path: Path) -> None:
        """Check the card names in a field."""
        if isinstance(value, str):
            if value not in self._fine:
                self._look_at_name(value, path)
        elif isinstance(value, tuple):
            for place, each in enumerate(value):
                self._look(each, (*path, place))
        elif isinstance(value, msgspec.Struct):
            for name in KINDS[type(value)].cards:
                if (inner := getattr(value, name)) not in self._fine:
                    self._look(inner, (*path, name))

    def _look_at_ids(self, value: Any, path: Path) -> None:
        """Raise `BadLineError` for an id that is a card's printed name, or almost its id; a wholly unknown one is none.

        A biom that nobody knows is a finding of the audit; `Thunder Shelf` is one that everybody knows.
        """
        if isinstance(value, tuple):
            for each in value:
                self._look_at_ids(each, path)
        elif isinstance(value, msgspec.Struct):
            for name in KINDS[type(value)].ids:
                self._look_at_ids(getattr(value, name), path)
        elif isinstance(value, str) and value not in self._fine and value not in self._no_cards:
            self._look_at_id(value, path)

    def _look_at_id(self, text: str, path: Path) -> None:
        known = (self.cards or frozenset()) | self._declared
        slug = slug_of(text)
        if text in known:
            self._fine.add(text)
        elif slug in known or slug in map(slug_of, self.printed) or len(almost(slug, known)) == 1:
            message = f"there is no card `{text}` in this game"
            raise BadLineError("unknown-card", path, message, did_you_mean(slug, known))
        else:
            self._no_cards.add(text)

    def _look_at_name(self, name: str, path: Path) -> None:
        owner = owner_of(name)
        if owner and owner not in self._seats:
            raise self._nobody(owner, path)
        card = card_of(name)
        if name in self._bare:
            message = f"there are several copies of `{card}`, and `{name}` does not say which"
            raise BadLineError(BARE_COPY, path, message, f"write `{name}#1` for the first of the deck list")
        cards = (self._known.cards if self._known else None) or frozenset()
        if card in cards or is_unseen(name):
            self._fine.add(name)
        elif card not in self._declared:
            nearest = _nearest_card(card, [*cards, *self._declared])
            suggestion = f"did you mean `{name.replace(card, nearest, 1)}`?" if nearest and card else ""
            raise BadLineError("unknown-card", path, f"there is no card `{card or name}` in this game", suggestion)

    def _nobody(self, player: str, path: Path) -> BadLineError:
        message = nobody(player, self._seats)
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
    nearest = process.extractOne(slug_of(text), cards, scorer=fuzz.ratio, score_cutoff=NEAR)
    return longer.pop() if len(longer) == 1 else nearest[0] if nearest else ""


def _each_has_one(events: Sequence[Event], names: Sequence[str]) -> bool:
    """Return whether in each event exactly one of some fields is written down, or there are none."""
    most = len(names) - 1
    return most < 0 or all(
        values.count(UNSET) == most for values in zip(*(_values(events, name) for name in names), strict=True)
    )


def _values(events: Sequence[Event], name: str) -> Iterator[Any]:
    """Return the values of a field in events of one type."""
    return map(attrgetter(name), events)


@cache
def _written(event_type: type[Event], name: str) -> str:
    """Return a field's name as it stands in a log (`from`, not `from_`)."""
    return next(field.encode_name for field in msgspec.structs.fields(event_type) if field.name == name)
