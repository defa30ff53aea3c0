"""Maps of sheets, results and documents are untrusted, too: no map and no document raises an unexpected error."""

import csv
import io
import json
from typing import Any
from xml.etree import ElementTree as ET

import pytest
import tomlkit
from hypothesis import given, settings
from hypothesis import strategies as st

from tabletape.events.importing.maps.documents.paths import as_text
from tabletape.events.importing.maps.documents.tables import table_rows
from tabletape.events.importing.maps.documents.trees import ForeignError
from tabletape.events.importing.maps.map import MapError, read_map
from tabletape.events.importing.maps.notation import FileReading, MappedLog
from tabletape.events.importing.maps.values.times import ZoneError
from tabletape.events.vocabulary import Event, vocabulary

KEYS = ["who", "won", "when", "text", "players", "n", "note", "id"]
PATHS = [*KEYS, "players[0].who", "players.won", "rows", ".", "rows[0]", "x[9].y", "who (split ,)", ""]
WORDS = [
    "Ann",
    "Ben",
    "Ann; Ben",
    "Ann, Ben",
    "1",
    "1,5",
    "-1",
    "9" * 30,
    "2025-03-01 19:30",
    "31.12.2025",
    "draw",
    "#REF!",
]
TEXTS = ["Ann plays Lamp", "Ben draws 2", "Ann wins", "--", "Ann: plays Lamp; Reed Heron", ""]


def records(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    """Return a strategy of objects with keys that maps use, and any values."""
    return st.dictionaries(st.sampled_from(KEYS), inner, max_size=6)


words = st.sampled_from([*WORDS, *TEXTS]) | st.text(max_size=12)
scalars = words | st.integers() | st.floats() | st.booleans() | st.none()
values = st.recursive(scalars, lambda inner: st.lists(inner, max_size=3) | records(inner), max_leaves=8)


paths = st.sampled_from(PATHS)
columns = st.one_of(
    paths,
    st.lists(paths, max_size=3),
    st.fixed_dictionaries(
        {"column": paths},
        optional={
            "is": words | st.lists(words, max_size=2),
            "none": st.lists(words, max_size=2),
            "split": st.sampled_from([",", ";", " vs "]) | st.lists(st.sampled_from([",", ";", " and "]), max_size=3),
        },
    ),
)
NAMES = [
    *("game", "edition", "id", "times", "left_out", "date", "players", "decks", "winner", "first_player", "player"),
    *("deck", "won", "draw", "score", "scores", "first", "cards", "reason", "rounds", "turns", "minutes", "note"),
]
entries = st.fixed_dictionaries(
    {},
    optional={
        "is": st.sampled_from(["{player} plays {card}", "{player} draws {count:number}", "{player} wins", "{x}"]),
        "when": st.dictionaries(st.sampled_from(KEYS), words, max_size=2),
        "event": st.sampled_from(["card.moved", "cards.drawn", "game.ended", "turn.started", "nonsense"]),
        "with": st.dictionaries(st.sampled_from(["from", "to", "winner", "player", "by"]), words | st.just("{player}")),
        "skip": st.booleans(),
        "ends": st.booleans(),
    },
)


@st.composite
def written_maps(draw: st.DrawFn) -> dict[str, Any]:
    """Return a map of rows, results, JSON or XML as TOML would give it, sensible or not."""
    shape = draw(st.sampled_from(["rows", "results", "json", "xml"]))
    written = {
        "map": 1,
        "game": draw(st.sampled_from(["tabletop", "splicers"])),
        "shape": shape,
        "id": draw(st.sampled_from(["{file}", "{file}-{n}", "x", "{when}"])),
        **(
            {"rows": draw(st.sampled_from([".", "rows", "who", "rows[0].players"]))}
            if shape in {"json", "xml"} or draw(st.booleans())
            else {}
        ),
        **({"lookup": {"who": draw(st.sampled_from(["rows[id].who", "x[", "a[b].c"]))}} if draw(st.booleans()) else {}),
        **(
            {
                "by_index": {
                    "who": draw(st.sampled_from(["rows[n mod size]", "rows[note - 3].who", "rows[who]", "x[", "n"]))
                }
            }
            if draw(st.integers(0, 3)) == 0
            else {}
        ),
        **({"dates": ["%d.%m.%Y", "%Y-%m-%d %H:%M"]} if draw(st.booleans()) else {}),
    }
    if shape == "results":
        chosen = draw(st.dictionaries(st.sampled_from(NAMES), columns, max_size=8))
        more = st.fixed_dictionaries(
            {},
            optional={
                "group": paths,
                "each": paths,
                "score_of": st.lists(st.sampled_from(KEYS), max_size=3),
                "best": st.sampled_from(["highest", "lowest"]),
                "fill_down": st.lists(paths, max_size=2),
            },
        )
        return {**written, "columns": {**chosen, **draw(more)}}
    keys = {name: draw(paths) for name in ("text", "player", "at") if draw(st.booleans())}
    return {**written, **keys, "line": [{"is": "{player} sits", "seats": True}, *draw(st.lists(entries, max_size=4))]}


def content_of(shape: str, rows: list[dict[str, Any]], *, at_root: bool) -> bytes:
    """Return rows as a document of a shape: CSV, JSON or XML, with the rows at its root or below it."""
    if shape in {"rows", "results"} and at_root:
        sheet = io.StringIO()
        table = csv.writer(sheet)
        table.writerow(KEYS)
        table.writerows([str(row.get(key, "")) for key in KEYS] for row in rows)
        return sheet.getvalue().encode(errors="replace")
    if shape != "xml":
        return json.dumps(rows if at_root else {"rows": rows, "who": "Ann"}).encode()
    root = ET.Element("rows")
    for row in rows:
        attributes = {key: str(value) for key, value in row.items() if str(value).isprintable()}
        ET.SubElement(root, "rows", attributes).text = attributes.get("text")
    return ET.tostring(root)


def outcome_of(written: dict[str, Any], content: bytes) -> str:
    """Return `read`, or why a map or a document is refused; an empty text if a map is refused without a place."""
    try:
        used = read_map(tomlkit.dumps(written), "any.map.toml", vocabulary)
        log = MappedLog("rows.txt", used, content, FileReading(lambda _: None))
        events = [event for batch in log.batches() for _, event in batch]
    except MapError as error:
        return str(error) if str(error).startswith("any.map.toml:") else ""
    except (ForeignError, ZoneError) as error:
        return str(error)
    assert all(isinstance(event, Event) for event in events)
    assert all(entry.message and entry.code for entry in log.entries)
    assert log.steps_left >= 0
    return "read"


@settings(deadline=None, max_examples=200)
@given(written_maps(), st.lists(records(values), max_size=6), st.booleans())
def test_no_map_and_no_document_raises_an_unexpected_error(
    written: dict[str, Any], rows: list[dict[str, Any]], at_root: bool
) -> None:
    """A map is refused in words, or each row gives events or an entry with the reason, within the limit of steps."""
    assert outcome_of(written, content_of(written["shape"], rows, at_root=at_root))


@pytest.mark.parametrize("blank", ["|", "||", "| | |", "\u2502   \u2502"])
def test_a_row_of_strokes_alone_is_no_row(blank: str) -> None:
    """What only looks like a table, as the log of a battle with lines of `|`, is read or refused, and fails nowhere."""
    text = f"| winner | rounds |\n{blank}\n| Ann | 3 |\n"
    assert [row for _, row in table_rows(text)] == [["winner", "rounds"], ["Ann", "3"]]


def test_a_list_of_anything_is_a_text_or_its_beginning() -> None:
    """Numbers and nothing beside objects are no pieces of a text, and no error."""
    assert as_text([{"text": "Ann "}, {"text": "waits"}]) == "Ann waits"
    assert [as_text(each) for each in ([0, {"event": "x"}], [{"text": "Ann waits"}, 5], [None, {"a": 1}])] == [
        "[0, {'event': 'x'}]",
        "[{'text': 'Ann waits'}, 5]",
        "[None, {'a': 1}]",
    ]
