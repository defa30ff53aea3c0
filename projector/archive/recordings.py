"""Recorded games: `x.jsonl` with what has to come out of it in `x.expected.json`; a game's tests are such files.

`x.cards.toml` beside them holds cards of its own. `expected.json` names the winner, the reason of the end and the
findings, and under `ruleset` the edition and rulings that the recording is read under. `stories.toml` in the folder
of a game says of each recording in one sentence what happens in it.
"""

import json
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from tabletape.events.vocabulary import Event, vocabulary
from tabletape.projector.fold.folding import fold
from tabletape.projector.fold.replay import Replay
from tabletape.projector.games import game

EXPECTED_SUFFIX: Final = ".expected.json"
STORIES: Final = "stories.toml"


class RecordedGame(NamedTuple):
    """A recorded game: its events, what has to come out of it, and its replay."""

    events: list[Event]
    expected: dict[str, Any]
    replay: Replay


def recordings(folder: Path) -> list[Path]:
    """Return the logs of the recordings in a folder and those below it, in order."""
    return sorted(path for path in folder.rglob("*.jsonl") if path.with_suffix(EXPECTED_SUFFIX).exists())


def read_stories(folder: Path) -> Mapping[str, str]:
    """Return the story of each recording in the folder of a game, by its name; none where there is no file of them."""
    file = folder / STORIES
    return tomllib.loads(file.read_text(encoding="utf-8")) if file.exists() else {}


def read_recording(path: Path, slug: str, changed: Mapping[str, str] | None = None) -> RecordedGame:
    """Fold the recording at `path` (its `.jsonl`) under its recorded ruleset, with rulings `changed`."""
    one = game(slug)
    lines = path.read_text(encoding="utf-8").splitlines()
    events = [vocabulary(slug).decode(line) for line in lines if line.strip()]
    expected: dict[str, Any] = json.loads(path.with_suffix(EXPECTED_SUFFIX).read_text(encoding="utf-8"))
    own = path.with_suffix(".cards.toml")
    cards = one.cards.plus(one.read_cards(own.read_text(encoding="utf-8"), own.name)) if own.exists() else one.cards
    ruleset = expected.get("ruleset", {})
    edition, rulings = ruleset.get("edition", ""), {**ruleset.get("rulings", {}), **(changed or {})}
    return RecordedGame(events, expected, fold(one, events, edition=edition, rulings=rulings, library=cards.library))


def as_expected(replay: Replay) -> dict[str, Any]:
    """Return what `expected.json` says of a game that is right as it is folded now."""
    findings = [dict(_fields(finding)) for finding in replay.findings]
    return {"winner": replay.table.winner or None, "reason": replay.table.reason, "findings": findings}


def _fields(finding: Any) -> Iterator[tuple[str, Any]]:
    yield from ((name, getattr(finding, name)) for name in ("seq", "rule", "kind"))
    yield from ((name, value) for name in ("because", "follows", "went_on") if (value := getattr(finding, name)))
