"""The event types of the Duelyst-style tactics game, in the words of its rulebook (docs/generated/games/duelyst.md)."""

from tabletape.events.games.duelyst.chances import *
from tabletape.events.games.duelyst.consequences import *
from tabletape.events.games.duelyst.decisions import *
from tabletape.events.games.duelyst.remarks import *
from tabletape.events.vocabulary.shared import (
    CardShown,
    FirstPlayerChosen,
    GameAbandoned,
    GameStarted,
    PlayerConceded,
    TurnEnded,
    TurnStarted,
)
