"""A game checked for what must hold for every game, on games of bots and on recorded ones."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from tabletape.dashboard.tape.choosing import chosen_game
from tabletape.events.errors import RefusedError
from tabletape.events.vocabulary import Event
from tabletape.events.vocabulary.shared import GameStarted
from tabletape.projector.archive.recordings import EXPECTED_SUFFIX, as_expected, read_recording, written_lines
from tabletape.projector.model.game import Game
from tabletape.projector.selfplay.checking import CheckedGame, CheckProblem, of_bots, problems, where_raised
from tabletape.projector.selfplay.simulate import SimulationError

PLAYED_SENTENCE: Final = "Bots can play it."

GIVES: Final = "Recorded games have exactly the findings and the end that are expected of them."


class Checked(NamedTuple):
    """A sentence that must hold of a game, and where it does not."""

    holds: str
    problems: list[CheckProblem]


def checked(
    name: str,
    recordings: Sequence[Path],
    *,
    games: int,
    players: int,
    progress: Callable[[int], object] = lambda _done: None,
) -> list[Checked]:
    """Return each sentence that must hold of a game, with where it does not.

    Raises `RefusedError` for a game that there is none of, a recording that cannot be read, or nothing to check with.
    """
    one = chosen_game(name)
    files = [file for path in recordings for file in _files(path)]
    played = [CheckedGame(str(file), _lines(one, file), by_bots=False) for file in files]
    sentences = []
    if games and not one.rulebook.open:
        try:
            played += of_bots(one, games, players)
        except SimulationError as error:
            sentences.append(Checked(PLAYED_SENTENCE, [CheckProblem(PLAYED_SENTENCE, one.title, str(error))]))
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # noqa: BLE001 - whatever the code of a game raises, even an exit
            sentences.append(Checked(PLAYED_SENTENCE, [CheckProblem(PLAYED_SENTENCE, one.title, where_raised(error))]))
    if not played and not sentences:
        raise RefusedError(f"{one.title} has no bots: name recorded games, as in `tabletape check {name} recordings/`")
    for holds, wrong in problems(one, played):
        sentences.append(Checked(holds, wrong))
        progress(1)
    with_expected = [file for file in files if file.with_suffix(EXPECTED_SUFFIX).exists()]
    if with_expected:
        sentences.append(Checked(GIVES, [each for file in with_expected for each in _unexpected(one, file)]))
    return sentences


def _files(path: Path) -> list[Path]:
    if not path.exists():
        raise RefusedError(f"there is no {path}")
    files = sorted(path.rglob("*.jsonl")) if path.is_dir() else [path]
    if not files:
        raise RefusedError(f"{path} has no recorded game: each is a file .jsonl")
    return files


def _lines(one: Game, file: Path) -> tuple[Event, ...]:
    """Return the lines of a recording. Raises `RefusedError` with file and line for one that cannot be read."""
    events = []
    for line in written_lines(file):
        try:
            events.append(one.vocabulary.decode(line.text))
        except (msgspec.DecodeError, msgspec.ValidationError) as error:
            raise RefusedError(f"{line.file}:{line.number}: {error}") from None
    if not events or not isinstance(events[0], GameStarted):
        raise RefusedError(f"{file}:1: a recorded game begins with game.started")
    return tuple(events)


def _unexpected(one: Game, file: Path) -> Iterator[CheckProblem]:
    """Yield what a recording gives that is not expected of it, and what it lacks."""
    try:
        recorded = read_recording(file, one.slug)
    except (ValueError, OSError) as error:
        raise RefusedError(f"{file.with_suffix(EXPECTED_SUFFIX)}: {error}") from None
    given, expected = as_expected(recorded.replay), recorded.expected
    for field in ("winner", "reason"):
        if given[field] != expected.get(field):
            yield CheckProblem(GIVES, str(file), f"the {field} is {given[field]}, not {expected.get(field)}")
    mine = [(each["seq"], each["rule"], each["kind"]) for each in given["findings"]]
    theirs = [(each["seq"], each["rule"], each["kind"]) for each in expected.get("findings", ())]
    for each in dict.fromkeys((*mine, *theirs)):
        if mine.count(each) != theirs.count(each):
            what = "is found and not expected" if each in mine else "is expected and not found"
            yield CheckProblem(GIVES, str(file), f"event {each[0]}: {each[2]} {each[1]} {what}")
