"""The chapters of the rulebook: rules, what their lines do, and what of them is offered."""

from typing import Final

from tabletape.projector.model.rules import Section

SET_UP: Final = Section("Setup")
LAST_ONE: Final = Section("Winning the game, Attack Phase")
WINNING: Final = Section("Winning the game")
DEPLOY_PHASE: Final = Section("Deploy Phase")
STARTING_HAND: Final = Section("Starting hand")
TURN_PHASES: Final = Section("Turn phases")
START_OF_ROUND: Final = Section("Start of Round")
DEPLOY_ANATOMY: Final = Section("Deploy Phase, anatomy")
POWER: Final = Section("Attack, mining, anatomy")
ATTACK_PHASE: Final = Section("Attack Phase")
MINING_PHASE: Final = Section("Mining Phase")
END_OF_ROUND: Final = Section("End of Round")
ANATOMY: Final = Section("Anatomy")
