"""Run the migrations on the connection that `events.log.schema` hands over; the transaction is the caller's."""

from alembic import context

from tabletape.events.log.tables import METADATA

context.configure(connection=context.config.attributes["connection"], target_metadata=METADATA)
context.run_migrations()
