"""Foreign files as a map reads them: text, sheets, JSON, XML and zipped Vassal logs become records or rows."""

import io
import zipfile
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import islice
from typing import Any, Final

import msgspec

from tabletape.events.importing.files.sources import MAX_FOREIGN, WORKBOOKS
from tabletape.events.importing.games.heads import SEATS
from tabletape.events.importing.maps.documents.chat_pages import is_chat_page, page_lines
from tabletape.events.importing.maps.documents.paths import PathDocument, value_at
from tabletape.events.importing.maps.documents.prose import numbered_lines
from tabletape.events.importing.maps.documents.records import Record, row_records, text_records
from tabletape.events.importing.maps.documents.tables import one_below_the_other, table_rows
from tabletape.events.importing.maps.documents.trees import ForeignError, Tree, in_utf8, text_of
from tabletape.events.importing.maps.effort import Effort, EffortError
from tabletape.events.importing.maps.map import Map, pause_of
from tabletape.events.importing.maps.matching import Entries, agrees
from tabletape.events.importing.maps.results.reading import ResultsReader
from tabletape.events.importing.maps.results.rows import are_of_other_games
from tabletape.events.importing.maps.results.sheet_rows import COLUMN, HEADING, ROWS, SHEET_NAME, UNREAD_SHEET
from tabletape.events.importing.maps.seating import named_in
from tabletape.events.importing.maps.sentence import Matcher
from tabletape.events.importing.maps.values.times import Clock
from tabletape.events.importing.sheets.headings import results_named
from tabletape.events.importing.sheets.joined_sheets import LEFT_OUT, SHEET
from tabletape.events.importing.sheets.workbooks import Workbook
from tabletape.events.vocabulary.open_games import TABLETOP, open_games

MOST_TRIED: Final = 4000
"""How many rows of a document are looked at for those with a text that show which map fits."""

EACH_ROW: Final = "(row)"
"""What a game `starts` with where each row of a document is one."""

MOST_COLUMNS: Final = 300
"""The most columns that a table may have: each of its rows is read whole."""


def document_of(used: Map, content: bytes, tree: Tree | None = None) -> PathDocument:
    """Return the document that a map of rows, results, JSON or XML reads; `tree` is the content, if it was looked at.

    Raises `ForeignError` where it is none.
    """
    written, tree = used.written, tree or Tree(content)
    if tree.shape:
        return PathDocument(tree.root, written.lookup, by_index=written.by_index)
    if written.shape in {"json", "xml"}:
        raise ForeignError(f"the file is no {written.shape.upper()}")
    read = turned_rows if written.turned else sheet_rows
    rows = list(read(text_of(content), written.heading_row))
    rows = [*one_below_the_other(rows, written.beside)] if written.beside else rows
    return PathDocument([row for _, _, row in rows], {}, lines=tuple((line, place) for line, place, _ in rows))


def for_content(used: Map, tree: Tree) -> Map:
    """Return a map as it reads a content: where its sentences stand in a document, if that is what it is."""
    for part, starts in zip(used.written.documents, used.document_starts, strict=True):
        first = next(PathDocument(tree.root, {}).rows(part.rows), None) if tree.shape == part.shape else None
        told = part.unfold or (part.text if isinstance(part.text, str) else part.text[-1])
        if first is not None and value_at(first[2], told) is not None:
            written = msgspec.structs.replace(used.written, **msgspec.structs.asdict(part))
            return used._replace(written=written, starts=starts)
    return used


def sheet_rows(text: str, heading_row: int = 0) -> Iterator[tuple[int, str, dict[str, Any]]]:
    """Return the rows of a sheet as column → value, each with its line and place; blank ones are passed over.

    The first row with several cells names the columns (or the row `heading_row`), also where it comes again; one that
    it does not name, or names like another, has its number. A row of one cell is a heading, unless its sheet or its
    column has no other cells: it stands under `HEADING` in the rows below it, and by itself. So does the name of a
    sheet of a workbook; each sheet has its own columns.
    Raises `ForeignError` where the text is no sheet.
    """
    names: list[str] = []
    heads: list[str] = []
    heading: dict[str, Any] = {}
    sheet, above = "", 0
    rows = [*table_rows(text)]
    alone = _lone_cells(rows)
    for line, row in rows:
        filled = [cell for cell in row if cell]
        place = f"{sheet}row {line - above}"
        if filled[0].startswith(SHEET):
            names, above, heading = [], line, {HEADING: filled[0][1:]}
            sheet = f"[{filled[0][1:]}] "
            yield line, place, {SHEET_NAME: filled[0][1:], **heading}
        elif filled[0].startswith(LEFT_OUT):
            yield line, place, {UNREAD_SHEET: filled[0][1:], ROWS: "".join(filled[1:])}
        elif not names and line - above < heading_row:
            yield line, place, {HEADING: " ".join(filled)}
        elif line in alone and (not names or (len(names) > 2 and alone[line])):
            heading = {HEADING: filled[0]}
            yield line, place, heading
        elif not names:
            _require_narrow(filled)
            names, heads = _columns_of(results_named(row)), row
        elif row != heads:
            every = (*names, *(f"(column {place})" for place in range(len(names) + 1, len(row) + 1)))
            yield line, place, {name: cell for name, cell in zip(every, row, strict=False) if cell} | heading


def _lone_cells(rows: Iterable[tuple[int, Sequence[str]]]) -> Mapping[int, bool]:
    """Return the lines of the rows of one cell, in sheets that have others: whether it is a heading below the names.

    That it is at the left edge, unless such a word stands there in rows of several cells, too: `Ann` below winners.
    """
    headings: dict[int, bool] = {}
    alone: dict[int, str] = {}
    beside: set[str] = set()
    for line, row in (*rows, (0, [SHEET])):
        if row[0].startswith((SHEET, LEFT_OUT)):
            is_heading = {
                each: bool(cell) and (cell not in beside or cell[-1].isdigit()) for each, cell in alone.items()
            }
            headings |= is_heading if beside else {}
            alone, beside = {}, set()
        elif sum(map(bool, row)) == 1:
            alone[line] = row[0]
        else:
            beside.add(row[0])
    return headings


def turned_rows(text: str, heading_row: int = 0) -> Iterator[tuple[int, str, dict[str, Any]]]:
    """Return the columns of a sheet as `sheet_rows` does its rows, where they are the games, numbered in their order.

    What stands in a row is named by its first cell; the heading of a column stands under `COLUMN`.
    """
    before = 0
    for sheet, above, lines in _sheets(text):
        if sheet.startswith(LEFT_OUT):
            yield before + 1, sheet[1:], {UNREAD_SHEET: sheet[1:], ROWS: "".join(lines[0][1][1:])}
            continue
        if sheet:
            yield before + 1, sheet, {SHEET_NAME: sheet, HEADING: sheet}
        named = [(line, row) for line, row in lines if line - above >= heading_row and sum(map(bool, row)) > 1]
        _require_narrow({place for _, row in named for place, cell in enumerate(row[1:]) if cell})
        longest = max((len(row) for _, row in named), default=0)
        heads = [*named[0][1], *[""] * (longest - len(named[0][1]))] if named else []
        columns: list[dict[str, Any]] = [{} for _ in heads]
        for line, row in named[1:]:
            name = row[0] if row[0] and row[0] not in columns[0] else f"{row[0]} (row {line - above})".strip()
            columns[0][name] = name
            for column, cell in zip(columns[1:], row[1:], strict=False):
                column.update({name: cell} if cell else {})
        heading = {HEADING: sheet} if sheet else {}
        for number, head in enumerate(heads[1:], 2):
            if head or columns[number - 1]:
                place = f"{f'[{sheet}] ' if sheet else ''}column {number}"
                yield before + number, place, {COLUMN: head or place, **columns[number - 1], **heading}
        before += len(heads)


def _columns_of(row: Sequence[str]) -> list[str]:
    """Return how the columns below a row are called: two of one heading are not the same."""
    columns: list[str] = []
    before = {""}
    for place, name in enumerate(row, 1):
        columns.append(name if name not in before else f"{name} (column {place})".strip())
        before.add(name)
    return columns


def _require_narrow(filled: Collection[object]) -> None:
    """Raise `ForeignError` where a table has more columns with something in them than are read."""
    if (columns := len(filled)) > MOST_COLUMNS:
        wide = f"the table has {columns:,} columns, and {MOST_COLUMNS} at most are read"
        raise ForeignError(f"{wide}: take away those that say nothing of the games")


def _sheets(text: str) -> list[tuple[str, int, list[tuple[int, list[str]]]]]:
    """Return each sheet: its name if there are several, the line above it, its rows. Raises `ForeignError`."""
    sheets: list[tuple[str, int, list[tuple[int, list[str]]]]] = []
    for line, row in table_rows(text):
        if row[0].startswith((SHEET, LEFT_OUT)):
            sheets.append((row[0].removeprefix(SHEET), line, []))
        if not row[0].startswith(SHEET):
            sheets = sheets or [("", 0, [])]
            sheets[-1][2].append((line, row))
    return sheets


def is_vassal(content: bytes) -> bool:
    """Return whether a file is a zipped Vassal log or saved game."""
    if not content.startswith(b"PK\x03\x04"):
        return False
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as packed:
            return "savedGame" in packed.namelist()
    except zipfile.BadZipFile:
        return False


def sheet_of(content: bytes) -> bytes:
    """Return a workbook as CSV, as a map reads it; other files as they are. Raises `NotALogError` for a damaged one."""
    if not content.startswith(WORKBOOKS) or is_vassal(content):
        return content
    with Workbook(io.BytesIO(content)) as book:
        return book.as_csv()


def vassal_lines(content: bytes) -> list[str]:
    """Return the lines of the chat of a Vassal log.

    Its `savedGame` is `!VCSK`, two hexadecimal digits of a key, and pairs of digits XOR the key; since Vassal 3.8 it is
    `VOBS`, a byte as the key, and bytes XOR the key. Commands are separated by ESC, `LOG` TAB `CHAT` begins a line of
    the chat. Raises `ForeignError` where it is damaged or too large.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as packed, packed.open("savedGame") as member:
            saved = member.read(MAX_FOREIGN + 1)
    except (zipfile.BadZipFile, KeyError, OSError, RuntimeError) as error:
        raise ForeignError(f"the Vassal log is damaged: {error}") from None
    if len(saved) > MAX_FOREIGN:
        raise ForeignError(f"the Vassal log is larger than {MAX_FOREIGN >> 20} MB")
    if saved.startswith(b"VOBS"):
        key = saved[4] if len(saved) > 4 else 0
        saved = saved[5:].translate(bytes(each ^ key for each in range(256)))
    elif saved.startswith(b"!VCSK"):
        try:
            key = int(saved[5:7], 16)
            saved = bytes(each ^ key for each in bytes.fromhex(saved[7:].decode("ascii")))
        except ValueError:
            raise ForeignError("the Vassal log is damaged: it is not in its hexadecimal code") from None
    lines = []
    for command in saved.decode("utf-8", errors="replace").split("\x1b"):
        _, mark, talk = command.partition("CHAT")
        if mark and command.lstrip().startswith(("LOG", "CHAT")):
            lines.append(talk.replace("\\\t", "\t").strip().removeprefix("*").strip())
    return lines


def lines_of(content: bytes) -> list[str]:
    """Return the lines of a text, those of the chat of a Vassal log, or of a chat that is kept as a page."""
    if is_vassal(content):
        return vassal_lines(content)
    text = text_of(content)
    return page_lines(text) if is_chat_page(content) else text.splitlines()


def records_of(used: Map, content: bytes, effort: Effort | None = None) -> tuple[list[Record], PathDocument | None]:
    """Return the records of a file as a map sees them, and the document that they are in, if they are in one.

    Raises `ForeignError` where the file is not of the map's shape.
    """
    document, effort = None, effort or Effort()
    if used.written.shape == "lines":
        records = list(text_records(numbered_lines(lines_of(content), prose=used.written.prose).items(), used, effort))
    else:
        document = document_of(used, content)
        records = list(row_records(document, used, effort))
    return (records[::-1] if used.written.newest_first else records), document


def games_of(used: Map, records: Sequence[Record], clock: Clock, effort: Effort) -> Iterator[list[Record]]:
    """Return the records of one game after the other; those before the first start belong to the first game."""
    begins = _starts(used, clock, effort)
    game: list[Record] = []
    # Where games are told apart by pauses, the first record begins one.
    started, before = bool(used.written.gap) or used.written.after_end, False
    last: Record | None = None
    for record in records:
        here = begins(last, record)
        if here and not before and started:
            yield game
            game = []
        started, before, last = started or here, here, record
        game.append(record)
    if game:
        yield game


def _starts(used: Map, clock: Clock, effort: Effort) -> Callable[[Record | None, Record], bool]:
    """Return what says whether a game begins with a record; several such records in a row begin one game."""
    written = used.written
    if isinstance(written.starts, dict):
        when = written.starts
        return lambda _, record: agrees(record.row, when)
    if written.starts == EACH_ROW:
        return lambda last, record: last is None or last.line != record.line
    if used.starts:
        matchers = [Matcher(each, None, written.words, effort) for each in used.starts]
        return lambda _, record: _fits_any(matchers, record)
    if written.after_end:
        ends = [
            Matcher(each, None, written.words, effort)
            for line in used.lines
            if line.entry.ends
            for each in line.sentences
        ]
        return lambda last, _: last is not None and _fits_any(ends, last)
    pause = pause_of(written.gap)
    if pause is not None:
        return _pauses(clock, pause)
    return lambda _last, _record: False


def _fits_any(matchers: Sequence[Matcher], record: Record) -> bool:
    """Return whether a record is one of some sentences; one that takes too long is none."""
    try:
        return any(each.match(record.text.strip()) is not None for each in matchers)
    except EffortError:
        return False


def _pauses(clock: Clock, pause: timedelta) -> Callable[[Record | None, Record], bool]:
    """Return what says whether so long a pause is between two records; the time of each is read once."""
    before: list[datetime | None] = [None]

    def paused(_last: Record | None, record: Record) -> bool:
        then, now = before[0], clock.read(record.at)
        before[0] = now
        return then is not None and now is not None and now - then > pause

    return paused


def is_of_shape(used: Map, tree: Tree) -> bool:
    """Return whether a map may read a file at all: JSON is no text, and the players of a text are all there."""
    try:
        tree = _in_utf8(used, tree)
        written = for_content(used, tree).written
        if written.shape != "lines" or is_vassal(tree.content):
            return True
        there = named_in(text_of(tree.beginning), written.players, Effort()) if written.players else []
        return tree.shape != "json" and len(there) == min(len(written.players), len(SEATS))
    except ForeignError:
        return False


def _in_utf8(used: Map, tree: Tree) -> Tree:
    """Return a file as a map has it in its encoding. Raises `ForeignError` where it is not in that."""
    return Tree(in_utf8(tree.content, used.written.encoding)) if used.written.encoding else tree


def fits(used: Map, tree: Tree, sample: int = 400) -> float:
    """Return how well a map fits a file, between 0 and 1: the share of its first lines that the map understands.

    A map of games that start with a certain line fits no file without such a line.
    """
    try:
        if not is_of_shape(used, tree):
            return 0.0
        tree = _in_utf8(used, tree)
        used = for_content(used, tree)
        # A sheet or a text shows what it is by its beginning; a document has to be read whole.
        whole = is_vassal(tree.content) or (tree.shape and used.written.shape != "lines")
        content = tree.content if whole else tree.beginning
        if used.written.columns is not None:
            results = ResultsReader(document_of(used, content, tree), used.written)
            slug, is_own = used.written.game, used.written.game in open_games() and used.written.game != TABLETOP.slug
            is_other = is_own and used.written.columns.game and are_of_other_games([*results.games()], slug)
            return 0.0 if is_other else results.fit()
        return _understood(used, _first_records(used, content, tree)[:sample])
    except ForeignError:
        return 0.0


def _first_records(used: Map, content: bytes, tree: Tree) -> list[Record]:
    """Return the records with a text at the beginning of a file, those of a map without words whatever they hold."""
    if used.written.shape == "lines":
        return [each for each in islice(records_of(used, content)[0], MOST_TRIED) if each.text]
    of_text = bool(used.written.text)
    records = row_records(document_of(used, content, tree), used, Effort())
    first = [each for each in islice(records, MOST_TRIED) if each.text or not of_text]
    return first if of_text or _are_all_there(used, first) else []


def _understood(used: Map, records: Sequence[Record]) -> float:
    """Return the share of records that an entry fits, up to the end of a game: behind it may stand anything.

    It is 0 where no record is the line that a game starts with, or says anything. What is kept as it was said, any
    line of any game, is not understood.
    """
    effort = Effort()
    starts = [Matcher(each, None, used.written.words, effort) for each in used.starts]
    if starts and used.written.starts != EACH_ROW and not any(_fits_any(starts, each) for each in records):
        return 0.0
    entries, fits, says = Entries(used, None), [], False
    for each in records:
        fit = entries.fit(each, below=True)
        fits.append(fit is not None and fit.line.entry.event != "log.gap")
        says = says or (fit is not None and fits[-1] and not fit.line.entry.skip)
        if fit is not None and fit.line.entry.ends:
            break
    return sum(fits) / len(fits) if fits and says else 0.0


def _are_all_there(used: Map, records: Sequence[Record]) -> bool:
    """Return whether each value that a map without words takes from a list is there in one of some records."""
    names = used.written.by_index
    return bool(names) and all(any(each.row.get(name) is not None for each in records) for name in names)
