"""The check of the heads: all rows are there that they cover, as they were, and no others."""

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec
import sqlalchemy as sa

from tabletape.events.log import Log
from tabletape.events.log.heads import BEFORE_ALL, COVERED_TABLES, Cover, Digests, Head, digest_of_parts, head_hash
from tabletape.events.log.integrity.rows import Damage, damage, each_row, tuples
from tabletape.events.log.tables import HEAD, METADATA, RAW_PART


def head_damages(log: Log, heads_kept: Iterable[str] = (), *, after: Head | None = None) -> Iterator[Damage]:
    """Compute every head again; `heads_kept` are heads (hexadecimal) of somebody that have to be among them.

    That each follows from the one before it is computed for all heads, which are few; what they cover only for those
    `after` a head, if one is given.
    """
    proven: set[str] = set()
    with log.reading() as connection:
        heads = [Head(*row) for row in tuples(connection, HEAD)]
        before: Head | None = None
        whole = True
        for place, head in enumerate(heads, 1):
            is_new = after is None or head.number > after.number
            damages = [*_chained(before, head, place), *(_covered(connection, before, head) if is_new else ())]
            yield from damages
            whole = whole and not damages
            if whole:
                proven.add(head.hash.hex())
            before = head
        yield from _behind(connection, before)
        if after is None:
            yield from _orphans(connection)
    for each in heads_kept:
        if each.lower() not in proven:
            known = any(each.lower() == head.hash.hex() for head in heads)
            why = "something that it covers was changed" if known else "what it stood for was changed or taken away"
            yield damage("head", f"the head {each} is not the head of this log any more: {why}")


def _chained(before: Head | None, head: Head, place: int) -> Iterator[Damage]:
    """Find a head that does not follow from the one before it."""
    if head.number != place:
        yield damage("head", f"a head is missing before the head {head.number}")
    if head.hash != head_hash(before.hash if before else BEFORE_ALL, head.number, head.recorded_at, head.covers):
        yield damage("head", f"the head {head.number} does not follow from the one before it: one of them was altered")


def _covered(connection: sa.Connection, before: Head | None, head: Head) -> Iterator[Damage]:
    """Find the tables in which the rows of a head are not those that were written."""
    covered = _covers(head)
    if covered is None:
        yield damage("head", f"what the head {head.number} covers cannot be read any more")
        return
    digests = Digests()
    for table, cover in covered.items():
        after = _reach(before, table)
        for row in _between(connection, table, after, cover.reach):
            digests.add(table, row)
    covers_now = digests.covers(dict.fromkeys(COVERED_TABLES, 0))
    for table, cover in covered.items():
        if covers_now[table].digest != cover.digest:
            first = (_reach(before, table) or 0) + 1
            span = f"{first} to {cover.reach}" if first < cover.reach else str(cover.reach)
            message = (
                f"`{table}`, {COVERED_TABLES[table]} {span}: not as written on {head.recorded_at} (head {head.number})"
            )
            yield damage("head", message)


def _covers(head: Head | None) -> dict[str, Cover] | None:
    """Return what a head covers; none where it cannot be read."""
    try:
        covers = head.covered() if head else {}
    except msgspec.MsgspecError:
        return None
    return covers if covers.keys() <= COVERED_TABLES.keys() else None


def _reach(head: Head | None, table: str) -> int | None:
    """Return how far a head reaches in a table; none where nothing is known of that."""
    cover = (_covers(head) or {}).get(table)
    return cover.reach if cover else None


def _between(connection: sa.Connection, name: str, after: int | None, upto: int | None) -> Iterator[list[Any]]:
    """Return the rows of a table behind one reach and up to another; a raw file with the digest of its parts."""
    number = COVERED_TABLES[name]
    bounds = [f"{number} > {after}"] * (after is not None) + [f"{number} <= {upto}"] * (upto is not None)
    for row in each_row(connection, METADATA.tables[name], where=" AND ".join(bounds) or "1 = 1"):
        more = [digest_of_parts(_parts(connection, row.number))] if name == "raw_file" else []
        yield [*row, *more]


def _parts(connection: sa.Connection, raw_file: int) -> list[bytes]:
    where = f"raw_file = {int(raw_file)}"
    return [row.content for row in each_row(connection, RAW_PART, ("content",), where=where, order="number")]


def _behind(connection: sa.Connection, last: Head | None) -> Iterator[Damage]:
    """Find rows that were written without a head."""
    for table in COVERED_TABLES:
        if any(True for _ in _between(connection, table, _reach(last, table), None)):
            yield damage("added", f"the table `{table}` has rows that no head covers: they were put in from outside")


def _orphans(connection: sa.Connection) -> Iterator[Damage]:
    """Find parts of raw files that belong to none."""
    files = {row.number for row in each_row(connection, METADATA.tables["raw_file"], ("number",))}
    if any(row.raw_file not in files for row in each_row(connection, RAW_PART, ("raw_file",))):
        yield damage("added", "the table `raw_part` has parts of a raw file that is not there")
