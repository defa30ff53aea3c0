"""Market: buy from a common row, and score sets of the same goods."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from market.events import CardBought, RowFilled
from tabletape.projector.kit.ending import end, most_points
from tabletape.projector.kit.moves import Move
from tabletape.projector.kit.seating import zone_of
from tabletape.projector.kit.small_game import left_of, own_turn
from tabletape.projector.model.due import Due, draw_due
from tabletape.projector.model.phrases import name_in_words
from tabletape.projector.model.rules import Broken, Section, Verdict, stop
from tabletape.projector.model.table import Table
from tabletape.projector.model.things import Card, CardText, Player

ROW = 4
POINTS = (0, 1, 3, 6, 10)


class Goods(CardText, frozen=True, kw_only=True, eq=False):
    """A card with goods and a price."""

    goods: str
    price: int
    copies: int


class Buyer(Player, eq=False, kw_only=True):
    """A player and the coins left."""

    coins: int = 12


class Market(Table[Card, Buyer], eq=False, kw_only=True):
    """The table."""


def missing(table: Market) -> int:
    """Return how many cards the row lacks, as far as the deck has them."""
    return min(ROW - table.zones["row"].size, table.zones["deck"].size)


TURNS = Section("Turns")
BUYING = Section("Buying")

own = TURNS.rule("market.turn.own", "L2", "Players buy in turn, to the left.")(own_turn)


@TURNS.rule("market.row.filled", "L2", "Before each purchase the row is filled up to four cards.")
def row_filled(table: Market, event: RowFilled) -> Verdict:
    """As many cards come as are missing."""
    number = missing(table)
    return None if len(event.cards) == number else f"the row lacks {number} cards, and {len(event.cards)} come"


@BUYING.rule("market.card.in-row", "L3", "A card of the row is bought.")
def in_row(table: Market, event: CardBought) -> Verdict:
    """The card has to lie in the row."""
    if table.may_be_in(event.card, table.zones["row"]):
        return None
    return Broken(f"{name_in_words(table, event.card)} is not in the row", "a card of the row")


@BUYING.rule("market.card.price", "L4", "It costs its price, but the last coins buy any card.")
def affordable(table: Market, event: CardBought) -> Verdict:
    """Who has fewer coins than the cheapest card of the row costs may buy that one."""
    card, coins = table.meant(event.card, table.zones["row"]), table.players[event.player].coins
    prices = [each.text.price for each in table.zones["row"].cards if each.text is not None]
    if card is None or card.text is None or card.text.price <= max(coins, min(prices, default=0)):
        return None
    return f"{card.text.name} costs {card.text.price}, and {coins} coins are left"


def fill(table: Market, event: RowFilled) -> None:
    """Turn cards of the deck up into the row."""
    table.draw(event.cards, 0, table.zones["deck"], table.zones["row"])


def buy(table: Market, event: CardBought) -> None:
    """Take the card, and pay."""
    card = table.take(event.card, table.zones["row"])
    player = table.players[event.player]
    table.count(player, "coins", -min(card.text.price if card.text is not None else 0, player.coins))
    table.move(card, zone_of(table, "goods", event.player))
    table.next_turn(left_of(table, event.player))


def points(table: Any, player: str) -> float:
    """Return the points of a player: of each set by its size, and the coins that are left."""
    sets = Counter(card.text.goods for card in zone_of(table, "goods", player).cards if card.text is not None)
    return float(sum(POINTS[min(size, len(POINTS) - 1)] for size in sets.values()))


def settle(table: Market) -> None:
    """End the game when nothing is left to buy."""
    if not table.zones["row"].size and not table.zones["deck"].size:
        scores = {player: points(table, player) for player in table.players}
        end(table, most_points(scores, "sold-out"), "market.end.sold-out")


def due(table: Market) -> Sequence[Due]:
    """Return that the row is filled."""
    number = missing(table)
    return [draw_due(table, RowFilled, "deck", number, "market.row.filled")] if number > 0 else []


MOVES = (
    Move(line=RowFilled, needs=(row_filled,), does=fill),
    Move(
        line=CardBought,
        needs=(stop(own), in_row, affordable),
        does=buy,
        offers=lambda table, who: [CardBought(player=who, card=card.name) for card in table.zones["row"].cards],
    ),
)
