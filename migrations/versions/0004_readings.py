"""Keep what the reading of a file found, so that the same file need not be read again.

A migration is frozen: it repeats the table of its day and never imports today's. Files that were imported
before it have no such row: they are read when they come again.
"""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Create `reading` and forbid the database to change or delete a row of it."""
    op.create_table(
        "reading",
        sa.Column("intake", NUMBER, autoincrement=False, nullable=False),
        sa.Column("stamp", sa.Text(), nullable=False),
        sa.Column("found", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("intake", name="pk_reading"),
        sa.ForeignKeyConstraint(["intake"], ["intake.number"], name="fk_reading_intake"),
    )
    if op.get_bind().dialect.name == "postgresql":
        refuse_in_postgresql("reading")
    else:
        refuse_in_sqlite("reading")


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
