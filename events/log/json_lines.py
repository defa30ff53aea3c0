"""Writing a log as a file: canonical JSON Lines, which import to the same hashes."""

from collections.abc import Iterable
from typing import BinaryIO

from tabletape.events.log.rows import ENCODE
from tabletape.events.vocabulary import Event


def write_log(events: Iterable[Event], stream: BinaryIO) -> int:
    """Write events to a binary stream, one a line, keys sorted; return the number of lines."""
    lines = 0
    for event in events:
        stream.write(ENCODE(event))
        stream.write(b"\n")
        lines += 1
    return lines
