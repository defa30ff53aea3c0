"""The table of Higher."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tabletape.events.games.higher import CardsDrawn
from tabletape.events.vocabulary.shared import DeckDeclared, Seat
from tabletape.projector.model.areas import Area, Shown
from tabletape.projector.model.due import Due, draw_due
from tabletape.projector.model.rulebook import Ruleset
from tabletape.projector.model.table import Table
from tabletape.projector.model.things import Card, CardText, Player


class Number(CardText, frozen=True, kw_only=True, eq=False):
    """A card with a number."""

    value: int


class HigherPlayer(Player, eq=False, kw_only=True):
    """A player and the tricks taken."""

    tricks: int = 0
    declared: bool = False


class Higher(Table[Card, HigherPlayer], eq=False, kw_only=True):
    """The table; `lead` is who plays the first card of the trick."""

    lead: str = "A"


def check(card: Number) -> None:
    """Raise `ValueError` for a number below one."""
    if card.value < 1:
        raise ValueError(f"a card counts at least 1, not {card.value}")


def opening(seats: Sequence[Seat], ruleset: Ruleset, library: Mapping[str, Any]) -> Higher:
    """Return the table before the first event: decks, hands and the trick."""
    table = Higher(options=ruleset.options, library=library, active="A", turn=1, round=1, phase="play")
    for seat in seats:
        table.add_player(HigherPlayer(id=seat.id, name=seat.name))
        table.add_zone(f"{seat.id}/deck", owner=seat.id, role="deck", seen_by="nobody")
        table.add_zone(f"{seat.id}/hand", owner=seat.id, role="hand", seen_by="owner")
    table.add_zone("trick")
    table.add_zone("taken")
    return table


def actors(table: Higher) -> tuple[str, ...]:
    """Return who plays next."""
    return () if table.over else (table.active,)


def due(table: Higher) -> Sequence[Due]:
    """Return what is due of each player: the deck list, then a draw of the whole deck."""
    return [_due(table, player) for player in table.players.values() if not player.declared or _deck(table, player.id)]


def _due(table: Higher, player: HigherPlayer) -> Due:
    if not player.declared:
        known = {"player": player.id, "cards": tuple(table.library)}
        return Due(line=DeckDeclared, known=known)
    return draw_due(table, CardsDrawn, f"{player.id}/deck", 6, player=player.id)


def _deck(table: Higher, player: str) -> Sequence[Card]:
    return table.zones[f"{player}/deck"].cards


def areas(table: Higher, viewer: str) -> Sequence[Area]:
    """Return each player's hand and deck on the own side, with the trick and the taken cards between them."""
    far, near = reversed(table.players)
    taken = table.zones["taken"]
    return [
        *_side(table, far, 0, viewer),
        _trick(table),
        Area(name="taken", title="Taken", shape="pile", line=1, column=1, count=taken.size),
        *_side(table, near, 2, viewer),
    ]


def _trick(table: Higher) -> Area:
    tricks = {player.id: player.tricks for player in table.players.values()}
    ahead = max(tricks, key=lambda player: tricks[player])
    return Area(
        name="trick",
        title="Trick",
        line=1,
        cards=tuple(_shown(table, card, "*") for card in table.zones["trick"].cards),
        caption=" : ".join(f"{table.players[player].name} {count}" for player, count in tricks.items()),
        highlight=ahead if len(set(tricks.values())) > 1 else "",
    )


def _side(table: Higher, player: str, line: int, viewer: str) -> Iterator[Area]:
    hand, deck = table.zones[f"{player}/hand"], table.zones[f"{player}/deck"]
    name = table.players[player].name
    cards = tuple(_shown(table, card, viewer) for card in hand.cards)
    yield Area(
        name=hand.name, title=f"{name}'s hand", owner=player, shape="hand", line=line, count=hand.size, cards=cards
    )
    yield Area(name=deck.name, title="Deck", owner=player, shape="pile", line=line, column=1, count=deck.size)


def _shown(table: Higher, card: Card, viewer: str) -> Shown:
    if card.text is None or not (viewer == "*" or table.knows(viewer, card)):
        return Shown(name=card.name, title="card", owner=card.owner, face_up=False)
    return Shown(name=card.name, title=card.text.name, owner=card.owner, value=str(card.text.value))
