"""Mulligan: hand cards are put back, and as many drawn."""

from collections.abc import Iterator
from itertools import combinations
from typing import Final

from tabletape.events.games import splicers as ev
from tabletape.events.vocabulary import Event
from tabletape.events.vocabulary.names import unseen_cards
from tabletape.projector.games.splicers.chapters import MULLIGAN, SET_UP, setup
from tabletape.projector.games.splicers.chapters.cards import in_deck, named_hand
from tabletape.projector.games.splicers.effects import to_discard_pile
from tabletape.projector.games.splicers.naming import all_in
from tabletape.projector.games.splicers.state import SETUP, Splicers, SplicersPlayer
from tabletape.projector.kit import common_rules
from tabletape.projector.kit.moves import move
from tabletape.projector.kit.seating import zone_of
from tabletape.projector.model.amounts import how_many
from tabletape.projector.model.dice import Dice
from tabletape.projector.model.due import number_of_cards
from tabletape.projector.model.phrases import name_of
from tabletape.projector.model.rules import NOT_APPLICABLE, Broken, Verdict, case, select_rule, stop


@SET_UP.rule("splicers.mulligan.once", "L45.1", rests_on="nothing")
def mulligan_once(table: Splicers, event: ev.MulliganTaken) -> Verdict:
    """One mulligan per player."""
    player = table.players[event.player]
    if table.options["mulligan_count"] == "repeated":
        return NOT_APPLICABLE
    return f"{player.name} takes a second mulligan" if player.mulliganed else None


@SET_UP.rule("splicers.setup.mulligan-order", "L45.1", rests_on="nothing")
def mulligan_in_setup(table: Splicers, event: ev.MulliganTaken) -> Verdict:
    """Mulligan decisions are taken in turn order from the first player."""
    return None if table.phase == SETUP else "a mulligan is taken although the game has begun"


@case(mulligan_in_setup)
def mulligan_in_order(table: Splicers, event: ev.MulliganTaken) -> Verdict:
    """The first player decides first, unless both decide at the same time (ruling)."""
    if table.options["mulligan_info"] == "simultaneous":
        return NOT_APPLICABLE
    first_player = table.players[table.first]
    if event.player == table.first or first_player.mulliganed or first_player.mulligans:
        return None
    first = name_of(table, table.first)
    return Broken(f"{name_of(table, event.player)} decides on the mulligan before {first}", f"{first} first")


@MULLIGAN.rule("splicers.mulligan.redraw-equal", "L146.1", "The player then draws the same number.")
def redraw_equal(table: Splicers, event: ev.MulliganTaken) -> Verdict:
    """As many cards are drawn as were given up, or as there are."""
    drawn = number_of_cards(event, "drawn")
    deck = zone_of(table, "deck", event.player)
    there = deck.size + (0 if table.options["mulligan_destination"] == "discard_pile" else len(event.returned))
    if drawn == min(len(event.returned), there):
        return None
    gives_up = f"{name_of(table, event.player)} gives up {how_many(len(event.returned), 'card')}"
    return Broken(f"{gives_up} and draws {drawn or 'none'}", str(len(event.returned)))


@MULLIGAN.rule("splicers.mulligan.choose-any", "L146.1", "Any number of hand cards may be exchanged.")
def choose_any(table: Splicers, event: ev.MulliganTaken) -> Verdict:
    """What is given up are different cards of the own hand."""
    return all_in(table, event.returned, zone_of(table, "hand", event.player))


def _note_one_of_several(table: Splicers, player: SplicersPlayer, *, is_last: bool) -> None:
    """Note one of several mulligans (ruling); the first one of the second player ends those of the first player."""
    table.count(player, "mulligans", 1)
    for each in table.players.values():
        if (each is player and is_last) or (each is not player and each.id == table.first):
            table.set(each, "mulliganed", True)


def who_decides(table: Splicers) -> tuple[str, ...]:
    """Return who decides next on the mulligan, once the set-up lacks nothing else: the first player first."""
    if common_rules.first_lacking(table, setup.STEPS) is not None:
        return ()
    order = sorted(table.players.values(), key=lambda player: player.id != table.first)
    return tuple(player.id for player in order if not player.mulliganed)[:1]


WHOLE_HAND: Final = 6
"""Up to so many hand cards every choice for a mulligan is offered; of more only none, each one, and all."""


def offer_mulligans(table: Splicers, player: str) -> Iterator[Event]:
    """Yield each choice of cards to give up, also of those that the log does not name."""
    unseen = zone_of(table, "hand", player).unseen
    names = [*(card.name for card in named_hand(table, player)), *unseen_cards(player, unseen)]
    sizes = range(len(names) + 1) if len(names) <= WHOLE_HAND else (0, 1, len(names))
    for size in sizes:
        for returned in combinations(names, size):
            yield ev.MulliganTaken(player=player, returned=returned, count=size)


@move(
    ev.MulliganTaken,
    stop(mulligan_once),
    stop(mulligan_in_setup),
    select_rule(lambda table, _event: common_rules.first_lacking(table, setup.STEPS) or mulligan_in_order),
    redraw_equal,
    choose_any,
    in_deck,
    offers=offer_mulligans,
)
def mulligan_taken(table: Splicers, event: ev.MulliganTaken) -> None:
    """Put hand cards back and draw as many; after both mulligans the first round begins."""
    player = table.players[event.player]
    hand, deck = table.zones[player.hand], table.zones[player.draws_from]
    destination = table.options["mulligan_destination"]
    for name in event.returned:
        card = table.take(name, hand)
        if destination == "discard_pile":
            to_discard_pile(table, card)
        else:
            table.move(card, deck)
        table.applied.append("splicers.mulligan.discard")
    if destination == "deck_bottom" and event.returned:
        table.set(player, "bottom", (*player.bottom, *reversed(event.returned)))
    table.draw(event.drawn or (), event.count or 0, deck, hand)
    if not event.returned:
        table.applied.append("splicers.setup.mulligan-optional")
    if table.options["mulligan_count"] == "one":
        table.set(player, "mulliganed", True)
    else:
        _note_one_of_several(table, player, is_last=not event.returned)
    if table.first and all(each.mulliganed for each in table.players.values()):
        table.TURN.begin(table)


def fill_in_chance(table: Splicers, event: Event, dice: Dice) -> Event:
    """Return a decision with what luck adds to it: the cards drawn for a mulligan; what was found leaves the deck."""
    if isinstance(event, ev.MulliganTaken):
        returned = event.returned
        if table.options["mulligan_destination"] == "shuffled_in":
            dice.shuffle(event.player, add=returned)
        drawn = dice.draw(event.player, len(returned))
        if table.options["mulligan_destination"] == "deck_bottom":
            dice.put_under(event.player, returned)
        return ev.MulliganTaken(player=event.player, returned=returned, drawn=drawn)
    if isinstance(event, ev.TingsSpliced) and isinstance(event.found, str):
        dice.remove(event.player, event.found)
    if isinstance(event, ev.TingReplaced) and event.replacement is not None and event.from_ == "deck":
        dice.remove(event.player, event.replacement)
    return event
