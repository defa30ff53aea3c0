"""Winning the game, and how else it ends (L6 to L9, L201)."""

from typing import Final

from tabletape.events.games import evolve as ev
from tabletape.projector.games.evolve.changes import end_game
from tabletape.projector.kit.common_rules import nothing_after
from tabletape.projector.kit.ending import early_end_rules, early_ends
from tabletape.projector.kit.moves import Move
from tabletape.projector.model.rules import declare, rule

nothing_after_end: Final = rule(
    "evolve.end.nothing-after-end",
    "Winning the Game",
    "L7.1",
    "Nothing happens after the game has been won (inferred).",
)(nothing_after(ev.GameEnded))
win_tier3 = declare(
    "evolve.win.tier3",
    "Winning the Game",
    "L6.1 L7.1 L201.1",
    "A player who pays the evolve cost of a tier 3 organism and is not stopped wins.",
)
win_starvation = declare(
    "evolve.win.starvation",
    "Winning the Game",
    "L6.1 L8.1 L32.1",
    "Three own turns in a row that end without a non-food organism of the opponent win the game.",
)
win_deck_out = declare(
    "evolve.win.deck-out", "Winning the Game", "L6.1 L9.1", "A player who has to draw from an empty deck loses."
)
end_concession, end_abandoned = early_end_rules("evolve")
ENDINGS: Final = {
    "tier3": win_tier3,
    "starvation": win_starvation,
    "deck-out": win_deck_out,
    "concession": end_concession,
    "abandoned": end_abandoned,
}
MOVES: Final = tuple(Move(line=line, does=does) for line, does in early_ends(end_game, "evolve").items())
