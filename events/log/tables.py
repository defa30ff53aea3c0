"""The tables of the log, as SQLAlchemy sees them; `migrations/` makes the same ones in a database.

Everything here is append-only: triggers in the database refuse UPDATE and DELETE on every table. Numbers and positions
are given by the writer, who holds the only write lock, so that they have no holes: a hole is a loss.
"""

from typing import Final

from sqlalchemy import (
    BigInteger,
    Column,
    Dialect,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
)

SCHEMA: Final = "0004"
"""The revision in `migrations/versions` to which these tables belong."""

NUMBER: Final = BigInteger().with_variant(Integer, "sqlite")

METADATA: Final = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    }
)

GAME: Final = Table(
    "game",
    METADATA,
    Column("number", NUMBER, primary_key=True, autoincrement=False),
    Column("game_id", Text, nullable=False),
    Column("revision", Integer, nullable=False),
    Column("game", Text, nullable=False),
    Column("edition", Text, nullable=False),
    Column("players", Text, nullable=False),
    Column("rulings", Text, nullable=False),
    Column("started_at", Text),
    Column("recorded_at", Text, nullable=False),
    UniqueConstraint("game_id", "revision"),
)

EVENT: Final = Table(
    "event",
    METADATA,
    Column("position", NUMBER, primary_key=True, autoincrement=False),
    Column("game", NUMBER, ForeignKey("game.number"), nullable=False),
    Column("seq", BigInteger, nullable=False),
    Column("type", Text, nullable=False),
    Column("player", Text),
    Column("at", Text),
    Column("body", Text, nullable=False),
    Column("hash", LargeBinary, nullable=False),
    UniqueConstraint("game", "seq"),
)

RAW_FILE: Final = Table(
    "raw_file",
    METADATA,
    Column("number", NUMBER, primary_key=True, autoincrement=False),
    Column("sha256", Text, nullable=False, unique=True),
    Column("name", Text, nullable=False),
    Column("size", BigInteger, nullable=False),
    Column("kept_at", Text, nullable=False),
)

RAW_PART: Final = Table(
    "raw_part",
    METADATA,
    Column("raw_file", NUMBER, ForeignKey("raw_file.number"), primary_key=True, autoincrement=False),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("content", LargeBinary, nullable=False),
)

INTAKE: Final = Table(
    "intake",
    METADATA,
    Column("number", NUMBER, primary_key=True, autoincrement=False),
    Column("raw_file", NUMBER, ForeignKey("raw_file.number"), nullable=False),
    Column("name", Text, nullable=False),
    Column("format", Text, nullable=False),
    Column("lines", BigInteger, nullable=False),
    Column("taken_at", Text, nullable=False),
)

READING: Final = Table(
    "reading",
    METADATA,
    Column("intake", NUMBER, ForeignKey("intake.number"), primary_key=True, autoincrement=False),
    Column("stamp", Text, nullable=False),
    Column("found", Text, nullable=False),
)

RECORDING: Final = Table(
    "recording",
    METADATA,
    Column("number", NUMBER, primary_key=True, autoincrement=False),
    Column("game", NUMBER, ForeignKey("game.number"), nullable=False),
    Column("intake", NUMBER, ForeignKey("intake.number", deferrable=True, initially="DEFERRED")),
    Column("first", BigInteger, nullable=False),
    Column("last", BigInteger, nullable=False),
    Column("last_seq", BigInteger, nullable=False),
    Column("hash", LargeBinary, nullable=False),
    Column("recorded_at", Text, nullable=False),
    Index(None, "game", "number"),
)

CARD_FILE: Final = Table(
    "card_file",
    METADATA,
    Column("number", NUMBER, primary_key=True, autoincrement=False),
    Column("sha256", Text, nullable=False, unique=True),
    Column("content", LargeBinary, nullable=False),
    Column("kept_at", Text, nullable=False),
)

GAME_CARDS: Final = Table(
    "game_cards",
    METADATA,
    Column("game", NUMBER, ForeignKey("game.number"), primary_key=True, autoincrement=False),
    Column("built_in", NUMBER, ForeignKey("card_file.number"), nullable=False),
    Column("own", NUMBER, ForeignKey("card_file.number")),
)

QUARANTINE: Final = Table(
    "quarantine",
    METADATA,
    Column(
        "intake",
        NUMBER,
        ForeignKey("intake.number", deferrable=True, initially="DEFERRED"),
        primary_key=True,
        autoincrement=False,
    ),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("file", Text, nullable=False),
    Column("line", BigInteger, nullable=False),
    Column("column", Integer, nullable=False),
    Column("code", Text, nullable=False),
    Column("message", Text, nullable=False),
    Column("suggestion", Text, nullable=False),
    Column("raw", Text, nullable=False),
)

HEAD: Final = Table(
    "head",
    METADATA,
    Column("number", NUMBER, primary_key=True, autoincrement=False),
    Column("recorded_at", Text, nullable=False),
    Column("covers", Text, nullable=False),
    Column("hash", LargeBinary, nullable=False),
)


def mark_of(dialect: Dialect) -> str:
    """Return what stands for a value in SQL that is handed to a driver as it is."""
    return "?" if dialect.paramstyle == "qmark" else "%s"
