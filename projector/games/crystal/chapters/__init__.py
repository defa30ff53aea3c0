"""The chapters of the rulebook: rules, what their lines do, and what of them is offered."""

from typing import Final

from tabletape.projector.model.rulebook import read_rulebook
from tabletape.projector.model.rules import Section

WRITTEN: Final = read_rulebook("tabletape.projector.games.crystal").written
"""The rules that no chapter has a function for, by their ids."""

SET_UP: Final = Section("Setup")
WINNING: Final = Section("Winning the game")
DEPLOY_PHASE: Final = Section("Deploy Phase")
STARTING_HAND: Final = Section("Starting hand")
DEPLOY_ANATOMY: Final = Section("Deploy Phase, anatomy")
ATTACK_PHASE: Final = Section("Attack Phase")
ANATOMY: Final = Section("Anatomy")
