"""Make the log: games, events, recordings, raw files, intakes, quarantine, and the triggers that keep them.

A migration is frozen: it repeats the tables of its day and never imports today's.
"""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
TABLES = ("game", "event", "raw_file", "raw_part", "intake", "recording", "quarantine")

POSTGRESQL_REFUSAL = """
CREATE FUNCTION tabletape_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the log is append-only: % on % is refused', TG_OP, TG_TABLE_NAME;
END
$$
"""


def upgrade() -> None:
    """Create the tables and forbid the database to change or delete a row of them."""
    games_and_events()
    files_and_intakes()
    recordings_and_quarantine()
    if op.get_bind().dialect.name == "postgresql":
        op.execute(POSTGRESQL_REFUSAL)
        refuse = refuse_in_postgresql
    else:
        refuse = refuse_in_sqlite
    for table in TABLES:
        refuse(table)


def games_and_events() -> None:
    """Create `game` and `event`."""
    op.create_table(
        "game",
        sa.Column("number", NUMBER, autoincrement=False, nullable=False),
        sa.Column("game_id", sa.Text(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("edition", sa.Text(), nullable=False),
        sa.Column("players", sa.Text(), nullable=False),
        sa.Column("rulings", sa.Text(), nullable=False),
        sa.Column("started_at", sa.Text()),
        sa.Column("recorded_at", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("number", name="pk_game"),
        sa.UniqueConstraint("game_id", "revision", name="uq_game_game_id_revision"),
    )
    op.create_table(
        "event",
        sa.Column("position", NUMBER, autoincrement=False, nullable=False),
        sa.Column("game", NUMBER, nullable=False),
        sa.Column("seq", sa.BigInteger(), nullable=False),
        sa.Column("type", sa.Text(), nullable=False),
        sa.Column("player", sa.Text()),
        sa.Column("at", sa.Text()),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("hash", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("position", name="pk_event"),
        sa.UniqueConstraint("game", "seq", name="uq_event_game_seq"),
        sa.ForeignKeyConstraint(["game"], ["game.number"], name="fk_event_game"),
    )


def files_and_intakes() -> None:
    """Create `raw_file`, `raw_part` and `intake`."""
    op.create_table(
        "raw_file",
        sa.Column("number", NUMBER, autoincrement=False, nullable=False),
        sa.Column("sha256", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("kept_at", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("number", name="pk_raw_file"),
        sa.UniqueConstraint("sha256", name="uq_raw_file_sha256"),
    )
    op.create_table(
        "raw_part",
        sa.Column("raw_file", NUMBER, autoincrement=False, nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("raw_file", "number", name="pk_raw_part"),
        sa.ForeignKeyConstraint(["raw_file"], ["raw_file.number"], name="fk_raw_part_raw_file"),
    )
    op.create_table(
        "intake",
        sa.Column("number", NUMBER, autoincrement=False, nullable=False),
        sa.Column("raw_file", NUMBER, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("format", sa.Text(), nullable=False),
        sa.Column("lines", sa.BigInteger(), nullable=False),
        sa.Column("taken_at", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("number", name="pk_intake"),
        sa.ForeignKeyConstraint(["raw_file"], ["raw_file.number"], name="fk_intake_raw_file"),
    )


def recordings_and_quarantine() -> None:
    """Create `recording` and `quarantine`; the intake that they name is written after them, hence deferred."""
    op.create_table(
        "recording",
        sa.Column("number", NUMBER, autoincrement=False, nullable=False),
        sa.Column("game", NUMBER, nullable=False),
        sa.Column("intake", NUMBER),
        sa.Column("first", sa.BigInteger(), nullable=False),
        sa.Column("last", sa.BigInteger(), nullable=False),
        sa.Column("last_seq", sa.BigInteger(), nullable=False),
        sa.Column("hash", sa.LargeBinary(), nullable=False),
        sa.Column("recorded_at", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("number", name="pk_recording"),
        sa.ForeignKeyConstraint(["game"], ["game.number"], name="fk_recording_game"),
        sa.ForeignKeyConstraint(
            ["intake"], ["intake.number"], name="fk_recording_intake", deferrable=True, initially="DEFERRED"
        ),
    )
    op.create_index("ix_recording_game_number", "recording", ["game", "number"])
    op.create_table(
        "quarantine",
        sa.Column("intake", NUMBER, autoincrement=False, nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("file", sa.Text(), nullable=False),
        sa.Column("line", sa.BigInteger(), nullable=False),
        sa.Column("column", sa.Integer(), nullable=False),
        sa.Column("code", sa.Text(), nullable=False),
        sa.Column("message", sa.Text(), nullable=False),
        sa.Column("suggestion", sa.Text(), nullable=False),
        sa.Column("raw", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("intake", "number", name="pk_quarantine"),
        sa.ForeignKeyConstraint(
            ["intake"], ["intake.number"], name="fk_quarantine_intake", deferrable=True, initially="DEFERRED"
        ),
    )


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
