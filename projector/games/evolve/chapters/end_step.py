"""The end step: surplus cards, and the end of the turn (L253 to L258)."""

from collections.abc import Iterator
from typing import Final

from tabletape.events.games import evolve as ev
from tabletape.events.vocabulary import Event
from tabletape.projector.games.evolve import changes
from tabletape.projector.games.evolve.chapters.begin_step import begin_draw, begun, once_begun, turn_alternate
from tabletape.projector.games.evolve.chapters.cards import card_location
from tabletape.projector.games.evolve.state import END, MAIN, Evolve, both_discard
from tabletape.projector.games.evolve.turns import end_turn, engage, wins_before_discard
from tabletape.projector.kit.moves import Move
from tabletape.projector.model.amounts import how_many
from tabletape.projector.model.phrases import as_ruled, name_of
from tabletape.projector.model.rules import case, rule, select_rule, stop
from tabletape.projector.model.verdicts import NOT_APPLICABLE, Broken, Verdict


def surplus(table: Evolve, player: str) -> int:
    """Return how many cards a player still has to discard at the end of the turn.

    Rulings: `hand_limit`, `end_step_triggers` for what is drawn after the discard, and `starvation_moment` for a game
    that ends before it.
    """
    if table.end_triggers == "done":
        return 0
    beyond = table.zones[table.players[player].hand].size - 5
    if beyond <= 0 or wins_before_discard(table):
        return 0
    if table.options["hand_limit"] == "discard_one":
        return 0 if player in table.discarded else 1
    return beyond


def holding_surplus(table: Evolve) -> str:
    """Return who has to discard before the turn can end, the player on turn first; empty where nobody has to."""
    if surplus(table, table.active):
        return table.active
    if not both_discard(table):
        return ""
    other = table.players[table.active].opponent
    return other if other and surplus(table, other) else ""


@rule(
    "evolve.end.hand-limit",
    "End Turn Step",
    "L257.1",
    "With more than five cards in hand the current player discards one card.",
)
def hand_limit(table: Evolve, event: ev.SurplusDiscarded) -> Verdict:
    """A surplus card is discarded in the end step, if there is one (rulings `hand_limit`, `hand_limit_opponent`)."""
    player = event.player
    if player != table.active and not both_discard(table):
        message = f"discards a surplus card in the turn of {name_of(table, table.active)}"
        return f"{name_of(table, player)} {message}"
    if table.phase not in {MAIN, END}:
        return f"{name_of(table, player)} discards a surplus card before the end step"
    if surplus(table, player):
        return None
    size = table.zones[table.players[player].hand].size
    once = " once more" if player in table.discarded else ""
    ruling = as_ruled(table, "hand_limit") if size > 5 else ""
    return f"{name_of(table, player)} discards{once} with {how_many(size, 'card')} in hand, and need not{ruling}"


def discard_surplus(table: Evolve, event: ev.SurplusDiscarded) -> None:
    """Discard a card of the hand."""
    engage(table, event.player)
    player = table.players[event.player]
    changes.to_discard(table, table.take(event.card, table.zones[player.hand]))
    table.set(table, "discarded", (*table.discarded, event.player))


def possible_discards(table: Evolve, player: str) -> Iterator[Event]:
    """Yield the surplus cards that a player might discard."""
    if surplus(table, player):
        for card in table.zones[table.players[player].hand].cards:
            yield ev.SurplusDiscarded(player=player, card=card.name)


def discards_surplus(table: Evolve, event: ev.SurplusDiscarded) -> bool:
    """Return whether the player on turn discards a known card of the hand late in the turn, and has one too many."""
    player = table.players[event.player]
    card = table.cards.get(event.card)
    is_late = event.player == table.active and table.phase in {MAIN, END}
    return is_late and card is not None and card.zone.name == player.hand and surplus(table, event.player) > 0


# -- the end of the turn -----------------------------------------------------------------------------------------------


@case(hand_limit)
def surplus_is_discarded(table: Evolve, event: ev.TurnEnded) -> Verdict:
    """A turn ends only after the surplus cards are gone."""
    if event.player != table.active:
        return NOT_APPLICABLE
    holder = holding_surplus(table)
    if not holder:
        return None
    player = table.players[holder]
    size = table.zones[player.hand].size
    if holder == event.player:
        message = f"{player.name} ends the turn with {size} cards in hand and has not discarded"
    else:
        ruling = as_ruled(table, "hand_limit_opponent")
        name = name_of(table, event.player)
        message = f"{name} ends the turn, and {player.name} has {size} cards in hand and has not discarded{ruling}"
    return Broken(message, "surplus.discarded", "missing")


def ends_with_few_cards(table: Evolve, event: ev.TurnEnded) -> bool:
    """Return whether the player on turn ends it in its last two steps, with no card in hand to be discarded."""
    is_late = event.player == table.active and table.phase in {MAIN, END}
    return is_late and not holding_surplus(table)


def end_own_turn(table: Evolve, event: ev.TurnEnded) -> None:
    """End the turn; nobody can end the turn of somebody else."""
    engage(table, event.player)
    if event.player == table.active:
        end_turn(table)


MOVES: Final = (
    Move(
        line=ev.SurplusDiscarded,
        is_usual=discards_surplus,
        keeps=(begin_draw, hand_limit, card_location),
        needs=(stop(select_rule(begun)), stop(hand_limit), card_location),
        does=discard_surplus,
        offers=possible_discards,
    ),
    Move(
        line=ev.TurnEnded,
        is_usual=ends_with_few_cards,
        keeps=(turn_alternate, hand_limit),
        needs=(select_rule(once_begun(turn_alternate)), surplus_is_discarded),
        does=end_own_turn,
        offers=lambda _table, player: (ev.TurnEnded(player=player),),
    ),
)
