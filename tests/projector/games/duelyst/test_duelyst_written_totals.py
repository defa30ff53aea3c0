"""A total that is written wrongly, with which the game goes on: one mistake is one accusation."""

from random import Random
from typing import Any

import msgspec
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tabletape.events.games import duelyst as ev
from tabletape.events.vocabulary import Event
from tabletape.projector.fold.folding import fold
from tabletape.projector.games import game
from tabletape.projector.model.rules import HARD
from tests.written_games import game_of_bots

HEALTH = (ev.DamageDealt, ev.UnitHealed, ev.UnitChanged)
GONE = (ev.UnitDied, ev.TokenVanished, ev.UnitDispelled)


def with_more_mana(events: tuple[Event, ...], here: int, more: int) -> list[Event]:
    """Return a log in which a player has more mana from a line on, up to where it is refilled."""
    lines, player = list(events), events[here].player  # type: ignore[attr-defined]  # a line about mana has one
    for index in range(here, len(lines)):
        line: Any = lines[index]
        if index > here and isinstance(line, ev.ManaRefilled) and line.player == player:
            break
        if isinstance(line, ev.ManaPaid | ev.ManaRefilled | ev.GlobeCollected) and line.player == player:
            lines[index] = msgspec.structs.replace(line, mana=line.mana + more)
    return lines


def with_more_health(events: tuple[Event, ...], here: int, more: int) -> list[Event]:
    """Return a log in which a unit has more health from a line on; none where that would change its fate."""
    lines, unit = list(events), events[here].unit  # type: ignore[attr-defined]  # a line about health has one
    for index in range(here, len(lines)):
        line: Any = lines[index]
        if getattr(line, "unit", "") != unit:
            continue
        if isinstance(line, GONE) or (index > here and isinstance(line, ev.UnitHealed)):
            return []
        if isinstance(line, HEALTH):
            if min(line.health, line.health + more) <= 0:
                return []
            lines[index] = msgspec.structs.replace(line, health=line.health + more)
    return lines


@settings(deadline=None, max_examples=40)
@given(seed=st.integers(1, 30), order=st.integers(0, 9999), more=st.sampled_from([1, 2]))
def test_a_wrong_total_that_the_game_goes_on_with_is_one_finding(seed: int, order: int, more: int) -> None:
    """Mana or health is written too high once, and all later lines count on from there."""
    events = game_of_bots("duelyst", seed)
    mana = [here for here, each in enumerate(events) if isinstance(each, ev.ManaPaid | ev.GlobeCollected)]
    hurt = [here for here, each in enumerate(events) if isinstance(each, HEALTH)]
    here = Random(order).choice(mana + hurt)  # noqa: S311 - which line is wrong is no secret
    lines = (with_more_mana if here in mana else with_more_health)(events, here, more)
    assume(lines)
    findings = fold(game("duelyst"), lines).findings
    assert [(each.seq, each.message) for each in findings if each.kind in HARD and each.seq != here + 1] == []
    assert [each.kind for each in findings] == ["mismatch"]
