"""Where a stored game came from: the lines of the imported file that its events stand in."""

from collections.abc import Iterator
from pathlib import Path, PurePath
from tempfile import TemporaryDirectory
from typing import Any

from events.importing.lines import JsonLines
from events.importing.reading import UNREADABLE, Notation
from events.importing.sheets import Sheet, csv_rows
from events.importing.sources import Source, format_of_name, sniff
from events.log import Log
from events.log_rows import Game
from events.shared import GameStarted
from events.vocabulary import vocabulary


def lines_of(log: Log, game: Game) -> dict[int, int]:
    """Give the line (from 1) of each event, by its `seq`, in the kept copy of the file that the game last came from.

    Empty where the game came from no file or from a workbook, which has rows and no lines.
    """
    raw = next((file for file in reversed(log.raw_files()) if file.name == game.file), None)
    if raw is None:
        return {}
    bad = {entry.line for entry in log.quarantine() if entry.file == raw.name}
    seqs = [event.seq for event in log.stored(game)]
    with TemporaryDirectory() as folder:
        path = Path(folder) / (PurePath(raw.name).name or "log")
        with path.open("wb") as file:
            file.writelines(log.raw_content(raw))
        with Source(str(path), None) as source:
            notation = _notation(source, raw.name)
            return dict(zip(seqs, _lines(notation, game, bad), strict=False)) if notation else {}


def _notation(source: Source, name: str) -> Notation | None:
    kind = sniff(source.start())
    form = kind.format or format_of_name(name)
    if form == "jsonl":
        return JsonLines(source.content, kind.encoding, lambda _: None)
    return Sheet(csv_rows(source.content, kind.encoding, lambda _: None)) if form == "csv" else None


def _lines(notation: Notation, game: Game, bad: set[int]) -> Iterator[int]:
    """Give the lines from the head of the game to the next head, without blank lines and those in quarantine."""
    inside = False
    for batch in notation.batches():
        for line, written in batch:
            if notation.is_blank(written):
                continue
            repaired = notation.repaired(written)
            item = written if repaired is None else repaired
            begins = notation.slug(item) is not None or (line in bad and notation.may_be_head(item))
            if inside and begins:
                return
            inside = inside or (begins and _is_head_of(notation, item, game))
            if inside and line not in bad:
                yield line


def _is_head_of(notation: Notation, item: Any, game: Game) -> bool:
    try:
        head = notation.decoder(vocabulary(game.game))(item)
    except UNREADABLE:
        return False
    return isinstance(head, GameStarted) and head.id == game.game_id
