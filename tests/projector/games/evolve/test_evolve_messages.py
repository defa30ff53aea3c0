"""The messages of the findings of Evolve."""

from collections.abc import Callable
from typing import Any

Begin = Callable[..., Any]


def messages(log: Any) -> list[str]:
    """Return the messages of the findings of a log."""
    return [finding.message for finding in log.replay().findings]


def test_a_card_that_both_players_have_is_named_with_its_owner(begin: Begin) -> None:
    """The owner is left out only where it is the player of the line."""
    hand = ["escherichia", "micrococcus-film"]
    log = begin(hand, hand).add("organism.played", "A", card="escherichia").add("turn.ended", "A").turn("B", 1)
    log.add("organism.played", "B", card="escherichia")
    assert messages(log.add("food.consumed", "B", card="escherichia", food="A:escherichia")) == [
        "Ann's Escherichia coli is no food, and only food can be consumed"
    ]
    assert messages(log.add("organism.photosynthesized", "B", card="escherichia"))[1:] == [
        "Escherichia coli acts again; it may act once a turn",
        "Escherichia coli has no action called photosynthesize; it prints duplicate and attack",
    ]


def test_a_wrong_consequence_is_named_beside_the_right_one(begin: Begin) -> None:
    """The message has the sentence of the log and, of the right consequence, what differs."""
    hand = ["escherichia", "micrococcus-film"]
    log = begin(hand, hand).add("organism.played", "A", card="escherichia")
    log.add("organism.played", "A", card="micrococcus-film")
    log.add("food.consumed", "A", card="escherichia", food="micrococcus-film")
    message = "the log says that Ann's Escherichia coli gains 1 energy and has 1; the rules say 2 energy and has 2"
    assert messages(log.add("energy.changed", card="A:escherichia", by=1, to=1)) == [message]
