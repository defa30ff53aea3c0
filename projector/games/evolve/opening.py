"""The set-up: the players with their zones; lists, shuffling, drawing and mulligans: cards that nobody sees."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

import msgspec

from events.games import evolve as ev
from events.names import copies
from events.shared import Seat
from events.vocabulary import Event
from projector.games.evolve.abilities import has_other_names, parsed_text
from projector.games.evolve.changes import forget
from projector.games.evolve.effects import deck_out, go_on_after
from projector.games.evolve.schema import EvolveText
from projector.games.evolve.state import DRAW, SETUP, Evolve, EvolvePlayer, in_play, mixes_returned_only
from projector.games.evolve.turns import begin_step, hand_over
from projector.kit.seating import add_zones, seat_players
from projector.model.listed_cards import once_a_list
from projector.model.rulebook import Ruleset


def opening(seats: Sequence[Seat], ruleset: Ruleset, library: Mapping[str, Any]) -> Evolve:
    """Lay the table out: the players with their zones, and the places between them."""
    if ruleset.options["divide_duplicate"] == "two_actions":
        divided = {name: _apart(text) for name, text in library.items() if has_other_names(text.abilities)}
        library = {**library, **divided}
    table = Evolve(options=ruleset.options, library=library)
    for player in seat_players(table, seats, EvolvePlayer):
        zones = add_zones(table, player.id, "deck", "hand", "discard", "play")
        player.deck_zone, player.hand, player.discard, player.play = [zone.name for zone in zones]
    for zone in ("attached", "status", "stack"):
        table.add_zone(zone)
    return table


def _apart(text: EvolveText) -> EvolveText:
    """Return a card on which dividing is an action of its own."""
    card = msgspec.structs.replace(text)
    msgspec.structs.force_setattr(card, "says", parsed_text(text.abilities, apart=True))
    return card


def deck_declared(table: Evolve, event: ev.DeckDeclared) -> None:
    """Put the cards of a list into the deck; one that has been drawn before is not there any more."""
    player = table.players[event.player]
    deck = table.zones[player.deck_zone]
    known = table.make_all(copies(event.player, event.cards), deck)
    if deck.unseen < 0:
        table.count(deck, "unseen", min(len(known), -deck.unseen))
    table.set(player, "listed", True)
    table.set(player, "phylum", _commonest_phylum(table.library, event.cards))


@once_a_list
def _commonest_phylum(library: Mapping[str, Any], cards: tuple[str, ...]) -> str:
    """Return the phylum with most copies, the first by name of several."""
    counted = Counter(library[card].phylum for card in cards if card in library)
    del counted[""]
    return min(counted, key=lambda phylum: (-counted[phylum], phylum), default="")


def deck_shuffled(table: Evolve, event: ev.DeckShuffled) -> None:
    """Forget what was known of the order of a deck, and note that it is shuffled."""
    player = table.players[event.player]
    table.set(player, "shuffled", True)
    _forget_bottom(table, player)


def _forget_bottom(table: Evolve, player: EvolvePlayer) -> None:
    table.set(player, "bottom", ())
    table.set(player, "loose", frozenset())
    for card in table.zones[player.deck_zone].cards:
        if card.known_to:
            table.set(card, "known_to", frozenset())


def draw(table: Evolve, player: EvolvePlayer, names: Iterable[str], count: int) -> None:
    """Take cards from a deck to the hand, and note what remains known of its bottom."""
    deck = table.zones[player.deck_zone]
    for name in names:
        card = table.cards.get(name)
        if card is not None and card.zone is not deck:
            card = table.find(name)
            if card is not None and card.zone is not deck and in_play(card):
                forget(table, card)
    table.draw(names, count, deck, table.zones[player.hand])
    if player.bottom:
        left = tuple(name for name in player.bottom if name not in set(names))
        table.set(player, "bottom", left[len(left) - deck.size :] if deck.size < len(left) else left)


def cards_drawn(table: Evolve, event: ev.CardsDrawn) -> None:
    """Draw, and let follow what waits for this draw."""
    player = table.players[event.player]
    names = event.cards or ()
    if event.reason == "turn-start" and table.phase == SETUP:
        hand_over(table, event.player)
    draw(table, player, names, event.count or 0)
    if event.reason == "opening-hand":
        table.set(player, "opened", True)
        took_all = player.listed and table.zones[player.hand].size < 5 and table.zones[player.deck_zone].size <= 0
        if took_all and table.options["deckout_mulligan"] == "loses":
            deck_out(table, event.player, is_begin_step=False)
    elif event.reason == "turn-start":
        if event.player == table.active and table.phase == DRAW:
            begin_step(table)
        elif event.player == table.active and table.late:
            table.set(table, "late", "")
    else:
        _end_awaiting(table)


def _end_awaiting(table: Evolve) -> None:
    owed = table.owed
    table.set(table, "owed", None)
    if owed is None:
        return
    if owed.beyond:
        deck_out(table, owed.player, is_begin_step=False)
    go_on_after(table, owed)


def mulligan_taken(table: Evolve, event: ev.MulliganTaken) -> None:
    """Put cards of the hand under the deck, shuffle it if they say so, and draw anew."""
    player = table.players[event.player]
    deck = table.zones[player.deck_zone]
    hand = table.zones[player.hand]
    returned = [table.take(name, hand) for name in event.returned]
    for card in returned:
        table.move(card, deck)
        if event.free:
            table.set(card, "known_to", frozenset(table.players))
    if event.shuffled and not mixes_returned_only(table, event):
        _forget_bottom(table, player)
    else:
        names = [card.name for card in returned]
        table.set(player, "bottom", (*player.bottom, *names))
        if event.shuffled:
            table.set(player, "loose", player.loose.union(names))
    draw(table, player, event.drawn or (), event.count or 0)
    if event.free:
        table.count(player, "free_mulligans", 1)
    elif event.returned or event.drawn or event.count:
        table.count(player, "mulligans", 1)
    else:
        table.set(player, "kept", True)


PLAY: Final[dict[type[Event], Callable[..., None]]] = {
    ev.FirstPlayerChosen: lambda table, event: table.set(table, "first", event.player),
    ev.DeckDeclared: deck_declared,
    ev.DeckShuffled: deck_shuffled,
    ev.CardsDrawn: cards_drawn,
    ev.MulliganTaken: mulligan_taken,
}
