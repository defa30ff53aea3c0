"""The moves of the game, chapter by chapter, and what follows from them: the tests of each line and what it does."""

from typing import Final

from tabletape.projector.games.phylogenome import view
from tabletape.projector.games.phylogenome.chapters import (
    cards,
    compatibility,
    discarding,
    drawing,
    events,
    moving,
    playing,
    setup,
    turns,
    winning,
)
from tabletape.projector.games.phylogenome.turns import end_game
from tabletape.projector.kit.ending import early_ends
from tabletape.projector.kit.moves import moves_of, play_of, rows_of
from tabletape.projector.model.game import collect_rules
from tabletape.projector.model.rulebook import read_rulebook

CHAPTERS: Final = (cards, setup, drawing, turns, compatibility, discarding, playing, moving, events, winning, view)
"""The chapters, each of which builds on earlier ones: in the rulebook's order, what a play needs before the play."""

MOVES: Final = moves_of(*CHAPTERS)
ROWS: Final = rows_of(MOVES)
PLAY: Final = {**early_ends(end_game, "phylogenome"), **play_of(MOVES)}
BY_ID: Final = {
    rule.id: rule for rule in collect_rules(read_rulebook("tabletape.projector.games.phylogenome"), *CHAPTERS)
}
"""All rules by their ids, those with a function and those without."""
