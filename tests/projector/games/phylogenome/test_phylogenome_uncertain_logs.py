"""Logs that cannot be judged completely or are wrong: manual text, unnamed cards, taken cells, invalid events."""

from collections.abc import Callable
from typing import Any

import pytest

from tabletape.projector.fold.folding import fold
from tabletape.projector.games import game
from tabletape.projector.selfplay.kinds import Bot
from tabletape.projector.selfplay.simulate import Plan, simulate

GAME = game("phylogenome")


def test_text_that_only_people_can_judge_is_unverifiable(begin: Callable[..., Any]) -> None:
    """After an Event with `manual` text a consequence that no rule derives is accepted."""
    card = """
[[card]]
id = "earthquake"
name = "Earthquake"
kind = "event"
mode = "instant"
manual = "Blow on the tableau."
"""
    library = {**GAME.cards.library, **GAME.read_cards(card, "mine.toml").library}
    log = begin(("earthquake", "roundworm", "rice", "dog", "human")).play("A:roundworm", 0, 1)
    log.add("event.played", player="A", card="A:earthquake")
    log.add("card.discarded", card="A:roundworm", pile="A", reason="effect")
    replay = fold(GAME, log.events, library=library)
    assert [(finding.rule, finding.kind) for finding in replay.findings] == [
        ("phylogenome.event.as-declared", "unverifiable")
    ]
    assert replay.table.players["A"].species == 0


def test_the_end_is_unverifiable_with_unnamed_cards(begin: Callable[..., Any]) -> None:
    """An unnamed card in a discard pile may have been the last Species, so the end can be right."""
    log = begin(("roundworm", "fruit-fly", "thale-cress", "rice", "core-facility"))
    opening_hand = next(line for line in log.lines if line["type"] == "cards.drawn")
    opening_hand.update(count=len(opening_hand.pop("cards")))
    log.column("A:roundworm", "A:fruit-fly", "A:thale-cress")
    log.column("B:malaria-mosquito", "B:tiger-pufferfish", "B:honey-bee")
    log.add("cards.cycled", player="A", discarded="A:?1").end("A")
    log.column("B:grapevine", "B:house-mouse")
    log.add("game.ended", winner="A", reason="points")
    findings = log.replay().findings
    assert [(finding.rule, finding.kind) for finding in findings] == [
        ("phylogenome.end.species-depleted", "unverifiable")
    ]


@pytest.mark.parametrize("extra", [{"target": "A:nothing"}, {"paid": ["A:rice", "A:rice"]}, {"cell": [0, 5]}])
def test_an_event_with_wrong_fields_is_carried_out_as_far_as_possible(
    begin: Callable[..., Any], extra: dict[str, Any]
) -> None:
    """With a wrong target, payment or cell the Event has a finding and is discarded after use."""
    log = begin(("funding-round", "roundworm", "rice", "dog", "human"))
    log.add("event.played", player="A", card="A:funding-round", **extra)
    replay = log.replay()
    assert replay.findings
    assert [card.name for card in replay.table.zones["discard:A"].cards][-1] == "A:funding-round"


def test_two_species_may_lie_on_one_cell(begin: Callable[..., Any]) -> None:
    """A Species that is played on a taken cell lies there too, and has the cell when the other Species leaves."""
    log = begin().play("A:roundworm", 0, 1).play("A:fruit-fly", 0, 1)
    assert log.broken() == ["play.free-cell"]
    log.add("species.moved", player="A", moves=[{"card": "A:roundworm", "to": [0, -1]}])
    table = log.replay().table
    assert {cell: card.name for cell, card in table.cells.items() if card} == {
        (0, 1): "A:fruit-fly",
        (0, -1): "A:roundworm",
    }


def test_stacks_are_the_same_after_steps_back(begin: Callable[..., Any]) -> None:
    """With Species on taken cells, every step has the table of the log that ends there, also when events are undone."""
    log = begin().play("A:roundworm", 0, 1).play("A:fruit-fly", 0, 1).play("A:rice", 0, 0).end("A")
    log.play("B:grapevine", 0, 2).play("B:honey-bee", 0, 1).end("B")
    log.add("species.moved", player="A", moves=[{"card": "A:roundworm", "to": [0, 3]}])
    log.add("species.moved", player="A", moves=[{"card": "A:rice", "to": [0, 1]}]).end("A", "B", "A")
    replay = log.replay()
    for step in range(len(log.lines)):
        shorter = fold(GAME, log.events[: step + 1]).table.state()
        assert replay.at(step).state() == shorter
    for step in reversed(range(len(log.lines))):
        replay.table.undo(replay.journal_ends[step])
        assert replay.table.state() == replay.at(step).state()


def test_a_greedy_bot_scores_more_points_than_a_random_one() -> None:
    """The greedy bot has more points and no more broken Species than the random one."""
    plan = Plan(seed=1, bots=(Bot.GREEDY, Bot.RANDOM), decks=("animal-kingdom", "animal-kingdom"), limit=110)
    (found,) = simulate(GAME, GAME.cards, plan, 1)
    assert found.findings == []
    table = fold(GAME, found.events).table
    assert GAME.scoreboard.totals(table, "A")["points"] > GAME.scoreboard.totals(table, "B")["points"]
    assert GAME.scoreboard.totals(table, "A")["broken"] <= GAME.scoreboard.totals(table, "B")["broken"]
