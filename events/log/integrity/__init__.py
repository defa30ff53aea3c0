"""The check of a log: whether it still is what was written down.

Everything is checked that can be: the database itself, its schema with the triggers that keep it append-only, the
heads over everything that is recorded, each event of each game, each raw file. What is found is said, and the check
goes on.

Who rewrites the log together with all its hashes and heads, or takes away its end with the last heads, is found only
by who has kept a head elsewhere.
"""

from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from operator import attrgetter

from tabletape.events.log import Log
from tabletape.events.log.integrity.games import damages_after, game_damages
from tabletape.events.log.integrity.heads import head_damages
from tabletape.events.log.integrity.rows import Damage, checked_to_end, damage
from tabletape.events.log.integrity.schema import database_damages, schema_damages

__all__ = ["Damage", "verify", "verify_new"]


def verify_new(log: Log, heads: Sequence[str]) -> Iterator[Damage]:
    """Check that a log goes on from kept heads (hexadecimal), reading only what came after the newest of them.

    All of them have to be among the heads of the log, each of which follows from the one before it up to today's: so
    nobody has exchanged the log or cut its end off. Everything that was recorded after the newest kept head is checked,
    and the games that went on after it whole. Of other rows from before it nothing is read: whether they are still
    what the kept head covers, only `verify` finds.
    """
    heads_kept = {each.lower() for each in heads}
    after = max((each for each in log.heads() if each.hash.hex() in heads_kept), key=attrgetter("number"), default=None)
    yield from checked_to_end("the schema", lambda: schema_damages(log))
    yield from checked_to_end("the chain of heads", lambda: head_damages(log, heads, after=after))
    if after is not None:
        reach = {table: cover.reach for table, cover in after.covered().items()}
        yield from checked_to_end("the list of games", lambda: damages_after(log, reach["recording"]))
        yield from checked_to_end("the list of raw files", lambda: _raw_files(log, after=reach["raw_file"]))


def verify(log: Log, heads: Iterable[str] = ()) -> Iterator[Damage]:
    """Check a log; return what is wrong, nothing where all is well.

    `heads` are those (hexadecimal) that somebody has kept: nothing up to them may have been changed or taken away.
    """
    yield from checked_to_end("the database", lambda: database_damages(log))
    yield from checked_to_end("the schema", lambda: schema_damages(log))
    yield from checked_to_end("the chain of heads", lambda: head_damages(log, heads))
    yield from checked_to_end("the list of games", lambda: game_damages(log))
    yield from checked_to_end("the list of raw files", lambda: _raw_files(log))


def _raw_files(log: Log, after: int = 0) -> Iterator[Damage]:
    """Unpack every raw file after a number and compare its hash."""
    for file in log.raw_files():
        if file.number <= after:
            continue
        digest = sha256()
        size = 0
        try:
            for piece in log.raw_content(file):
                digest.update(piece)
                size += len(piece)
        except Exception as error:  # noqa: BLE001 - whatever unpacking says of a damage
            yield damage("raw-file", str(error))
            continue
        if digest.hexdigest() != file.sha256 or size != file.size:
            yield damage("raw-file", f"the kept copy of {file.name} is not the file that was imported")
