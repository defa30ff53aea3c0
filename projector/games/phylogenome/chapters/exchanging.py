"""Exchanging: a hand card is discarded, and three are drawn."""

from collections.abc import Iterator
from typing import Final

from events.games import phylogenome as ev
from events.vocabulary import Event
from projector.games.phylogenome.chapters.cards import known_card, may_lie_in, named_hand
from projector.games.phylogenome.chapters.drawing import EXCHANGE, draw_three
from projector.games.phylogenome.chapters.turns import TURN, act, active_player, three_actions
from projector.games.phylogenome.effects import discard
from projector.games.phylogenome.naming import not_in_hand
from projector.games.phylogenome.state import EVENT, Owed, Phylo, in_play, is_species
from projector.kit.moves import Move
from projector.kit.seating import zone_of
from projector.model.amounts import how_many
from projector.model.phrases import by_ruling
from projector.model.rules import NOT_APPLICABLE, Broken, Verdict, case, rule

EXCHANGED: Final = 3
"""Cards that are drawn for one that is exchanged."""


@rule("phylogenome.cycle.one-from-hand", "The game begins", "L78", "The exchange discards one card of the hand.")
def one_from_hand(table: Phylo, event: ev.CardsCycled) -> Verdict:
    """What is exchanged is in the hand, and a Species if the ruling `cycle_card` says so."""
    if not may_lie_in(table, event.discarded, table.hands[event.player]):
        return not_in_hand(table, event.discarded, event.player)
    if table.options["cycle_card"] == "species_only":
        card = table.find(event.discarded)
        if card is not None and card.text is not None and card.text.kind == EVENT:
            message = f"{card.text.name} is exchanged, which is an Event ({by_ruling(table, 'cycle_card')})"
            return Broken(message, "a Species")
    return None


@case(draw_three)
def deck_has_three(table: Phylo, event: ev.CardsCycled) -> Verdict:
    """The deck has three cards for an exchange, if the ruling `short_draw` asks for them."""
    if table.options["short_draw"] != "forbidden":
        return NOT_APPLICABLE
    size = zone_of(table, "deck", event.player).size
    if size >= EXCHANGED:
        return None
    left, by = how_many(size, "card"), by_ruling(table, "short_draw")
    return Broken(f"a card is exchanged with {left} left in the deck ({by})", "three cards")


def exchanges_well(table: Phylo, event: ev.CardsCycled) -> bool:
    """Return whether nothing is wrong with an exchange of cards."""
    card = table.cards.get(event.discarded)
    player = table.players[event.player]
    return (
        card is not None
        and card.zone is table.hands[player.id]
        and table.active == player.id
        and player.actions > 0
        and table.options["cycle_card"] == "any"
        and table.options["short_draw"] != "forbidden"
    )


def cards_cycled(table: Phylo, event: ev.CardsCycled) -> None:
    """Discard a hand card; three cards are due."""
    player = event.player
    act(table, player)
    card = table.take(event.discarded, zone_of(table, "hand", player))
    if not in_play(card):
        discard(table, card, player, "cycled")
    words = "draws {cards} for the exchange"
    due = Owed(line=ev.CardsDrawn, player=player, rule=EXCHANGE, words=words, count=EXCHANGED)
    table.set(table, "owed", (*table.owed, due))


def offer_exchanges(table: Phylo, player: str) -> Iterator[Event]:
    """Yield each exchange of a card of the hand."""
    if table.options["short_draw"] != "forbidden" or zone_of(table, "deck", player).size >= EXCHANGED:
        only = table.options["cycle_card"] == "species_only"
        for card in named_hand(table, player):
            if is_species(card) or not only:
                yield ev.CardsCycled(player=player, discarded=card.name)


MOVES: Final = (
    Move(
        line=ev.CardsCycled,
        needs=(TURN, known_card, three_actions, one_from_hand, deck_has_three),
        is_usual=exchanges_well,
        keeps=(active_player, known_card, three_actions, one_from_hand),
        does=cards_cycled,
        offers=offer_exchanges,
    ),
)
