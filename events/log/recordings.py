"""What was recorded together, and when: asked for by the heads of the log."""

import sqlalchemy as sa

from tabletape.events.log.heads import Head
from tabletape.events.log.rows import Recording
from tabletape.events.log.tables import GAME, HEAD, INTAKE, RECORDING


def recorded_since(connection: sa.Connection, head: str) -> list[Recording] | None:
    """Return what was recorded after a head (hexadecimal), in order; None where the log has no such head."""
    try:
        written = connection.execute(sa.select(HEAD).where(HEAD.c.hash == bytes.fromhex(head))).first()
    except ValueError:
        return None
    if written is None:
        return None
    query = (
        sa.select(
            GAME.c.game_id,
            GAME.c.revision,
            (RECORDING.c.last - RECORDING.c.first + 1).label("events"),
            RECORDING.c.recorded_at,
            INTAKE.c.name.label("file"),
        )
        .join(RECORDING, RECORDING.c.game == GAME.c.number)
        .outerjoin(INTAKE, INTAKE.c.number == RECORDING.c.intake)
        .where(RECORDING.c.number > Head(*written).covered()["recording"].reach)
        .order_by(RECORDING.c.number)
    )
    return [Recording(*row) for row in connection.execute(query)]
