"""Unseen cards of Evolve: counts, handles such as `B:?1`, and verdicts that wait until a card is shown."""

from collections.abc import Callable
from typing import Any

Begin = Callable[..., Any]


def test_an_unseen_hand_is_a_count(begin: Begin) -> None:
    """A card that is drawn without a name counts, and a card that is discarded later may be that card."""
    log = begin(["escherichia"]).add("organism.played", "A", card="escherichia").add("turn.ended", "A")
    log.add("cards.drawn", "B", count=1, reason="turn-start").add("surplus.discarded", "B", card="epulopiscium#4")
    table = log.table()
    assert (table.zones["hand:B"].size, table.zones["deck:B"].size, table.zones["discard:B"].size) == (5, 5, 1)


def test_a_card_in_play_cannot_be_the_unseen_card(begin: Begin) -> None:
    """A card that lies in play already cannot be played as an unseen card of the hand."""
    log = begin(["escherichia"], ["bdellovibrio"]).add("turn.ended", "A")
    log.add("cards.drawn", "B", count=1, reason="turn-start").add("organism.played", "B", card="bdellovibrio")
    assert log.add("organism.played", "B", card="bdellovibrio").broken() == ["state.card-location"]


def test_a_handle_is_discarded_and_named_later(begin: Begin) -> None:
    """A card that was `B:?1` has its name from the line on that shows it."""
    log = begin(["escherichia"]).add("turn.ended", "A").add("cards.drawn", "B", cards=["B:?1"], reason="turn-start")
    log.add("surplus.discarded", "B", card="B:?1").add("card.shown", card="B:epulopiscium#2", was="B:?1")
    table = log.table()
    assert table.find("B:?1").name == "B:epulopiscium#2"
    assert table.find("B:epulopiscium#2").zone.name == "discard:B"
    assert table.zones["deck:B"].size == 5


def test_a_free_mulligan_of_unseen_cards_is_judged_when_they_are_shown(begin: Begin) -> None:
    """Whether the hand had an organism is unverifiable until a card of it is shown."""
    log = begin(["nutrient-pulse"] * 5)
    log.lines[4] = {"type": "cards.drawn", "player": "A", "count": 5, "reason": "opening-hand"}
    handles = [f"A:?{number}" for number in range(1, 6)]
    log.add("mulligan.taken", "A", free=True, returned=handles, count=5, shuffled=False)
    found = log.replay().findings
    assert [(each.rule, each.kind) for each in found] == [("evolve.mulligan.free-condition", "unverifiable")]
    log.add("card.shown", "A", card="A:epulopiscium#1", was="A:?1")
    found = log.replay().findings
    assert [(each.rule, each.kind) for each in found] == [("evolve.mulligan.free-condition", "illegal")]


def test_playing_an_unseen_card_is_unverifiable(begin: Begin) -> None:
    """Rules about the kind and tier of a card cannot be checked for a card that no line has shown."""
    log = begin(["escherichia"]).add("turn.ended", "A").add("cards.drawn", "B", cards=["B:?1"], reason="turn-start")
    log.add("organism.played", "B", card="B:?1")
    rules = {each.rule for each in log.replay().findings}
    assert rules == {
        "evolve.main.play-types",
        "evolve.tier2.only-by-evolve",
        "evolve.tier3.only-by-evolve",
    }
    assert all(each.kind == "unverifiable" for each in log.replay().findings)


def test_returned_cards_of_a_free_mulligan_are_known_until_a_shuffle(begin: Begin) -> None:
    """They were shown and lie in a known order; after a shuffle the other player does not know them any more."""
    hand = ["nutrient-pulse", "plasmid-windfall", "phage-burst", "warm-bloom", "acidic-drift"]
    drawn = [f"A:epulopiscium#{number}" for number in range(1, 6)]
    log = begin(hand).add(
        "mulligan.taken", "A", free=True, returned=[f"A:{each}" for each in hand], drawn=drawn, shuffled=False
    )
    table = log.table()
    assert table.knows("B", table.find("A:warm-bloom"))
    log.add("deck.shuffled", "A", reason="other")
    table = log.table()
    assert not table.knows("B", table.find("A:warm-bloom"))
