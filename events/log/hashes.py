"""The hash chain of a game: each event's hash covers its canonical body and the hash before it (SHA-256).

The first hash covers the game's id, so that two logs have the same last hash if and only if they tell the same game.
"""

from collections.abc import Iterable
from hashlib import sha256


def opening_hash(game_id: str) -> bytes:
    """Return the hash (32 bytes) before the first event of a game."""
    return sha256(game_id.encode()).digest()


def next_hash(before: bytes, body: bytes) -> bytes:
    """Return the hash (32 bytes) of an event: of the hash before it, followed by its canonical body."""
    return sha256(before + body).digest()


def chained(before: bytes, bodies: Iterable[bytes]) -> list[bytes]:
    """Return the hashes of events that follow each other, from the hash before the first."""
    hashes = []
    for body in bodies:
        # `next_hash`, written out: the call would take half as long as the hashing, a million times.
        before = sha256(before + body).digest()
        hashes.append(before)
    return hashes
