"""One slip in a log is one finding, and a card that only people can judge is reported once."""

from collections.abc import Callable
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tabletape.events.games.crystal import CardsDrawn
from tabletape.events.vocabulary import Consequence, vocabulary
from tabletape.projector.fold.folding import fold
from tabletape.projector.games import game
from tests.written_games import game_of_bots

GAME = game("crystal")
Begin = Callable[..., Any]

PLAYERS = st.sampled_from("AB")


def lines(kind: str, **fields: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    """Return a strategy for lines of a type with any of these values."""
    return st.fixed_dictionaries({"type": st.just(kind), **fields})


SLIPS = st.one_of(
    lines("turn.started", player=PLAYERS),
    lines("priority.passed", to=PLAYERS),
    lines("round.started", round=st.integers(1, 12)),
    lines("phase.started", phase=st.sampled_from(["deploy", "attack", "mining"])),
    lines("player.eliminated", player=PLAYERS),
)

MANUAL_CARD = """
[[card]]
id = "odd-engine"
name = "Odd Engine"
kind = "card"
faction = "emberforge-syndicate"
cost = 9
tech_requirement = 7
mining = 1
attack = 1
tech = 1
manual = "Roll a die and do what the table says."
"""
NUMBERS = st.integers(0, 30)
LANES = st.sampled_from(["mining", "attack", "tech"])
SOURCE = st.just("A:odd-engine")
ANY_LINE = st.one_of(
    lines("tech-limit.set", player=st.just("A"), limit=NUMBERS),
    lines("crystals.paid", player=PLAYERS, amount=NUMBERS, crystals=NUMBERS),
    lines("crystals.gained", player=PLAYERS, amount=NUMBERS, crystals=NUMBERS, source=SOURCE),
    lines("damage.taken", player=PLAYERS, amount=NUMBERS, hitpoints=NUMBERS, source=SOURCE),
    lines("power.raised", player=PLAYERS, lane=LANES, amount=NUMBERS, source=SOURCE),
    lines("card.moved", card=SOURCE, lane=LANES, source=SOURCE),
    lines("state.observed", player=PLAYERS, crystals=NUMBERS, attack=NUMBERS),
    st.just({"type": "cards.drawn", "player": "A", "count": 1, "from": "faction"}),
    st.just({"type": "card.deployed", "player": "A", "card": "A:furnace-titan", "lane": "attack"}),
)


@settings(deadline=None, max_examples=40)
@given(seed=st.integers(1, 12), part=st.floats(0, 0.99), is_full=st.booleans())
def test_a_draw_that_is_left_out_is_one_finding(seed: int, part: float, is_full: bool) -> None:
    """A draw that is not in the log is missing once, and all other findings follow from it."""
    events = [event for event in game_of_bots("crystal", seed) if is_full or not isinstance(event, Consequence)]
    draws = [index for index, event in enumerate(events) if isinstance(event, CardsDrawn)]
    del events[draws[int(part * len(draws))]]
    findings = fold(GAME, events).findings
    assert findings[0].kind == "missing"
    assert {found.follows for found in findings[1:]} <= {findings[0].seq}, findings


@settings(deadline=None, max_examples=60)
@given(seed=st.integers(1, 12), slip=SLIPS, part=st.floats(0, 1), is_full=st.booleans())
def test_a_stray_line_is_the_only_finding(seed: int, slip: Any, part: float, is_full: bool) -> None:
    """A line that is out of place ends no turn: it alone has a finding, or the line that repeats it has an `info`."""
    events = [event for event in game_of_bots("crystal", seed) if is_full or not isinstance(event, Consequence)]
    index = 9 + int(part * (len(events) - 10))
    findings = fold(GAME, [*events[:index], vocabulary("crystal").convert(slip), *events[index:]]).findings
    assert len(findings) <= 1
    assert all(found.seq == index + 1 or found.kind == "info" for found in findings), findings


@settings(deadline=None, max_examples=60)
@given(written=st.lists(ANY_LINE, max_size=5))
def test_what_a_manual_card_may_do_is_unverifiable_once(begin: Begin, written: list[Any]) -> None:
    """After a card with `manual` text all that it may have caused is accepted, and only the card is reported."""
    log = begin(own=MANUAL_CARD, A=["odd-engine", "furnace-titan"], B=["sporeling"])
    log.deploy("A:odd-engine", "tech", opponent="B", target="B:sporeling", target_lane="mining")
    log.lines += written
    findings = log.end("AB").replay().findings
    assert [(found.seq, found.kind) for found in findings] == [(11, "unverifiable")]
