"""What is said of one player is said of two in the plural."""

from typing import Any

import pytest

LATE = [
    ("deck.declared", "has not declared a deck list yet", "have not declared a deck list yet"),
    ("deck.shuffled", "has not shuffled the deck yet", "have not shuffled the deck yet"),
    ("cards.drawn", "has not drawn the opening hand yet", "have not drawn the opening hand yet"),
]


@pytest.mark.parametrize(("kind", "one", "both"), LATE, ids=[kind for kind, _, _ in LATE])
@pytest.mark.parametrize("missing", [("A",), ("A", "B")], ids=["one", "both"])
def test_whoever_is_late_in_the_set_up_is_named(
    story: Any, kind: str, one: str, both: str, missing: tuple[str, ...]
) -> None:
    """A line that comes before a player is ready names that player, or both of them.

    Whoever draws from a deck that nobody has shuffled is named with the draw, once, so that hand is left out here.
    """
    log = story().seeds("A", "kelp-choir", "thunder-shelf")
    without = {kind, "cards.drawn"} if kind == "deck.shuffled" else {kind}
    log.lines = [line for line in log.lines if line["type"] not in without or line.get("player") not in missing]
    expected = f"Ann {one}" if len(missing) == 1 else f"Ann and Ben {both}"
    assert expected in [finding.message for finding in log.folded().findings]


def test_whoever_has_not_drawn_for_the_round_is_named(story: Any) -> None:
    """A turn that begins although the other player has not drawn yet names that player."""
    log = story().passes("A", "B").add("cards.drawn", "A", count=1, reason="round-start")
    log.seeds("A", "kelp-choir", "thunder-shelf")
    assert "Ben has not drawn for round 2 yet" in [finding.message for finding in log.folded().findings]


@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        (("mire-calf", "reed-heron", "mire-calf"), "Mire Calf is in the list of Ann twice"),
        (
            ("mire-calf", "reed-heron", "mire-calf", "reed-heron"),
            "Mire Calf and Reed Heron are in the list of Ann twice",
        ),
        (("moss-parish",), "Moss Parish is a biom among the cards of the deck"),
        (("moss-parish", "thunder-shelf"), "Moss Parish and Thunder Shelf are bioms among the cards of the deck"),
        (("brother-oskar",), "Brother Oskar is a splicer among the cards of the deck"),
        (("brother-oskar", "ilse-quandt"), "Brother Oskar and Ilse Quandt are splicers among the cards of the deck"),
    ],
)
def test_cards_that_do_not_belong_into_a_list_are_named(story: Any, cards: tuple[str, ...], expected: str) -> None:
    """One card that is wrong in a list, or several, each by its printed name."""
    log = story()
    log.lines[1]["cards"] = list(cards)
    assert expected in [finding.message for finding in log.folded().findings]
