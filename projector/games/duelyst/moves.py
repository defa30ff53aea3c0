"""The moves of the game, chapter by chapter, and what follows from them: the tests of each line and what it does."""

from typing import Final

from tabletape.events.vocabulary import Decision
from tabletape.projector.games.duelyst.board import end_game
from tabletape.projector.games.duelyst.chapters import (
    bloodbound,
    cards,
    combat,
    drawing,
    minions,
    movement,
    mulligan,
    pets,
    setup,
    tribes,
    turns,
)
from tabletape.projector.games.duelyst.overdue import BEFORE_THE_GAME, acting
from tabletape.projector.kit.ending import early_ends
from tabletape.projector.kit.moves import moves_of, play_of, rows_of
from tabletape.projector.model.game import collect_rules
from tabletape.projector.model.rulebook import read_rulebook

CHAPTERS: Final = (setup, mulligan, turns, cards, minions, bloodbound, movement, combat, drawing, pets, tribes)
"""The chapters, each of which builds on earlier ones: in the rulebook's order, its card types where they are played."""

MOVES: Final = moves_of(*CHAPTERS)
ROWS: Final = rows_of(MOVES)
FREE_PLAY: Final = play_of(
    move for move in MOVES if issubclass(move.line, Decision) and move.line not in BEFORE_THE_GAME
)
"""What the decisions of the main phase do, of a player on turn whom luck owes nothing."""
PLAY: Final = {
    **early_ends(end_game, "duelyst"),
    **play_of(MOVES),
    **{line: acting(play) for line, play in FREE_PLAY.items()},
}
RULES_BY_ID: Final = {
    rule.id: rule for rule in collect_rules(read_rulebook("tabletape.projector.games.duelyst"), *CHAPTERS)
}
"""All rules by their ids, those with a function and those without."""
