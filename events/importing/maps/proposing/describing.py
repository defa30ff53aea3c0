"""What an unknown sheet, JSON or XML document holds: which list has the rows, and which column or key says what."""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from tabletape.events.importing.lines.words import slug_of
from tabletape.events.importing.maps.documents.chats import date_formats
from tabletape.events.importing.maps.documents.foreign import sheet_rows
from tabletape.events.importing.maps.documents.paths import XmlError, as_text, read_xml, read_xml_beginning, value_at
from tabletape.events.importing.maps.documents.records import unfolded
from tabletape.events.importing.maps.documents.trees import XML_BEGINNING, ForeignError, read_json, text_of
from tabletape.events.importing.maps.proposing.column_names import (
    MIN_LIKENESS,
    REFERENCE,
    heading_row_of,
    is_seat,
    likeness,
    named,
    place_in,
    seats_in,
)
from tabletape.events.importing.maps.proposing.score_columns import TABLE, is_pad, keys_of, score_columns
from tabletape.events.importing.maps.results.ratings import rated_columns
from tabletape.events.importing.maps.results.sheet_rows import HEADING, NOT_READ, SheetRows
from tabletape.events.importing.maps.values.times import FIGURES

SAMPLE: Final = 300
"""How many rows are looked at."""

TEXT: Final = ("text", "message", "log", "event", "action", "content", "public log", "what", "description", "line")
AGAINST: Final = (" vs. ", " vs ", " v. ", " v ", " versus ", " against ", " gegen ", " contre ", " contra ", " x ")
SIGNS: Final = (";", ",", "/", "&", " - ", " \u2013 ", "+")
ANDS: Final = (", and ", " and ", " und ", " et ", " y ", " e ")
"""What parts names in a cell; a word, or a stroke that names may have too, only between blanks."""

_AGAINST: Final = re.compile(f".+(?:{'|'.join(map(re.escape, AGAINST))}).+", re.IGNORECASE)
_TWO_SCORES: Final = re.compile(r"\d{1,4}\s*([-:\u2013])\s*\d{1,4}")

_DAY: Final = re.compile(r"\d{1,4}[./ -]{1,2}(?:\d|[^\W\d_]{3})")

MOST_SHOWN: Final = 12
"""How many columns are named of what a file holds."""

AT: Final = ("time", "at", "timestamp", "when", "seconds", "date", "created at", "zeit")
WHO: Final = ("player", "who", "username", "user", "name", "author", "actor", "spieler", "from", "sender")


class Described(NamedTuple):
    """What a document is: `head` are the keys of a map for it, `texts` its lines with the player in front, numbered.

    Without texts it holds results, which `head` describes wholly. `open_day` is a day of which nothing says whether the
    month stands first.
    """

    head: Mapping[str, Any]
    texts: tuple[tuple[int, str], ...]
    players: tuple[str, ...]
    open_day: str = ""


def describe(content: bytes, heading_row: int = 0) -> Described | None:
    """Return what a document holds, None where it is no list of rows; `heading_row` names the columns of a sheet.

    Raises `ForeignError` for binary data.
    """
    shape, root, heading_row = _document(text_of(content), heading_row)
    lists = sorted(_lists(root, ""), key=lambda found: -len(found[1]))
    results = (_results(shape, path or ".", rows, root) for path, rows in lists)
    actions = (_actions(shape, path or ".", rows) for path, rows in lists)
    found = next(filter(None, (*results, *actions)), None)
    return found._replace(head={"heading_row": heading_row, **found.head}) if found and heading_row else found


def holds(content: bytes) -> str:
    """Return what a file seems to hold where nothing says who plays or who has won, as a sentence without a stop."""
    shape, root, _ = _document(text_of(content))
    found = max(_lists(root, ""), key=lambda each: len(each[1]), default=None)
    if found is None:
        return "nothing of it looks like a log of a game: no name begins several of its lines"
    path, rows = found
    kind = {"rows": "a sheet", "json": "a JSON document", "xml": "an XML document"}[shape]
    where = f" at {path}" if path else ""
    keys = ", ".join(keys_of(rows[:SAMPLE])[:MOST_SHOWN])
    return (
        f"it is {kind} with {len(rows):,} rows{where} ({keys}), and nothing says for certain who played and who won, "
        "so no map is proposed"
    )


def ways_on(content: bytes, file: Path) -> str:
    """Return the one option of `tabletape map` that helps with a file of which it is not plain who plays."""
    shape, root, _ = _document(text_of(content))
    if root is None:
        return f"`tabletape map {file} --players Ann,Ben` says who plays, `--prefix` what stands before each line"
    if shape == "rows" and named(keys_of(root)):
        return "add a column with all who played (`Ann, Ben`) and one with who won, or one that tells the games apart"
    if shape == "rows":
        return f"`tabletape map {file} --heading-row N` says which row names the columns"
    return 'in a map `rows` and `text` say where the log stands, `rows` and `each = "players"` where the results do'


def _document(text: str, heading_row: int = 0) -> tuple[str, Any, int]:
    """Return the shape of a document, what it holds, and the row of its headings if it is not the first of several.

    Of a large XML document it is the beginning; there is nothing for others.
    """
    start = text.lstrip()[:1]
    if start not in {"{", "[", "<"}:
        heading_row = heading_row or heading_row_of(text)
        rows = [row for _, _, row in sheet_rows(text, heading_row) if NOT_READ not in row]
        return "rows", rows if any(len(row) > 1 for row in rows) else None, heading_row
    try:
        if start == "<" and len(text) > XML_BEGINNING:
            return "xml", read_xml_beginning(text[:XML_BEGINNING]), 0
        return ("xml", read_xml(text), 0) if start == "<" else ("json", read_json(text), 0)
    except (XmlError, ForeignError):
        return "", None, 0


def _lists(value: Any, path: str, depth: int = 0) -> Iterator[tuple[str, list[Mapping[str, Any]]]]:
    """Return the lists of objects in a document, at most three keys deep, by their paths."""
    if isinstance(value, list) and value and all(isinstance(each, Mapping) for each in value):
        yield path, value
        if len(value) == 1:
            yield from _lists(value[0], f"{path}[0]", depth + 1)
    elif isinstance(value, Mapping) and depth < 3:
        for key, inner in value.items():
            yield from _lists(inner, f"{path}.{key}".lstrip("."), depth + 1)


# -- results -----------------------------------------------------------------------------------------------------------


def _results(shape: str, path: str, rows: Sequence[Mapping[str, Any]], root: Any) -> Described | None:
    """Return the columns of results; None where nothing says who won."""
    sample = [row for _, _, row in SheetRows(()).games((0, "", row) for row in rows[:SAMPLE])]
    outer = _grouped(sample, named([key for key in keys_of(sample) if key != HEADING]))
    columns = _seats(sample)
    if not columns and "won" in outer and "group" in outer and "player" in outer:
        columns = {name: outer[name] for name in ("group", "player", "deck", "score", "first") if name in outer}
        columns["won"] = _won(sample, outer["won"])
    elif not columns and "winner" in outer and "loser" in outer:
        columns = {"players": [outer["winner"], outer["loser"]], "winner": outer["winner"]}
    elif not columns and "winner" in outer and (several := _several(sample, outer)):
        columns = {name: outer[name] for name in ("winner", "decks", "first_player", "scores") if name in outer}
        columns |= {name: _split(sample, columns[name]) for name in ("winner", "decks", "scores") if name in columns}
        columns = {"players": several, **columns}
    if not columns and shape == "rows":
        columns = _ranked(sample) or _with_scores(sample, outer)
    pad = shape == "rows" and "date" not in outer and is_pad(rows[:SAMPLE])
    if not columns and "player" not in outer and (scored := score_columns(shape, sample, outer)):
        columns = {"score_of": scored} | ({"winner": outer["winner"]} if "winner" in outer else {"best": "highest"})
        columns |= {"sums": True} if pad else {}
    if not columns:
        return None
    lookup = _lookup(root, [str(value) for value in (*columns.values(), *outer.values())])
    for name in ("date", "game", "edition", "turns", "rounds", "minutes", "reason", "note"):
        if name in outer and outer[name] not in columns.values():
            columns[name] = _counted(sample, outer[name]) if name in {"turns", "rounds", "minutes"} else outer[name]
    columns |= _above(sample, columns)
    columns |= _said(sample, columns, outer) if shape == "rows" else {}
    if columns.get("feedback", {}).get("text") in {columns.get("note"), ""}:
        columns.pop("note", None)
    head: dict[str, Any] = {"shape": "results", "id": "{file}-{n}"}
    head |= {"rows": path} if shape != "rows" else {}
    days = [str(row.get(outer["date"], "")) for row in sample] if "date" in outer else []
    formats = date_formats(days)
    head |= {"dates": formats[0]} if formats else {}
    open_day = "" if formats else next((day for day in days if FIGURES.fullmatch(day)), "")
    return Described(head | ({"lookup": lookup} if lookup else {}) | {"columns": columns}, (), (), open_day)


def _said(rows: Sequence[Mapping[str, Any]], columns: Mapping[str, Any], outer: Mapping[str, str]) -> dict[str, Any]:
    """Return the columns of a form in which players rate the game, and who does, where that is not who played."""
    listed = [each for column in columns.values() for each in (column if isinstance(column, list) else [column])]
    taken = {str(each["column"] if isinstance(each, Mapping) else each) for each in listed}
    found = rated_columns(rows, {*taken, HEADING} - {columns.get("note", "")})
    if not found:
        return {}
    by = {"by": outer["player"]} if "player" in outer and outer["player"] not in taken else {}
    return {"feedback": found} | by


def _ranked(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the columns that are headed by places and name who took them: 1. Platz, 2nd, 3e place."""
    places = sorted((place, key) for key in keys_of(rows) if (place := place_in(key)))
    names = [key for _, key in places]
    if len(names) < 2 or [place for place, _ in places] != [*range(1, len(names) + 1)]:
        return {}
    return {"players": names, "winner": names[0], "ranked": True}


def _with_scores(rows: Sequence[Mapping[str, Any]], outer: Mapping[str, str]) -> dict[str, Any]:
    """Return the columns where each player has one beside another with the score, or a cell is `Ann vs Ben`, `2-1`."""
    keys = [key for key in keys_of(rows) if key != HEADING]
    pairs = seats_in(keys)
    if len(pairs) > 1:
        columns: dict[str, Any] = {"players": [key for key, _ in pairs], "scores": [score for _, score in pairs]}
        return columns | ({"winner": outer["winner"]} if "winner" in outer else {"best": "highest"})
    texts = {key: [str(row[key]) for row in rows if row.get(key) not in (None, "")] for key in keys}
    who = next((key for key in keys if _mostly(_AGAINST, texts[key])), "")
    score = next((key for key in keys if _mostly(_TWO_SCORES, texts[key])), "")
    if not (who and score):
        return {}
    signs = sorted({found[1].strip() for text in texts[score] if (found := _TWO_SCORES.fullmatch(text.strip()))})
    split = {"column": score, "split": signs if len(signs) > 1 else signs[0]}
    return {"players": _split(rows, who), "scores": split, "best": "highest"}


def _mostly(pattern: re.Pattern[str], texts: Sequence[str]) -> bool:
    """Return whether nearly all texts look so."""
    return bool(texts) and sum(pattern.fullmatch(text.strip()) is not None for text in texts) >= TABLE * len(texts)


def _above(rows: Sequence[Mapping[str, Any]], columns: Mapping[str, Any]) -> dict[str, Any]:
    """Return the columns that are written once for several rows, and the day where it stands in headings."""
    found: dict[str, Any] = {}
    once = [str(columns[name]) for name in ("date", "game", "edition") if isinstance(columns.get(name), str)]
    down = [key for key in once if rows[0].get(key) and any(not row.get(key) for row in rows)]
    headings = [str(row[HEADING]) for row in rows if row.get(HEADING)]
    if headings and all(_DAY.search(text) for text in headings):
        found["date"] = [columns["date"], HEADING] if "date" in columns else HEADING
        down = [key for key in down if key != columns.get("date")]
    return found | ({"fill_down": down} if down else {})


def _seats(sample: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the columns of rows that hold a list of players; nothing where no such list says who won."""
    for path in [key for row in sample[:1] for key, _ in _lists(row, "")]:
        seats = [seat for row in sample for seat in value_at(row, path) or () if isinstance(seat, Mapping)]
        own = named(keys_of(seats))
        if {"won", "winner"} & set(own):
            columns = {"each": path, "won": own.get("won") or own["winner"]}
            columns |= {name: own[name] for name in ("player", "deck", "score", "first") if name in own}
            return columns | ({"first": own["first_player"]} if "first_player" in own else {})
    return {}


def _lookup(root: Any, keys: Sequence[str]) -> dict[str, str]:
    """Return what the numbers of some keys stand for: `playerRefId` is the `name` of one of the `players`."""
    found = {}
    for key in keys:
        named = REFERENCE.fullmatch(key)
        listed = value_at(root, f"{named[1]}s") if named else None
        if named and isinstance(listed, list) and listed and isinstance(listed[0], Mapping) and "name" in listed[0]:
            found[key] = f"{named[1]}s[id].name"
    return found


def _won(rows: Sequence[Mapping[str, Any]], key: str) -> Any:
    """Return the column that says who won, with the word that says so where it is none of the usual ones."""
    texts = {str(row.get(key, "")).strip() for row in rows} - {""}
    win = [text for text in texts if text.casefold().startswith(("win", "won", "sieg"))]
    return {"column": key, "is": win[0]} if len(texts) > 1 and len(win) == 1 else key


def _counted(rows: Sequence[Mapping[str, Any]], key: str) -> Any:
    """Return a column of numbers; a game of no minutes or of -1 turns is one of which nobody wrote them down."""
    none = sorted({str(row[key]) for row in rows if str(row.get(key)) in {"0", "-1"}})
    return {"column": key, "none": none} if none else key


def _split(rows: Sequence[Mapping[str, Any]], key: str) -> Any:
    """Return a column with the signs that part its names; there may be several for who played against whom."""
    texts = [str(text).casefold() for row in rows if (text := row.get(key))]
    against, signs, ands = (
        [sign for sign in listed if any(sign in text for text in texts)] for listed in (AGAINST, SIGNS, ANDS)
    )
    # A comma and the "and" before the last name are written together; of other signs one parts names.
    found = against or (signs[:1] + ands if signs[:1] in ([], [","]) else signs[:1])
    return {"column": key, "split": found if len(found) > 1 else found[0]} if found else key


def _grouped(rows: Sequence[Mapping[str, Any]], outer: dict[str, str]) -> dict[str, str]:
    """Return the keys with `game` as the `group` where it numbers the games, several rows each: 1, 1, 2, 2."""
    numbers = [str(row.get(outer.get("game", ""), "")) for row in rows]
    if (
        {"won", "player"} <= set(outer)
        and "group" not in outer
        and all(each.isdigit() and numbers.count(each) > 1 for each in numbers)
    ):
        outer["group"] = outer.pop("game")
    return outer


def _several(rows: Sequence[Mapping[str, Any]], outer: Mapping[str, str]) -> Any:
    """Return the column or columns that say who played: one with several names, or one for each player."""
    numbered = [_name_in(rows, key) for key in keys_of(rows) if is_seat(key)]
    if len(numbered) > 1:
        return numbered
    if "players" in outer:
        return _split(rows, outer["players"])
    found = _split(rows, outer["player"]) if "player" in outer else None
    return found if isinstance(found, dict) else None


def _name_in(rows: Sequence[Mapping[str, Any]], key: str) -> str:
    """Return the path to the name of a player: the key itself, or what is called so in the object that stands there."""
    found: Mapping[str, Any] = next((row[key] for row in rows if isinstance(row.get(key), Mapping)), {})
    inner = named(list(found)).get("player", "")
    return f"{key}.{inner}" if inner else key


# -- actions -----------------------------------------------------------------------------------------------------------


def _actions(shape: str, path: str, rows: Sequence[Mapping[str, Any]]) -> Described | None:
    """Return the rows of a log of actions as lines: which key has the words, who acts, and when."""
    unfold = next((key for row in rows[:SAMPLE] for key, value in row.items() if _holds_texts(row, value)), "")
    numbered = [(number, part) for number, row in enumerate(rows, 1) for _, part in unfolded(row, unfold)]
    rows = [part for _, part in numbered]
    keys = list(_paths(rows[0], "")) if rows else []
    for row in rows[1:SAMPLE]:
        keys += [key for key in _paths(row, "") if key not in keys]
    values = {key: [found for row in rows[:SAMPLE] if (found := value_at(row, key)) not in (None, "")] for key in keys}
    texts = [key for key in keys if any(isinstance(each, str) and each.strip() for each in values[key])]
    if not texts:
        return None
    text = max(texts, key=lambda key: _as_text(key, values[key]))
    others = [key for key in texts if key != text]
    player = max(others, key=lambda key: _as_who(key, values[key]), default="")
    player = player if player and _as_who(player, values[player]) > 0 else ""
    at = max((key for key in keys if key not in {text, player}), key=_as_time, default="")
    head: dict[str, Any] = {"shape": shape, "id": "{file}", "rows": path, "text": text}
    head |= {"unfold": unfold} if unfold else {}
    head |= {"player": player} if player else {}
    head |= {"at": at} if at and _as_time(at) >= MIN_LIKENESS else {}
    lines = []
    for number, row in numbered:
        message = value_at(row, text)
        message = as_text(message) if isinstance(message, list) else message
        who = value_at(row, player) if player else None
        if isinstance(message, str) and message.strip():
            lines.append((number, f"{who} {message.strip()}" if who else message.strip()))
    players = tuple(dict.fromkeys(str(each) for each in values.get(player, ())))
    return Described(head, tuple(lines), players)


def _holds_texts(row: Mapping[str, Any], value: Any) -> bool:
    """Return whether a value of a row is a list of texts with what belongs to each, and not the pieces of one text."""
    if not (isinstance(value, list) and value and isinstance(value[0], Mapping)):
        return False
    pieces = as_text(value)
    return all(each is value or not each or as_text(each) != pieces for each in row.values())


def _paths(row: Mapping[str, Any], path: str, depth: int = 0) -> Iterator[str]:
    """Return the paths to the single values of a row, at most two keys deep."""
    for key, value in row.items():
        if isinstance(value, Mapping) and depth < 2:
            yield from _paths(value, f"{path}{key}.", depth + 1)
        elif not isinstance(value, list | Mapping):
            yield f"{path}{key}"


def _as_text(key: str, values: Sequence[Any]) -> float:
    """Return how much a key looks as if it held the words of a log: called so, and several words long."""
    words = sum(min(str(each).count(" "), 6) for each in values) / max(len(values), 1)
    return likeness(key.rpartition(".")[2], TEXT) / 20 + words + min(len({*map(str, values)}), 20) / 10


def _as_who(key: str, values: Sequence[Any]) -> float:
    """Return how much a key looks as if it held the players: called so, few names, often repeated."""
    names = {str(each) for each in values}
    if not 1 < len(names) <= 8 or len(values) < 2 * len(names) or any(slug_of(name).isdigit() for name in names):
        return 0.0
    return likeness(key.rpartition(".")[2], WHO) + 10.0


def _as_time(key: str) -> float:
    return likeness(key.rpartition(".")[2], AT)
