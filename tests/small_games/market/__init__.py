"""Market: buy goods from a common row, and score sets."""

from market import events, play
from tabletape.projector.kit.small_game import small_game

GAME = small_game(
    __name__,
    play,
    events=events,
    zones=("deck hidden shared", "row shared", "goods"),
    table=play.Market,
    player=play.Buyer,
    text=play.Goods,
    settle=play.settle,
    due=play.due,
    value=play.points,
    endings=("sold-out",),
)
