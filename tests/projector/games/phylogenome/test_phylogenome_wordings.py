"""Right logs that are written another way, and what the messages say about wrong ones."""

import json
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from events.games import phylogenome as ev
from events.vocabulary import Consequence, Event, vocabulary
from projector.fold.folding import fold
from projector.games import game
from tests.written_games import game_of_bots

GAME = game("phylogenome")
LAB = ("lab-contamination", "power-outage", "malaria-mosquito", "tiger-pufferfish", "honey-bee")


def discards_first(events: Sequence[Event]) -> list[Event]:
    """Write the discards of the end of each turn before the line that ends it."""
    found: list[Event] = []
    ended = 0
    for event in events:
        if isinstance(event, ev.CardDiscarded) and event.reason in {"disconnected", "incompatible", "host-left"}:
            if isinstance(found[ended], ev.TurnEnded):
                found.insert(ended, event)
                ended += 1
                continue
        elif not isinstance(event, Consequence):
            ended = len(found)
        found.append(event)
    return found


@settings(deadline=None, max_examples=8)
@given(seed=st.integers(1, 60))
def test_the_discards_of_a_turns_end_may_stand_before_it(seed: int) -> None:
    """Step 4 of the turn written before the line that ends it leaves a legal game clean, and its end the same."""
    events = game_of_bots("phylogenome", seed)
    early = fold(GAME, discards_first(events))
    assert early.findings == []
    assert (early.table.winner, early.table.reason) == (fold(GAME, events).table.winner, "points")


def test_bots_games_have_discards_to_move() -> None:
    """The property above moves something."""
    assert any(
        discards_first(events) != [*events] for events in (game_of_bots("phylogenome", seed) for seed in range(1, 10))
    )


@settings(deadline=None, max_examples=8)
@given(seed=st.integers(1, 60), order=st.integers(0, 999))
def test_awards_stand_in_any_order(seed: int, order: int) -> None:
    """Points are right in whichever order their awards are written."""
    luck = Random(order)  # noqa: S311 - the order of words is no secret
    mixed = [
        msgspec.structs.replace(event, awards=tuple(luck.sample(event.awards, len(event.awards))))
        if isinstance(event, ev.PointsCounted)
        else event
        for event in game_of_bots("phylogenome", seed)
    ]
    assert fold(GAME, mixed).findings == []


def test_an_unknown_award_is_refused_with_the_known_ones() -> None:
    """An award is one of six words, so that a slip of the pen is no wrong count."""
    counts = {"chain": 0, "species": 0, "technology": 0, "special": 0, "total": 0}
    line = json.dumps({"type": "points.counted", "player": "A", "awards": ["oldest"], **counts})
    with pytest.raises(msgspec.ValidationError, match="awards"):
        vocabulary("phylogenome").decode(line)


def messages(written: Any, **rulings: str) -> list[str]:
    """Return what the findings say, with what was expected."""
    return [f"{found.message} / {found.expected}" for found in written.replay(**rulings).findings]


def test_a_message_tells_whose_card_it_is(begin: Callable[..., Any]) -> None:
    """Where both decks have a card it is named with its owner, and the copy that is held where another is written."""
    written = begin(
        ("rice", "rice", "roundworm", "human", "dog", "rice"), ("rice", "dog", "chicken", "turkey", "maize")
    )
    written.add("cards.drawn", player="A", cards=["A:rice#3"]).play("A:rice#1", 0, 1).play("A:rice#1", 0, -1)
    assert messages(written) == ["Ann's Rice 1 is not in the hand of Ann: Ann holds Ann's Rice 2 / "]


def test_a_message_says_which_numbers_decide(begin: Callable[..., Any]) -> None:
    """Whoever reads that a generation is not reached sees how many Species there are and how many are needed."""
    written = begin(("roundworm", "fruit-fly", "tomato", "rice", "human")).play("A:roundworm", 0, 1)
    (said,) = messages(written.play("A:tomato", 0, 2))
    assert "1 Species of the first and 0 of the second generation face Ann" in said
    assert "needs 4 of the one before" in said


def test_a_message_names_the_ruling_that_it_rests_on(begin: Callable[..., Any]) -> None:
    """What is wrong by one reading of the rulebook only says which one."""
    written = begin(ben=LAB).play("A:roundworm", 0, 1).play("A:fruit-fly", 0, 2).end("A")
    written.add("event.played", player="B", card="B:lab-contamination", target="A:roundworm", paid=["B:power-outage"])
    written.add("card.discarded", card="A:fruit-fly", pile="A", reason="disconnected")
    (said,) = messages(written)
    assert "by the ruling grace=owner_next_turn" in said
    assert messages(written.end("B"), grace="strict_end_of_turn") == []
