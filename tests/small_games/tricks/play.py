"""Tricks: follow suit, the highest card of the suit that was led takes the trick, the most tricks win."""

from typing import Any

from tabletape.projector.kit.ending import end, most_points
from tabletape.projector.kit.moves import Move
from tabletape.projector.kit.seating import zone_of
from tabletape.projector.kit.small_game import deck_of_all, in_own_hand, left_of, own_turn
from tabletape.projector.model.rules import NOT_APPLICABLE, Broken, Section, Undecidable, Verdict, stop
from tabletape.projector.model.table import Table
from tabletape.projector.model.things import Card, CardText, Player
from tricks.events import CardPlayed, TrickTaken

HAND = 5


class Suited(CardText, frozen=True, kw_only=True, eq=False):
    """A card with a suit and a rank."""

    suit: str
    rank: int


class Taker(Player, eq=False, kw_only=True):
    """A player and the tricks taken."""

    tricks: int = 0


class Tricks(Table[Card, Taker], eq=False, kw_only=True):
    """The table; `lead` is who leads the trick."""

    lead: str = ""


def begins(table: Tricks) -> None:
    """Lay out the deck; the first player leads."""
    deck_of_all(table)
    table.set(table, "lead", table.active)


TURNS = Section("Turns")

own = TURNS.rule("tricks.turn.own", "L2", "Players play in turn, to the left.")(own_turn)
from_hand = TURNS.rule("tricks.card.from-hand", "L2", "A card is played from the own hand.")(in_own_hand)


@TURNS.rule("tricks.card.follow", "L3", "Whoever has a card of the suit that was led plays one.")
def follow(table: Tricks, event: CardPlayed) -> Verdict:
    """Another suit may be played by who has none; of a hand that nobody has seen nobody can tell."""
    trick, hand = table.zones["trick"].cards, zone_of(table, "hand", event.player)
    card = table.meant(event.card, hand)
    if not trick:
        return NOT_APPLICABLE
    led = trick[0].text.suit if trick[0].text is not None else ""
    if card is not None and card.text is not None and card.text.suit == led:
        return None
    if any(each.text is not None and each.text.suit == led for each in hand.cards if each is not card):
        return Broken(f"the hand has a card of {led}", f"a card of {led}")
    return Undecidable("the hand is not known") if hand.unseen > (card is None or card.zone is not hand) else None


def play(table: Tricks, event: CardPlayed) -> None:
    """Lay the card to the trick."""
    table.move(table.take(event.card, zone_of(table, "hand", event.player)), table.zones["trick"])
    table.set(table, "active", left_of(table, event.player))


def settle(table: Tricks) -> None:
    """Hand a full trick to its taker, who leads the next one; end the game when the hands are empty."""
    trick = table.zones["trick"].cards
    if len(trick) == len(table.players) and all(card.text is not None for card in trick):
        players = [*table.players]
        first = players.index(table.lead)
        by = [players[(first + place) % len(players)] for place in range(len(players))]
        best = max((card.text.rank, place) for place, card in enumerate(trick) if card.text.suit == trick[0].text.suit)
        taker = by[best[1]]
        table.derive(TrickTaken(player=taker), "tricks.trick.highest")
        table.count(table.players[taker], "tricks", 1)
        for card in [*trick]:
            table.move(card, table.zones["taken"])
        table.set(table, "lead", taker)
        table.next_turn(taker)
    if not any(zone_of(table, "hand", player).size for player in table.players) and not table.zones["trick"].cards:
        scores = {player.id: player.tricks for player in table.players.values()}
        end(table, most_points(scores, "counted"), "tricks.end.most")


MOVES = (
    Move(
        line=CardPlayed,
        needs=(stop(own), from_hand, follow),
        does=play,
        offers=lambda table, who: [
            CardPlayed(player=who, card=card.name) for card in zone_of(table, "hand", who).cards
        ],
    ),
)


def value(table: Any, player: str) -> float:
    """Return the tricks of a player."""
    return float(table.players[player].tricks)
