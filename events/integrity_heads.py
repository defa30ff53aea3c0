"""The check of the heads: all rows are there that they cover, as they were, and no others."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

import msgspec
import sqlalchemy as sa

from events.heads import BEFORE_ALL, COVERED, Digests, Head, digest_of_parts, head_hash
from events.integrity_rows import Damage, damage, each_row, tuples
from events.log import Log
from events.log_tables import HEAD, METADATA, RAW_PART

COUNTED_BY: Final = {"quarantine": "intake"}
"""The number by which the rows of a table belong to a head, where it is not their own."""


def head_damages(log: Log, kept: Iterable[str] = ()) -> Iterator[Damage]:
    """Compute every head again; `kept` are heads (hexadecimal) of somebody that have to be among them."""
    proven: set[str] = set()
    with log.reading() as connection:
        heads = [Head(*row) for row in tuples(connection, HEAD)]
        before: Head | None = None
        whole = True
        for place, head in enumerate(heads, 1):
            found = [*_chained(before, head, place), *_covered(connection, before, head)]
            yield from found
            whole = whole and not found
            if whole:
                proven.add(head.hash.hex())
            before = head
        yield from _behind(connection, before)
        yield from _orphans(connection)
    for each in kept:
        if each.lower() not in proven:
            known = any(each.lower() == head.hash.hex() for head in heads)
            why = "something that it covers was changed" if known else "what it stood for was changed or taken away"
            yield damage("head", f"the head {each} is not the head of this log any more: {why}")


def _chained(before: Head | None, head: Head, place: int) -> Iterator[Damage]:
    """Find a head that does not follow from the one before it."""
    if head.number != place:
        yield damage("head", f"a head is missing before the head {head.number}")
    if head.hash != head_hash(before.hash if before else BEFORE_ALL, head[:-1]):
        yield damage("head", f"the head {head.number} does not follow from the one before it: one of them was altered")


def _covered(connection: sa.Connection, before: Head | None, head: Head) -> Iterator[Damage]:
    """Find the tables in which the rows of a head are not those that were written."""
    digests = Digests()
    for table in COVERED:
        for row in _between(connection, table, _reach(before, table), _reach(head, table)):
            digests.add(table, row)
    written: Mapping[str, Any] = msgspec.json.decode(head.digests)
    for table, digest in digests.hex().items():
        if written.get(table) != digest:
            first, last = (_reach(before, table) or 0) + 1, _reach(head, table)
            span = f"{first} to {last}" if first < (last or 0) else str(last)
            of = "lines of the intake" if table in COUNTED_BY else "row"
            message = f"`{table}`, {of} {span}: not as written on {head.recorded_at} (head {head.number})"
            yield damage("head", message)


def _reach(head: Head | None, table: str) -> int | None:
    return None if head is None else int(getattr(head, COUNTED_BY.get(table, table)))


def _between(connection: sa.Connection, name: str, after: int | None, upto: int | None) -> Iterator[list[Any]]:
    """Return the rows of a table behind one reach and up to another; a raw file with the digest of its parts."""
    number = COUNTED_BY.get(name, "number")
    bounds = [f"{number} > {after}"] * (after is not None) + [f"{number} <= {upto}"] * (upto is not None)
    for row in each_row(connection, METADATA.tables[name], where=" AND ".join(bounds) or "1 = 1"):
        more = [digest_of_parts(_parts(connection, row.number))] if name == "raw_file" else []
        yield [*row, *more]


def _parts(connection: sa.Connection, raw_file: int) -> list[bytes]:
    where = f"raw_file = {int(raw_file)}"
    return [row.content for row in each_row(connection, RAW_PART, ("content",), where=where, order="number")]


def _behind(connection: sa.Connection, last: Head | None) -> Iterator[Damage]:
    """Find rows that were written without a head."""
    for table in COVERED:
        if any(True for _ in _between(connection, table, _reach(last, table), None)):
            yield damage("added", f"the table `{table}` has rows that no head covers: they were put in from outside")


def _orphans(connection: sa.Connection) -> Iterator[Damage]:
    """Find parts of raw files that belong to none."""
    files = {row.number for row in each_row(connection, METADATA.tables["raw_file"], ("number",))}
    if any(row.raw_file not in files for row in each_row(connection, RAW_PART, ("raw_file",))):
        yield damage("added", "the table `raw_part` has parts of a raw file that is not there")
