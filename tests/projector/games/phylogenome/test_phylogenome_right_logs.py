"""Right logs of PhyloGenome that are written another way, and messages about wrong ones."""

import json
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabletape.events.games import phylogenome as ev
from tabletape.events.vocabulary import Consequence, Event, vocabulary
from tabletape.projector.fold.folding import fold
from tabletape.projector.games import game
from tests.written_games import game_of_bots

GAME = game("phylogenome")
BENS_DECK = ("lab-contamination", "power-outage", "malaria-mosquito", "tiger-pufferfish", "honey-bee")


def discards_first(events: Sequence[Event]) -> list[Event]:
    """Return the events with the discards at the end of each turn before the line that ends it."""
    reordered: list[Event] = []
    ended = 0
    for event in events:
        if isinstance(event, ev.CardDiscarded) and event.reason in {"disconnected", "incompatible", "host-left"}:
            if isinstance(reordered[ended], ev.TurnEnded):
                reordered.insert(ended, event)
                ended += 1
                continue
        elif not isinstance(event, Consequence):
            ended = len(reordered)
        reordered.append(event)
    return reordered


@settings(deadline=None, max_examples=8)
@given(seed=st.integers(1, 60))
def test_discards_at_the_end_of_a_turn_may_stand_before_its_line(seed: int) -> None:
    """Nothing is wrong, and the winner is the same, if the discards of step 4 stand before the end of the turn.

    What follows from them is written after that line, so it may be called late.
    """
    events = game_of_bots("phylogenome", seed)
    replay = fold(GAME, discards_first(events))
    assert [found for found in replay.findings if found.kind != "info"] == []
    assert (replay.table.winner, replay.table.reason) == (fold(GAME, events).table.winner, "points")


def test_games_of_bots_have_discards_to_move() -> None:
    """Some game of the test above has discards that are moved, so that it tests something."""
    assert any(
        discards_first(events) != [*events] for events in (game_of_bots("phylogenome", seed) for seed in range(1, 10))
    )


@settings(deadline=None, max_examples=8)
@given(seed=st.integers(1, 60), order=st.integers(0, 999))
def test_awards_stand_in_any_order(seed: int, order: int) -> None:
    """The awards of a count may be written in any order."""
    dice = Random(order)  # noqa: S311 - a test, not a secret
    shuffled = [
        msgspec.structs.replace(event, awards=tuple(dice.sample(event.awards, len(event.awards))))
        if isinstance(event, ev.PointsCounted)
        else event
        for event in game_of_bots("phylogenome", seed)
    ]
    assert fold(GAME, shuffled).findings == []


def test_an_unknown_award_is_refused_with_the_known_ones() -> None:
    """An award is one of six words, and a misspelt one is refused when the line is read."""
    counts = {"chain": 0, "species": 0, "technology": 0, "special": 0, "total": 0}
    line = json.dumps({"type": "points.counted", "player": "A", "awards": ["oldest"], **counts})
    with pytest.raises(msgspec.ValidationError, match="awards"):
        vocabulary("phylogenome").decode(line)


def messages(log: Any, **rulings: str) -> list[str]:
    """Return message and expectation of each finding."""
    return [f"{finding.message} / {finding.expected}" for finding in log.replay(**rulings).findings]


def test_a_message_names_the_owner_of_a_card(begin: Callable[..., Any]) -> None:
    """A card that is in both decks is named with its owner, and the message says which copy is in the hand."""
    log = begin(("rice", "rice", "roundworm", "human", "dog", "rice"), ("rice", "dog", "chicken", "turkey", "maize"))
    log.add("cards.drawn", player="A", cards=["A:rice#3"]).play("A:rice#1", 0, 1).play("A:rice#1", 0, -1)
    assert messages(log) == ["Ann's Rice 1 is not in the hand of Ann: Ann holds Ann's Rice 2 / "]


def test_a_message_has_the_numbers_that_decide(begin: Callable[..., Any]) -> None:
    """If a generation is not reached, the message says how many Species there are and how many are needed."""
    log = begin(("roundworm", "fruit-fly", "tomato", "rice", "human")).play("A:roundworm", 0, 1)
    (message,) = messages(log.play("A:tomato", 0, 2))
    assert "1 Species of the first and 0 of the second generation face Ann" in message
    assert "needs 4 of the one before" in message


def test_a_message_names_the_ruling_behind_it(begin: Callable[..., Any]) -> None:
    """What is wrong under one option of a ruling only has a message that names the option."""
    log = begin(ben=BENS_DECK).play("A:roundworm", 0, 1).play("A:fruit-fly", 0, 2).end("A")
    log.add("event.played", player="B", card="B:lab-contamination", target="A:roundworm", paid=["B:power-outage"])
    log.add("card.discarded", card="A:fruit-fly", pile="A", reason="disconnected")
    (message,) = messages(log)
    assert "by the ruling grace=owner_next_turn" in message
    assert messages(log.end("B"), grace="strict_end_of_turn") == []
