"""Games as a transcript: a line an event, in sentences; the map `transcript` reads games without rules back.

A line begins with its time where one was written down; a remark on an event stands below it. Players are named in the
order of their seats.
"""

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any

from msgspec import UNSET

from events.log_rows import Game as StoredGame
from events.printable import in_one_line
from events.shared import DeckDeclared, GameStarted
from events.vocabulary import Event
from projector.fold.replay import Replay
from projector.model.phrases import fields_in_words
from projector.model.sentences import clause
from projector.model.table import Table


def transcript(played: Iterable[tuple[StoredGame, Replay]]) -> bytes:
    """Return games as text in UTF-8, one after the other, with an empty line between two."""
    return "\n\n".join("\n".join(_lines(stored, replay)) for stored, replay in played).encode() + b"\n"


def _lines(stored: StoredGame, replay: Replay) -> Iterator[str]:
    yield f"Game {stored.game_id} of {stored.game}, edition {in_one_line(stored.edition)}"
    for player in stored.players:
        yield in_one_line(f"Seat: {player.name}" + (f", deck {player.deck}" if player.deck else ""))
    for event in replay.events:
        if not isinstance(event, GameStarted):
            yield _timed(event) + in_one_line(_said(replay.table, event))
        if event.note is not UNSET:
            yield f"    \u2014 {in_one_line(event.note)}"


def _timed(event: Event) -> str:
    return f"[{event.at.isoformat()}] " if isinstance(event.at, datetime) else ""


def _said(table: Table[Any, Any], event: Event) -> str:
    """Return an event in words: no letter is made a capital, so that every name stands as it is."""
    if isinstance(event, DeckDeclared) and event.cards:
        return f"{clause(table, event)}: {', '.join(event.cards)}"
    return clause(table, event) or fields_in_words(table, event)
