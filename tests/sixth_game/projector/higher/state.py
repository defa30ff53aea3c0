"""The table of Higher."""

from collections.abc import Mapping, Sequence
from typing import Any

from events.games.higher import CardPlayed, CardsDrawn

from events.shared import DeckDeclared, GameStarted
from events.vocabulary import Event
from projector.game import Area, Dice, Shown
from projector.rulebook import Ruleset
from projector.table import Card, CardText, Player, Table


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
    """Refuse a number below one."""
    if card.value < 1:
        raise ValueError(f"a card counts at least 1, not {card.value}")


def opening(started: GameStarted, ruleset: Ruleset, library: Mapping[str, Any]) -> Higher:
    """Lay out decks, hands and the trick."""
    table = Higher(options=ruleset.options, library=library, active="A", turn=1, round=1, phase="play")
    for seat in started.players:
        table.add_player(HigherPlayer(id=seat.id, name=seat.name))
        table.add_zone(f"{seat.id}/deck", owner=seat.id, seen_by="nobody")
        table.add_zone(f"{seat.id}/hand", owner=seat.id, seen_by="owner")
    table.add_zone("trick")
    table.add_zone("taken")
    return table


def actors(table: Higher) -> tuple[str, ...]:
    """Give who plays next."""
    return () if table.over else (table.active,)


def legal(table: Higher, player: str) -> Sequence[Event]:
    """Give every card of the hand."""
    return [CardPlayed(player=player, card=card.name) for card in table.zones[f"{player}/hand"].cards]


def chance(table: Higher, dice: Dice) -> Event | None:
    """Draw the whole deck."""
    for player in table.players.values():
        if not player.declared:
            return DeckDeclared(player=player.id, cards=tuple(table.library))
        if table.zones[f"{player.id}/deck"].cards:
            return CardsDrawn(player=player.id, cards=dice.draw(player.id, 6))
    return None


def areas(table: Higher, viewer: str) -> Sequence[Area]:
    """Draw the trick."""
    cards = tuple(Shown(name=card.name, title=card.text.name) for card in table.zones["trick"].cards if card.text)
    return [Area(name="trick", title="Trick", cards=cards, caption=viewer)]
