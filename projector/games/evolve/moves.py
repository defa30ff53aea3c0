"""The chapters of the rulebook, and what follows from them: the tests of each line, and what it does at the table."""

from typing import Final

from tabletape.projector.games.evolve.chapters import (
    acting,
    actions,
    begin_step,
    cards,
    consuming,
    end_step,
    events,
    evolving,
    mulligans,
    playing,
    setup,
    statuses,
    windows,
    winning,
)
from tabletape.projector.kit.moves import moves_of, play_of, rows_of

CHAPTERS: Final = (
    *(setup, cards, mulligans, begin_step, playing, windows, events, statuses),
    *(acting, consuming, evolving, actions, end_step, winning),
)
"""The chapters, each of which builds on earlier ones: as the rulebook walks through a game."""
MOVES: Final = moves_of(*CHAPTERS)
ROWS: Final = rows_of(MOVES)
PLAY: Final = play_of(MOVES)
MAIN_STEP_MOVES: Final = moves_of(playing, statuses, actions, end_step)
"""What the player on turn may do in the main step."""
