"""Lanterns: all lay the cards of two colours in order, and nobody sees the own hand."""

from lanterns import events, play
from tabletape.projector.kit.small_game import small_game

GAME = small_game(
    __name__,
    play,
    events=events,
    zones=("deck hidden shared", "hand others", "row shared", "discard shared"),
    table=play.Lanterns,
    text=play.Lantern,
    hand=lambda _table: play.HAND,
    refill="lanterns.turn.draw",
    settle=play.settle,
    value=play.value,
    endings=("laid", "mistakes", "out-of-cards"),
)
