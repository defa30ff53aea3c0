"""Every fold is unchanged: digests of the findings, counts and changes of recorded and simulated games.

A change that only makes the fold faster changes no digest. A change that is meant to alter findings rewrites the file
of digests in the same commit:

    python tests/projector/test_digests.py             # write digests.json
    python tests/projector/test_digests.py --each      # print a digest for each log, to compare two states of the code
"""

import argparse
import hashlib
import json
import random
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest
from msgspec import UNSET

from tabletape.events.vocabulary import Consequence, Event
from tabletape.projector.archive.recordings import read_recording, recordings
from tabletape.projector.fold.folding import fold
from tabletape.projector.fold.replay import Replay
from tabletape.projector.games import game, games
from tabletape.projector.model.things import Thing
from tabletape.projector.selfplay.simulate import Plan, simulate

RECORDINGS: Final = Path(__file__).parents[1] / "recordings"
DIGESTS: Final = Path(__file__).with_name("digests.json")
SIMULATED: Final = 4
"""Games of bots that are simulated for each kind of log."""

DAMAGED: Final = 4
"""Lines of each of these games that are damaged: lost, written twice or swapped with the next one."""

Folded = Iterator[tuple[str, Replay]]
"""Names of logs, each with its fold."""


def recorded(slug: str) -> Folded:
    """Fold the recorded games of a game."""
    folder = RECORDINGS / slug
    for path in recordings(folder):
        yield str(path.relative_to(folder)), read_recording(path, slug).replay


def full(slug: str) -> Folded:
    """Fold games of bots with all consequences written down."""
    for name, log in played(slug):
        yield name, fold(game(slug), log)


def sparse(slug: str) -> Folded:
    """Fold games of bots with only decisions and chance events written down."""
    for name, log in played(slug):
        yield name, fold(game(slug), [each for each in log if not isinstance(each, Consequence)])


def damaged(slug: str) -> Folded:
    """Fold games of bots in which a line is lost, written twice or swapped with the next one."""
    for name, log in played(slug):
        dice = random.Random(name)  # noqa: S311 - the same damage every time
        for _ in range(DAMAGED):
            here = dice.randrange(3, len(log) - 1)
            before, line, following, after = log[:here], log[here], log[here + 1], log[here + 2 :]
            for slip, lines in (("lost", [following]), ("twice", [line, line, following]), ("late", [following, line])):
                yield f"{name}, {slip} {here + 1}", fold(game(slug), [*before, *lines, *after])


SOURCES: Final[Mapping[str, Callable[[str], Folded]]] = {
    "recordings": recorded,
    "simulated, full": full,
    "simulated, sparse": sparse,
    "simulated, damaged": damaged,
}


def played(slug: str) -> Iterator[tuple[str, list[Event]]]:
    """Yield games of bots by name, with all consequences, but without sequence numbers and causes."""
    one = game(slug)
    for match in simulate(one, one.cards, Plan(seed=7, full=True), SIMULATED):
        yield match.game_id, [msgspec.structs.replace(each, seq=UNSET, cause=UNSET) for each in match.events]


def digest(replay: Replay) -> str:
    """Return a hash of a fold's results: findings, counts of rules, unwritten lines, each change, the final table."""
    rules = zip(replay.game.rules, replay.kept, replay.broken, strict=True)
    result = {
        "findings": [canonical(each) for each in replay.findings],
        "counts": sorted((rule.id, kept, broken) for rule, kept, broken in rules if kept or broken),
        "stopped": canonical(replay.stopped),
        "unwritten": [canonical(each) for each in replay.unwritten],
        "changes": [
            (canonical(thing), field, canonical(old), canonical(new)) for thing, field, old, new in replay.table.journal
        ],
        "ends": replay.journal_ends,
        "table": canonical(replay.table.state()),
    }
    return hashlib.sha256(repr(result).encode()).hexdigest()[:16]


def canonical(value: Any) -> Any:
    """Return a value in a form whose `repr` is always the same, and different for values of different types.

    A thing of the table becomes its number (its contents are in the table's state), a type becomes its name.
    """
    if isinstance(value, type | Thing):
        return ("type", value.__name__) if isinstance(value, type) else ("thing", value.n)
    fields = getattr(value, "__struct_fields__", None)
    if fields is not None:
        return type(value).__name__, canonical({name: getattr(value, name) for name in fields})
    if isinstance(value, Mapping):
        return [(key, canonical(each)) for key, each in value.items()]
    if isinstance(value, frozenset | set):
        return "set", sorted(repr(canonical(each)) for each in value)
    if isinstance(value, list | tuple):
        return type(value).__name__, [canonical(each) for each in value]
    return value


def combined_digest(slug: str, source: str) -> str:
    """Return one digest of all logs of a source."""
    each = [f"{name} {digest(replay)}" for name, replay in SOURCES[source](slug)]
    return hashlib.sha256("\n".join(each).encode()).hexdigest()[:16]


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("slug", games())
def test_a_fold_is_unchanged(slug: str, source: str) -> None:
    """Findings, counts, changes and tables have the stored digest, which even distinguishes False from 0."""
    known = json.loads(DIGESTS.read_text(encoding="utf-8"))
    advice = f"the fold has changed; if that is intended, run: python {Path(__file__).name}"
    assert combined_digest(slug, source) == known[slug][source], advice


def test_a_digest_distinguishes_false_from_0() -> None:
    """Equal values of different types have different digests; the order of a set has no influence."""
    assert repr(canonical({"over": False})) != repr(canonical({"over": 0}))
    assert repr(canonical([1])) != repr(canonical((1,)))
    assert repr(canonical(frozenset({"A:one", "B:two"}))) == repr(canonical(frozenset({"B:two", "A:one"})))


def main() -> None:
    """Write the file of digests, or print the digest of each log."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--each", action="store_true")
    if parser.parse_args().each:
        for slug in games():
            for source, logs in SOURCES.items():
                for name, replay in logs(slug):
                    print(slug, source, name, digest(replay))  # noqa: T201 - it is what the option is for
        return
    found = {slug: {source: combined_digest(slug, source) for source in SOURCES} for slug in games()}
    DIGESTS.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
