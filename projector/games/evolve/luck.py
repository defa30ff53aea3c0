"""The lines that luck writes in a simulated game, and how good a table looks to a greedy bot."""

import msgspec

from tabletape.events.games import evolve as ev
from tabletape.projector.games.evolve.chapters.setup import due_in_setup
from tabletape.projector.games.evolve.legal import answering, past_all, responding
from tabletape.projector.games.evolve.resolving import resolve_all
from tabletape.projector.games.evolve.state import BEGIN, DRAW, SETUP, Evolve, opponent_of
from tabletape.projector.games.evolve.turns import owed_now
from tabletape.projector.kit.owed import OwedLine
from tabletape.projector.model.deciding import as_it_was
from tabletape.projector.model.due import Due, draw_due


def due(table: Evolve) -> list[Due]:
    """Return the lines that luck has to write now: who begins, opening hands, the draw of a turn or of a card.

    Before the draw of a card that somebody may still answer decisions may come.
    """
    if table.over:
        return []
    if table.phase == SETUP:
        return list(due_in_setup(table))
    owed = _owed(table)
    if owed is None:
        return []
    player, reason = table.players[owed.player], "turn-start" if table.phase == DRAW else "effect"
    drawn = draw_due(table, ev.CardsDrawn, player.deck_zone, owed.count, owed.rule, player=player.id, reason=reason)
    waits = table.phase != DRAW and any(responding(table, each) or answering(table, each) for each in table.players)
    return [msgspec.structs.replace(drawn, later=waits)]


def _owed(table: Evolve) -> OwedLine | None:
    """Return the draw that has to come once everything open has happened; where nothing is open, that of now."""
    owed = owed_now(table)
    is_open = table.pending is not None or table.event is not None or table.answer is not None or table.agenda
    if owed is not None or not (is_open or (table.phase == BEGIN and table.triggers_due and table.watching)):
        return owed
    with as_it_was(table, past_all):
        return owed_now(table)


# -- how good a table looks --------------------------------------------------------------------------------------------


def value(table: Evolve, player: str) -> float:
    """Return how good a table is for a player once what is open has happened: what grows, and what the other lacks."""
    with as_it_was(table, resolve_all):
        if table.over:
            return 0.0 if not table.winner else 1000.0 if table.winner == player else -1000.0
        return _worth(table, player) - _worth(table, opponent_of(table, player))


def _worth(table: Evolve, player: str) -> float:
    mine = table.players.get(player)
    if mine is None:
        return 0.0
    grown = food = 0
    for card in table.zones[mine.play].cards:
        text = card.text
        if text is None or text.food:
            food += 1
        else:
            grown += 25 * text.tier + 3 * card.energy - 4 * card.stressed
    stock = 4 * min(mine.dna, 3) + 0.5 * mine.dna + 0.2 * mine.mp + 0.5 * table.zones[mine.hand].size
    return grown + min(food, 2) + stock + 10 * mine.starvation
