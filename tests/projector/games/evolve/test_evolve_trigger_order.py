"""The order of the abilities of the start of a turn, where no line says it: any that the log bears out (L222.2)."""

from collections.abc import Callable
from typing import Any

import pytest

Begin = Callable[..., Any]

CARDS = """
[[card]]
id = "leaf"
name = "Leaf"
kind = "organism"
tier = 1
phylum = "Bacillota"
evolve = { energy = 3, dna = 1 }
abilities = ["when begin.self if energy >= 1 -> dna +1"]
[[card]]
id = "sun"
name = "Sun"
kind = "mutation"
abilities = ["when begin.self -> energy +1 host"]
[[card]]
id = "dear"
name = "Dear"
kind = "mutation"
dna = 5
[[card]]
id = "dearest"
name = "Dearest"
kind = "mutation"
dna = 6
"""


def second_turn(begin: Begin, *, watched: bool = True, **rulings: str) -> Any:
    """Return a log at Ann's second begin step: by arrival Leaf has no energy yet, and brings no DNA."""
    log = begin(["leaf", "sun", "dear", "dearest"], own=CARDS, **rulings).add("organism.played", "A", card="leaf")
    log.add("mutation.played", "A", card="sun", host="leaf").add("turn.ended", "A").turn("B", 1)
    log.add("surplus.discarded", "B", card="nostoc#1").add("turn.ended", "B").turn("A", 1)
    return log.add("dna.changed", "A", by=1, to=4) if watched else log


def found(log: Any) -> list[tuple[str, str]]:
    """Return the findings of a log: rule and kind."""
    return [(each.rule.removeprefix("evolve."), each.kind) for each in log.replay().findings]


ENERGY: dict[str, Any] = {"card": "A:leaf", "by": 1, "to": 1}
DNA: dict[str, Any] = {"by": 1, "to": 5}


def test_by_arrival_where_nothing_shows_another_order(begin: Begin) -> None:
    """What entered first happens first."""
    log = second_turn(begin).add("energy.changed", **ENERGY).add("phase.started", phase="main")
    assert log.table().players["A"].dna == 4


@pytest.mark.parametrize("energy_first", [True, False])
def test_the_order_that_consequences_show_is_taken(begin: Begin, *, energy_first: bool) -> None:
    """A consequence that follows in another order only shows that order, also after lines that fit both."""
    log = second_turn(begin)
    lines = [("energy.changed", None, ENERGY), ("dna.changed", "A", DNA)]
    for kind, player, fields in lines if energy_first else reversed(lines):
        log.add(kind, player, **fields)
    log.add("phase.started", phase="main").add("mutation.played", "A", card="dear", host="leaf")
    player = log.table().players["A"]
    assert (player.dna, log.card("A:leaf").energy) == (0, 1)


def test_what_follows_in_no_order_is_a_mismatch(begin: Begin) -> None:
    """A free order excuses no wrong number."""
    log = second_turn(begin).add("energy.changed", **ENERGY).add("dna.changed", "A", by=2, to=6)
    assert found(log) == [("begin.dna", "mismatch")]
    assert found(second_turn(begin).add("energy.changed", card="A:leaf", by=2, to=2)) == [
        ("state.consequence", "mismatch")
    ]


@pytest.mark.parametrize(("dna", "kind"), [(4, None), (5, "unverifiable"), (6, "drift")])
def test_what_is_read_may_rest_on_another_order(begin: Begin, dna: int, kind: str | None) -> None:
    """A total that the table has after another order is no drift; it is taken over."""
    log = second_turn(begin, watched=False).add("phase.started", phase="main")
    log.add("state.observed", "A", dna=dna)
    assert found(log) == ([] if kind is None else [("state.observed", kind)])
    assert log.replay().table.players["A"].dna == dna


def test_a_play_may_rest_on_another_order(begin: Begin) -> None:
    """Nobody is accused of a cost that can be paid after another order; what no order pays for is illegal."""
    log = second_turn(begin, watched=False)
    assert found(log.add("mutation.played", "A", card="dear", host="leaf")) == [("cost.affordable", "unverifiable")]
    log = second_turn(begin, watched=False)
    assert found(log.add("mutation.played", "A", card="dearest", host="leaf")) == [("cost.affordable", "illegal")]


def test_an_order_that_is_said_stands(begin: Begin) -> None:
    """Where the player on turn says the order, what follows in another one is wrong."""
    log = second_turn(begin, watched=False).add("triggers.ordered", "A", cards=["A:leaf", "A:sun"])
    assert found(log.add("dna.changed", "A", **DNA)) == [("begin.dna", "mismatch")]


def test_a_table_may_ask_for_the_order(begin: Begin) -> None:
    """`trigger_default_order = must_be_said`: an order that matters has to be written down, by whatever follows."""
    rulings = {"trigger_default_order": "must_be_said"}
    log = second_turn(begin, watched=False, **rulings)
    assert found(log.add("event.declined", "A", chance="event").add("turn.ended", "A")) == [
        ("begin.trigger-order", "missing")
    ]
    log = second_turn(begin, **rulings).add("dna.changed", "A", **DNA).add("energy.changed", **ENERGY)
    assert found(log.add("turn.ended", "A")) == [("begin.trigger-order", "missing")]
    log = second_turn(begin, **rulings).add("triggers.ordered", "A", cards=["A:sun", "A:leaf"])
    assert found(log.add("dna.changed", "A", **DNA).add("turn.ended", "A")) == []


def test_an_order_that_changes_nothing_need_not_be_said(begin: Begin) -> None:
    """`trigger_default_order = must_be_said` asks only where another order would have made another table."""
    own = CARDS.replace("energy >= 1", "energy >= 0")
    log = begin(["leaf", "sun"], own=own, trigger_default_order="must_be_said").add("organism.played", "A", card="leaf")
    log.add("mutation.played", "A", card="sun", host="leaf").add("turn.ended", "A").turn("B", 1)
    log.add("surplus.discarded", "B", card="nostoc#1").add("turn.ended", "B").turn("A", 1)
    assert found(log.add("turn.ended", "A")) == []
