"""Events of one type are checked together, field by field, as strictly as one by one."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tabletape.events.importing.games.checks import Checks
from tabletape.events.vocabulary import vocabulary
from tabletape.events.vocabulary.shared import GameStarted
from tabletape.projector.archive.stored import import_options
from tests.attack.inputs import GAMES, RECORDINGS

STRANGE = ("Zz", "Z:nothing", "ann")
"""Names that no seat, card or word of a recorded game has."""


def spoiled(value: Any) -> Iterator[Any]:
    """Yield copies of a value, in each of which one text is replaced by another."""
    match value:
        case str():
            yield from STRANGE
        case list():
            for place, each in enumerate(value):
                yield from ([*value[:place], other, *value[place + 1 :]] for other in spoiled(each))
        case dict():
            for key, each in value.items():
                yield from ({**value, key: other} for other in spoiled(each))
                rest = {name: one for name, one in value.items() if name != key}
                yield from ({**rest, other: each} for other in STRANGE)


def one_of_each_type(slug: str) -> tuple[list[Any], list[str]]:
    """Return the heads of recorded games, and for each type of event the first of its longest lines."""
    heads, lines = [], dict[str, str]()
    for file in sorted((RECORDINGS / slug).glob("*.jsonl")):
        head, *others = file.read_text(encoding="utf-8").splitlines()
        heads.append(json.loads(head))
        for line in filter(str.strip, others):
            kind = json.loads(line).get("type", "")
            lines[kind] = max(lines.get(kind, ""), line, key=len)
    return heads, [*lines.values()]


@pytest.mark.parametrize("slug", GAMES)
def test_events_are_checked_together_as_they_are_one_by_one(slug: str, tmp_path: Path) -> None:
    """If a name or word in an event is replaced by another, both ways of checking refuse it, or neither does."""
    options, types = import_options(tmp_path), vocabulary(slug)
    checks = Checks(options.known, options.zone, options.titles)
    heads, lines = one_of_each_type(slug)
    head = types.convert(heads[0])
    assert isinstance(head, GameStarted)
    refused = 0
    for line in lines:
        good = json.loads(line)
        for fields in (good, *spoiled({key: each for key, each in good.items() if key != "type"})):
            try:
                event = types.convert({**fields, "type": good["type"]})
            except msgspec.ValidationError:
                continue
            together, alone = checks.table(head), checks.table(head)
            problems = [
                _refuses(lambda: together.check_all([event, event], checks.needs)),  # noqa: B023 - called at once
                _refuses(lambda: alone.check(event)),  # noqa: B023
            ]
            assert problems[0] == problems[1], fields
            refused += problems[0]
    assert refused > len(lines)


def _refuses(check: Any) -> bool:
    try:
        check()
    except Exception:  # noqa: BLE001 - whatever it is
        return True
    return False
