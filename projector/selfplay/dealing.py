"""Dealing anew what a player cannot see, so that a bot tries its decisions without knowing more than its player."""

from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from math import inf
from operator import attrgetter, itemgetter
from random import Random
from statistics import fmean
from typing import Any, Final

from tabletape.events.vocabulary import Event
from tabletape.projector.model.deciding import as_it_was
from tabletape.projector.model.game import Game, Glance, Steps
from tabletape.projector.model.table import Table
from tabletape.projector.model.telling import fits
from tabletape.projector.selfplay.trying import AnyTable, worth_after

CARD_ID: Final = attrgetter("id")
BOUND: Final = itemgetter(0)

ATTEMPTS: Final = 60
"""How often cards are dealt anew until all that was told of them fits."""

ROUNDING: Final = 1e-6
"""By so much sums of the same numbers may differ that were added up in another order."""

DEALS: Final = 12
"""On how many tables dealt anew a player tries the own hand who cannot look at it."""

HALVED_AFTER: Final = (2, 4, 8)
"""After so many of them only the better half of the decisions is tried further, where the best one is looked for.

Source: Z. Karnin, T. Koren, O. Somekh, Almost optimal exploration in multi-armed bandits, ICML (2013).
"""


def worths_after(
    game: Game, table: AnyTable, player: str, events: Sequence[Event], *, only_best: bool = False
) -> list[float]:
    """Return how good a table would look to a player after each of some decisions, by what the player may know.

    It is tried on a table dealt anew; who cannot look at the own hand tries it on several, and the mean counts.
    `only_best`: what cannot be the best one, or is none of the better half of what several tables leave, counts as
    infinitely bad.
    """
    zones = table.zones.values()
    blind = any(zone.role == "hand" and zone.owner == player and zone.seen_by != "owner" for zone in zones)
    # Luck of its own: it takes nothing from the dice, so a decision that hidden cards do not touch is as it was.
    luck = Random(f"{player}-{len(table.journal)}")  # noqa: S311 - the same deals for the same game
    if not blind:
        with dealt_anew(table, player, luck):
            return worths_of(game, table, player, events, only_best=only_best)
    worths: dict[int, list[float]] = {place: [] for place in range(len(events))}
    for deal in range(DEALS):
        if only_best and deal in HALVED_AFTER:
            worths = _better_half(worths, luck)
        tried = [events[place] for place in worths]
        with dealt_anew(table, player, luck):
            found = worths_of(game, table, player, tried, only_best=False)
        for each, worth in zip(worths.values(), found, strict=True):
            each.append(worth)
    return [fmean(worths[place]) if place in worths else -inf for place in range(len(events))]


def _better_half(worths: Mapping[int, list[float]], luck: Random) -> dict[int, list[float]]:
    """Return those decisions that looked better than the others; of equal ones some that luck takes."""
    order = sorted(worths, key=lambda place: (fmean(worths[place]), luck.random()), reverse=True)
    better = order[: (len(order) + 1) // 2]
    return {place: worths[place] for place in sorted(better)}


def worths_of(game: Game, table: AnyTable, player: str, events: Sequence[Event], *, only_best: bool) -> list[float]:
    """Return how good a table as it was dealt would look after each of some decisions (`worths_after`).

    Of those that look alike one is tried.
    """
    look = game.bots.look(table, player)
    alike: dict[Hashable, list[int]] = defaultdict(list)
    for place, key in enumerate(look.alike(events)):
        alike[place if key is None else key].append(place)
    ones = [events[places[0]] for places in alike.values()]
    worths = [-inf] * len(events)
    for places, worth in zip(alike.values(), _tried(game, look, ones, only_best=only_best), strict=True):
        for place in places:
            worths[place] = worth
    return worths


def _tried(game: Game, look: Glance, events: Sequence[Event], *, only_best: bool) -> list[float]:
    """Return how good the table would look after each of some decisions, those first that may be the best."""
    worths, best = [-inf] * len(events), -inf
    for steps, places in by_steps(look, events).items():
        with as_it_was(look.table, *steps):
            most = look.at_most([events[place] for place in places]) if only_best else [inf] * len(places)
            for bound, place in sorted(zip(most, places, strict=True), key=BOUND, reverse=True):
                if bound < best:
                    break
                worths[place] = worth_after(game, look.table, look.player, events[place])
                best = max(best, worths[place] - ROUNDING)
    return worths


def by_steps(look: Glance, events: Sequence[Event]) -> dict[Steps, list[int]]:
    """Return the steps that a game takes by itself before some decisions, with the places of those decisions."""
    together: dict[Steps, list[int]] = defaultdict(list)
    for place, event in enumerate(events):
        together[look.ahead(event)].append(place)
    return together


@contextmanager
def dealt_anew(table: Table[Any, Any], viewer: str, luck: Random) -> Iterator[list[Any]]:
    """Deal the cards anew that a viewer cannot see, the viewer's own too, for a `with` block; hand over those cards.

    Cards are dealt among those of the same owner, or of the table's. Every zone keeps its size, and whatever the viewer
    knows or was told of a card stays as it is. What is dealt depends on nothing that the viewer cannot see: the cards
    are taken in an order of their own, the places as they lie. Nothing that a table keeps follows from a hidden card,
    so the deal is no change that it records.
    """
    dealt: list[Any] = []
    texts: list[Any] = []
    for cards in _hidden_from(table, viewer):
        dealt += cards
        texts += _dealt(cards, sorted([card.text for card in cards], key=CARD_ID), luck)
    before = [card.text for card in dealt]
    try:
        for card, text in zip(dealt, texts, strict=True):
            card.text = text
        yield dealt
    finally:
        for card, text in zip(dealt, before, strict=True):
            card.text = text


def _hidden_from(table: Table[Any, Any], viewer: str) -> Iterator[list[Any]]:
    """Yield the cards that a viewer cannot see, by owners; not those of a deck alone, whose order the dice hold."""
    hidden: dict[str, list[Any]] = defaultdict(list)
    for zone in table.zones.values():
        if zone.role == "nowhere" or zone.seen_by == "all":
            continue
        if zone.seen_by == "nobody":
            unknown = [card for card in zone.cards if not (card.face_up or viewer in card.known_to)]
        else:
            unknown = [card for card in zone.cards if not table.knows(viewer, card)]
        for card in unknown:
            if card.text is not None:
                hidden[card.owner].append(card)
    for cards in hidden.values():
        if cards[0].zone.role != "deck" or len({card.zone.n for card in cards}) > 1:
            yield cards


def _dealt(cards: Sequence[Any], texts: Sequence[Any], luck: Random) -> list[Any]:
    """Return printed texts for cards in a random order in which all fits that was told of the cards.

    The cards of which most was told choose first. Where no order is found, as after a clue that was wrong, it is any.
    """
    told = [card.told for card in cards] if hasattr(cards[0], "told") else ()
    choosy = sorted((place for place in range(len(told)) if told[place]), key=lambda place: -len(told[place]))
    others = [place for place in range(len(told)) if not told[place]]
    for _ in range(ATTEMPTS if choosy else 0):
        left = list(texts)
        luck.shuffle(left)
        texts_dealt = {}
        for place in choosy:
            at = next((at for at, text in enumerate(left) if fits(cards[place], text)), None)
            if at is None:
                break
            texts_dealt[place] = left.pop(at)
        else:
            texts_dealt |= zip(others, left, strict=True)
            return [texts_dealt[place] for place in range(len(cards))]
    some = list(texts)
    luck.shuffle(some)
    return some
