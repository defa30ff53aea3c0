"""The options that say how long a bot searches."""

from typing import Annotated

import typer

from tabletape.events.errors import RefusedError
from tabletape.projector.selfplay.search import SearchEffort

Iterations = Annotated[
    int | None,
    typer.Option(
        min=1,
        metavar="N",
        help="How often a bot that searches looks ahead for each decision (default: 60, in Evolve 100).",
    ),
]

Seconds = Annotated[
    float | None,
    typer.Option(min=0.001, metavar="S", help="Or how long it looks; the same seed does not give the same games then."),
]


def effort(iterations: int | None, seconds: float | None) -> SearchEffort:
    """Return how long bots search that do. Raises `RefusedError` where both are given."""
    if iterations and seconds:
        raise RefusedError("--iterations and --seconds are two ways to say how long a bot looks: give one of them")
    return SearchEffort(iterations=iterations, seconds=seconds or 0.0)
