"""Plays of small games, the datasets of a log, and the rows of an answer."""

from pathlib import Path
from typing import Any

from tabletape.dashboard.questions import ask
from tabletape.events.log import Log
from tabletape.projector.datasets.build import build
from tabletape.projector.datasets.plans import Request


def datasets(place: Path, **request: Any) -> Path:
    """Build the datasets of a log and return their folder."""
    with Log.open(place) as log:
        return build(log, Request(**request)).folder


def rows(name: str, folder: Path, **filters: Any) -> list[dict[str, Any]]:
    """Return the answer to a question as rows."""
    found: list[dict[str, Any]] = ask(name, folder, **filters).to_pylist()
    return found
