"""The chapters of the rulebook: what a line needs, what it does and what of it is offered stand together."""

from typing import Final

from tabletape.projector.model.rulebook import read_rulebook
from tabletape.projector.model.rules import Section

WRITTEN: Final = read_rulebook("tabletape.projector.games.duelyst").written
"""The rules that no chapter has a function for, by their ids."""

GENERAL_CARD: Final = Section("General")
ARTIFACT_CARD: Final = Section("Artifact")
CARD_TYPES: Final = Section("Card types")
MINION_CARD: Final = Section("Minion")
MINION_MOVEMENT: Final = Section("Minion, movement")
WIN_CONDITION: Final = Section("Win condition")
BOARD_SETUP: Final = Section("Board setup")
TURN_OVERVIEW: Final = Section("Player's turn overview")
BEGINNING: Final = Section("The beginning of the game")
BLOODBOUND_SPELL: Final = Section("Bloodbound Spell")
MOVEMENT: Final = Section("Movement")
COMBAT: Final = Section("Combat")
EXHAUST: Final = Section("Exhaust")
PROVOKE: Final = Section("Provoke")
BATTLE_PET: Final = Section("Battle pet")
DERVISH: Final = Section("Dervish")
MECH: Final = Section("Mech")
STRUCTURES: Final = Section("Structure")
VESPYR: Final = Section("Vespyr")
UNCOVERED: Final = Section("")
