"""Games as a transcript: a line an event, in sentences; the map `transcript` reads them back.

A line begins with its time where one was written down; a remark on an event stands below it. Players are named in the
order of their seats.
"""

from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import UNSET

from tabletape.events.importing.maps.finding import shipped_maps
from tabletape.events.importing.maps.notation import FileReading, MappedLog
from tabletape.events.log.rows import ENCODE, StoredGame
from tabletape.events.printable import in_one_line
from tabletape.events.vocabulary import Event
from tabletape.events.vocabulary.open_games import open_games
from tabletape.events.vocabulary.shared import DeckDeclared, GameStarted
from tabletape.projector.fold.replay import Replay
from tabletape.projector.model.phrases import fields_in_words
from tabletape.projector.model.sentences import clause
from tabletape.projector.model.table import Table

MAP: Final = "transcript.map.toml"


def transcript(played: Iterable[tuple[StoredGame, Replay]]) -> bytes:
    """Return games as text in UTF-8, one after the other, with an empty line between two.

    Below a sentence that does not say its event to the last field the event stands as JSON, so that the map reads back
    exactly what was written.
    """
    return "\n\n".join("\n".join(_lines(stored, replay)) for stored, replay in played).encode() + b"\n"


def _lines(stored: StoredGame, replay: Replay) -> list[str]:
    """Return the lines of a game, with as few events in JSON as will do."""
    plain = [_lines_of(stored, replay, event) for event in replay.events]
    if stored.game in open_games():
        wanted = [_content(event) for event in replay.events]
        for exact in (set[int](), {0}, _lossy(plain, wanted)):
            lines = _together(plain, replay, exact)
            if [content for _, content in _read_back(lines)] == wanted:
                return lines
    return _together(plain, replay, {*range(len(plain))})


def _together(plain: list[list[str]], replay: Replay, exact: set[int]) -> list[str]:
    """Return all lines of a game, those events in JSON as well whose places are in `exact`."""
    lines: list[str] = []
    for place, (event, lines_of_event) in enumerate(zip(replay.events, plain, strict=True)):
        if place in exact:
            without_note = lines_of_event[: len(lines_of_event) - isinstance(event.note, str)]
            lines += [lines_of_event[0], f"    = {_content(event)}", *without_note[1:]]
        else:
            lines += lines_of_event
    return lines


def _lossy(plain: list[list[str]], wanted: list[str]) -> set[int]:
    """Return the places of the events that their sentences do not say to the last field, and that of the head."""
    starts = {}
    line = 1
    for place, lines_of_event in enumerate(plain):
        starts[line] = place
        line += len(lines_of_event)
    read: dict[int, list[str]] = {}
    for number, content in _read_back([text for lines_of_event in plain for text in lines_of_event]):
        read.setdefault(starts.get(number, 0), []).append(content)
    return {0, *(place for place, content in enumerate(wanted) if read.get(place) != [content])}


def _read_back(lines: list[str]) -> list[tuple[int, str]]:
    """Return what the map makes of the lines of one game: the line and content of each event."""
    (used,) = (each for each in shipped_maps() if Path(each.name).name == MAP)
    log = MappedLog("transcript", used, "\n".join(lines).encode(), FileReading(lambda _: None, "", "transcript"))
    return [(line, _content(event)) for batch in log.events() for line, event in batch]


def _content(event: Event) -> str:
    """Return an event as JSON, without its number, which its place gives."""
    return ENCODE(msgspec.structs.replace(event, seq=UNSET)).decode()


def _lines_of(stored: StoredGame, replay: Replay, event: Event) -> list[str]:
    """Return the lines of one event, its sentence first, its note last."""
    note = [f"    \u2014 {in_one_line(event.note)}"] if isinstance(event.note, str) else []
    if not isinstance(event, GameStarted):
        return [_timed(event) + in_one_line(_sentence(replay.table, event)), *note]
    seats = [f"Seat: {each.name}" + (f", deck {each.deck}" if each.deck else "") for each in stored.players]
    head = f"Game {stored.game_id} of {stored.game}, edition {in_one_line(stored.edition)}"
    return [head, *map(in_one_line, seats), *note]


def _timed(event: Event) -> str:
    return f"[{event.at.isoformat()}] " if isinstance(event.at, datetime) else ""


def _sentence(table: Table[Any, Any], event: Event) -> str:
    """Return an event in words: no letter is made a capital, so that every name stands as it is."""
    if isinstance(event, DeckDeclared) and event.cards:
        return f"{clause(table, event)}: {', '.join(event.cards)}"
    return clause(table, event) or fields_in_words(table, event)
