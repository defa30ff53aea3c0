"""What is worth knowing about the reading of a file besides what became of its lines."""

from collections.abc import Iterator
from itertools import islice
from typing import Final

from tabletape.events.importing.games.notation import ReadGame
from tabletape.events.importing.games.reading import Reader
from tabletape.events.importing.maps.values.times import Clock

EXAMPLE: Final = "the example of the sheet"
"""How the rows are called that only show how a sheet is filled in."""

EXAMPLE_NOTE: Final = "An example: replace these rows by your own."
"""What the last row of the example says in a sheet for a log: where it stands, who plays and begins is made up."""

EXAMPLE_ROWS: Final = 3
"""The most rows of that example."""


def remarks_of(reader: Reader) -> Iterator[str]:
    """Return how many lines were taken although they are not written as a log is."""
    if reader.meant:
        yield f"{_lines(reader.meant)} taken as meant: names as printed, types and numbers as people write them"
    if reader.mended:
        yield f"{_lines(reader.mended)} read as mended in the quarantine"
    for text, at in reader.close.items():
        more = f" and {len(at) - 1} more" if len(at) > 1 else ""
        yield f"info: line {at[0]}{more}: {text}"
    if reader.separators:
        rows = "1 row" if reader.separators == 1 else f"{reader.separators} rows"
        yield f"{rows} that only part others were passed over"


def is_on_example(game: ReadGame) -> bool:
    """Return whether a game begins with the rows that a sheet for logs shows as an example."""
    return any(EXAMPLE_NOTE in row[4] for row in islice(game.chain.rows.each(), EXAMPLE_ROWS))


def remarks_on_times(clock: Clock, form: str) -> Iterator[str]:
    """Return what became of times that say too little in a file of a format; dates in cells never say their zone."""
    if form not in {"jsonl", "csv", "xlsx"}:
        return  # A map says it for itself.
    if clock.without_zone and form == "xlsx":
        yield "dates in its cells say no time zone and count as UTC: `--zone Europe/Berlin` says it"
    elif clock.without_zone:
        yield "times that say no time zone were left out: `--zone Europe/Berlin` says it"
    if clock.without_day:
        yield "times that say no day were left out: write them as 2026-05-01 19:30"


def _lines(number: int) -> str:
    return "1 line was" if number == 1 else f"{number} lines were"
