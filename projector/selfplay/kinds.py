"""The kinds of bots, by how they decide."""

from enum import StrEnum


class Bot(StrEnum):
    """How a bot decides; the weakest stands first."""

    RANDOM = "random"
    GREEDY = "greedy"
    SEARCH = "search"
