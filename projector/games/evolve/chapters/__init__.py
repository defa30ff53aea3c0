"""The rulebook of Evolve, chapter by chapter: what a line needs, what it does and what of it is offered."""

from typing import Final

from tabletape.projector.model.rulebook import read_rulebook
from tabletape.projector.model.rules import Section

WRITTEN: Final = read_rulebook("tabletape.projector.games.evolve").written
"""The rules that no chapter has a function for, by their ids."""

INTRODUCTION: Final = Section("Introduction")
WINNING: Final = Section("Winning the Game")
ORGANISM_CARDS: Final = Section("The Cards: Organisms")
EVENTS: Final = Section("Events")
MUTATIONS: Final = Section("Mutations")
STATUSES: Final = Section("Statuses")
COSTS: Final = Section("Card Costs and Resources")
RESPONSES: Final = Section("Event Response Cards")
CONSUMING: Final = Section("Consuming Food and Organism Stress")
EVOLVING: Final = Section("Duplicating and Evolving Organisms")
STARTING: Final = Section("Starting a Game")
BEGIN_STEP: Final = Section("Begin Turn Step")
MAIN_STEP: Final = Section("Main Turn Step")
END_TURN_STEP: Final = Section("End Turn Step")
NOTES: Final = Section("Notes")
