"""No log stops a fold: an event with an empty or a foreign word cannot be read, or it is folded."""

import json
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabletape.events.log.rows import Chain, UnfitError
from tabletape.events.vocabulary import Event, vocabulary
from tabletape.projector.archive.recordings import recorded_lines, recordings
from tabletape.projector.fold.replay import Replay
from tabletape.projector.games import game, games
from tests.projector.test_quarantine_gaps import RECORDINGS, read
from tests.projector.test_rules_file import SEATS, play
from tests.written_games import game_of_bots

WORDS = ("", " ", "x", ":", "#", "?1", "A", "A:", "A:#1", "A:x", "A:?1", "Z:x", "A:A:x", "A:x#99999", "é", "null")
NUMBERS = (0, -1, 1, 1_000_000)
BEHIND = 12
"""Lines that are folded behind the changed one."""

SHORT = 30
"""Recordings of fewer lines are taken, which are most of them."""

own_games = pytest.mark.usefixtures("own_games")


def variants(value: Any) -> Iterator[Any]:
    """Yield other values in place of one, in each of its parts."""
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield from NUMBERS
    elif isinstance(value, str):
        yield from WORDS
    elif value is None or isinstance(value, float):
        yield "x"
    elif isinstance(value, list):
        yield from ([], [*value, *value[:1]])
        yield from ([*value[:at], other, *value[at + 1 :]] for at in range(len(value)) for other in variants(value[at]))
    elif isinstance(value, dict):
        yield {**value, "": 1}
        yield from ({**value, key: other} for key in value for other in variants(value[key]))


@cache
def of_each_type(slug: str) -> dict[str, list[tuple[int, Sequence[Event]]]]:
    """Return for each type of an event some places at which it stands in games, recorded ones and those of bots."""
    found: dict[str, list[tuple[int, Sequence[Event]]]] = {}
    written = [play(slug, 7).events] if slug in SEATS else [game_of_bots(slug, 1), *_recorded(slug)]
    for events in written:
        for here, event in enumerate(events[1:], 1):
            found.setdefault(type(event).__name__, []).append((here, events))
    return found


def _recorded(slug: str) -> Iterator[Sequence[Event]]:
    for path in recordings(RECORDINGS / slug):
        lines = recorded_lines(path)
        if len(lines) < SHORT:
            yield from ([vocabulary(slug).decode(body) for body in one.chain.rows.bodies] for one in read(lines)[0])


@own_games
@pytest.mark.parametrize("slug", [*games(), *SEATS])
@settings(deadline=None, max_examples=20)
@given(data=st.data())
def test_no_word_of_any_field_stops_a_fold(slug: str, data: st.DataObject) -> None:
    """Whatever stands in a field of an event of any type, what can be read is folded, and what comes behind it."""
    found = of_each_type(slug)
    here, events = data.draw(st.sampled_from(found[data.draw(st.sampled_from(sorted(found)))]))
    line = json.loads(vocabulary(slug).encode(events[here]))
    name = data.draw(st.sampled_from(sorted({*line} - {"type", "seq"}) or ["type"]))
    other = {**line, name: data.draw(st.sampled_from([*variants(line[name])]))}
    if (other["type"], name) == ("play.taken-back", "to"):
        return  # the test below
    head: Any = events[0]
    try:
        wrong = vocabulary(slug).decode(json.dumps(other))
        Chain((seat.id for seat in head.players), 0, b"").add(msgspec.structs.replace(wrong, seq=1))
    except (msgspec.MsgspecError, UnfitError):
        return  # it goes to quarantine
    ruleset = game(slug).rulebook.ruleset_of_log(head.edition, head.rulings)
    lines = [*events[:here], wrong, *events[here + 1 : here + 1 + BEHIND]]
    replay = Replay(game(slug), ruleset).run(
        [msgspec.structs.replace(each, seq=at) for at, each in enumerate(lines, 1)]
    )
    assert replay.stopped is None, other


@pytest.mark.parametrize("slug", games())
def test_a_take_back_to_an_event_that_is_not_there_goes_to_quarantine(slug: str) -> None:
    """Its own number, a later one and none at all: the import says that there is no such event before it."""
    path = next(each for each in recordings(RECORDINGS / slug) if "play.taken-back" in "".join(recorded_lines(each)))
    lines = recorded_lines(path)
    here = next(at for at, line in enumerate(lines) if "play.taken-back" in line)
    for to in (0, here + 1, here + 2, 1_000_000):
        wrong = json.dumps({**json.loads(lines[here]), "to": to})
        _, entries = read([*lines[:here], wrong, *lines[here + 1 :]])
        assert [entry.line for entry in entries][:1] == [here + 1]
