"""The event types of Evolve, in the words of its rulebook (docs/generated/games/evolve.md)."""

from tabletape.events.games.evolve.chances import *
from tabletape.events.games.evolve.consequences import *
from tabletape.events.games.evolve.decisions import *
from tabletape.events.games.evolve.remarks import *
from tabletape.events.vocabulary.shared import (
    CardShown,
    DeckDeclared,
    FirstPlayerChosen,
    GameAbandoned,
    GameStarted,
    PlayerConceded,
    TurnEnded,
    TurnStarted,
)
