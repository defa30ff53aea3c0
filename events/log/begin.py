"""Beginning a log in an empty SQLite database: its tables and triggers at once, as the migrations make them one by one.

Alembic takes longer to load and to run than most imports. What both make is the same, to the letter of its SQL.
"""

from typing import Final

import sqlalchemy as sa

from tabletape.events.log.tables import METADATA, SCHEMA

_VERSION: Final = sa.Table(
    "alembic_version",
    sa.MetaData(),
    sa.Column("version_num", sa.String(32), nullable=False),
    sa.PrimaryKeyConstraint("version_num", name="alembic_version_pkc"),
)
"""Where Alembic looks which revision a database has."""


def begin_log(connection: sa.Connection) -> None:
    """Make today's tables in an empty SQLite database, in the transaction of its connection."""
    METADATA.create_all(connection, checkfirst=False)
    for table in METADATA.tables:
        for verb in ("UPDATE", "DELETE"):
            connection.exec_driver_sql(
                f"CREATE TRIGGER {table}_refuses_{verb.lower()} BEFORE {verb} ON {table} "
                f"BEGIN SELECT RAISE(ABORT, 'the log is append-only: {verb} on {table} is refused'); END"
            )
    _VERSION.create(connection)
    connection.execute(_VERSION.insert().values(version_num=SCHEMA))
