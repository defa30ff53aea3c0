"""What an unknown sheet, JSON or XML document holds: which list has the rows, and which column or key says what."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import chain, count, pairwise
from pathlib import Path
from typing import Any, Final, NamedTuple

from tabletape.events.importing.lines.words import plain
from tabletape.events.importing.maps.documents.chats import CLEAN
from tabletape.events.importing.maps.documents.foreign import EACH_ROW, is_vassal, sheet_rows, turned_rows
from tabletape.events.importing.maps.documents.paths import as_text, value_at
from tabletape.events.importing.maps.documents.records import FILLED_HOLE, cleaned, filled_in, unfolded
from tabletape.events.importing.maps.documents.tables import DONE, WHO, NumberedRow, one_below_the_other, table_rows
from tabletape.events.importing.maps.documents.trees import (
    XML_BEGINNING,
    ForeignError,
    Tree,
    read_json,
    read_xml,
    text_of,
)
from tabletape.events.importing.maps.effort import Effort
from tabletape.events.importing.maps.proposing.column_names import (
    MIN_LIKENESS,
    heading_row_of,
    is_headed,
    likeness,
    named,
    tells_results,
)
from tabletape.events.importing.maps.proposing.phrases import verbs_of_phrases
from tabletape.events.importing.maps.proposing.result_columns import SAMPLE, lists_in, results_in
from tabletape.events.importing.maps.proposing.score_columns import TOTALS, are_games, keys_of, numeric_columns
from tabletape.events.importing.maps.proposing.survey import Survey
from tabletape.events.importing.maps.results.columns import NO, YES
from tabletape.events.importing.maps.results.sheet_rows import SHEET_NAME, UNREAD_SHEET
from tabletape.events.importing.maps.values.times import Clock, zone_called

TEXT: Final = (
    "text",
    "message",
    "body",
    "log",
    "event",
    "action",
    "content",
    "public log",
    "what",
    "description",
    "line",
)

MOST_BESIDE: Final = 8
"""So many columns of a sheet may be those of players."""

MOST_SHOWN: Final = 12
"""How many columns are named of what a file holds."""

AT: Final = ("time", "at", "timestamp", "timestamp ms", "ts", "when", "seconds", "date", "created at", "zeit")
ACTOR_KEYS: Final = ("player", "who", "username", "user", "name", "author", "actor", "spieler", "from", "sender")

NumberedRows = Sequence[tuple[int, Mapping[str, Any]]]


def describe(content: bytes, heading_row: int = 0, players: Sequence[str] = ()) -> Survey:
    """Return what a document holds, nothing where it is no list of rows; `heading_row` names the columns of a sheet.

    `players` are those that somebody has named: columns with scores, or rows, may be called like them.

    Raises `ForeignError` for binary data.
    """
    text = text_of(content)
    shape, root, heading_row, sheet = _document(text, heading_row)
    lists = sorted(lists_in(root, ""), key=lambda described: -len(described[1]))
    results = (results_in(shape, path or ".", rows, root, players) for path, rows in lists)
    turned = (_turned(text, heading_row, players) for _ in range(shape == "rows"))
    beside = (_beside(sheet, players) for _ in range(shape == "rows"))
    actions = (_actions(shape, path or ".", rows, [line for line, _, _ in sheet]) for path, rows in lists)
    seen = next(filter(None, chain(results, turned, beside, actions)), Survey())
    return seen._replace(head={"heading_row": heading_row, **seen.head}) if heading_row and seen.head else seen


def _turned(text: str, heading_row: int, players: Sequence[str]) -> Survey | None:
    """Return the games of a sheet whose columns they are, with the players down; None where that is not sure.

    Rows that add up to a total are what a game is made of, and no players.
    """
    rows = [row for _, _, row in turned_rows(text, heading_row) if not {SHEET_NAME, UNREAD_SHEET} & row.keys()]
    adds_up = not players and any(plain(key) in TOTALS for key in keys_of(rows))
    seen = results_in("rows", ".", rows, rows, players) if rows and are_games(rows) and not adds_up else None
    return seen._replace(head={"turned": True, **seen.head}) if seen else None


def holds_document(content: bytes) -> bool:
    """Return whether a file is a JSON or XML document or plainly a sheet, whatever it says."""
    shape, root, *_ = _document(text := text_of(content))
    return root is not None and (shape in {"json", "xml"} or is_headed(text))


def holds(content: bytes) -> str:
    """Return what a file seems to hold where nothing says who plays or who has won, as a sentence without a stop."""
    shape, root, *_ = _document_of(content)
    longest = max(lists_in(root, ""), key=lambda each: len(each[1]), default=None)
    headings = next((row for _, row in table_rows(text_of(content))), []) if shape == "rows" else []
    if longest is None and tells_results(headings):
        return "it has the headings of a sheet, and no row below them: write one game a row"
    if longest is None:
        nothing = "nothing of it looks like a log of a game: no name begins several of its lines"
        wrong = Tree(content).wrong if root is None and not is_vassal(content) else ""
        return f"{nothing}; as a document {wrong}" if wrong else nothing
    path, rows = longest
    kind = {"rows": "a sheet", "json": "a JSON document", "xml": "an XML document"}[shape]
    many = f"{len(rows):,} rows" if len(rows) > 1 else "1 row"
    where = f" at {path}" if path else ""
    keys = ", ".join(keys_of(rows[:SAMPLE])[:MOST_SHOWN])
    return (
        f"it is {kind} with {many}{where} ({keys}), and nothing says for certain who played and who won, "
        "so no map is proposed"
    )


def ways_on(content: bytes, file: Path) -> str:
    """Return the one option of `tabletape map` that helps with a file of which it is not plain who plays."""
    shape, root, *_ = _document_of(content)
    if root is None:
        return f"`tabletape map {file} --players Ann,Ben` says who plays, `--prefix` what stands before each line"
    if (
        shape == "rows"
        and "winner" not in named(keys_of(root))
        and (len(numeric_columns(root, {})) > 1 or any(map(str.isdigit, keys_of(root))))
    ):
        return (
            f"`tabletape map {file} --players Ann,Ben` names the columns (of numbered games the rows) that have their "
            "scores; in a map `turned = true` says that the columns are games"
        )
    if shape == "rows" and named(keys_of(root)):
        return (
            "add a column with all who played (`Ann, Ben`) and one with who won, or one that tells the games apart "
            "(what only bold letters or colours say is not read)"
        )
    if shape == "rows":
        return f"`tabletape map {file} --heading-row N` says which row names the columns"
    return 'in a map `rows` and `text` say where the log stands, `rows` and `each = "players"` where the results do'


class _Document(NamedTuple):
    """A document: its shape, what it holds, and the row of its headings if it is not the first of several.

    Of a large XML document it is the beginning; there is nothing for others. `sheet` are the rows with their lines.
    """

    shape: str = ""
    root: Any = None
    heading_row: int = 0
    sheet: Sequence[NumberedRow] = ()


def _document_of(content: bytes) -> _Document:
    """Return the document that a file is, as `_document` does; the chat of a Vassal log is none."""
    return _Document() if is_vassal(content) else _document(text_of(content))


def _document(text: str, heading_row: int = 0) -> _Document:
    """Return the document that a text is; of a sheet without the names of the sheets of a workbook."""
    start = text.lstrip()[:1]
    if start not in {"{", "[", "<"}:
        heading_row = heading_row or heading_row_of(text)
        sheet = [each for each in sheet_rows(text, heading_row) if not {SHEET_NAME, UNREAD_SHEET} & each[2].keys()]
        rows = [row for _, _, row in sheet]
        return _Document("rows", rows if any(len(row) > 1 for row in rows) else None, heading_row, sheet)
    try:
        if start != "<":
            return _Document("json", read_json(text))
        return _Document("xml", read_xml(text[:XML_BEGINNING], is_cut=len(text) > XML_BEGINNING))
    except ForeignError:
        return _Document()


# -- actions -----------------------------------------------------------------------------------------------------------


def _beside(rows: Sequence[NumberedRow], players: Sequence[str]) -> Survey | None:
    """Return the cells of columns that are called like players, with what each did in a round; None without such.

    In most of them the first word is one with which those of another column begin, too, and no name, or a verb of every
    table.
    """
    begun: dict[str, list[str]] = {}
    for _, _, row in rows[:SAMPLE]:
        for name, cell in row.items():
            begun.setdefault(name, []).append(str(cell).split(" ")[0].strip(".,;:"))
    shared = Counter(word for words in begun.values() for word in {*words} if word.isalpha() and word.islower())
    verbs = verbs_of_phrases()

    def is_of_player(name: str) -> bool:
        told = sum(shared[word] > 1 or word.casefold() in verbs for word in begun[name])
        return (
            name[:1].isalpha()
            and likeness(name, (*TEXT, *AT, *ACTOR_KEYS)) < MIN_LIKENESS
            and 2 * told > len(begun[name])
        )

    columns = [name for name, words in begun.items() if len(words) > 1 and (is_of_player(name) or name in players)]
    if not 1 < len(columns) <= MOST_BESIDE:
        return None
    cells = [*one_below_the_other(rows, columns)]
    head = {"shape": "rows", "id": "{file}", "rows": ".", "text": DONE, "player": WHO, "beside": columns}
    lines = tuple((number, f"{row[WHO]} {row[DONE]}") for number, _, row in cells)
    others = [name for name in begun if name not in columns]
    return Survey(lines, tuple(columns), head, columns=_cells([(number, row) for number, _, row in cells], others))


def _actions(shape: str, path: str, rows: Sequence[Mapping[str, Any]], numbers: Sequence[int]) -> Survey | None:
    """Return the rows of a log of actions as lines: which key has the words, who acts, and when.

    They have the `numbers` of a sheet; where there are none they are counted from 1.
    """
    unfold = _unfolded(rows[:SAMPLE])
    several = bool(unfold) and len(rows) > 1
    numbered = [
        (n, part) for n, row in zip(numbers or count(1), rows, strict=False) for _, part in unfolded(row, unfold)
    ]
    rows = [part for _, part in numbered]
    keys = list(_paths(rows[0], "")) if rows else []
    for row in rows[1:SAMPLE]:
        keys += [key for key in _paths(row, "") if key not in keys]
    values = {key: [value for row in rows[:SAMPLE] if (value := value_at(row, key)) not in (None, "")] for key in keys}
    texts = [key for key in keys if any(isinstance(each, str) and each.strip() for each in values[key])]
    # A remark beside some rows of a table is no log of what happened in all of them.
    told = [key for key in texts if shape != "rows" or 2 * len(values[key]) >= len(rows[:SAMPLE])]
    if not told:
        return None
    text = max(told, key=lambda key: _as_text(key, values[key]))
    others = [key for key in texts if key != text]
    player = max(others, key=lambda key: _as_who(key, values[key]), default="")
    player = player if player and _as_who(player, values[player]) > 0 else ""
    at = max((key for key in keys if key not in {text, player}), key=_as_time, default="")
    head: dict[str, Any] = {"shape": shape, "id": "{file}", "rows": path, "text": text}
    head |= {"unfold": unfold} if unfold else {}
    fill = _filled_from(rows, text)
    # A list in each of several rows is a game for each, unless its texts are filled in: then a row is a move.
    head |= {"starts": EACH_ROW} if several and shape == "json" and not fill else {}
    head |= {"fill": fill, "clean": [*CLEAN, "tags"]} if fill else {}
    # A text that is filled in says itself who acts.
    head |= {"player": player} if player and not fill else {}
    head |= {"at": at} if at and _as_time(at) >= MIN_LIKENESS else {}
    head |= {"newest_first": True} if "at" in head and _falls([value_at(row, at) for row in rows]) else {}
    lines = list(_lines_told(numbered, head))
    players = tuple(dict.fromkeys(str(each) for each in values.get(player, ())))
    read = tuple(lines[::-1] if "newest_first" in head else lines)
    others = [key for key in keys if key not in {text, player, at}] if shape == "rows" else []
    return Survey(read, players, head, columns=_cells(numbered, others))


def _lines_told(numbered: NumberedRows, head: Mapping[str, Any]) -> Iterator[tuple[int, str]]:
    """Return the lines that rows tell by the head of a map, each with the number of its row and who acts before it."""
    effort = Effort()
    for number, row in numbered:
        message = value_at(row, head["text"])
        message = as_text(message) if isinstance(message, list) else message
        if "fill" in head and isinstance(message, str):
            message = cleaned(filled_in(message, value_at(row, head["fill"]), effort), head["clean"])
        who = value_at(row, head["player"]) if "player" in head else None
        if isinstance(message, str) and message.strip():
            yield number, f"{who} {message.strip()}" if who else message.strip()


def _cells(numbered: NumberedRows, keys: Sequence[str]) -> dict[str, dict[int, str]]:
    """Return what stands under some keys, by the hole that it fills and the number of its row."""
    cells = {
        plain(key).replace(" ", "_"): {n: str(row[key]).strip() for n, row in numbered if row.get(key)} for key in keys
    }
    return {name: value for name, value in cells.items() if value}


def _falls(times: Sequence[Any]) -> bool:
    """Return whether each time that can be read is before the one above it, or the same, and the last is earlier."""
    clock = Clock(zone_called("UTC"), day="2000-01-01")
    read = [moment for each in times if (moment := clock.read(each, datetime(2000, 1, 1, tzinfo=UTC))) is not None]
    return len(read) > 1 and read[0] > read[-1] and all(one >= other for one, other in pairwise(read))


def _filled_from(rows: Sequence[Mapping[str, Any]], text: str) -> str:
    """Return the path, beside that of a text, to what stands for `${name}` in it; nothing where no text has that."""
    named = [(row, match[1]) for row in rows[:SAMPLE] if (match := FILLED_HOLE.search(str(value_at(row, text))))]
    beside = text.rpartition(".")[0]
    keys = [key for row, _ in named[:1] for key in (value_at(row, beside) if beside else row)]
    paths = [f"{beside}.{key}".lstrip(".") for key in keys]
    return next((path for path in paths if all(value_at(row, f"{path}.{name}") is not None for row, name in named)), "")


def _unfolded(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return the key of the list in each row that has the words of a log; nothing where there is none."""
    keys = dict.fromkeys(key for row in rows for key, value in row.items() if _holds_texts(row, value))

    def words(key: str) -> float:
        parts = [part for row in rows for part in row.get(key) or () if isinstance(part, Mapping)]
        inner = {name: [part[name] for part in parts if isinstance(part.get(name), str)] for name in keys_of(parts)}
        return max((_as_text(name, texts) for name, texts in inner.items() if texts), default=0.0)

    return max(keys, key=words, default="")


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
    if not words and _is_id(key):
        return 0.0
    return likeness(key.rpartition(".")[2], TEXT) / 20 + words + min(len({*map(str, values)}), 20) / 10


def _as_who(key: str, values: Sequence[Any]) -> float:
    """Return how much a key looks as if it held the players: called so, few names, often repeated."""
    names = {str(each) for each in values}
    if {name.casefold() for name in names} <= YES | NO:
        return 0.0  # Marks are no names.
    if _is_id(key):
        return 0.0
    if (
        not 1 < len(names) <= 8
        or len(values) < 2 * len(names)
        or any(sum(map(str.isalpha, name)) * 2 < len(name) for name in names)
    ):
        return 0.0
    return likeness(key.rpartition(".")[2], ACTOR_KEYS) + 10.0


def _is_id(key: str) -> bool:
    return plain(re.sub(r"(?<=[a-z])(?=[A-Z])", " ", key)).split()[-1:] in (["id"], ["uuid"])


def _as_time(key: str) -> float:
    return likeness(key.rpartition(".")[2], AT)
