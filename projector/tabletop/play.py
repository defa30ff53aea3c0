"""What each event does at a table without rules: exactly what it says."""

from collections.abc import Mapping
from typing import Any

from tabletape.events.vocabulary import Event
from tabletape.events.vocabulary import tabletop as ev
from tabletape.events.vocabulary.names import copies
from tabletape.events.vocabulary.shared import DeckDeclared, GameAbandoned, PlayerConceded, TurnEnded
from tabletape.projector.model.outcome import ended_with
from tabletape.projector.model.table import NOWHERE
from tabletape.projector.tabletop.state import (
    Tabletop,
    copies_of,
    counter_called,
    is_open,
    know,
    new_name,
    take,
    zone_called,
    zone_or_elsewhere,
)


def declared(table: Tabletop, event: DeckDeclared) -> None:
    """Put the cards of a deck list into the deck."""
    deck = zone_called(table, "deck", event.player)
    if deck is not None:
        table.make_all(copies(event.player, event.cards), deck)
        know(table, (deck.name, *(zone.name for zone in table.zones.values() if zone.owner == event.player)))
    table.set(table.players[event.player], "declared", True)


def drawn(table: Tabletop, event: ev.CardsDrawn) -> None:
    """Take cards to the hand; a deck that nobody has written down is never counted."""
    source = zone_or_elsewhere(table, event.from_ or "deck", event.player)
    hand = zone_or_elsewhere(table, "hand", event.player)
    for name in event.cards or ():
        card = table.cards.get(name)
        if card is not None and card.zone is source and not card.renamed_to:
            table.move(card, hand)
        elif known := [card for card in copies_of(table, name) if card.zone is source]:
            table.move(known[0], hand)
        elif not is_open(table, event.player) and copies_of(table, name):
            table.move(copies_of(table, name)[0], hand)
        else:
            # From nowhere, with a count that goes down and up: a card of a list that nobody has written down.
            table.count(source, "unseen", -1)
            table.move(table.make(new_name(table, name), table.zones[NOWHERE]), hand)
            if is_open(table, event.player):
                table.count(source, "unseen", 1)
    if event.count:
        if not is_open(table, event.player):
            table.count(source, "unseen", -event.count)
        table.count(hand, "unseen", event.count)
    if event.from_ and is_open(table, event.player) and zone_called(table, event.from_, event.player) is None:
        number = len(event.cards or ()) + (event.count or 0)
        table.set(table, "piles", (*table.piles, (event.from_, number)))


def moved(table: Tabletop, event: ev.CardMoved) -> None:
    """Move a card."""
    source = zone_called(table, event.from_, event.player) if event.from_ else None
    target = zone_or_elsewhere(table, event.to, event.player)
    card = take(table, event.card, source)
    if card.zone is not target:
        table.move(card, target)
    table.set(card, "face_up", target.seen_by == "all")


def used(table: Tabletop, event: ev.CardUsed) -> None:
    """Know that the card is there: it lies on the table where nothing else is known of it."""
    if not copies_of(table, event.card):
        table.make(event.card, zone_or_elsewhere(table, "table", event.player), face_up=True)


def counted(table: Tabletop, event: ev.CounterChanged) -> None:
    """Set or change a counter."""
    thing: Any = table.players[event.player] if event.player else table
    before: Mapping[str, float] = thing.counters
    name = counter_called(table, before, event.counter)
    after = before.get(name, 0) + event.by if isinstance(event.by, int | float) else event.to or 0
    table.set(thing, "counters", {**before, name: after})


def turn_started(table: Tabletop, event: ev.TurnStarted) -> None:
    """Begin a player's turn, and a round with it where the log does not say when one begins."""
    player = table.players[event.player]
    table.count(player, "turns", 1)
    table.next_turn(event.player)
    table.enter_phase("turn")
    if player.turns > table.round and not table.counts_rounds:
        table.set(table, "round", player.turns)


def turn_ended(table: Tabletop, _event: TurnEnded) -> None:
    """End a turn: whose comes next nobody knows before it begins."""
    table.set(table, "active", "")


def round_started(table: Tabletop, event: ev.RoundStarted) -> None:
    """Begin a round where the table counts them; from then on turns begin none."""
    table.set(table, "counts_rounds", True)
    table.set(table, "round", event.round if isinstance(event.round, int) else table.round + 1)


def first_chosen(table: Tabletop, event: ev.FirstPlayerChosen) -> None:
    """Make the player the one who begins."""
    table.set(table, "active", event.player)


def conceded(table: Tabletop, event: PlayerConceded) -> None:
    """End the game of two; of more players the others go on."""
    others = [player for player in table.players if player != event.player]
    if len(others) == 1:
        _end(table, others[0], "concession")


def abandoned(table: Tabletop, _event: GameAbandoned) -> None:
    """End the game without a winner."""
    _end(table, "", "abandoned")


def ended(table: Tabletop, event: ev.GameEnded) -> None:
    """End the game as the table did; who has conceded before has ended it already."""
    winner, outcome = ended_with(event)
    if not table.over or (not table.winner and (winner or outcome.winners)):
        table.update(table, over=True, winner=winner, outcome=outcome, reason=event.reason)


def _end(table: Tabletop, winner: str, reason: str) -> None:
    table.update(table, over=True, winner=winner, reason=reason)


def shown(table: Tabletop, event: ev.CardShown) -> None:
    """Name an unnamed card."""
    table.recognise(event.was, event.card)


def nothing(_table: Tabletop, _event: Event) -> None:
    """Change nothing: a shuffle, a choice and a die leave the table as it is."""


PLAY: Mapping[type[Event], Any] = {
    DeckDeclared: declared,
    ev.DeckShuffled: nothing,
    ev.FirstPlayerChosen: first_chosen,
    ev.CardsDrawn: drawn,
    ev.CardMoved: moved,
    ev.CardUsed: used,
    ev.CardShown: shown,
    ev.ChoiceMade: nothing,
    ev.CounterChanged: counted,
    ev.DieRolled: nothing,
    ev.RoundStarted: round_started,
    ev.TurnStarted: turn_started,
    TurnEnded: turn_ended,
    PlayerConceded: conceded,
    GameAbandoned: abandoned,
    ev.GameEnded: ended,
}
"""What each decision and chance line does."""
