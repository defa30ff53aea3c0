"""The order of abilities at the start of a turn if no line states it: any order that the log allows (L222.2)."""

from collections.abc import Callable
from typing import Any

import pytest

from tabletape.events.vocabulary.shared import PhaseStarted
from tabletape.projector.fold.folding import fold
from tabletape.projector.games import game
from tests.written_games import game_of_bots
from tests.wrong_values import Slip, accusations, values_of

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


def second_turn(begin: Begin, *, with_turn_dna: bool = True, **rulings: str) -> Any:
    """Return a log at Ann's second begin step; in the order of arrival Leaf has no energy yet and brings no DNA.

    `with_turn_dna` adds the line of the DNA that every turn brings.
    """
    log = begin(["leaf", "sun", "dear", "dearest"], own=CARDS, **rulings).add("organism.played", "A", card="leaf")
    log.add("mutation.played", "A", card="sun", host="leaf").to_second_turn()
    return log.add("dna.changed", "A", by=1, to=4) if with_turn_dna else log


def findings_of(log: Any) -> list[tuple[str, str]]:
    """Return rule and kind of each finding of a log."""
    return [(each.rule.removeprefix("evolve."), each.kind) for each in log.replay().findings]


ENERGY: dict[str, Any] = {"card": "A:leaf", "by": 1, "to": 1}
DNA: dict[str, Any] = {"by": 1, "to": 5}


def test_abilities_happen_by_arrival_unless_the_log_shows_another_order(begin: Begin) -> None:
    """The ability of the card that entered first happens first."""
    log = second_turn(begin).add("energy.changed", **ENERGY).add("phase.started", phase="main")
    assert log.table().players["A"].dna == 4


@pytest.mark.parametrize("energy_first", [True, False])
def test_consequences_show_the_order_of_abilities(begin: Begin, *, energy_first: bool) -> None:
    """A consequence that fits only one order shows that order, also if earlier lines fit another one too."""
    log = second_turn(begin)
    lines = [("energy.changed", None, ENERGY), ("dna.changed", "A", DNA)]
    for kind, player, fields in lines if energy_first else reversed(lines):
        log.add(kind, player, **fields)
    log.add("phase.started", phase="main").add("mutation.played", "A", card="dear", host="leaf")
    player = log.table().players["A"]
    assert (player.dna, log.card("A:leaf").energy) == (0, 1)


def test_a_consequence_that_fits_no_order_is_a_mismatch(begin: Begin) -> None:
    """Wrong numbers are mismatches in every order."""
    log = second_turn(begin).add("energy.changed", **ENERGY).add("dna.changed", "A", by=2, to=6)
    assert findings_of(log) == [("begin.dna", "mismatch")]
    assert findings_of(second_turn(begin).add("energy.changed", card="A:leaf", by=2, to=2)) == [
        ("state.consequence", "mismatch")
    ]


@pytest.mark.parametrize(("dna", "kind"), [(4, None), (5, "unverifiable"), (6, "drift")])
def test_an_observed_total_may_fit_another_order(begin: Begin, dna: int, kind: str | None) -> None:
    """A total that fits another order is unverifiable and no drift; it is taken over."""
    log = second_turn(begin, with_turn_dna=False).add("phase.started", phase="main")
    log.add("state.observed", "A", dna=dna)
    assert findings_of(log) == ([] if kind is None else [("state.observed", kind)])
    assert log.replay().table.players["A"].dna == dna


def test_a_cost_may_be_affordable_in_another_order(begin: Begin) -> None:
    """A cost that can be paid in another order is unverifiable; one that can be paid in no order is illegal."""
    log = second_turn(begin, with_turn_dna=False)
    assert findings_of(log.add("mutation.played", "A", card="dear", host="leaf")) == [
        ("cost.affordable", "unverifiable")
    ]
    log = second_turn(begin, with_turn_dna=False)
    assert findings_of(log.add("mutation.played", "A", card="dearest", host="leaf")) == [("cost.affordable", "illegal")]


def test_a_stated_order_is_binding(begin: Begin) -> None:
    """After `triggers.ordered` a consequence in another order is a mismatch."""
    log = second_turn(begin, with_turn_dna=False).add("triggers.ordered", "A", cards=["A:leaf", "A:sun"])
    assert findings_of(log.add("dna.changed", "A", **DNA)) == [("begin.dna", "mismatch")]


def test_a_ruling_may_require_a_stated_order(begin: Begin) -> None:
    """`trigger_default_order = must_be_said`: an order that matters has to be stated in the log."""
    rulings: dict[str, Any] = {"trigger_default_order": "must_be_said"}
    log = second_turn(begin, with_turn_dna=False, **rulings)
    assert findings_of(log.add("event.declined", "A", chance="event").add("turn.ended", "A")) == [
        ("begin.trigger-order", "missing")
    ]
    log = second_turn(begin, **rulings).add("dna.changed", "A", **DNA).add("energy.changed", **ENERGY)
    assert findings_of(log.add("turn.ended", "A")) == [("begin.trigger-order", "missing")]
    log = second_turn(begin, **rulings).add("triggers.ordered", "A", cards=["A:sun", "A:leaf"])
    assert findings_of(log.add("dna.changed", "A", **DNA).add("turn.ended", "A")) == []


def test_an_order_without_effect_need_not_be_stated(begin: Begin) -> None:
    """`trigger_default_order = must_be_said` applies only if another order would lead to another table."""
    own = CARDS.replace("energy >= 1", "energy >= 0")
    log = begin(["leaf", "sun"], own=own, trigger_default_order="must_be_said").add("organism.played", "A", card="leaf")
    log.add("mutation.played", "A", card="sun", host="leaf").to_second_turn()
    assert findings_of(log.add("turn.ended", "A")) == []


@pytest.mark.parametrize("seed", [20940, 21018])
def test_an_open_order_explains_no_value_that_it_has_not_touched(seed: int) -> None:
    """In a full log each wrong value behind abilities whose order matters is the one mistake, and nothing is open."""
    right = game_of_bots("evolve", seed)
    replay: Any = fold(game("evolve"), right)
    first = next(at for at, end in enumerate(replay.journal_ends) if end >= replay.table.unordered[0].before)
    for here, line in list(enumerate(right))[first:]:
        for wrong in () if isinstance(line, PhaseStarted) else values_of(line):
            slip = Slip((*right[:here], wrong, *right[here + 1 :]), here + 1, wrong, line)
            assert accusations("evolve", slip) == ([slip.seq], [])
