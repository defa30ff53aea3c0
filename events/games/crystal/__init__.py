"""The event types of Crystal Factions, in the words of its rulebook (docs/generated/games/crystal.md)."""

from tabletape.events.games.crystal.chances import *
from tabletape.events.games.crystal.consequences import *
from tabletape.events.games.crystal.decisions import *
from tabletape.events.games.crystal.remarks import *
from tabletape.events.vocabulary.shared import (
    CardShown,
    GameAbandoned,
    GameStarted,
    PlayerConceded,
    PlayerEliminated,
    RoundStarted,
    TurnStarted,
)
