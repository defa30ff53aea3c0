"""The heads of a log: one running hash over everything that is recorded, a head after each writing.

What `events.hashes` is for one game, this is for the log: each head covers the head before it and every row that was
written since - games, recordings, raw files with their content, intakes, quarantined lines. Events are covered by the
hash of their recording. Who has kept a head elsewhere can prove that nothing up to it was changed or taken away, as
with the signed heads of certificate transparency (RFC 9162, section 2.1) or the state that a client of immudb keeps.

The migration that brings older logs up (`migrations/versions`) has a frozen copy of these few lines.
"""

from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from typing import Any, Final, NamedTuple, Self

from events.log_rows import ENCODE

COVERED: Final = ("game", "recording", "raw_file", "intake", "quarantine")
"""The tables that a head covers."""

BEFORE_ALL: Final = b""
"""What stands before the first head."""


class Head(NamedTuple):
    """A head: its number, how far it reaches in each table, when it was written, the digests of the tables, its hash.

    `digests` is a JSON object, `{table: SHA-256 of the rows written since the head before}`. Quarantined lines belong
    to their intake.
    """

    number: int
    game: int
    recording: int
    raw_file: int
    intake: int
    recorded_at: str
    digests: str
    hash: bytes


class Digests:
    """The running SHA-256 of what one writing adds to each table."""

    def __init__(self) -> None:
        self._of = {table: sha256() for table in COVERED}
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

    def hex(self) -> dict[str, str]:
        """Return the digest of each table, hexadecimal."""
        return {table: digest.hexdigest() for table, digest in self._of.items()}


def head_hash(before: bytes, head: Sequence[Any]) -> bytes:
    """Return the hash of a head (its columns without the hash) after the hash of the head before it."""
    return sha256(before + ENCODE(head)).digest()


def head_after(before: Head | None, reach: Mapping[str, int], recorded_at: str, digests: Digests) -> Head:
    """Return the head that follows another one; `reach` says how far it reaches in each table that has numbers."""
    numbers = (reach["game"], reach["recording"], reach["raw_file"], reach["intake"])
    row = (before.number + 1 if before else 1, *numbers, recorded_at, ENCODE(digests.hex()).decode())
    return Head(*row, head_hash(before.hash if before else BEFORE_ALL, row))


def digest_of_parts(parts: Iterable[bytes]) -> str:
    """Return the SHA-256 (hexadecimal) of the parts of a raw file as they are kept."""
    found = sha256()
    for part in parts:
        found.update(len(part).to_bytes(8, "big") + part)
    return found.hexdigest()
