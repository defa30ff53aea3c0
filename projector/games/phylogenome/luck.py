"""The lines that luck writes in a simulated game, and how good a table looks to a greedy bot."""

from tabletape.events.games import phylogenome as ev
from tabletape.events.vocabulary import Event
from tabletape.projector.games.phylogenome.chapters.drawing import due_of_draws
from tabletape.projector.games.phylogenome.chapters.setup import due_in_setup
from tabletape.projector.games.phylogenome.scoring import facing, worth
from tabletape.projector.games.phylogenome.state import IN_A_TURN, NEEDED, SETUP, Phylo, is_species
from tabletape.projector.kit.seating import zone_of
from tabletape.projector.model.due import Due
from tabletape.projector.model.game import Dice


def due(table: Phylo) -> list[Due]:
    """Return the lines that luck has to write now; those of the set-up in any order."""
    return list(due_in_setup(table)) if table.phase == SETUP else due_of_draws(table)


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
    waiting = sum(is_species(card) for kind in ("hand", "deck") for card in zone_of(table, kind, player).cards)
    left = mine.actions if table.active == player else IN_A_TURN
    steps = 4 * mine.generation + 0.5 * min(mine.first_generation, NEEDED)
    return _worth(table, player) - _worth(table, mine.opponent) + steps - 0.3 * waiting + 0.05 * left


def _worth(table: Phylo, player: str) -> float:
    """Return the points of the Species facing a player, technology and interest areas, less what is broken."""
    cards = facing(table, player)
    points: int = sum(worth(table, card) + card.text.sequencing_generation for card in cards)
    broken = sum(1 for card in cards if card.cut_off or card.clashing)
    areas = len({area for card in cards for area in card.text.interest_areas})
    events = len(zone_of(table, "table", player).cards)
    return points + 0.5 * areas - 2 * broken + 0.5 * events
