"""What stood against a line, in the words of the table: every form that a condition of a rules file can have."""

from pathlib import Path
from typing import Any

import pytest

from tabletape.events.vocabulary.open_games import look_in
from tests.projector.test_rules_file import drawn, folded, move

STALL = """title = "Stall"
zones = { deck = "shared hidden", hand = "own", stall = "shared", row = "shared per good" }
deal = { zone = "hand", count = 3, says = "Three each.", cite = "L1" }
[counters]
coins = { start = 2, each = true }
mana = { start = 1, each = true }
tokens = { start = 1 }
score = { start = 4 }
dues = { start = 5, per = "good" }
bought = { start = 1, each = true, says = "it is {player}'s {nth} bread in this turn" }
shut = { start = 1, each = true, says = "the stall was just shut by {player}" }
odd = { start = 3, says = "what lay there before" }
[cards]
good = ["bread", "fish", "salt"]
worth = [1, 2, 3]
copies = 2
[tables]
price = { bread = 3, fish = 4, salt = 5 }
[words]
last = "top(stall).good"
held = "size(hand where it.good = bread)"
[move.set]
fields.card = "card of hand"
does = ["card -> stall"]
[move.buy]
fields.card = "card of hand"
fields.to = "player?"
fields.number = "number 0 to 9?"
needs.x = { that = "THAT", says = "So it is.", cite = "L2" }
"""
TOLD = {
    "coins >= 3": "Ann has 2 coins; at least 3 are needed",
    "coins(to) > 2": "Ben has 2 coins; more than 2 are needed",
    "mana >= price(card.good)": "Ann's mana is 1 and the price of fish is 4; at least 4 is needed",
    "tokens < 1": "there is 1 token; fewer than 1 is allowed",
    "tokens = 0": "there is 1 token; none is allowed",
    "score > 5": "the score is 4; more than 5 is needed",
    "dues(salt) != 5": "there are 5 dues of salt; 5 are not allowed",
    "bought + 1 <= 1": "it is Ann's 2nd bread in this turn; at most 1 is allowed",
    "shut = 0": "the stall was just shut by Ann",
    "odd < 3": "what lay there before: 3; fewer than 3 are allowed",
    "size(hand) + size(stall) <= 3": (
        "Ann's hand has 3 cards and the stall has 1 card, which comes to 4; at most 3 are allowed"
    ),
    "size(hand) = 2": "Ann's hand has 3 cards; 2 are needed",
    "held >= 2": "Ann's hand has 1 card of the good bread; at least 2 are needed",
    "no(hand where it.good = bread)": "Ann's hand has 1 card of the good bread",
    "no(stall)": "the stall has Bread 3",
    "any(stall where it.good = salt)": "the stall has no card of the good salt",
    "card.good = last": "the card is Fish 2 and last is bread",
    "card.worth > top(stall).worth": (
        "the card is Fish 2 and the last card of the stall is Bread 3; a worth of more than 3 is needed"
    ),
    "card.good != fish": "the card is Fish 2",
    "card.good = salt": "the card is Fish 2, not salt",
    "no(stall) or card.worth > top(stall).worth": (
        "the card is Fish 2 and the last card of the stall is Bread 3; a worth of more than 3 is needed"
    ),
    "coins > 5 and tokens > 0": "Ann has 2 coins; more than 5 are needed",
    "not (coins = 2 and tokens = 1)": "Ann has 2 coins; 2 are not allowed and there is 1 token; 1 is not allowed",
    "to = player": "Ben is named and it is Ann who moves",
    "to != next(player)": "Ben is named and Ben sits next to Ann",
    "number <= 2": "number said is 7; at most 2 is allowed",
    "if(coins > 5, tokens, score) < 4": "the score is 4; less than 4 is allowed",
    "all(players, coins(it) > 2)": "Ann has 2 coins; more than 2 are needed",
    "max(stall, it.worth) < 3": "the highest worth of the stall is 3; less than 3 is allowed",
    "1 > 2": "card is Fish 2, to is Ben and number is 7",
}
"""Conditions that do not hold at the same table, each with what is said of it."""


@pytest.mark.parametrize("that", TOLD)
def test_what_stood_against_a_line_is_a_sentence_of_the_table(own_games: Path, that: str) -> None:
    """The finding says the rule's sentence, and who has what where in this position, and what would be right."""
    (own_games / "games" / "stall.toml").write_text(STALL.replace("THAT", that))
    look_in(own_games)
    lines: list[dict[str, Any]] = [
        drawn("A", "bread-1#1", "bread-3#1", "fish-2#1", "salt-1#1"),
        drawn("B", "salt-1#2", "salt-2#1", "salt-3#1"),
        move("set", "A", card="bread-3#1"),
        move("buy", "A", card="fish-2#1", to="B", number=7),
    ]
    replay = folded("stall", *lines, names={"A": "Ann", "B": "Ben"})
    (finding,) = (each for each in replay.findings if each.rule == "stall.buy.x")
    assert (finding.kind, finding.message) == ("illegal", f"So it is. Here {TOLD[that]}.")
