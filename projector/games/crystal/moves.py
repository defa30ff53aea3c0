"""The chapters of the rulebook, and what follows from them: the tests of each line, and what it does at the table."""

from typing import Final

from tabletape.projector.games.crystal.chapters import (
    cards,
    choosing,
    deploy_phase,
    drawing,
    giving_up,
    observed,
    phases,
    playing,
    rounds,
    setup,
    starting_hand,
    winning,
)
from tabletape.projector.kit.moves import moves_of, play_of, rows_of

CHAPTERS: Final = (
    *(setup, cards, starting_hand, winning, phases, deploy_phase, rounds),
    *(choosing, drawing, playing, giving_up, observed),
)
"""The chapters, each of which builds on earlier ones: in the rulebook's order, but what players do in their part comes
behind the phases that follow when the last one is done."""

MOVES: Final = moves_of(*CHAPTERS)
ROWS: Final = rows_of(MOVES)
PLAY: Final = play_of(MOVES)
