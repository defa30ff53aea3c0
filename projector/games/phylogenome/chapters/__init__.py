"""The chapters of the rulebook: what a line needs, what it does and what of it is offered stand together."""

from typing import Final

from tabletape.projector.model.rules import Section

COUNTING: Final = Section("Counting points")
PREPARATION: Final = Section("Preparation")
WHAT_IS_IT: Final = Section("What is PhyloGenome?")
TYPES_OF_CARDS: Final = Section("Types of cards")
SPECIES_CARD: Final = Section("Species card")
EVENT_CARD: Final = Section("Event card")
GENERATION_PROGRESS: Final = Section("Generation progress")
GENERATIONS: Final = Section("Sequencing generations")
COMPATIBILITY: Final = Section("Compatibility")
INCONSISTENCIES: Final = Section("Addressing inconsistencies")
GAME_BEGINS: Final = Section("The game begins")
GAME_ENDS: Final = Section("The game ends")
