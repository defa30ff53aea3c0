"""The event types of PhyloGenome, in the words of its rulebook (docs/generated/games/phylogenome.md)."""

from tabletape.events.games.phylogenome.chances import *
from tabletape.events.games.phylogenome.consequences import *
from tabletape.events.games.phylogenome.decisions import *
from tabletape.events.games.phylogenome.remarks import *
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
