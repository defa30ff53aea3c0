"""Lanterns: lay each colour in order, together, with few mistakes and without seeing the own hand."""

from typing import Any

from lanterns.events import CardPlayed, CardThrown
from tabletape.events.vocabulary.shared import GameDecided
from tabletape.projector.kit.ending import end
from tabletape.projector.kit.moves import Move
from tabletape.projector.kit.seating import zone_of
from tabletape.projector.kit.small_game import drawn_up, in_own_hand, left_of, own_turn
from tabletape.projector.model.rules import Section, stop
from tabletape.projector.model.table import Table
from tabletape.projector.model.things import Card, CardText, Player

HAND = 2
ALLOWED = {"easy": 2, "hard": 0}


class Lantern(CardText, frozen=True, kw_only=True, eq=False):
    """A card with a colour and a rank."""

    colour: str
    rank: int
    copies: int


class Lanterns(Table[Card, Player], eq=False, kw_only=True):
    """The table; `mistakes` counts cards that did not fit."""

    mistakes: int = 0


TURNS = Section("Turns")

own = TURNS.rule("lanterns.turn.own", "L2", "Players take turns, to the left.")(own_turn)
from_hand = TURNS.rule("lanterns.card.from-hand", "L2", "A card is played or thrown from the own hand.")(in_own_hand)
draws = TURNS.rule("lanterns.turn.draw", "L3", "Behind a turn the hand is filled.")(drawn_up(lambda _table: HAND))


def _of_hand(table: Lanterns, event: Any) -> Card:
    table.next_turn(left_of(table, event.player))
    return table.take(event.card, zone_of(table, "hand", event.player))


def played(table: Lanterns, event: CardPlayed) -> None:
    """Lay a card to the row where it is the next of its colour, else it is a mistake."""
    card, row = _of_hand(table, event), table.zones["row"]
    lies = sum(
        each.text is not None and card.text is not None and each.text.colour == card.text.colour for each in row.cards
    )
    fits = card.text is not None and card.text.rank == lies + 1
    table.move(card, row if fits else table.zones["discard"])
    table.count(table, "mistakes", 0 if fits else 1)


MOVES = (
    Move(line=CardPlayed, needs=(stop(own), draws, from_hand), does=played),
    Move(
        line=CardThrown,
        needs=(stop(own), draws, from_hand),
        does=lambda table, event: table.move(_of_hand(table, event), table.zones["discard"]),
    ),
)


def settle(table: Lanterns) -> None:
    """End the game for all: every card is laid, too many mistakes, or no card is left."""
    points, lost = len(table.zones["row"].cards), table.mistakes > ALLOWED[table.options["difficulty"]]
    laid = points == len(table.library)
    left = any(zone.size for zone in table.zones.values() if zone.role in {"hand", "deck"})
    if laid or lost or not left:
        reason = "laid" if laid else "mistakes" if lost else "out-of-cards"
        won = tuple(table.players) if laid else ()
        end(table, GameDecided(winners=won, cooperative=True, score=points, reason=reason), "lanterns.end.together")


def value(table: Lanterns, _player: str) -> float:
    """Return the points, less for mistakes."""
    return len(table.zones["row"].cards) - 1.5 * table.mistakes
