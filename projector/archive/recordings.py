"""Recorded games: `x.jsonl` with what has to come out of it in `x.expected.json`; a game's tests are such files.

A recording that begins as another one beside it says so in its first line, `{"begins": "worked-game", "lines": 34}`,
and has only the lines behind that. `x.cards.toml` beside them holds cards of its own. `expected.json` names the winner,
the reason of the end and the findings, and under `ruleset` the edition and rulings that the recording is read under.
`stories.toml` in the folder of a game says of each recording in one sentence what happens in it.
"""

import json
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from tabletape.events.errors import RefusedError
from tabletape.events.plans import planned
from tabletape.events.vocabulary import Event, vocabulary
from tabletape.events.workspace_files import text_of
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


@planned
class BeginsAs(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first line of a recording that begins as another one beside it, with the first `lines` of that."""

    begins: str
    lines: int


class RecordedLine(NamedTuple):
    """A line of a recording, and the file and the number under which it is written."""

    text: str
    file: Path
    number: int


def recordings(folder: Path) -> list[Path]:
    """Return the logs of the recordings in a folder and those below it, in order."""
    return sorted(path for path in folder.rglob("*.jsonl") if path.with_suffix(EXPECTED_SUFFIX).exists())


def read_stories(folder: Path) -> Mapping[str, str]:
    """Return the story of each recording in the folder of a game, by its name; none where there is no file of them."""
    file = folder / STORIES
    return tomllib.loads(file.read_text(encoding="utf-8")) if file.exists() else {}


def recorded_lines(path: Path) -> list[str]:
    """Return the lines of a recording from its beginning on. Raises as `written_lines` does."""
    return [line.text for line in written_lines(path)]


def written_lines(path: Path) -> list[RecordedLine]:
    """Return the lines of a recording from its beginning on, with their places.

    Raises `OSError` for a file that cannot be read, `RefusedError` for a beginning that is not there.
    """
    lines = _lines_in(path)
    if not lines or not lines[0].text.startswith('{"begins"'):
        return lines
    try:
        beginning = msgspec.json.decode(lines[0].text, type=BeginsAs)
        before = _lines_in(path.with_name(f"{beginning.begins}.jsonl"))
    except (msgspec.DecodeError, OSError) as error:
        raise RefusedError(f"{path}:{lines[0].number}: {error}") from None
    if not 0 < beginning.lines <= len(before):
        raise RefusedError(f"{path}:{lines[0].number}: {beginning.begins} has {len(before)} lines")
    return [*before[: beginning.lines], *lines[1:]]


def _lines_in(path: Path) -> list[RecordedLine]:
    lines = enumerate(text_of(path).splitlines(), 1)
    return [RecordedLine(line, path, number) for number, line in lines if line.strip()]


def read_recording(path: Path, slug: str, changed: Mapping[str, str] | None = None) -> RecordedGame:
    """Fold the recording at `path` (its `.jsonl`) under its recorded ruleset, with rulings `changed`."""
    one = game(slug)
    events = [vocabulary(slug).decode(line) for line in recorded_lines(path)]
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
