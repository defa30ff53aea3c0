"""Keep the card texts that games were recorded under: the files, once each, and which of them a game was read by.

A migration is frozen: it repeats the tables of its day and never imports today's.
"""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
TABLES = ("card_file", "game_cards")


def upgrade() -> None:
    """Create `card_file` and `game_cards` and forbid the database to change or delete a row of them."""
    op.create_table(
        "card_file",
        sa.Column("number", NUMBER, autoincrement=False, nullable=False),
        sa.Column("sha256", sa.Text(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.Column("kept_at", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("number", name="pk_card_file"),
        sa.UniqueConstraint("sha256", name="uq_card_file_sha256"),
    )
    op.create_table(
        "game_cards",
        sa.Column("game", NUMBER, autoincrement=False, nullable=False),
        sa.Column("built_in", NUMBER, nullable=False),
        sa.Column("own", NUMBER),
        sa.PrimaryKeyConstraint("game", name="pk_game_cards"),
        sa.ForeignKeyConstraint(["game"], ["game.number"], name="fk_game_cards_game"),
        sa.ForeignKeyConstraint(["built_in"], ["card_file.number"], name="fk_game_cards_built_in"),
        sa.ForeignKeyConstraint(["own"], ["card_file.number"], name="fk_game_cards_own"),
    )
    refuse = refuse_in_postgresql if op.get_bind().dialect.name == "postgresql" else refuse_in_sqlite
    for table in TABLES:
        refuse(table)


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
