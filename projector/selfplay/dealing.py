"""Dealing anew what a player cannot see, so that a bot tries its decisions without knowing more than its player."""

from collections.abc import Sequence
from operator import attrgetter
from random import Random
from statistics import fmean
from typing import Any, Final

from tabletape.events.vocabulary import Event
from tabletape.projector.model.game import Game
from tabletape.projector.model.table import Table
from tabletape.projector.model.telling import fits
from tabletape.projector.selfplay.trying import AnyTable, TryOut, worth_after

BY_ID: Final = attrgetter("id")

ATTEMPTS: Final = 60
"""How often cards are dealt anew until all that was told of them fits."""

DEALS: Final = 16
"""On how many tables dealt anew a player tries the own hand who cannot look at it."""


def worths_after(game: Game, table: AnyTable, player: str, events: Sequence[Event]) -> list[float]:
    """Return how good a table would look to a player after each of some decisions, by what the player may know.

    It is tried on a table dealt anew; who cannot look at the own hand tries it on several, and the mean counts.
    """
    zones = table.zones.values()
    blind = any(zone.role == "hand" and zone.owner == player and zone.seen_by != "owner" for zone in zones)
    # Luck of its own: it takes nothing from the dice, so a decision that hidden cards do not touch is as it was.
    luck = Random(f"{player}-{len(table.journal)}")  # noqa: S311 - the same deals for the same game
    found: list[list[float]] = []
    for _ in range(DEALS if blind else 1):
        with TryOut(table):
            deal_anew(table, player, luck)
            found.append(_worths(game, table, player, events))
    return [fmean(each) for each in zip(*found, strict=True)]


def _worths(game: Game, table: AnyTable, player: str, events: Sequence[Event]) -> list[float]:
    """Return how good a table would look after each of some decisions; of those that look alike one is tried."""
    worths: list[float] = []
    known: dict[Any, float] = {}
    for event, key in zip(events, game.bots.alike(table, events), strict=True):
        worth = known.get(key) if key is not None else None
        if worth is None:
            worth = worth_after(game, table, player, event)
            known[key] = worth
        worths.append(worth)
    return worths


def deal_anew(table: Table[Any, Any], viewer: str, luck: Random) -> dict[str, str]:
    """Deal the cards anew that a viewer cannot see, the viewer's own too; return which card each of them now is.

    Cards are dealt among those of the same owner, or of the table's. Every zone keeps its size, and whatever the viewer
    knows or was told of a card stays as it is. What is dealt depends on nothing that the viewer cannot see: the cards
    are taken in an order of their own, the places as they lie. The change is recorded: it can be undone.
    """
    hidden: dict[str, list[Any]] = {}
    for zone in table.zones.values():
        for card in zone.cards:
            if zone.role != "nowhere" and card.text is not None and not table.knows(viewer, card):
                hidden.setdefault(card.owner, []).append(card)
    dealt: dict[str, str] = {}
    for cards in hidden.values():
        if all(card.zone.role == "deck" and card.zone is cards[0].zone for card in cards):
            continue  # a deck alone: the dice hold its order
        texts = sorted([card.text for card in cards], key=BY_ID)
        for card, text in zip(cards, _dealt(cards, texts, luck), strict=True):
            table.set(card, "text", text)
            dealt[card.name] = text.id
    return dealt


def _dealt(cards: Sequence[Any], texts: Sequence[Any], luck: Random) -> list[Any]:
    """Return printed texts for cards in a random order in which all fits that was told of the cards.

    The cards of which most was told choose first. Where no order is found, as after a clue that was wrong, it is any.
    """
    told = any(getattr(card, "told", ()) for card in cards)
    order = sorted(range(len(cards)), key=lambda place: -len(getattr(cards[place], "told", ())))
    for _ in range(ATTEMPTS if told else 0):
        left = list(texts)
        luck.shuffle(left)
        found = dict.fromkeys(order)
        for place in order:
            chosen = next((text for text in left if fits(cards[place], text)), None)
            if chosen is None:
                break
            left.remove(chosen)
            found[place] = chosen
        if not left:
            return [found[place] for place in range(len(cards))]
    some = list(texts)
    luck.shuffle(some)
    return some
