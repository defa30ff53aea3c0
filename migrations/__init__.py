"""The schema of the log, step by step (Alembic); `events.log_schema` runs it."""
