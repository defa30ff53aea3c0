"""The schema of the log, step by step (Alembic); `events.log.schema` runs it."""
