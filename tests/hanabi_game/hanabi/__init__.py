"""Hanabi: all lay fireworks together, and nobody sees the own hand."""

from hanabi import events, play
from tabletape.projector.kit.small_game import small_game

GAME = small_game(
    __name__,
    play,
    events=events,
    zones=("deck hidden shared", "hand others", "fireworks shared", "discard shared"),
    table=play.Hanabi,
    text=play.Firework,
    begins=play.begins,
    hand=play.hand,
    refill="hanabi.turn.draw",
    settle=play.settle,
    value=play.value,
    endings=("all-laid", "third-mistake", "last-round"),
)
