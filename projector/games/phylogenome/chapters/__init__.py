"""The chapters of the rulebook: what a line needs, what it does and what of it is offered stand together."""

from typing import Final

from tabletape.projector.model.rulebook import read_rulebook
from tabletape.projector.model.rules import Section

WRITTEN: Final = read_rulebook("tabletape.projector.games.phylogenome").written
"""The rules that no chapter has a function for, by their ids."""

PREPARATION: Final = Section("Preparation")
WHAT_IS_IT: Final = Section("What is PhyloGenome?")
TYPES_OF_CARDS: Final = Section("Types of cards")
EVENT_CARD: Final = Section("Event card")
GENERATIONS: Final = Section("Sequencing generations")
COMPATIBILITY: Final = Section("Compatibility")
INCONSISTENCIES: Final = Section("Addressing inconsistencies")
GAME_BEGINS: Final = Section("The game begins")
GAME_ENDS: Final = Section("The game ends")
