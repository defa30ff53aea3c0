"""What players may decide now, as an answer that leaves the table as it was; also where hands are hidden."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

import msgspec
from msgspec import UNSET

from tabletape.events.vocabulary import ENVELOPE, Event
from tabletape.events.vocabulary.names import card_of, is_unseen
from tabletape.projector.model.game import Game
from tabletape.projector.model.table import Table
from tabletape.projector.model.things import Card, Zone

PUTS_BACK: Final = "drawn"
"""A decision that is asked after it for what was drawn has put cards back."""


class Offer(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A decision that a player may take; `supposed` where it rests on a card that may be in a hidden hand."""

    event: Event
    supposed: bool = False

    @property
    def player(self) -> str:
        """Who decides."""
        return str(getattr(self.event, "player", ""))


class as_it_was:  # noqa: N801 - it is used as a function is
    """Take steps, if any, for a look at a table, and put it back afterwards as it is now, with what was derived."""

    __slots__ = ("_kept", "_length", "_table")

    def __init__(self, table: Table[Any, Any], *steps: Callable[[Any], object]) -> None:
        self._table, self._length = table, len(table.journal)
        self._kept = table.derived, table.applied, [*table.recognised], [*table.rests]
        table.derived, table.applied = [], []
        try:
            for step in steps:
                step(table)
        except BaseException:
            self.__exit__()
            raise

    def __enter__(self) -> None:
        """Leave the table as the steps have made it."""

    def __exit__(self, *_error: object) -> None:
        """Put everything back."""
        table = self._table
        if len(table.journal) > self._length:
            table.undo(self._length)
        table.derived, table.applied, table.recognised[:], table.rests[:] = self._kept


@contextmanager
def back_at(table: Table[Any, Any], length: int) -> Iterator[None]:
    """Go back to where the journal had a length, for a look at what might have come then."""
    derived, applied, reverted = table.derived, table.applied, table.reverted
    table.derived, table.applied = [], []
    undone = table.undo(length)
    try:
        yield
    finally:
        table.undo(length)
        table.redo(undone)
        table.derived, table.applied, table.reverted = derived, applied, reverted


def decisions(game: Game, table: Table[Any, Any], viewer: str | None = None) -> dict[str, list[Offer]]:
    """Return what each player who may decide something now is offered; the table stays as it is.

    Of a hand of which not all cards are known, every card that may be in it is supposed to be there: once as it is
    named, and where a log may leave its name open once as an unseen card. With a `viewer` (a player id,
    or empty for the public) every hand that the viewer may not see is taken for hidden, so that no offer gives it away.
    """
    with as_it_was(table):
        if viewer is not None:
            _conceal(table, viewer)
        actors = tuple(table.players) if game.rulebook.open and not table.over else game.actors(table)
        offers = {player: [Offer(event=event) for event in offers_of(game, table, player)] for player in actors}
        for player in table.players:
            # In a mulligan unseen cards are put back as such: nothing is gained by supposing what they are.
            offered = offers.get(player, ())
            puts_back = bool(offered) and all(PUTS_BACK in offer.event.ASKED_AFTER for offer in offered)
            hands = [zone for zone in hands_of(table, player) if zone.unseen > 0 and not puts_back]
            known = offers.get(player, [])
            supposed = list(_supposed(game, table, hands[0], known)) if hands else []
            if supposed:
                offers[player] = [*known, *supposed]
    return offers


def _conceal(table: Table[Any, Any], viewer: str) -> None:
    """Put the hand cards that a viewer does not know back where they may have come from."""
    for hand in [zone for zone in table.zones.values() if zone.role == "hand"]:
        decks = (zone for zone in table.zones.values() if zone.role == "deck" and zone.owner in {hand.owner, ""})
        deck = next(decks, None)
        for card in list(hand.cards):
            if deck is not None and not table.knows(viewer, card):
                _swap_unseen(table, card, deck)


def show_in_hand(table: Table[Any, Any], line: Event, player: str) -> None:
    """Put the cards of a deck that a line of a player names into the hand, for unseen ones that lie there."""
    for card in [table.cards[name] for name in sorted(cards_in(line)) if name in table.cards]:
        is_hidden = (card.zone.role, card.zone.owner) == ("deck", player)
        for hand in [each for each in hands_of(table, player) if is_hidden and each.unseen > 0][:1]:
            _swap_unseen(table, card, hand)


def _swap_unseen(table: Table[Any, Any], card: Card, there: Zone) -> None:
    """Change places of a card and an unseen one of another zone; both zones keep their sizes, whatever is supposed."""
    here = card.zone
    table.move(card, there)
    table.count(here, "unseen", 1)
    table.count(there, "unseen", -1)


def offers_of(game: Game, table: Table[Any, Any], player: str) -> list[Event]:
    """Return what a person is offered for a player, from what that player may see."""
    return list((game.shortlist.offers or game.legal)(table, player))


def hands_of(table: Table[Any, Any], player: str) -> list[Zone]:
    """Return the hands of a player."""
    return [zone for zone in table.zones.values() if zone.role == "hand" and zone.owner == player]


def may_be_drawn(table: Table[Any, Any], player: str) -> list[str]:
    """Return one copy of each card that can still be in a player's hidden decks, in the order of the list."""
    decks = (zone for zone in table.zones.values() if zone.role == "deck" and zone.owner == player)
    hidden = (card for deck in decks if deck.seen_by == "nobody" for card in deck.cards if not is_unseen(card.name))
    return list({card_of(card.name): card.name for card in hidden}.values())


def _supposed(game: Game, table: Table[Any, Any], hand: Zone, known: list[Offer]) -> Iterator[Offer]:
    """Yield the decisions that rest on a card in a hand that nobody has named; `known` are those that do not."""
    player = hand.owner
    certain = {offer.event for offer in known}
    names = may_be_drawn(table, player)
    handle = next_unseen(table, player)
    with as_it_was(table):
        for name in names:
            _swap_unseen(table, table.cards[name], hand)
        offered = offers_of(game, table, player) if player in game.actors(table) else []
    unseen = {}
    for event in offered:
        if event not in certain and PUTS_BACK not in event.ASKED_AFTER:
            yield Offer(event=event, supposed=True)
            for field in event.MAY_BE_UNSEEN:
                if getattr(event, field) in names:
                    other = msgspec.structs.replace(event, **{field: handle})
                    unseen[other] = Offer(event=other)
    yield from unseen.values()


def next_unseen(table: Table[Any, Any], player: str) -> str:
    """Return the next free name for a card of a player that nobody has seen."""
    numbers = (name.partition("?")[2] for name in table.cards if name.startswith(f"{player}:?"))
    return f"{player}:?{max((int(number) for number in numbers if number.isdecimal()), default=0) + 1}"


def cards_in(value: Any) -> set[str]:
    """Return the names of cards on the table that an event, or a value of one, writes down."""
    if isinstance(value, str):
        return {value} if ":" in value else set()
    if isinstance(value, tuple):
        return {name for each in value for name in cards_in(each)}
    if isinstance(value, msgspec.Struct):
        fields = (field for field in value.__struct_fields__ if field not in ENVELOPE)
        return {name for field in fields for name in cards_in(getattr(value, field))}
    return set()


# -- the same decision -------------------------------------------------------------------------------------------------

NOTHING: Final = (UNSET, None, (), "", 0, False)
"""How a log says that there is none."""


def is_same(table: Table[Any, Any], one: Event, other: Event) -> bool:
    """Return whether two lines mean the same decision on a table.

    What luck fills in afterwards does not count, nor the order of lists that have none, nor which of several alike
    cards of a hand or deck is named, nor an opponent that goes without saying.
    """
    if type(one) is not type(other):
        return False
    fields = (field for field in one.__struct_fields__ if field not in ENVELOPE and field not in one.ASKED_AFTER)
    return all(_is_alike(table, one, field, (getattr(one, field), getattr(other, field))) for field in fields)


def _is_alike(table: Table[Any, Any], event: Event, field: str, values: tuple[Any, Any]) -> bool:
    one, other = (_plain(table, value, in_order=field in event.ORDERED) for value in values)
    if one == other:
        return True
    if field == "opponent" and len(table.players) == 2:
        return any(value in NOTHING for value in values) and getattr(event, "player", None) not in values
    return values[0] in NOTHING and values[1] in NOTHING


def _plain(table: Table[Any, Any], value: Any, *, in_order: bool) -> Any:
    """Return a value in which alike cards have one name, and lists without an order are in a fixed one."""
    if isinstance(value, str):
        return _plain_name(table, value)
    if isinstance(value, tuple) and all(isinstance(each, str) for each in value):
        names = [_plain_name(table, each) for each in value]
        return names if in_order else sorted(names)
    return value


def _plain_name(table: Table[Any, Any], name: str) -> str:
    """Return the name of a card without its number where it lies in a hand or deck: copies there are alike."""
    card = table.find(name) if ":" in name else None
    return name.partition("#")[0] if card is not None and card.zone.role in {"hand", "deck"} else name
