"""A schema of its own in a PostgreSQL database, for one attack."""

from collections.abc import Iterator
from contextlib import contextmanager

import sqlalchemy as sa


@contextmanager
def empty_schema(url: str, name: str) -> Iterator[str]:
    """Yield the URL of an empty schema, which is dropped afterwards."""
    base = sa.make_url(url)
    engine = sa.create_engine(base)
    with engine.begin() as connection:
        connection.exec_driver_sql(f"DROP SCHEMA IF EXISTS {name} CASCADE")
        connection.exec_driver_sql(f"CREATE SCHEMA {name}")
    try:
        place = base.update_query_dict({"options": f"-csearch_path={name}"})
        yield place.render_as_string(hide_password=False)
    finally:
        with engine.begin() as connection:
            connection.exec_driver_sql(f"DROP SCHEMA {name} CASCADE")
        engine.dispose()
