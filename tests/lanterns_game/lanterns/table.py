"""The table of Lanterns: one deck for all, hands that only the others see, a row for each colour."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from lanterns.happenings import CardPlayed, CardsDrawn, CardThrown, GameEnded
from tabletape.events.vocabulary.shared import Seat
from tabletape.projector.kit.ending import end
from tabletape.projector.model.due import Due, draw_due
from tabletape.projector.model.rulebook import Ruleset
from tabletape.projector.model.table import Table
from tabletape.projector.model.things import Card, CardText, Player

HAND: Final = 2
COPIES: Final = {1: 3, 2: 2, 3: 1}
COLOURS: Final = ("red", "blue")
MISTAKES: Final = 2


class Lantern(CardText, frozen=True, kw_only=True, eq=False):
    """A card with a rank; its kind is the colour."""

    rank: int


class Lanterns(Table[Card, Player], eq=False, kw_only=True):
    """The table; `mistakes` counts cards that did not fit."""

    mistakes: int = 0


def opening(seats: Sequence[Seat], ruleset: Ruleset, library: Mapping[str, Any]) -> Lanterns:
    """Lay out the table with the deck, which belongs to nobody."""
    table = Lanterns(options=ruleset.options, library=library, turn=1, round=1, phase="play", active=seats[0].id)
    for seat in seats:
        table.add_player(Player(id=seat.id, name=seat.name))
        table.add_zone(f"hand:{seat.id}", owner=seat.id, role="hand", seen_by="others")
    deck = table.add_zone("deck", role="deck", seen_by="nobody")
    table.add_zone("pile", role="discard")
    for colour in COLOURS:
        table.add_zone(colour)
    names = [f"{card}#{copy}" for card, text in library.items() for copy in range(1, COPIES[text.rank] + 1)]
    table.make_all(tuple(names), deck)
    return table


def drawn(table: Lanterns, event: CardsDrawn) -> None:
    """Take cards from the deck of all to a hand."""
    table.draw(event.cards or (), event.count or 0, table.zones["deck"], table.zones[f"hand:{event.player}"])


def played(table: Lanterns, event: CardPlayed) -> None:
    """Lay a card to its row where it is the next one, else to the pile."""
    card = table.take(event.card, table.zones[f"hand:{event.player}"])
    text = card.text
    fits = text is not None and len(table.zones[text.kind].cards) == text.rank - 1
    table.move(card, table.zones[text.kind if fits else "pile"])
    if not fits:
        table.count(table, "mistakes", 1)
    _next(table, event.player)


def thrown(table: Lanterns, event: CardThrown) -> None:
    """Lay a card to the pile."""
    table.move(table.take(event.card, table.zones[f"hand:{event.player}"]), table.zones["pile"])
    _next(table, event.player)


def _next(table: Lanterns, player: str) -> None:
    players = [*table.players]
    table.next_turn(players[(players.index(player) + 1) % len(players)])


def points(table: Lanterns) -> int:
    """Return how many cards lie in the rows."""
    return sum(len(table.zones[colour].cards) for colour in COLOURS)


def settle(table: Lanterns) -> None:
    """End the game for all: every card is laid, too many mistakes, or no card is left."""
    hands = [table.zones[f"hand:{player}"] for player in table.players]
    all_laid = points(table) == len(table.library)
    if not table.over and (
        all_laid or table.mistakes > MISTAKES or not any(hand.size for hand in [*hands, table.zones["deck"]])
    ):
        winners = tuple(table.players) if all_laid else ()
        reason = "laid" if all_laid else "mistakes" if table.mistakes > MISTAKES else "out-of-cards"
        line = GameEnded(winners=winners, cooperative=True, score=points(table), reason=reason)
        end(table, line, "lanterns.end.all-together")


def ended(table: Lanterns, event: Any, _expected: Any) -> None:
    """End the game as the table did."""
    end(table, event, "")


def actors(table: Lanterns) -> tuple[str, ...]:
    """Return whose turn it is."""
    return () if table.over or due(table) else (table.active,)


def due(table: Lanterns) -> Sequence[Due]:
    """Return the draws up to a full hand, as far as the deck has cards; the player on turn draws last."""
    left = table.zones["deck"].size
    missing = {player: min(HAND - table.zones[f"hand:{player}"].size, left) for player in table.players}
    return [
        draw_due(table, CardsDrawn, "deck", number, player=player) for player, number in missing.items() if number > 0
    ]


def value(table: Lanterns, _player: str) -> float:
    """Return the points, less for mistakes."""
    return float(points(table)) - 1.5 * table.mistakes


PLAY = {CardsDrawn: drawn, CardPlayed: played, CardThrown: thrown}
