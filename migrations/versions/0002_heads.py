"""Add the heads: one running hash over everything that is recorded, begun over what the log already holds.

A migration is frozen: it repeats the hashing of its day (`events/heads.py`) and never imports today's.
"""

from collections.abc import Iterator
from hashlib import sha256
from typing import Any

import msgspec
import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
ENCODE = msgspec.json.Encoder(order="sorted").encode
TABLES = {
    "game": "number, game_id, revision, game, edition, players, rulings, started_at, recorded_at",
    "recording": "number, game, intake, first, last, last_seq, hash, recorded_at",
    "raw_file": "number, sha256, name, size, kept_at",
    "intake": "number, raw_file, name, format, lines, taken_at",
    "quarantine": 'intake, number, file, line, "column", code, message, suggestion, raw',
}
ORDERS = {"quarantine": "intake, number"}


def upgrade() -> None:
    """Create the table of heads, forbid to change it, and write the first head where anything is recorded."""
    op.create_table(
        "head",
        sa.Column("number", NUMBER, autoincrement=False, nullable=False),
        sa.Column("recorded_at", sa.Text(), nullable=False),
        sa.Column("covers", sa.Text(), nullable=False),
        sa.Column("hash", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("number", name="pk_head"),
    )
    first = first_head(op.get_bind())
    if first is not None:
        op.get_bind().execute(sa.text("INSERT INTO head VALUES (:number, :recorded_at, :covers, :hash)"), first)
    if op.get_bind().dialect.name == "postgresql":
        refuse_in_postgresql("head")
    else:
        refuse_in_sqlite("head")


def first_head(connection: sa.Connection) -> dict[str, Any] | None:
    """Return the head over everything that is recorded; none over nothing."""
    digests = {table: sha256() for table in TABLES}
    reach = dict.fromkeys(TABLES, 0)
    recorded_at = ""
    for table, row in rows(connection):
        digests[table].update(ENCODE(row) + b"\n")
        reach[table] = int(row[0])
        recorded_at = str(row[-1]) if table == "recording" else recorded_at
    if not any(reach.values()):
        return None
    reach["quarantine"] = reach["intake"]
    covers = ENCODE({table: [reach[table], digest.hexdigest()] for table, digest in digests.items()}).decode()
    hashed = sha256(ENCODE([1, recorded_at, covers])).digest()
    return {"number": 1, "recorded_at": recorded_at, "covers": covers, "hash": hashed}


def rows(connection: sa.Connection) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """Return every row that a head covers, with its table; a raw file with the digest of its parts."""
    for table, columns in TABLES.items():
        query = f"SELECT {columns} FROM {table} ORDER BY {ORDERS.get(table, 'number')}"  # noqa: S608 - names of our own
        for row in connection.execute(sa.text(query)).all():
            yield table, (*row, parts(connection, row[0])) if table == "raw_file" else tuple(row)


def parts(connection: sa.Connection, raw_file: int) -> str:
    """Return the digest of the parts of a raw file."""
    found = sha256()
    query = sa.text("SELECT content FROM raw_part WHERE raw_file = :raw_file ORDER BY number")
    for content in connection.execute(query, {"raw_file": raw_file}).scalars():
        found.update(len(content).to_bytes(8, "big") + content)
    return found.hexdigest()


def refuse_in_sqlite(table: str) -> None:
    """Make SQLite refuse every UPDATE and DELETE of a table."""
    for verb in ("UPDATE", "DELETE"):
        op.execute(
            f"CREATE TRIGGER {table}_refuses_{verb.lower()} BEFORE {verb} ON {table} "
            f"BEGIN SELECT RAISE(ABORT, 'the log is append-only: {verb} on {table} is refused'); END"
        )


def refuse_in_postgresql(table: str) -> None:
    """Make PostgreSQL refuse every UPDATE, DELETE and TRUNCATE of a table."""
    op.execute(
        f"CREATE TRIGGER {table}_refuses_change BEFORE UPDATE OR DELETE ON {table} "
        "FOR EACH ROW EXECUTE FUNCTION tabletape_is_append_only()"
    )
    op.execute(
        f"CREATE TRIGGER {table}_refuses_truncate BEFORE TRUNCATE ON {table} "
        "FOR EACH STATEMENT EXECUTE FUNCTION tabletape_is_append_only()"
    )
