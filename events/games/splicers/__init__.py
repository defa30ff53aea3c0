"""The event types of Splicers, in the words of its rulebook (docs/generated/games/splicers.md)."""

from tabletape.events.games.splicers.chances import *
from tabletape.events.games.splicers.consequences import *
from tabletape.events.games.splicers.decisions import *
from tabletape.events.games.splicers.remarks import *
from tabletape.events.vocabulary.shared import (
    CardShown,
    FirstPlayerChosen,
    GameAbandoned,
    GameStarted,
    PlayerConceded,
    RoundStarted,
    TurnEnded,
    TurnStarted,
)
