"""The moves of the game, chapter by chapter, and what follows from them: the tests of each line and what it does."""

from typing import Final

from tabletape.projector.games.splicers import view
from tabletape.projector.games.splicers.chapters import (
    answering,
    cards,
    choosing,
    counting,
    drawing,
    entering,
    events,
    evolving,
    mulligan,
    mutations,
    picking,
    seeds,
    setup,
    splicing,
    turns,
    using,
)
from tabletape.projector.kit.moves import moves_of, play_of, rows_of

CHAPTERS: Final = (
    *(setup, cards, turns, seeds, mutations, evolving, splicing, picking, choosing),
    *(answering, using, events, entering, drawing, mulligan, counting, view),
)
"""The chapters, each of which builds on earlier ones: in the rulebook's order, its keywords where they are needed."""

MOVES: Final = moves_of(*CHAPTERS)
ROWS: Final = rows_of(MOVES)
PLAY: Final = play_of(MOVES)
