"""The lines that luck writes in a simulated game, and how good a table looks to a greedy bot."""

from tabletape.events.games import splicers as ev
from tabletape.events.vocabulary import Event
from tabletape.projector.games.splicers.chapters.drawing import due_of_deck
from tabletape.projector.games.splicers.chapters.setup import due_in_setup
from tabletape.projector.games.splicers.state import SETUP, Splicers
from tabletape.projector.games.splicers.view import progress
from tabletape.projector.kit.seating import zone_of
from tabletape.projector.model.due import Due
from tabletape.projector.model.game import Dice


def due(table: Splicers) -> list[Due]:
    """Return the lines that luck has to write now; those of the set-up and of the start of a round in any order."""
    return list(due_in_setup(table)) if table.phase == SETUP else due_of_deck(table)


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


def value(table: Splicers, player: str) -> float:
    """Return how good a table is for a player: progress, totals, hand and actions."""
    mine = table.players[player]
    theirs = table.players.get(mine.opponent, mine)
    bioms = table.zones["row"].cards
    lead: int = sum(biom.totals[mine.seat] - biom.totals[theirs.seat] for biom in bioms if biom.totals)
    ahead = progress(table, player) - progress(table, theirs.id)
    hand = zone_of(table, "hand", player).size - zone_of(table, "hand", theirs.id).size
    return 20 * ahead + lead + 0.5 * hand + 0.2 * mine.actions
