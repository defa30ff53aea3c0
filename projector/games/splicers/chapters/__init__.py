"""The chapters of the rulebook: what a line needs, what it does and what of it is offered stand together."""

from typing import Final

from tabletape.projector.model.rulebook import read_rulebook
from tabletape.projector.model.rules import Section

WRITTEN: Final = read_rulebook("tabletape.projector.games.splicers").written
"""The rules that no chapter has a function for, by their ids."""

GAME_OBJECTIVE: Final = Section("Game Objective")
END_OF_GAME: Final = Section("End of game")
SET_UP: Final = Section("Set-up")
CARD_TYPES: Final = Section("Card Types")
TING_CARDS: Final = Section("Card Types: Ting")
MUTATION_CARDS: Final = Section("Card Types: Mutation")
EVENT_CARDS: Final = Section("Card Types: Event")
SPLICER_CARDS: Final = Section("Card Types: Splicer")
TURN_STRUCTURE: Final = Section("Turn Structure")
ACTIONS: Final = Section("Misc. Rules: Actions")
SEEDS: Final = Section("Misc. Rules: Seeds")
EVOLVING: Final = Section("Misc. Rules: Evolving")
ABILITIES: Final = Section("Misc. Rules: Abilities")
EXHAUSTED_CARDS: Final = Section("Misc. Rules: Exhausted cards")
SPLICING: Final = Section("Misc. Rules: Genes & Splicing")
REQUIREMENTS: Final = Section("Misc. Rules: Requirements")
MULLIGAN: Final = Section("Misc. Rules: Mulligan")
COMMON_KEYWORDS: Final = Section("Keywords: Common")
TING_KEYWORDS: Final = Section("Keywords: Ting-related")
ADVANCED_KEYWORDS: Final = Section("Advanced Keywords")
