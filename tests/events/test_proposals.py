"""Proposed maps: whatever a sheet or a document holds, nobody plays in a game of it whom the file does not name."""

import csv
import io
import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tabletape.events.errors import TabletapeError
from tabletape.events.importing.maps.map import read_map
from tabletape.events.importing.maps.notation import FileReading, MappedLog
from tabletape.events.importing.maps.proposing.preview import preview
from tabletape.events.importing.maps.proposing.surveying import Said, survey_of
from tabletape.events.importing.maps.proposing.text import proposals
from tabletape.events.importing.maps.writing import map_text
from tabletape.events.vocabulary import vocabulary

NAMES = ("Ann", "Ben", "Cid Lee")
KEYS = (
    *("id", "time", "type", "target", "value", "price", "rotation", "move_id", "n", "Total", "Score", "Round", "Table"),
    *("Fun (1-5)", "Length (minutes)", "How clear was it?", "Military", "Gold", "Team A", "Game 1", "2", "player"),
    *("Winner", "Players", "Result", "Date", "1. Platz", "rank", "P1 score", "Who went first?"),
)
cells = st.one_of(st.integers(0, 60), st.sampled_from(["", "yes", "won", "red", "2-1", "2026-05-01", "Total", *NAMES]))


def players_of(content: bytes) -> tuple[list[str], int]:
    """Return who plays in the games that a proposal makes of a file, and how many games there are."""
    try:
        seen = survey_of(content, Said())
        accepted = [(kind.sentence, kind.entry) for kind in proposals(seen, "tabletop")] if seen.lines else []
        if not (accepted or "columns" in seen.head) or seen.is_open or seen.guessed:
            return [], 0
        used = read_map(map_text(seen, accepted, game="tabletop", edition="x"), "x.map.toml", vocabulary)
        if not preview(used, content, None, "x").tells:
            return [], 0
        games: list[Any] = [*MappedLog("x", used, content, FileReading(lambda _: None)).batches()]
    except TabletapeError:
        return [], 0
    return [seat.name for game in games for seat in game[0][1].players], len(games)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.dictionaries(st.sampled_from([*KEYS, *NAMES]), cells, min_size=1), min_size=1, max_size=6))
def test_a_key_of_a_document_is_nobody(rows: list[dict[str, Any]]) -> None:
    """Who plays stands in a value, or is a key that a value calls the winner; a list has at most a game an element."""
    players, games = players_of(json.dumps({"moves": rows, "version": 3}).encode())
    texts = {str(value) for row in rows for value in row.values()}
    assert {name.removesuffix(" 2") for name in players} <= texts | {f"player {n}" for n in range(1, 7)}
    assert games <= len(rows)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.sampled_from([*KEYS, *NAMES]), min_size=2, max_size=6, unique=True),
    st.lists(st.lists(cells, min_size=6, max_size=6), min_size=1, max_size=5),
)
def test_a_heading_of_a_sheet_is_somebody_only_if_it_is_a_name(heads: list[str], rows: list[list[Any]]) -> None:
    """Who plays stands in a cell, or heads a column and is somewhere called the winner; no more games than lines."""
    text = io.StringIO()
    csv.writer(text).writerows([heads, *(row[: len(heads)] for row in rows)])
    players, games = players_of(text.getvalue().encode())
    named = {str(cell) for row in rows for cell in row}
    parts = {part.strip() for name in named for part in name.replace("-", ",").split(",")} | named
    assert {name.rstrip(" 23456") for name in players if not name.startswith("player ")} <= {
        part.rstrip(" 23456") for part in parts
    }
    assert games <= max(len(rows), len(heads))
