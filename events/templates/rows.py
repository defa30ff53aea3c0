"""Games as rows of a sheet, and which columns a game's sheet needs most."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

import msgspec

from tabletape.events.importing.games.heads import SEATS
from tabletape.events.importing.sheets.cells import fields as cell_fields
from tabletape.events.vocabulary import Chance, Decision, Event, fields_of, tag_of, vocabulary
from tabletape.events.vocabulary.open_games import OpenGame
from tabletape.events.vocabulary.shared import GameStarted

RARE_SHARE: Final = 0.01
"""A column that fewer of the decisions and draws need lies behind the fold."""

LEFT_OUT: Final = frozenset({"seq", "cause", "at", "rulings"})
"""What an example does without: it is given by the order of the rows, or has a default."""


def rows_of(events: Iterable[Event]) -> list[dict[str, str]]:
    """Return a game as rows, a cell as people write it; consequences, which the rules make, are left out."""
    said = (event for event in events if isinstance(event, Decision | Chance | GameStarted))
    return [{"type": tag_of(type(event)), **dict(_cells(event))} for event in said]


def _cells(event: Event) -> Iterator[tuple[str, str]]:
    known = cell_fields(type(event))
    for name, value in msgspec.to_builtins(event).items():
        if name in LEFT_OUT or name == "type":
            continue
        if name == "players" and isinstance(event, GameStarted):
            yield name, _seats(value)
        elif isinstance(value, list | tuple) and value and known[name].plain_list:
            yield name, "; ".join(map(str, value))
        else:
            yield name, value if isinstance(value, str) else json.dumps(value)


def _seats(players: list[dict[str, Any]]) -> str:
    """Return who plays: names where they sit at A, B, C …, else as JSON."""
    if [each["id"] for each in players] == list(SEATS[: len(players)]):
        return "; ".join(each["name"] for each in players)
    return json.dumps([{key: each[key] for key in ("id", "name")} for each in players])


def common_columns(games: Iterable[Sequence[Event]]) -> list[str]:
    """Return the fields that the decisions and draws of some games need, the most usual first, without rare ones."""
    used: Counter[str] = Counter()
    lines = 0
    for events in games:
        rows = rows_of(events[1:])
        lines += len(rows)
        used.update(name for row in rows for name in row)
    return [name for name, times in used.most_common() if times >= RARE_SHARE * lines]


def required_columns(games: Iterable[type[Event]]) -> list[str]:
    """Return the fields that decisions and draws require, those of most event types first."""
    used = Counter(
        field.encode_name
        for event_type in games
        if issubclass(event_type, Decision | Chance)
        for field in fields_of(event_type)
        if field.required or field.name in getattr(event_type, "EXACTLY_ONE", ())
    )
    return [name for name, _ in used.most_common()]


def open_example(game: OpenGame, edition: str) -> list[Event]:
    """Return a short game of a game without rules, in its own zones and counters."""
    zones = [kind for kind in game.zone_kinds if not kind.shared]
    hand = next((kind.name for kind in zones if kind.seen_by == "owner"), zones[0].name if zones else "hand")
    table = next((kind.name for kind in game.zone_kinds if kind.seen_by == "all"), "table")
    counters = [{"type": "counter.changed", "player": "A", "counter": name, "by": 1} for name in game.counters[:1]]
    players = [{"id": "A", "name": "Ann"}, {"id": "B", "name": "Ben"}]
    lines: list[dict[str, Any]] = [
        {"type": "game.started", "game": game.slug, "edition": edition, "id": "example", "players": players},
        {"type": "first-player.chosen", "player": "A", "method": "die"},
        {"type": "cards.drawn", "player": "A", "count": 5},
        {"type": "cards.drawn", "player": "B", "count": 5},
        {"type": "turn.started", "player": "A"},
        {"type": "card.moved", "player": "A", "card": "A:lamp", "from": hand, "to": table},
        *counters,
        {"type": "turn.ended", "player": "A"},
        {"type": "game.ended", "winner": "A", "reason": game.endings[0] if game.endings else "points"},
    ]
    return [vocabulary(game.slug).convert(line) for line in lines]
