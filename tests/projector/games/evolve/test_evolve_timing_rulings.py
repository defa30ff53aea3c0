"""Rulings of Evolve about when something may happen: discards, statuses that end others, gains, draws, attacks."""

from collections.abc import Callable
from typing import Any

import pytest

from tabletape.events.games.evolve import (
    AttackDeclared,
    EventDeclined,
    MulliganTaken,
    StatusEnded,
    SurplusDiscarded,
    TurnEnded,
)
from tabletape.projector.fold.replay import Replay
from tabletape.projector.games import game
from tabletape.projector.selfplay.dice import SeededDice

GAME = game("evolve")
FLOOD = '[[card]]\nid = "flood"\nname = "Flood"\nkind = "event"\nmp = 1\nabilities = ["draw 3"]\n'
Begin = Callable[..., Any]


def table_with_open_action(log: Any) -> Any:
    """Return the table after the last line, whose action may still be answered; no line may have a finding."""
    started = log.events[0]
    replay = Replay(GAME, GAME.rulebook.ruleset(started.edition, started.rulings), log.library).run(log.events)
    assert not replay.findings, replay.findings
    return replay.table


def offered_types(table: Any, player: str) -> set[type]:
    """Return the types of the decisions that are offered to a player."""
    return {type(event) for event in GAME.legal(table, player)}


def with_seven_cards(begin: Begin, ruling: str) -> Any:
    """Return a log in which Ann holds seven cards in Ben's turn."""
    log = begin(["flood"], ["bdellovibrio", "lactobacillus"], own=FLOOD, hand_limit_opponent=ruling)
    log.add("turn.ended", "A").turn("B", 1).add("organism.played", "B", card="bdellovibrio")
    log.add("event.played", "A", card="flood")
    return log.add("cards.drawn", "A", cards=[f"A:epulopiscium#{number}" for number in (1, 2, 3)], reason="effect")


def test_both_players_may_have_to_discard(begin: Begin) -> None:
    """`hand_limit_opponent = both_players`: Ben cannot end the turn before Ann has discarded; he may act first."""
    table = table_with_open_action(with_seven_cards(begin, "both_players"))
    assert TurnEnded not in offered_types(table, "B")
    assert SurplusDiscarded in offered_types(table, "A")
    assert GAME.actors(table)[0] == "B"
    default = table_with_open_action(with_seven_cards(begin, "current_player_only"))
    assert (TurnEnded in offered_types(default, "B"), SurplusDiscarded in offered_types(default, "A")) == (True, False)


def test_each_player_discards_once(begin: Begin) -> None:
    """With `hand_limit = discard_one` each player discards one card at most, and Ann's discard is not Ben's."""
    log = with_seven_cards(begin, "both_players").add("surplus.discarded", "A", card="epulopiscium#1")
    assert offered_types(table_with_open_action(log), "A") == set()
    assert TurnEnded in offered_types(table_with_open_action(log), "B")
    assert log.add("surplus.discarded", "A", card="epulopiscium#2").broken() == ["end.hand-limit"]


def test_a_discard_of_the_other_player_ends_the_main_step(begin: Begin) -> None:
    """After the surplus card of either player is discarded, no organism may be played."""
    log = with_seven_cards(begin, "both_players").add("surplus.discarded", "A", card="epulopiscium#1")
    assert log.add("organism.played", "B", card="lactobacillus").broken() == ["main.own-turn"]


def with_status(begin: Begin, timing: str) -> Any:
    """Return a log in which Ben photosynthesizes with his Warm Bloom in play, and Ann holds an Acidic Drift."""
    log = begin(["acidic-drift"], ["warm-bloom", "prochlorococcus"], status_hand_timing=timing)
    log.add("turn.ended", "A").turn("B", 1).add("status.played", "B", card="warm-bloom")
    log.add("organism.played", "B", card="prochlorococcus")
    return log.add("organism.photosynthesized", "B", card="prochlorococcus")


@pytest.mark.parametrize(("timing", "offered"), [("own_main_step", False), ("any_time", True), ("like_events", True)])
def test_a_status_may_end_another_in_the_turn_of_the_other_player(begin: Begin, timing: str, *, offered: bool) -> None:
    """`status_hand_timing`: it is offered as an answer to an action only if the ruling allows it."""
    assert (StatusEnded in offered_types(table_with_open_action(with_status(begin, timing)), "A")) == offered


@pytest.mark.parametrize("timing", ["any_time", "like_events"])
def test_a_status_ends_before_what_it_answers(begin: Begin, timing: str) -> None:
    """The open action happens without the status: Warm Bloom does not add to the energy any more."""
    log = with_status(begin, timing).add("status.ended", "A", card="acidic-drift", target="B:warm-bloom")
    table = log.add("turn.ended", "B").table()
    assert (table.find("B:prochlorococcus").energy, table.players["A"].mp) == (1, 0)
    assert table.find("B:warm-bloom").zone.name == "discard:B"


def test_a_status_may_end_another_in_the_end_step(begin: Begin) -> None:
    """`any_time` includes the end step; `like_events` does not, as no event may be played then."""
    for timing, broken in (("any_time", []), ("like_events", ["event.windows"])):
        log = with_status(begin, timing).add("phase.started", phase="end")
        assert log.add("status.ended", "A", card="acidic-drift", target="B:warm-bloom").broken() == broken


def test_dna_and_mp_are_gained_once_before_or_after_the_draw(begin: Begin) -> None:
    """`draw_order = free`: each turn brings 1 DNA and 5 MP once, before the draw or after it."""
    for first in (True, False):
        log = begin(["nostoc"], ["bdellovibrio"], draw_order="free").add("turn.ended", "A")
        if first:
            log.add("dna.changed", "B", by=1, to=4)
        log.turn("B", 1).add("organism.played", "B", card="bdellovibrio").add("turn.ended", "B").turn("A", 1)
        players = log.table().players
        assert (players["A"].dna, players["A"].mp, players["B"].mp) == (4, 5, 3)


def test_a_wrong_gain_before_the_draw_is_still_wrong(begin: Begin) -> None:
    """With `draw_order = free` a wrong amount of DNA still breaks a rule."""
    log = begin(["nostoc"], ["bdellovibrio"], draw_order="free").add("turn.ended", "A")
    assert log.add("dna.changed", "B", by=2, to=5).broken() == ["begin.dna"]


def test_returned_cards_are_drawn_last(begin: Begin) -> None:
    """`mulligan_bottom_then_shuffle = returned_cards_only`: no returned card is drawn again in the same mulligan."""
    dice = SeededDice("a")
    table = begin(["nostoc"], mulligan_bottom_then_shuffle="returned_cards_only").table()
    dice.put_under("A", [f"A:epulopiscium#{number}" for number in range(1, 7)])
    returned = tuple(card.name for card in table.zones["hand:A"].cards)
    event = MulliganTaken(player="A", free=False, returned=returned, count=5, shuffled=True)
    filled: Any = GAME.bots.fill_in_chance(table, event, dice)
    drawn = filled.drawn
    assert len(drawn) == 5
    assert not set(drawn) & set(returned)
    assert set(dice.draw("A", 6)[1:]) == set(returned)


def test_an_attack_may_answer_after_an_event(begin: Begin) -> None:
    """After an event that answers a consuming, the owner of the food may still attack or decline."""
    log = begin(["prochlorococcus", "nutrient-pulse"], ["bdellovibrio", "micrococcus-film"])
    log.add("organism.played", "A", card="prochlorococcus").add("turn.ended", "A").turn("B", 1)
    log.add("organism.played", "B", card="bdellovibrio").add("organism.played", "B", card="micrococcus-film")
    log.add("food.consumed", "B", card="bdellovibrio", food="B:micrococcus-film").add("turn.ended", "B").turn("A", 1)
    log.add("food.consumed", "A", card="prochlorococcus", food="B:micrococcus-film")
    log.add("event.played", "A", card="nutrient-pulse", target="prochlorococcus")
    assert offered_types(table_with_open_action(log), "B") == {AttackDeclared, EventDeclined}
    attack = {"card": "bdellovibrio", "target": "A:prochlorococcus"}
    assert offered_types(table_with_open_action(log.add("event.declined", "B", chance="response")), "B") == set()
    assert log.add("attack.declared", "B", **attack).broken() == []
