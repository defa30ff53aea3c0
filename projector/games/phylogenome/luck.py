"""The lines that luck writes in a simulated game, and how good a table looks to a greedy bot."""

from operator import attrgetter
from typing import Final

from tabletape.events.games import phylogenome as ev
from tabletape.events.vocabulary import Event
from tabletape.projector.games.phylogenome.scoring import GENERATION, TEXT, facing, worth
from tabletape.projector.games.phylogenome.state import IN_A_TURN, NEEDED, Phylo, PhyloCard, is_species
from tabletape.projector.kit.seating import zone_of
from tabletape.projector.model.game import Dice

AREAS: Final = attrgetter("interest_areas")
WAITING: Final = 0.3
"""What it costs that a Species waits in the hand or the deck."""
BROKEN: Final = 2
"""What it costs that a Species is cut off or incompatible."""
ACTION: Final = 0.05
"""What an action that is left over is worth."""


def fill_in_chance(table: Phylo, event: Event, dice: Dice) -> Event:
    """Return a decision as it is; of the cards that were looked at those that are not kept go under the real deck."""
    if isinstance(event, ev.CardKept) and table.owed:
        dice.put_under(event.player, [name for name in table.owed[0].cards if name != event.card])
    return event


def value(table: Phylo, player: str) -> float:
    """Return how good a table is for a player: the lead in points without chains, less what is broken.

    A Species that waits in the hand or the deck is worth less than none, so that games come to an end; an action that
    changes nothing is worth less than one that is left over, so that nobody moves Species for nothing.
    """
    mine = table.players[player]
    in_hand: list[PhyloCard] = table.hands[player].cards
    in_deck: list[PhyloCard] = table.decks[player].cards
    waiting = len([card for pile in (in_hand, in_deck) for card in pile if is_species(card)])
    left = mine.actions if table.active == player else IN_A_TURN
    steps = 4 * mine.generation + 0.5 * min(mine.first_generation, NEEDED)
    return _worth(table, player) - _worth(table, mine.opponent) + steps - WAITING * waiting + ACTION * left


def _worth(table: Phylo, player: str) -> float:
    """Return the points of the Species facing a player, technology and interest areas, less what is broken."""
    cards = facing(table, player)
    texts = [*map(TEXT, cards)]
    points: int = sum([worth(table, card) if card.beneath else card.text.points for card in cards])
    technology: int = sum(map(GENERATION, texts))
    is_any_broken = table.cut_off or table.clashing
    broken = len([1 for card in cards if card.cut_off or card.clashing]) if is_any_broken else 0
    areas = len(set().union(*map(AREAS, texts)))
    events = len(zone_of(table, "table", player).cards)
    return points + technology + 0.5 * areas - BROKEN * broken + 0.5 * events
