"""Cards that only people can read, cards that nobody has named, and other things that a table does."""

from collections.abc import Callable
from typing import Any

import pytest

from projector.fold.folding import fold
from projector.games import game
from projector.selfplay.bots import Bot
from projector.selfplay.simulate import Plan, simulate

GAME = game("phylogenome")


def test_what_only_people_can_tell_is_unverifiable(begin: Callable[..., Any]) -> None:
    """After an Event with a `manual` text a consequence that no rule derives is not held against the log."""
    card = """
[[card]]
id = "earthquake"
name = "Earthquake"
kind = "event"
mode = "instant"
manual = "Blow on the tableau."
"""
    library = {**GAME.cards.library, **GAME.read_cards(card, "mine.toml").library}
    written = begin(("earthquake", "roundworm", "rice", "dog", "human")).play("A:roundworm", 0, 1)
    written.add("event.played", player="A", card="A:earthquake")
    written.add("card.discarded", card="A:roundworm", pile="A", reason="effect")
    replay = fold(GAME, written.events, library=library)
    assert [(finding.rule, finding.kind) for finding in replay.findings] == [
        ("phylogenome.event.as-declared", "unverifiable")
    ]
    assert replay.table.players["A"].species == 0


def test_the_end_cannot_be_told_from_cards_that_nobody_named(begin: Callable[..., Any]) -> None:
    """Where an unnamed card lies in a discard pile it may have been the last Species."""
    written = begin(("roundworm", "fruit-fly", "thale-cress", "rice", "core-facility"))
    drawn = next(line for line in written.lines if line["type"] == "cards.drawn")
    drawn.update(count=len(drawn.pop("cards")))
    written.column("A:roundworm", "A:fruit-fly", "A:thale-cress")
    written.column("B:malaria-mosquito", "B:tiger-pufferfish", "B:honey-bee")
    written.add("cards.cycled", player="A", discarded="A:?1").end("A")
    written.column("B:grapevine", "B:house-mouse")
    written.add("game.ended", winner="A", reason="points")
    findings = written.replay().findings
    assert [(finding.rule, finding.kind) for finding in findings] == [
        ("phylogenome.end.species-depleted", "unverifiable")
    ]


@pytest.mark.parametrize("extra", [{"target": "A:nothing"}, {"paid": ["A:rice", "A:rice"]}, {"cell": [0, 5]}])
def test_a_strange_event_is_carried_out_as_far_as_possible(begin: Callable[..., Any], extra: dict[str, Any]) -> None:
    """Whatever is wrong with what an Event names, the fold goes on and the Event is used up."""
    written = begin(("funding-round", "roundworm", "rice", "dog", "human"))
    written.add("event.played", player="A", card="A:funding-round", **extra)
    replay = written.replay()
    assert replay.findings
    assert [card.name for card in replay.table.zones["discard:A"].cards][-1] == "A:funding-round"


def test_two_species_on_one_cell_stay_two(begin: Callable[..., Any]) -> None:
    """A Species on a taken cell lies there as well, and takes the cell over when the other one leaves."""
    written = begin().play("A:roundworm", 0, 1).play("A:fruit-fly", 0, 1)
    assert written.broken() == ["play.free-cell"]
    written.add("species.moved", player="A", moves=[{"card": "A:roundworm", "to": [0, -1]}])
    table = written.replay().table
    assert {cell: card.name for cell, card in table.cells.items() if card} == {
        (0, 1): "A:fruit-fly",
        (0, -1): "A:roundworm",
    }


def test_stacks_are_the_same_after_steps_back(begin: Callable[..., Any]) -> None:
    """Where Species lie on each other or on a progress card, every step is the fold of the log that ends there."""
    written = begin().play("A:roundworm", 0, 1).play("A:fruit-fly", 0, 1).play("A:rice", 0, 0).end("A")
    written.play("B:grapevine", 0, 2).play("B:honey-bee", 0, 1).end("B")
    written.add("species.moved", player="A", moves=[{"card": "A:roundworm", "to": [0, 3]}])
    written.add("species.moved", player="A", moves=[{"card": "A:rice", "to": [0, 1]}]).end("A", "B", "A")
    replay = written.replay()
    for step in range(len(written.lines)):
        less = fold(GAME, written.events[: step + 1]).table.state()
        assert replay.at(step).state() == less
    for step in reversed(range(len(written.lines))):
        replay.table.undo(replay.journal_ends[step])
        assert replay.table.state() == replay.at(step).state()


def test_a_greedy_bot_makes_more_points_than_a_random_one() -> None:
    """How good a table looks leads to points, and to broken Species of the other one."""
    plan = Plan(seed=1, bots=(Bot.GREEDY, Bot.RANDOM), decks=("animal-kingdom", "animal-kingdom"), limit=110)
    (found,) = simulate(GAME, GAME.cards, plan, 1)
    assert found.findings == []
    table = fold(GAME, found.events).table
    assert GAME.totals(table, "A")["points"] > GAME.totals(table, "B")["points"]
    assert GAME.totals(table, "A")["broken"] <= GAME.totals(table, "B")["broken"]
