"""Tricks: follow suit, and take the most tricks."""

from tabletape.projector.kit.small_game import small_game
from tricks import events, play

GAME = small_game(
    __name__,
    play,
    events=events,
    zones=("deck hidden shared", "hand own", "trick shared", "taken shared"),
    table=play.Tricks,
    player=play.Taker,
    text=play.Suited,
    begins=play.begins,
    hand=lambda _table: play.HAND,
    settle=play.settle,
    value=play.value,
    endings=("counted",),
)
