"""Recorded games: `x.jsonl` with `x.expected.json`, and `x.cards.toml` where the game uses cards of its own.

Whole evenings of playtests lie beside the project in some places only.
"""

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest

from events.shared import GameStarted
from events.vocabulary import Event, vocabulary
from projector.fold.replay import Replay, fold
from projector.model.game import game

RECORDINGS = Path(__file__).parents[1] / "recordings"
EVENINGS = Path(__file__).parents[2].parent / "shared" / "playtests"


class Recorded(NamedTuple):
    """A recorded game: its events, what has to come out of it, and its replay."""

    events: list[Event]
    expected: dict[str, Any]
    replay: Replay


@cache
def read(name: str) -> Recorded:
    """Fold a recording (`splicers/worked-game`) under the ruleset that it is recorded for."""
    path = RECORDINGS / name
    one = game(name.partition("/")[0])
    text = path.with_name(f"{path.name}.jsonl").read_text(encoding="utf-8")
    events = [vocabulary(one.slug).decode(line) for line in text.splitlines() if line.strip()]
    expected: dict[str, Any] = json.loads(path.with_name(f"{path.name}.expected.json").read_text(encoding="utf-8"))
    own = path.with_name(f"{path.name}.cards.toml")
    cards = one.cards.plus(one.read_cards(own.read_text(encoding="utf-8"), own.name)) if own.exists() else one.cards
    ruleset = expected.get("ruleset", {})
    edition, rulings = ruleset.get("edition", ""), ruleset.get("rulings")
    return Recorded(events, expected, fold(one, events, edition=edition, rulings=rulings, library=cards.library))


@pytest.fixture(scope="session")
def recorded() -> Callable[[str], Recorded]:
    """Return a recorded game by its name."""
    return read


@pytest.fixture(scope="session")
def evening() -> Callable[[str, str], list[list[Event]]]:
    """Return the games of an evening of playtests (`splicers`, `evening-1.jsonl`); skips where there is none."""
    return games_of


@cache
def games_of(slug: str, name: str) -> list[list[Event]]:
    """Return the games of an evening; lines that cannot be read are left out."""
    path = EVENINGS / slug / name
    if not path.exists():
        pytest.skip("the playtests are not beside the project")
    found: list[list[Event]] = []
    for line in path.read_text(encoding="utf-8-sig").splitlines():
        try:
            event = vocabulary(slug).decode(line)
        except msgspec.DecodeError:
            continue
        if isinstance(event, GameStarted):
            found.append([])
        found[-1].append(event)
    return found
