"""The sample logs that come with a game: to look around with, and as the example of its template."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from importlib.resources import as_file, files
from pathlib import Path

from tabletape.events.importing import ImportReport, Options, import_paths
from tabletape.events.log import Log
from tabletape.events.templates.rows import open_example
from tabletape.events.vocabulary import Chance, Decision, Event, vocabulary
from tabletape.events.vocabulary.open_games import open_games
from tabletape.events.vocabulary.shared import GameStarted
from tabletape.projector.archive.stored import known_of
from tabletape.projector.fold.folding import fold
from tabletape.projector.games import game, games, package_of
from tabletape.projector.rulebooks.kept import keep_our_wording, kept_file


@contextmanager
def sample_folder(slug: str) -> Iterator[Path | None]:
    """Return the folder with the sample logs of a game, None where it has none."""
    samples = files(package_of(slug)).joinpath("samples")
    if samples.is_dir():
        with as_file(samples) as path:
            yield path
    else:
        yield None


def import_samples(log: Log, folder: Path) -> ImportReport:
    """Import the sample logs of all games into a log, by the cards of the workspace in a folder.

    A game whose rulebook the folder has not gets one in our own words, so that there is something to look at.
    """
    for slug in games():
        if kept_file(folder, slug) is None:
            keep_our_wording(folder, slug)
    options = Options(known=partial(known_of, folder))
    with ExitStack() as stack:
        paths = [str(path) for slug in games() if (path := stack.enter_context(sample_folder(slug)))]
        return import_paths(log, paths, options)


def sample_games(slug: str) -> list[list[Event]]:
    """Return games to show how a log of a game is written, the best example first; none where nobody wrote one."""
    if slug in open_games():
        return [open_example(open_games()[slug], game(slug).rulebook.editions[0].label)]
    decode = vocabulary(slug).decode
    samples: list[list[Event]] = []
    with sample_folder(slug) as folder:
        for file in sorted(folder.glob("*.jsonl")) if folder else ():
            for line in filter(str.strip, file.read_text(encoding="utf-8").splitlines()):
                event = decode(line)
                if isinstance(event, GameStarted):
                    samples.append([])
                samples[-1].append(event)
    shortest = sorted(samples, key=len)
    best = next((events for events in shortest if _is_clean(slug, events)), None)
    return shortest if best is None else [best, *(events for events in shortest if events is not best)]


def _is_clean(slug: str, events: list[Event]) -> bool:
    """Return whether a game comes to its end without a finding, also where only decisions and draws are written."""
    written = [event for event in events if isinstance(event, Decision | Chance | GameStarted)]
    replay = fold(game(slug), written)
    return not replay.findings and replay.stopped is None and replay.table.over
