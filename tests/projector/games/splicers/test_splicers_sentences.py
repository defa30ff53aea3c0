"""Messages of Splicers about one or two players and about one or several cards."""

from typing import Any

import pytest

NOT_DONE_YET = [
    ("deck.declared", "has not declared a deck list yet", "have not declared a deck list yet"),
    ("deck.shuffled", "has not shuffled the deck yet", "have not shuffled the deck yet"),
    ("cards.drawn", "has not drawn the opening hand yet", "have not drawn the opening hand yet"),
]


@pytest.mark.parametrize(("kind", "one", "both"), NOT_DONE_YET, ids=[kind for kind, _, _ in NOT_DONE_YET])
@pytest.mark.parametrize("missing", [("A",), ("A", "B")], ids=["one", "both"])
def test_a_message_names_the_players_who_are_not_set_up(
    begin: Any, kind: str, one: str, both: str, missing: tuple[str, ...]
) -> None:
    """A line that comes before the set-up is complete has a finding that names the player who is late, or both.

    A hand that is drawn from an unshuffled deck has a finding of its own, so the hands are left out there.
    """
    log = begin().seeds("A", "kelp-choir", "thunder-shelf")
    without = {kind, "cards.drawn"} if kind == "deck.shuffled" else {kind}
    log.lines = [line for line in log.lines if line["type"] not in without or line.get("player") not in missing]
    expected = f"Ann {one}" if len(missing) == 1 else f"Ann and Ben {both}"
    assert expected in [finding.message for finding in log.replay().findings]


def test_a_message_names_the_player_who_has_not_drawn(begin: Any) -> None:
    """A turn that begins although the other player has not drawn yet names that player."""
    log = begin().passes("A", "B").add("cards.drawn", "A", count=1, reason="round-start")
    log.seeds("A", "kelp-choir", "thunder-shelf")
    assert "Ben has not drawn for round 2 yet" in [finding.message for finding in log.replay().findings]


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
def test_a_message_names_the_cards_that_are_wrong_in_a_list(begin: Any, cards: tuple[str, ...], expected: str) -> None:
    """A wrong deck list has a finding with the printed names of the wrong cards, one or several."""
    log = begin()
    log.lines[1]["cards"] = list(cards)
    assert expected in [finding.message for finding in log.replay().findings]
