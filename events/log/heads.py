"""The heads of a log: one running hash over everything that is recorded, a head after each writing.

What `hashes` is for one game, this is for the log: each head covers the head before it and every row that was
written since: games, recordings, raw files with their content, intakes and how they were read, quarantined lines, card
texts. Events are
covered by the hash of their recording. Who has kept a head elsewhere can prove that nothing up to it was changed or
taken away, as with the signed heads of certificate transparency (RFC 9162, section 2.1) or the state that a client of
immudb keeps.

The migration that brings older logs up (`migrations/versions`) has a frozen copy of these few lines.
"""

from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from typing import Any, Final, NamedTuple, Self

import msgspec
import sqlalchemy as sa

from tabletape.events.log.rows import ENCODE, Recording
from tabletape.events.log.tables import GAME, HEAD, INTAKE, RECORDING
from tabletape.events.plans import planned

COVERED_TABLES: Final = {
    "game": "number",
    "recording": "number",
    "raw_file": "number",
    "intake": "number",
    "reading": "intake",
    "quarantine": "intake",
    "card_file": "number",
    "game_cards": "game",
}
"""The tables that a head covers, each with the column whose number says under which head a row falls."""

BEFORE_ALL: Final = b""
"""What stands before the first head."""


@planned
class Cover(NamedTuple):
    """How far a head reaches in a table, and the SHA-256 (hexadecimal) of the rows since the head before."""

    reach: int
    digest: str


class Head(NamedTuple):
    """A head: its number, when it was written, what it covers (a JSON object, `{table: [reach, digest]}`), its hash."""

    number: int
    recorded_at: str
    covers: str
    hash: bytes

    def covered(self) -> dict[str, Cover]:
        """Return what the head covers, by table. Raises `msgspec.MsgspecError` where that cannot be read."""
        return msgspec.json.decode(self.covers, type=dict[str, Cover])


class Digests:
    """The running SHA-256 of what one writing adds to each table."""

    def __init__(self) -> None:
        self._of = {table: sha256() for table in COVERED_TABLES}
        self.rows = 0

    def add(self, table: str, row: Sequence[Any]) -> None:
        """Add a row, its values in the order of the columns."""
        self._of[table].update(ENCODE(row) + b"\n")
        self.rows += 1

    def copy(self) -> Self:
        """Return the same digests, to go back to."""
        other = type(self)()
        other._of = {table: digest.copy() for table, digest in self._of.items()}  # noqa: SLF001 - one of us
        other.rows = self.rows
        return other

    def covers(self, reach: Mapping[str, int]) -> dict[str, Cover]:
        """Return what a head covers that reaches so far in each table."""
        return {table: Cover(reach[table], digest.hexdigest()) for table, digest in self._of.items()}


def head_hash(before: bytes, number: int, recorded_at: str, covers: str) -> bytes:
    """Return the hash of a head after the hash of the head before it."""
    return sha256(before + ENCODE([number, recorded_at, covers])).digest()


def head_after(before: Head | None, recorded_at: str, covers: Mapping[str, Cover]) -> Head:
    """Return the head that follows another one."""
    number, text = (before.number + 1 if before else 1), ENCODE(covers).decode()
    return Head(number, recorded_at, text, head_hash(before.hash if before else BEFORE_ALL, number, recorded_at, text))


def digest_of_parts(parts: Iterable[bytes]) -> str:
    """Return the SHA-256 (hexadecimal) of the parts of a raw file as they are kept."""
    digest = sha256()
    for part in parts:
        digest.update(len(part).to_bytes(8, "big") + part)
    return digest.hexdigest()


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
